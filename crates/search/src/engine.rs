//! What answers searches of one kind of record: pages, numbers, ids, facets, lists to browse, corrections.
//!
//! Requests ask a [`SearchEngine`] and know nothing of what is behind it. Octavo's own is [`SearchIndex`](crate::index::SearchIndex), an
//! index of Tantivy in the process. One that asks another server would be one more implementation: a [`Wanted`] is a tree of tests of
//! declared fields, and is given as it is.

use std::collections::HashMap;
use std::ops::Range;

use uuid::Uuid;

pub use crate::deadline::{Deadline, Late};
use crate::query::Wanted;

/// Answers searches of one kind of record of one tenant. Each call fails with [`Error::Late`] when its time is over.
#[expect(clippy::missing_errors_doc, reason = "said above, once for all calls")]
pub trait SearchEngine: Send + Sync {
    /// What is on one page, and how much there is in all, sorted by three keys at most. Without a sort the best come first.
    fn page(
        &self,
        wanted: &Wanted,
        sort: &[Sort],
        ranking: &Ranking,
        range: Range<usize>,
        deadline: Deadline,
    ) -> Result<Page>;

    /// How many entries a query finds.
    fn total(&self, wanted: &Wanted, deadline: Deadline) -> Result<u64>;

    /// Gives the ids of everything that is found, in blocks, until `take` says no. An id comes once, though several parts of its record
    /// are found.
    fn every_id(
        &self,
        wanted: &Wanted,
        deadline: Deadline,
        take: &mut dyn FnMut(&[Uuid]) -> bool,
    ) -> Result<()>;

    /// Counts the values of fields among the records that are found. A facet is the number of a declared field.
    fn facets(&self, wanted: &Wanted, facets: &[usize], deadline: Deadline) -> Result<Vec<Counted>>;

    /// A list to browse, of which records are counted that are found by `only`; all, and all terms, where nothing is said.
    fn lines<'a>(
        &'a self,
        list: &str,
        only: Option<&Wanted>,
        keeps: Option<Keeps<'a>>,
        deadline: Deadline,
    ) -> Result<Box<dyn Lines + 'a>>;

    /// Corrections of a text that is searched for under a name, the nearest first: those that `finds` says find something.
    fn corrections(
        &self,
        name: &str,
        asked: &str,
        deadline: Deadline,
        finds: &mut dyn FnMut(&str) -> Result<bool>,
    ) -> Result<Vec<String>>;

    /// A number that takes time to work out: that of last time if nothing was changed since. `what` is counted.
    fn counted_once(&self, what: &str, count: &dyn Fn() -> Result<u64>) -> Result<u64>;
}

/// A list to browse: headings or numbers in their order, as they are at one time.
#[expect(clippy::missing_errors_doc, reason = "as those of the engine")]
pub trait Lines {
    /// Hands over the lines from a sort key on, or its beginning, until `take` says no: the term of each and how many records have it.
    /// Forward, `from` is included; towards the beginning of the list it is not.
    fn each_line(&self, from: &str, forward: bool, take: &mut dyn FnMut(&str, u64) -> bool) -> Result<()>;

    /// How many records have a line in each of some parts of the list; no more than `most` are counted in a part.
    fn records_between(&self, parts: &[Between<'_>], most: u64) -> Result<Vec<u64>>;

    /// The record of a line that only one has.
    fn record_of(&self, term: &str) -> Result<Option<Uuid>>;
}

/// A line of a list to browse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// What stands behind the name of the list: the sort key, NUL, and what is shown.
    pub term: String,
    /// How many records have it.
    pub records: u64,
}

/// The next lines, as [`Lines::each_line`] hands them over.
///
/// # Errors
/// Those of [`Lines::each_line`].
pub fn stretch(lines: &dyn Lines, (from, forward, most): (&str, bool, usize)) -> Result<Vec<Heading>> {
    let mut read = Vec::new();
    if most > 0 {
        lines.each_line(from, forward, &mut |term, records| {
            read.push(Heading { term: term.to_owned(), records });
            read.len() < most
        })?;
    }
    Ok(read)
}

/// From a sort key on, and up to another without it; the ends of the list where there is none.
pub type Between<'a> = (Option<&'a str>, Option<&'a str>);

/// Which of a list's terms are lines.
#[derive(Clone, Copy)]
pub struct Keeps<'a> {
    /// By what stands behind the name of the list.
    pub term: &'a (dyn Fn(&str) -> bool + Sync),
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

/// What comes first without a sort.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// What comes before the rest of what is found: each finds a part of it, the best part first.
    pub first: Vec<Wanted>,
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

/// The values of a field with how many records have each, the most frequent first, then by value.
pub type Counted = Vec<(String, u64)>;

/// The most frequent values first, equally frequent ones by themselves.
#[must_use]
pub fn by_frequency(counted: HashMap<String, u64>) -> Counted {
    let mut counted: Counted = counted.into_iter().collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted
}

pub type Result<T> = std::result::Result<T, Error>;

/// Why a search has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Late(#[from] Late),
    #[error("the search failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
