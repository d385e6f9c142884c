//! What answers searches of one kind of record: pages, numbers, ids, facets, lists to browse, corrections.
//!
//! Requests use a [`SearchEngine`] and do not depend on its implementation. Octavo's own is [`SearchIndex`](crate::index::SearchIndex), an
//! index of Tantivy in the process. One that asks another server would be another implementation: a [`SearchCondition`] is a tree of tests
//! of declared fields, and is passed to it unchanged.

use std::collections::HashMap;
use std::ops::Range;

use uuid::Uuid;

pub use crate::deadline::{Deadline, OutOfTime};
use crate::query::SearchCondition;

/// Answers searches of one kind of record of one tenant. Each call fails with [`Error::OutOfTime`] when its time limit is over.
#[expect(clippy::missing_errors_doc, reason = "said above, once for all calls")]
pub trait SearchEngine: Send + Sync {
    /// The records of one page and the total number, sorted by at most three keys. Without a sort, the most relevant come first.
    fn page(
        &self,
        wanted: &SearchCondition,
        sort: &[Sort],
        ranking: &Ranking,
        range: Range<usize>,
        deadline: Deadline,
    ) -> Result<Page>;

    /// How many entries a query finds.
    fn total(&self, wanted: &SearchCondition, deadline: Deadline) -> Result<u64>;

    /// Gives the ids of everything that is found, in blocks, until `take` says no. An id comes once, though several parts of its record
    /// are found.
    fn for_each_id(
        &self,
        wanted: &SearchCondition,
        deadline: Deadline,
        take: &mut dyn FnMut(&[Uuid]) -> bool,
    ) -> Result<()>;

    /// Counts the values of fields among the records that are found. A facet is the number of a declared field.
    fn facets(
        &self,
        wanted: &SearchCondition,
        facets: &[usize],
        deadline: Deadline,
    ) -> Result<Vec<ValueCounts>>;

    /// A list to browse, in which the records are counted that `only` finds. `None` for `only` counts all records, `None` for `keeps` all
    /// terms.
    fn browse_lines<'a>(
        &'a self,
        list: &str,
        only: Option<&SearchCondition>,
        keeps: Option<TermFilter<'a>>,
        deadline: Deadline,
    ) -> Result<Box<dyn BrowseLines + 'a>>;

    /// Corrections of a text that is searched for under a name, the nearest first: those that `finds` says find something.
    fn corrections(
        &self,
        name: &str,
        asked: &str,
        deadline: Deadline,
        finds: &mut dyn FnMut(&str) -> Result<bool>,
    ) -> Result<Vec<String>>;

    /// A count that takes long: the last result is returned if nothing has changed since. `what` describes what is counted.
    fn cached_count(&self, what: &str, count: &dyn Fn() -> Result<u64>) -> Result<u64>;
}

/// A list to browse: headings or numbers in their order, as they are at one time.
#[expect(clippy::missing_errors_doc, reason = "as those of the engine")]
pub trait BrowseLines {
    /// Hands over the lines from a sort key on, or its beginning, until `take` says no: the term of each and how many records have it.
    /// Forward, `from` is included; towards the beginning of the list it is not.
    fn for_each_line(&self, from: &str, forward: bool, take: &mut dyn FnMut(&str, u64) -> bool)
    -> Result<()>;

    /// How many records have a line in each of some parts of the list; no more than `most` are counted in a part.
    fn records_between(&self, parts: &[SortKeyRange<'_>], most: u64) -> Result<Vec<u64>>;

    /// The record of a line that only one has.
    fn record_of(&self, term: &str) -> Result<Option<Uuid>>;
}

/// A line of a list to browse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowseLine {
    /// What stands behind the name of the list: the sort key, NUL, and what is shown.
    pub term: String,
    /// How many records have it.
    pub records: u64,
}

/// The next lines of a list, at most `most`, as [`BrowseLines::for_each_line`] passes them on.
///
/// # Errors
/// Those of [`BrowseLines::for_each_line`].
pub fn read_browse_lines(
    lines: &dyn BrowseLines,
    (from, forward, most): (&str, bool, usize),
) -> Result<Vec<BrowseLine>> {
    let mut read = Vec::new();
    if most > 0 {
        lines.for_each_line(from, forward, &mut |term, records| {
            read.push(BrowseLine { term: term.to_owned(), records });
            read.len() < most
        })?;
    }
    Ok(read)
}

/// A range of a list: from a sort key, included, to another, excluded; `None` stands for an end of the list.
pub type SortKeyRange<'a> = (Option<&'a str>, Option<&'a str>);

/// Which terms of a list are lines that are shown.
#[derive(Clone, Copy)]
pub struct TermFilter<'a> {
    /// Whether a term is a line, by its text after the name of the list.
    pub keeps_term: &'a (dyn Fn(&str) -> bool + Sync),
    /// The number of a declared facet: all terms of a record that is counted are lines if it has one value of that at most, so that they
    /// need not be read. None where each term has to be read.
    pub unless_several: Option<usize>,
}

/// One key of the order: the number of a declared field that is sorted by, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub field: usize,
    pub descending: bool,
}

/// The order of results without a sort.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// Conditions whose results come first: those of the first condition, then those of the second, and so on; then all others. Each must
    /// find only records that the search finds.
    pub first: Vec<SearchCondition>,
    /// In the rest, words that are asked for under the first name count so much more if they stand under the second, too.
    pub words: Vec<(usize, usize, f32)>,
}

/// A record that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub id: Uuid,
    /// Which part of the record; 0 where entries are of whole records.
    pub part: u64,
}

/// A page of what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub total: u64,
    pub hits: Vec<Hit>,
}

/// The values of a field and how many records have each; the most frequent first, then sorted by value.
pub type ValueCounts = Vec<(String, u64)>;

/// The most frequent values first, equally frequent ones by themselves.
#[must_use]
pub fn sort_by_frequency(counted: HashMap<String, u64>) -> ValueCounts {
    let mut counted: ValueCounts = counted.into_iter().collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted
}

pub type Result<T> = std::result::Result<T, Error>;

/// Why a search has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    OutOfTime(#[from] OutOfTime),
    #[error("the search failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
