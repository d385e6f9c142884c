//! Lists to browse: headings and numbers in their order, from any place, in both directions, each with how many records have it.
//!
//! The list is the index's own sorted list of terms, of which each segment has a part; they are merged as they are read.

use tantivy::collector::TopDocs;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::query::{BooleanQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{BitSet, DocAddress, DocId, Term};
use uuid::Uuid;

use super::SearchIndex;
use super::collect::side_by_side;
use super::deadline::Deadline;
use super::listed::found_in;
use super::terms::Terms;
use super::translate::after;
use crate::query::Wanted;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// What stands behind the name of the list: the sort key, NUL, and what is shown.
    pub term: String,
    /// How many records have it.
    pub records: u64,
}

/// A stretch of a list.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The name of the list.
    pub list: &'a str,
    /// A sort key, or its beginning.
    pub from: &'a str,
    /// Towards the end of the list, `from` included; otherwise towards its beginning, without it.
    pub forward: bool,
    pub most: usize,
}

/// From a sort key on, and up to another without it; the ends of the list where there is none.
pub type Between<'a> = (Option<&'a str>, Option<&'a str>);

impl SearchIndex {
    /// How many records have a line in each of some parts of a list, among those found by `only`; no more than `most` are counted in a
    /// part. The parts are counted side by side.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn records_between(
        &self,
        list: &str,
        parts: &[Between<'_>],
        (only, most): (Option<&Wanted>, u64),
        deadline: Deadline,
    ) -> tantivy::Result<Vec<u64>> {
        let only = only.map(|wanted| self.translator(deadline).query(wanted));
        side_by_side(parts, |part| self.count_between(list, *part, (only.as_deref(), most), deadline))
    }

    fn count_between(
        &self,
        list: &str,
        (from, to): Between<'_>,
        (only, most): (Option<&dyn Query>, u64),
        deadline: Deadline,
    ) -> tantivy::Result<u64> {
        let searcher = self.searcher();
        let from = format!("{list}\0{}", from.unwrap_or_default());
        let end = after(format!("{list}\0").as_bytes()).unwrap_or_default();
        let to = to.map_or(end, |to| format!("{list}\0{to}").into_bytes());
        let (mut records, mut lines) = (0, 0_u32);
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(self.shape.browse)?;
            let terms = Terms::forward(inverted.terms(), &from, &to)?;
            let mut cursor = Cursor { segment, inverted: &inverted, terms, counted: None, at_end: false };
            let mut seen = BitSet::with_max_value(segment.max_doc());
            cursor.advance()?;
            while !cursor.at_end && records < most {
                lines += 1;
                if lines.is_multiple_of(1024) {
                    deadline.check()?;
                }
                cursor.each_record(only, &searcher, |doc| {
                    records += u64::from(!seen.contains(doc));
                    seen.insert(doc);
                })?;
                cursor.advance()?;
            }
        }
        Ok(records.min(most))
    }

    /// The record of a line that only one has, among those found by `only`.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn record_of(
        &self,
        (list, term): (&str, &str),
        only: Option<&Wanted>,
        deadline: Deadline,
    ) -> tantivy::Result<Option<Uuid>> {
        let term = Term::from_field_text(self.shape.browse, &format!("{list}\0{term}"));
        let has_it: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
        let only = only.map(|wanted| self.translator(deadline).query(wanted));
        let both = [Some(has_it), only].into_iter().flatten().map(|query| (Occur::Must, query));
        let both = BooleanQuery::new(both.collect());
        let found = self.searcher().search(&both, &TopDocs::with_limit(1).order_by_score())?;
        let found: Vec<DocAddress> = found.into_iter().map(|(_, at)| at).collect();
        Ok(self.hits(&self.searcher(), &found)?.first().map(|hit| hit.id))
    }

    /// The lines of a list from a place on, in the direction of reading. With `only`, records are counted that are found by it.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn browse(
        &self,
        stretch: Stretch<'_>,
        only: Option<&Wanted>,
        deadline: Deadline,
    ) -> tantivy::Result<Vec<Heading>> {
        let mut lines = Vec::new();
        if stretch.most > 0 {
            self.each_line(
                (stretch.list, stretch.from, stretch.forward),
                only,
                deadline,
                |term, records| {
                    lines.push(Heading { term: term.to_owned(), records });
                    lines.len() < stretch.most
                },
            )?;
        }
        Ok(lines)
    }

    /// Hands over what [`SearchIndex::browse`] lists, line by line, until `take` says no.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn each_line(
        &self,
        (list, from, forward): (&str, &str, bool),
        only: Option<&Wanted>,
        deadline: Deadline,
        mut take: impl FnMut(&str, u64) -> bool,
    ) -> tantivy::Result<()> {
        let searcher = self.searcher();
        let only = only.map(|wanted| self.translator(deadline).query(wanted));
        let prefix = format!("{list}\0");
        let from = format!("{prefix}{from}");
        let inverted =
            searcher.segment_readers().iter().map(|segment| segment.inverted_index(self.shape.browse));
        let inverted = inverted.collect::<tantivy::Result<Vec<_>>>()?;
        let mut cursors = Vec::new();
        for (segment, inverted) in searcher.segment_readers().iter().zip(&inverted) {
            let terms = if forward {
                Terms::forward(inverted.terms(), &from, &after(prefix.as_bytes()).unwrap_or_default())?
            } else {
                Terms::backward(inverted.terms(), &from)?
            };
            let mut cursor = Cursor { segment, inverted, terms, counted: None, at_end: false };
            cursor.advance_within(&prefix)?;
            cursors.push(cursor);
        }
        let mut seen = 0_u32;
        loop {
            seen += 1;
            if seen.is_multiple_of(1024) {
                deadline.check()?;
            }
            let order = |a: &[u8], b: &[u8]| if forward { a.cmp(b) } else { b.cmp(a) };
            let open = cursors.iter().filter(|cursor| !cursor.at_end).map(|cursor| cursor.terms.key());
            let Some(next) = open.min_by(|a, b| order(a, b)).map(<[u8]>::to_vec) else { return Ok(()) };
            let mut records = 0;
            for cursor in cursors.iter_mut().filter(|cursor| !cursor.at_end) {
                if cursor.terms.key() == next {
                    records += cursor.records(only.as_deref(), &searcher)?;
                    cursor.advance_within(&prefix)?;
                }
            }
            // A term of records that are all deleted, or not wanted, is no line.
            if records > 0 && !take(&String::from_utf8_lossy(&next[prefix.len()..]), records) {
                return Ok(());
            }
        }
    }
}

