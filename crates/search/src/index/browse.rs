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
use super::collect::side_by_side;
use super::gathered::{Gathered, Listing};
use super::listed::Postings;
use super::sets::{self, Set, alive};
use super::shape::facet_column;
use super::terms::{Records, Terms};
use super::translate::after;
use crate::deadline::Deadline;
use crate::engine::{self, Between, Keeps};
use crate::query::Wanted;

/// Whether the terms of a list are gathered from the records that count, of all of an index. That takes about 45 ns for each of them. To read the
/// list on, until 10,000 records that count were seen, takes about 6 ms if all count, and so many times longer as there are more records
/// for each of those. Both take about as long if one in seven of 7 million counts, or one in three of a million.
fn are_gathered(counted: u64, all: u64) -> bool {
    counted.saturating_mul(counted) <= all.saturating_mul(128_000)
}

/// A list as it is in one state of the index.
pub struct IndexLines<'a> {
    index: &'a SearchIndex,
    searcher: Searcher,
    /// The name of the list, NUL.
    prefix: String,
    /// What finds the records that count.
    only: Option<Box<dyn Query>>,
    /// Which records those are, segment by segment.
    counted: Vec<Counted>,
    keeps: Option<Keeps<'a>>,
    deadline: Deadline,
}

/// The records of a segment that count; deleted ones do not.
#[derive(Clone)]
enum Counted {
    All,
    These(Arc<Set>),
    Gathered(Gathered),
}

impl Counted {
    fn records(&self, segment: &SegmentReader) -> u64 {
        match self {
            Counted::All => segment.num_docs().into(),
            Counted::These(these) => these.len(),
            Counted::Gathered(gathered) => gathered.records(),
        }
    }
}

impl SearchIndex {
    /// A list of which records are counted that are `wanted`.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn lines<'a>(
        &'a self,
        list: &str,
        wanted: Option<&Wanted>,
        keeps: Option<Keeps<'a>>,
        deadline: Deadline,
    ) -> tantivy::Result<IndexLines<'a>> {
        self.lines_gathered_if(list, wanted, keeps, deadline, are_gathered)
    }

    fn lines_gathered_if<'a>(
        &'a self,
        list: &str,
        wanted: Option<&Wanted>,
        keeps: Option<Keeps<'a>>,
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
                let end = after(prefix.as_bytes()).unwrap_or_default();
                let bounds = (prefix.as_bytes(), end.as_slice());
                let weight = only.weight(EnableScoring::disabled_from_searcher(&searcher))?;
                let found = |segment: &SegmentReader| translator.found(wanted, segment, weight.as_ref());
                let counted = side_by_side(segments, |segment| {
                    deadline.check()?;
                    Ok(match (Listing { segment, bounds, wanted }).kept()? {
                        Some(kept) => Counted::Gathered(kept),
                        None => Counted::These(Arc::new(found(segment)?)),
                    })
                })?;
                let counted: Vec<_> = segments.iter().zip(counted).collect();
                let records = counted.iter().map(|(segment, counted)| counted.records(segment)).sum();
                let gather = are_gathered(records, searcher.num_docs());
                side_by_side(&counted, |(segment, counted)| match counted {
                    Counted::These(found) if gather => {
                        Ok(Counted::Gathered(Listing { segment, bounds, wanted }.gather(found, deadline)?))
                    }
                    Counted::Gathered(_) if !gather => Ok(Counted::These(Arc::new(found(segment)?))),
                    as_it_is => Ok(as_it_is.clone()),
                })?
            }
            _ => {
                let all = |segment| Ok(alive(segment)?.map_or(Counted::All, Counted::These));
                segments.iter().map(all).collect::<tantivy::Result<_>>()?
            }
        };
        Ok(IndexLines { index: self, searcher, prefix, only, counted, keeps, deadline })
    }
}

