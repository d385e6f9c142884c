//! The terms of a list that a few records of a segment have, gathered from the records: what else is in the list is not read. They are kept
//! for the next page of the same list.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use tantivy::columnar::{StrColumn, TermOrdHit};
use tantivy::index::{SegmentId, SegmentReader};
use tantivy::termdict::TermOrdinal;
use tantivy::{BitSet, DocId, TantivyError};

use super::kept::{Size, SizedCache};
use super::sets::RecordSet;
use super::shape::BROWSE;
use crate::deadline::Deadline;
use crate::query::SearchCondition;

/// How many terms of a list are read at first; each later read is four times as large, up to the second number.
pub(super) const FIRST_TERMS: u64 = 32;
pub(super) const MAX_TERMS: u64 = 2048;
/// Gathered terms stand far from each other in the list, so that each may be in another block of it, which has to be read: so few are looked up
/// at first, each time twice as many.
const FIRST_LOOKED_UP: usize = 16;

/// The most bytes of cached terms, of all indexes together.
const MAX_BYTES: usize = 64 << 20;

static CACHE: LazyLock<SizedCache<Key, TermsOfRecords>> =
    LazyLock::new(|| SizedCache::with_max_bytes(MAX_BYTES));

/// Which terms are kept: the bounds of the list, and what the records have that they were gathered from, as text.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    segment: SegmentId,
    list: [Vec<u8>; 2],
    wanted: String,
}

impl Size for Key {
    fn size(&self) -> usize {
        self.list.iter().map(Vec::len).sum::<usize>() + self.wanted.len()
    }
}

/// The terms, by their numbers in the segment's column, each with its records.
#[derive(Clone)]
pub(super) struct GatheredEntries {
    /// None if no record of the segment has a term.
    column: Option<StrColumn>,
    terms: Arc<TermsOfRecords>,
}

/// The terms of some records, each with its record.
struct TermsOfRecords {
    /// How many records they were gathered from.
    records: u64,
    /// In the order of the list.
    entries: Vec<Entry>,
}

impl Size for TermsOfRecords {
    fn size(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}

/// The number of a term, and of a record that has it, in one number that is sorted by both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u64);

impl Entry {
    /// Of a term with a number less than 2^32.
    fn new(term: TermOrdinal, record: DocId) -> Entry {
        Entry(term << 32 | u64::from(record))
    }

    fn term(self) -> TermOrdinal {
        self.0 >> 32
    }

    pub(super) fn record(self) -> DocId {
        (self.0 & u64::from(u32::MAX)) as DocId
    }
}

/// A list whose terms are gathered from the wanted records of a segment.
#[derive(Clone, Copy)]
pub(super) struct BrowseList<'a> {
    pub(super) segment: &'a SegmentReader,
    /// Where the list begins and ends.
    pub(super) bounds: (&'a [u8], &'a [u8]),
    pub(super) wanted: &'a SearchCondition,
}

impl BrowseList<'_> {
    fn key(self) -> Key {
        let (from, to) = self.bounds;
        let list = [from.to_vec(), to.to_vec()];
        Key { segment: self.segment.segment_id(), list, wanted: format!("{:?}", self.wanted) }
    }

    /// The terms that were gathered for an earlier page; `None` if there are none in the cache, or records of the segment were deleted
    /// since.
    pub(super) fn cached(self) -> tantivy::Result<Option<GatheredEntries>> {
        let kept = CACHE.get(&self.key(), self.segment.delete_opstamp());
        kept.map(|terms| Ok(GatheredEntries { column: self.column()?, terms })).transpose()
    }

    /// `records` are those that are wanted.
    pub(super) fn gather(self, records: &RecordSet, deadline: Deadline) -> tantivy::Result<GatheredEntries> {
        let column = self.column()?;
        let mut entries = match &column {
            Some(column) => self.entries(column, records, deadline)?,
            None => Vec::new(),
        };
        entries.shrink_to_fit();
        let terms = Arc::new(TermsOfRecords { records: records.len(), entries });
        CACHE.insert(self.key(), self.segment.delete_opstamp(), &terms);
        Ok(GatheredEntries { column, terms })
    }

    fn column(self) -> tantivy::Result<Option<StrColumn>> {
        self.segment.fast_fields().str(BROWSE)
    }

    fn entries(
        self,
        column: &StrColumn,
        records: &RecordSet,
        deadline: Deadline,
    ) -> tantivy::Result<Vec<Entry>> {
        let list = term_number_at(column, self.bounds.0)?..term_number_at(column, self.bounds.1)?;
        if column.num_terms() > u32::MAX as usize {
            let message = format!("a segment has {} terms to browse", column.num_terms());
            return Err(TantivyError::SystemError(message));
        }
        let (mut entries, mut watch) = (Vec::new(), deadline.check_once_in(64));
        records.for_each_block(|docs| {
            if !watch.has_time() {
                return;
            }
            for &doc in docs {
                let terms = column.ords().values_for_doc(doc).filter(|term| list.contains(term));
                entries.extend(terms.map(|term| Entry::new(term, doc)));
            }
        });
        deadline.check()?;
        entries.sort_unstable();
        Ok(entries)
    }
}

impl GatheredEntries {
    /// How many records the terms were gathered from.
    pub(super) fn records(&self) -> u64 {
        self.terms.records
    }

