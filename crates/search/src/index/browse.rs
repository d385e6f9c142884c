//! Lists to browse: headings and numbers in their order, from any place, in both directions, each with how many records have it.
//!
//! The list is the index's own sorted list of terms, of which each segment has a part; they are merged as they are read. Of a list that
//! few records are to be in, only their terms are read.

use std::borrow::Cow;
use std::sync::Arc;

use tantivy::collector::TopDocs;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::query::{BooleanQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocAddress, DocId, Searcher, Term};
use uuid::Uuid;

use super::SearchIndex;
use super::collect::in_parallel;
use super::gathered::{BrowseList, GatheredEntries};
use super::listed::Postings;
use super::sets::{self, RecordSet, alive_set};
use super::shape::facet_column;
use super::terms::{TermRecords, Terms};
use super::translate::prefix_end;
use crate::deadline::Deadline;
use crate::engine::{self, SortKeyRange, TermFilter};
use crate::query::SearchCondition;

/// Whether the terms of a list are gathered from the records that count, of all of an index. That takes about 45 ns for each of them. To read the
/// list on, until 10,000 records that count were seen, takes about 6 ms if all count, and so many times longer as there are more records
/// for each of those. Both take about as long if one in seven of 7 million counts, or one in three of a million.
fn should_gather(counted: u64, all: u64) -> bool {
    counted.saturating_mul(counted) <= all.saturating_mul(128_000)
}

/// A list as it is in one state of the index.
pub struct IndexLines<'a> {
    index: &'a SearchIndex,
    searcher: Searcher,
    /// The name of the list, followed by NUL.
    prefix: String,
    /// The query for the records that are counted.
    counted_query: Option<Box<dyn Query>>,
    /// The records that are counted, for each segment.
    counted: Vec<CountedRecords>,
    term_filter: Option<TermFilter<'a>>,
    deadline: Deadline,
}

/// The records of a segment that are counted; deleted records are not.
#[derive(Clone)]
enum CountedRecords {
    All,
    These(Arc<RecordSet>),
    Gathered(GatheredEntries),
}

impl CountedRecords {
    fn records(&self, segment: &SegmentReader) -> u64 {
        match self {
            CountedRecords::All => segment.num_docs().into(),
            CountedRecords::These(these) => these.len(),
            CountedRecords::Gathered(gathered) => gathered.records(),
        }
    }
}

impl SearchIndex {
    /// A list of which records are counted that are `wanted`.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn browse_lines<'a>(
        &'a self,
        list: &str,
        wanted: Option<&SearchCondition>,
        keeps: Option<TermFilter<'a>>,
        deadline: Deadline,
    ) -> tantivy::Result<IndexLines<'a>> {
        self.lines_gathered_if(list, wanted, keeps, deadline, should_gather)
    }

    fn lines_gathered_if<'a>(
        &'a self,
        list: &str,
        wanted: Option<&SearchCondition>,
        keeps: Option<TermFilter<'a>>,
        deadline: Deadline,
        are_gathered: impl Fn(u64, u64) -> bool,
    ) -> tantivy::Result<IndexLines<'a>> {
        let searcher = self.searcher();
        let translator = self.translator(deadline);
        let only = wanted.map(|wanted| translator.query(wanted));
        let prefix = format!("{list}\0");
        let segments = searcher.segment_readers();
        let counted = match (wanted, &only) {
            (Some(wanted), Some(only)) => {
                let end = prefix_end(prefix.as_bytes()).unwrap_or_default();
                let bounds = (prefix.as_bytes(), end.as_slice());
                let weight = only.weight(EnableScoring::disabled_from_searcher(&searcher))?;
                let found = |segment: &SegmentReader| translator.found_set(wanted, segment, weight.as_ref());
                let counted = in_parallel(segments, |segment| {
                    deadline.check()?;
                    Ok(match (BrowseList { segment, bounds, wanted }).cached()? {
                        Some(kept) => CountedRecords::Gathered(kept),
                        None => CountedRecords::These(Arc::new(found(segment)?)),
                    })
                })?;
                let counted: Vec<_> = segments.iter().zip(counted).collect();
                let records = counted.iter().map(|(segment, counted)| counted.records(segment)).sum();
                let gather = are_gathered(records, searcher.num_docs());
                in_parallel(&counted, |(segment, counted)| match counted {
                    CountedRecords::These(found) if gather => Ok(CountedRecords::Gathered(
                        BrowseList { segment, bounds, wanted }.gather(found, deadline)?,
                    )),
                    CountedRecords::Gathered(_) if !gather => {
                        Ok(CountedRecords::These(Arc::new(found(segment)?)))
                    }
                    as_it_is => Ok(as_it_is.clone()),
                })?
            }
            _ => {
                let all =
                    |segment| Ok(alive_set(segment)?.map_or(CountedRecords::All, CountedRecords::These));
                segments.iter().map(all).collect::<tantivy::Result<_>>()?
            }
        };
        Ok(IndexLines {
            index: self,
            searcher,
            prefix,
            counted_query: only,
            counted,
            term_filter: keeps,
            deadline,
        })
    }
}