impl IndexLines<'_> {
    fn count_between(&self, (from, to): Between<'_>, most: u64) -> tantivy::Result<u64> {
        let prefix = &self.prefix;
        let from = format!("{prefix}{}", from.unwrap_or_default());
        let to = to.map_or_else(|| self.end(), |to| format!("{prefix}{to}").into_bytes());
        let mut records = 0;
        for (segment, counted) in self.searcher.segment_readers().iter().zip(&self.counted) {
            let between = (from.as_bytes(), to.as_slice());
            records += match counted {
                Counted::Gathered(gathered) => {
                    self.count_gathered(segment, gathered, between, most - records)?
                }
                Counted::These(these) => {
                    self.count_listed(segment, between, most - records, |doc| these.contains(doc))?
                }
                Counted::All => self.count_listed(segment, between, most - records, |_| true)?,
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
            if self.keeps(terms.key()) {
                let count = |doc| records += u64::from(counts(doc) && seen.insert(doc));
                postings.each(&inverted, terms.value(), count)?;
            }
        }
        Ok(records.min(most))
    }

    /// The same of terms that were gathered, of which only those are read that may be no lines.
    fn count_gathered(
        &self,
        segment: &SegmentReader,
        gathered: &Gathered,
        between: (&[u8], &[u8]),
        most: u64,
    ) -> tantivy::Result<u64> {
        let facet = self.keeps.and_then(|keeps| keeps.unless_several);
        let column = |facet| segment.fast_fields().str(&facet_column(self.index.names.field(facet)));
        let values = facet.map(column).transpose()?.flatten();
        let several =
            |doc| values.as_ref().is_some_and(|values| values.ords().values_for_doc(doc).nth(1).is_some());
        let must_read = |doc| self.keeps.is_some_and(|keeps| keeps.unless_several.is_none() || several(doc));
        gathered.count(between, most, must_read, |term| self.keeps(term), self.deadline)
    }

    /// At the first term of a segment from a place on, which is the last before it if the list is read backwards.
    fn cursor<'c>(
        &self,
        (segment, inverted, counted): (&'c SegmentReader, &'c InvertedIndexReader, &'c Counted),
        (from, end): (&str, &[u8]),
        forward: bool,
    ) -> tantivy::Result<Cursor<'c>> {
        let terms = match (counted, forward) {
            (Counted::Gathered(gathered), true) => Terms::Gathered(gathered.forward(from.as_bytes(), end)?),
            (Counted::Gathered(gathered), false) => Terms::Gathered(gathered.backward(from.as_bytes())?),
            (_, true) => Terms::forward(inverted.terms(), from, end)?,
            (_, false) => Terms::backward(inverted.terms(), from)?,
        };
        let list = self.index.shape.browse;
        let postings = Postings::default();
        let mut cursor = Cursor { list, segment, inverted, terms, postings, counted, at_end: false };
        cursor.advance(&self.prefix)?;
        Ok(cursor)
    }

    /// What stands behind the name of the list.
    fn shown<'t>(&self, term: &'t [u8]) -> Cow<'t, str> {
        String::from_utf8_lossy(&term[self.prefix.len()..])
    }

    fn keeps(&self, term: &[u8]) -> bool {
        self.keeps.is_none_or(|keeps| (keeps.term)(&self.shown(term)))
    }

    /// Behind all terms of the list.
    fn end(&self) -> Vec<u8> {
        after(self.prefix.as_bytes()).unwrap_or_default()
    }
}

impl engine::Lines for IndexLines<'_> {
    fn records_between(&self, parts: &[Between<'_>], most: u64) -> engine::Result<Vec<u64>> {
        Ok(side_by_side(parts, |part| self.count_between(*part, most))?)
    }

    fn record_of(&self, term: &str) -> engine::Result<Option<Uuid>> {
        let term = Term::from_field_text(self.index.shape.browse, &format!("{}{term}", self.prefix));
        let has_it: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
        let only = self.only.as_ref().map(|only| only.box_clone());
        let both = [Some(has_it), only].into_iter().flatten().map(|query| (Occur::Must, query));
        let both = BooleanQuery::new(both.collect());
        let found = self.searcher.search(&both, &TopDocs::with_limit(1).order_by_score())?;
        let found: Vec<DocAddress> = found.into_iter().map(|(_, at)| at).collect();
        Ok(self.index.hits(&self.searcher, &found)?.first().map(|hit| hit.id))
    }

    fn each_line(
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
            let (keeps, mut records) = (self.keeps(&next), 0);
            for cursor in cursors.iter_mut().filter(|cursor| !cursor.at_end) {
                if cursor.terms.key() == next {
                    if keeps {
                        records += cursor.records()?;
                    }
                    cursor.advance(prefix)?;
                }
            }
            // A term of records that are all deleted, or not wanted, is no line.
            if records > 0 && !take(&self.shown(&next), records) {
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
    counted: &'a Counted,
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
            (Records::Gathered(records), _) => Ok(records.len() as u64),
            (Records::Listed(info), Counted::These(these)) => {
                let term = || Term::from_field_bytes(self.list, self.terms.key());
                sets::count(these, self.segment, term, (self.inverted, &info), &mut self.postings)
            }
            (Records::Listed(info), _) => Ok(u64::from(info.doc_freq)),
        }
    }
}

#[cfg(test)]
mod tests;