/// The place in one segment's list of terms.
struct Cursor<'a> {
    segment: &'a SegmentReader,
    inverted: &'a InvertedIndexReader,
    terms: Terms<'a>,
    /// The records of the segment that are counted, once they have been looked for.
    counted: Option<BitSet>,
    at_end: bool,
}

impl Cursor<'_> {
    fn advance(&mut self) -> tantivy::Result<()> {
        self.at_end = !self.terms.advance()?;
        Ok(())
    }

    /// To the next term of the list whose terms begin so.
    fn advance_within(&mut self, list: &str) -> tantivy::Result<()> {
        self.at_end = !self.terms.advance()? || !self.terms.key().starts_with(list.as_bytes());
        Ok(())
    }

    /// How many records that are not deleted, and wanted, have the term.
    fn records(&mut self, only: Option<&dyn Query>, searcher: &tantivy::Searcher) -> tantivy::Result<u64> {
        let info = self.terms.value();
        if only.is_none() && !self.segment.has_deletes() {
            return Ok(u64::from(info.doc_freq));
        }
        let mut records = 0;
        self.each_record(only, searcher, |_| records += 1)?;
        Ok(records)
    }

    /// Hands over each record that is not deleted, and wanted, and has the term.
    fn each_record(
        &mut self,
        only: Option<&dyn Query>,
        searcher: &tantivy::Searcher,
        mut take: impl FnMut(DocId),
    ) -> tantivy::Result<()> {
        let info = self.terms.value();
        let mut postings =
            self.inverted.read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
        if let (Some(only), None) = (only, &self.counted) {
            let weight = only.weight(EnableScoring::disabled_from_searcher(searcher))?;
            self.counted = Some(found_in(self.segment, weight.as_ref())?);
        }
        let counts = |doc: DocId| {
            !self.segment.is_deleted(doc) && self.counted.as_ref().is_none_or(|counted| counted.contains(doc))
        };
        while !postings.docs().is_empty() {
            postings.docs().iter().copied().filter(|&doc| counts(doc)).for_each(&mut take);
            postings.advance();
        }
        Ok(())
    }
}