impl IndexLines<'_> {
    fn count_between(&self, (from, to): SortKeyRange<'_>, most: u64) -> tantivy::Result<u64> {
        let prefix = &self.prefix;
        let from = format!("{prefix}{}", from.unwrap_or_default());
        let to = to.map_or_else(|| self.end(), |to| format!("{prefix}{to}").into_bytes());
        let mut records = 0;
        for (segment, counted) in self.searcher.segment_readers().iter().zip(&self.counted) {
            let between = (from.as_bytes(), to.as_slice());
            records += match counted {
                CountedRecords::Gathered(gathered) => {
                    self.count_gathered(segment, gathered, between, most - records)?
                }
                CountedRecords::These(these) => {
                    self.count_listed(segment, between, most - records, |doc| these.contains(doc))?
                }
                CountedRecords::All => self.count_listed(segment, between, most - records, |_| true)?,
            };
        }
        Ok(records)
    }

    /// How many records that count have a line between two terms; no more than `most` are counted. The terms are read through.
    fn count_listed(
        &self,
        segment: &SegmentReader,
        (from, to): (&[u8], &[u8]),
        most: u64,
        counts: impl Fn(DocId) -> bool,
    ) -> tantivy::Result<u64> {
        let inverted = segment.inverted_index(self.index.shape.browse)?;
        let mut terms = inverted.terms().range().ge(from).lt(to).into_stream()?;
        let mut postings = Postings::default();
        let (mut seen, mut records, mut read) = (BitSet::with_max_value(segment.max_doc()), 0, 0_u32);
        while records < most && terms.advance() {
            read += 1;
            if read.is_multiple_of(1024) {
                self.deadline.check()?;
            }
            if self.keeps_term(terms.key()) {
                let count = |doc| records += u64::from(counts(doc) && seen.insert(doc));
                postings.for_each(&inverted, terms.value(), count)?;
            }
        }
        Ok(records.min(most))
    }

    /// The same of terms that were gathered, of which only those are read that may be no lines.
    fn count_gathered(
        &self,
        segment: &SegmentReader,
        gathered: &GatheredEntries,
        between: (&[u8], &[u8]),
        most: u64,
    ) -> tantivy::Result<u64> {
        let facet = self.term_filter.and_then(|keeps| keeps.unless_several);
        let column = |facet| segment.fast_fields().str(&facet_column(self.index.names.field(facet)));
        let values = facet.map(column).transpose()?.flatten();
        let several =
            |doc| values.as_ref().is_some_and(|values| values.ords().values_for_doc(doc).nth(1).is_some());
        let must_read =
            |doc| self.term_filter.is_some_and(|keeps| keeps.unless_several.is_none() || several(doc));
        gathered.count(between, most, must_read, |term| self.keeps_term(term), self.deadline)
    }

    /// At the first term of a segment from a place on, which is the last before it if the list is read backwards.
    fn cursor<'c>(
        &self,
        (segment, inverted, counted): (&'c SegmentReader, &'c InvertedIndexReader, &'c CountedRecords),
        (from, end): (&str, &[u8]),
        forward: bool,
    ) -> tantivy::Result<Cursor<'c>> {
        let terms = match (counted, forward) {
            (CountedRecords::Gathered(gathered), true) => {
                Terms::Gathered(gathered.forward(from.as_bytes(), end)?)
            }
            (CountedRecords::Gathered(gathered), false) => {
                Terms::Gathered(gathered.backward(from.as_bytes())?)
            }
            (_, true) => Terms::forward(inverted.terms(), from, end)?,
            (_, false) => Terms::backward(inverted.terms(), from)?,
        };
        let list = self.index.shape.browse;
        let postings = Postings::default();
        let mut cursor = Cursor { list, segment, inverted, terms, postings, counted, at_end: false };
        cursor.advance(&self.prefix)?;
        Ok(cursor)
    }

    /// The text of a term after the name of the list.
    fn text_after_prefix<'t>(&self, term: &'t [u8]) -> Cow<'t, str> {
        String::from_utf8_lossy(&term[self.prefix.len()..])
    }

    fn keeps_term(&self, term: &[u8]) -> bool {
        self.term_filter.is_none_or(|keeps| (keeps.keeps_term)(&self.text_after_prefix(term)))
    }

    /// Behind all terms of the list.
    fn end(&self) -> Vec<u8> {
        prefix_end(self.prefix.as_bytes()).unwrap_or_default()
    }
}