    /// How many records have a term between two places; no more than `most` are counted. The terms of a record are read if `must_read`
    /// says so of it, and then `keeps` says of each whether it is taken.
    pub(super) fn count(
        &self,
        (from, to): (&[u8], &[u8]),
        most: u64,
        must_read: impl Fn(DocId) -> bool,
        keeps: impl Fn(&[u8]) -> bool,
        deadline: Deadline,
    ) -> tantivy::Result<u64> {
        let Some(column) = &self.column else { return Ok(0) };
        let (from, to) = (self.entries_before(from)?, self.entries_before(to)?);
        let entries = &self.terms.entries[from..to.max(from)];
        let mut seen = BitSet::with_max_value(column.ords().num_docs());
        let mut records = 0;
        // There may be enough records whose terms need not be read. After twice as many entries as are wanted they are too few.
        let further = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(2);
        for entry in entries.iter().take(further).filter(|entry| !must_read(entry.record())) {
            records += u64::from(seen.insert(entry.record()));
            if records == most {
                return Ok(records);
            }
        }
        for block in entries.chunks(MAX_TERMS as usize) {
            if records >= most {
                break;
            }
            deadline.check()?;
            let read = block.iter().filter(|entry| must_read(entry.record()));
            let mut read: Vec<TermOrdinal> = read.map(|entry| entry.term()).collect();
            read.dedup();
            let mut kept = Vec::with_capacity(read.len());
            column.dictionary().sorted_ords_to_term_cb(&read, |term| kept.push(keeps(term)))?;
            let is_kept = |entry: &&Entry| read.binary_search(&entry.term()).map_or(true, |at| kept[at]);
            let block = block.iter().filter(is_kept);
            records += block.map(|entry| u64::from(seen.insert(entry.record()))).sum::<u64>();
        }
        Ok(records.min(most))
    }

    /// From the first term at or after `from` up to the end, which is left out.
    pub(super) fn forward(&self, from: &[u8], end: &[u8]) -> tantivy::Result<GatheredTerms<'_>> {
        Ok(GatheredTerms::new(self, self.entries_before(from)?..self.entries_before(end)?, true))
    }

    /// From the last term before `from` down to the first of the list.
    pub(super) fn backward(&self, from: &[u8]) -> tantivy::Result<GatheredTerms<'_>> {
        Ok(GatheredTerms::new(self, 0..self.entries_before(from)?, false))
    }

    /// How many entries are before a position in the list.
    fn entries_before(&self, from: &[u8]) -> tantivy::Result<usize> {
        let Some(column) = &self.column else { return Ok(0) };
        let from = term_number_at(column, from)?;
        Ok(self.terms.entries.partition_point(|entry| entry.term() < from))
    }
}

/// The number of the first term at or after a position.
fn term_number_at(column: &StrColumn, from: &[u8]) -> tantivy::Result<TermOrdinal> {
    Ok(match column.dictionary().term_ord_or_next(from)? {
        TermOrdHit::Exact(number) | TermOrdHit::Next(number) => number,
    })
}

/// The gathered terms from a place on. They are looked up by the block, and handed over from the last.
pub(super) struct GatheredTerms<'a> {
    gathered: &'a GatheredEntries,
    /// The entries whose terms have not been looked up.
    unread: Range<usize>,
    forward: bool,
    /// How many are looked up next.
    next: usize,
    /// The last is the term where the reading stands.
    read: Vec<(Vec<u8>, Range<usize>)>,
}

impl<'a> GatheredTerms<'a> {
    fn new(gathered: &'a GatheredEntries, left: Range<usize>, forward: bool) -> GatheredTerms<'a> {
        GatheredTerms { gathered, unread: left, forward, next: FIRST_LOOKED_UP, read: Vec::new() }
    }

    pub(super) fn advance(&mut self) -> tantivy::Result<bool> {
        self.read.pop();
        if self.read.is_empty() && !self.unread.is_empty() {
            self.look_up()?;
        }
        Ok(!self.read.is_empty())
    }

    /// Entries of one term stay together.
    fn look_up(&mut self) -> tantivy::Result<()> {
        let entries = &self.gathered.terms.entries;
        let most = self.next.min(self.unread.len());
        let block = if self.forward {
            let last = entries[self.unread.start + most - 1].term();
            let end = entries.partition_point(|entry| entry.term() <= last).min(self.unread.end);
            let block = self.unread.start..end;
            self.unread.start = end;
            block
        } else {
            let first = entries[self.unread.end - most].term();
            let start = entries.partition_point(|entry| entry.term() < first).max(self.unread.start);
            let block = start..self.unread.end;
            self.unread.end = start;
            block
        };
        let mut at = block.start;
        let mut terms = Vec::new();
        let mut ranges = Vec::new();
        for of_term in entries[block].chunk_by(|one, next| one.term() == next.term()) {
            terms.push(of_term[0].term());
            ranges.push(at..at + of_term.len());
            at += of_term.len();
        }
        let (mut ranges, read) = (ranges.into_iter(), &mut self.read);
        if let Some(column) = &self.gathered.column {
            column.dictionary().sorted_ords_to_term_cb(&terms, |term| {
                read.extend(ranges.next().map(|range| (term.to_vec(), range)));
            })?;
        }
        if self.forward {
            self.read.reverse();
        }
        self.next = (self.next * 2).min(MAX_TERMS as usize);
        Ok(())
    }

    /// The term; empty where `advance` has found none.
    pub(super) fn key(&self) -> &[u8] {
        self.read.last().map_or(&[], |(key, _)| key)
    }

    /// The entries of the term.
    pub(super) fn entries(&self) -> &'a [Entry] {
        self.read.last().map_or(&[], |(_, range)| &self.gathered.terms.entries[range.clone()])
    }
}