impl engine::BrowseLines for IndexLines<'_> {
    fn records_between(&self, parts: &[SortKeyRange<'_>], most: u64) -> engine::Result<Vec<u64>> {
        Ok(in_parallel(parts, |part| self.count_between(*part, most))?)
    }

    fn record_of(&self, term: &str) -> engine::Result<Option<Uuid>> {
        let term = Term::from_field_text(self.index.shape.browse, &format!("{}{term}", self.prefix));
        let has_it: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
        let only = self.counted_query.as_ref().map(|only| only.box_clone());
        let both = [Some(has_it), only].into_iter().flatten().map(|query| (Occur::Must, query));
        let both = BooleanQuery::new(both.collect());
        let found = self.searcher.search(&both, &TopDocs::with_limit(1).order_by_score())?;
        let found: Vec<DocAddress> = found.into_iter().map(|(_, at)| at).collect();
        Ok(self.index.hits(&self.searcher, &found)?.first().map(|hit| hit.id))
    }

    fn for_each_line(
        &self,
        from: &str,
        forward: bool,
        take: &mut dyn FnMut(&str, u64) -> bool,
    ) -> engine::Result<()> {
        let prefix = &self.prefix;
        let (from, end) = (format!("{prefix}{from}"), self.end());
        let segments = self.searcher.segment_readers();
        let inverted = segments.iter().map(|segment| segment.inverted_index(self.index.shape.browse));
        let inverted = inverted.collect::<tantivy::Result<Vec<_>>>()?;
        let mut cursors = Vec::new();
        for ((segment, inverted), counted) in segments.iter().zip(&inverted).zip(&self.counted) {
            cursors.push(self.cursor((segment, inverted, counted), (&from, &end), forward)?);
        }
        let (mut seen, mut next) = (0_u32, Vec::new());
        loop {
            seen += 1;
            if seen.is_multiple_of(1024) {
                self.deadline.check()?;
            }
            let order = |a: &[u8], b: &[u8]| if forward { a.cmp(b) } else { b.cmp(a) };
            let open = cursors.iter().filter(|cursor| !cursor.at_end).map(|cursor| cursor.terms.key());
            let Some(first) = open.min_by(|a, b| order(a, b)) else { return Ok(()) };
            next.clear();
            next.extend_from_slice(first);
            let (keeps, mut records) = (self.keeps_term(&next), 0);
            for cursor in cursors.iter_mut().filter(|cursor| !cursor.at_end) {
                if cursor.terms.key() == next {
                    if keeps {
                        records += cursor.records()?;
                    }
                    cursor.advance(prefix)?;
                }
            }
            // A term of records that are all deleted, or not wanted, is no line.
            if records > 0 && !take(&self.text_after_prefix(&next), records) {
                return Ok(());
            }
        }
    }
}

/// The place in one segment's list of terms.
struct Cursor<'a> {
    /// The field of the terms.
    list: Field,
    segment: &'a SegmentReader,
    inverted: &'a InvertedIndexReader,
    terms: Terms<'a>,
    postings: Postings,
    counted: &'a CountedRecords,
    at_end: bool,
}

impl Cursor<'_> {
    /// To the next term of the list whose terms begin so.
    fn advance(&mut self, list: &str) -> tantivy::Result<()> {
        self.at_end = !self.terms.advance()? || !self.terms.key().starts_with(list.as_bytes());
        Ok(())
    }

    /// How many records that count have the term.
    fn records(&mut self) -> tantivy::Result<u64> {
        match (self.terms.records(), self.counted) {
            (TermRecords::Gathered(records), _) => Ok(records.len() as u64),
            (TermRecords::Listed(info), CountedRecords::These(these)) => {
                let term = || Term::from_field_bytes(self.list, self.terms.key());
                sets::count_with_term(these, self.segment, term, (self.inverted, &info), &mut self.postings)
            }
            (TermRecords::Listed(info), _) => Ok(u64::from(info.doc_freq)),
        }
    }
}

#[cfg(test)]
mod tests;
