//! The records that frequent terms find, as a bit for each record: sets are joined 64 records at a time, and those of frequent terms are
//! kept in memory for the next search.

use std::sync::{Arc, LazyLock};

use tantivy::index::{InvertedIndexReader, SegmentId, SegmentReader};
use tantivy::postings::TermInfo;
use tantivy::query::Weight;
use tantivy::{DocId, Result, Term};

use super::kept::{Size, SizedCache};
use super::listed::{Postings, for_each_with_term};
use super::translate::{MAX_ALTERNATIVES, Translator};
use crate::query::SearchCondition;

/// A query that finds fewer than one in so many records is answered from the lists of its terms, which are then short.
const SPARSE_FRACTION: u32 = 64;
/// The set of a term that finds fewer than one in so many records is not cached.
const RARE_FRACTION: u32 = 32;
/// The most bytes of cached sets, of all indexes together.
const MAX_BYTES: usize = 64 << 20;

/// Records of one segment. Tantivy's own set of bits can be joined by `and` alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordSet(Vec<u64>);

impl RecordSet {
    fn none(segment: &SegmentReader) -> RecordSet {
        RecordSet(vec![0; (segment.max_doc() as usize).div_ceil(64)])
    }

    fn all(segment: &SegmentReader) -> RecordSet {
        let mut all = RecordSet(vec![u64::MAX; (segment.max_doc() as usize).div_ceil(64)]);
        let over = segment.max_doc() % 64;
        if let Some(last) = all.0.last_mut().filter(|_| over > 0) {
            *last = (1 << over) - 1;
        }
        all
    }

    fn insert(&mut self, doc: DocId) {
        self.0[doc as usize / 64] |= 1 << (doc % 64);
    }

    pub(super) fn contains(&self, doc: DocId) -> bool {
        self.0[doc as usize / 64] & (1 << (doc % 64)) != 0
    }

    /// How many records there are.
    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// How many records are in both.
    fn count_shared(&self, other: &RecordSet) -> u64 {
        self.0.iter().zip(&other.0).map(|(own, other)| u64::from((own & other).count_ones())).sum()
    }

    fn join(mut self, other: &RecordSet, join: impl Fn(u64, u64) -> u64) -> RecordSet {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = join(*own, *other));
        self
    }

    /// The records in the order of their numbers, at most 64 at a time.
    pub(super) fn for_each_block(&self, mut take: impl FnMut(&[DocId])) {
        let mut block = [0; 64];
        for (first, &word) in (0..).step_by(64).zip(&self.0) {
            let (mut rest, mut length) = (word, 0);
            while rest != 0 {
                block[length] = first + rest.trailing_zeros();
                rest &= rest - 1;
                length += 1;
            }
            if length > 0 {
                take(&block[..length]);
            }
        }
    }
}

impl Size for RecordSet {
    fn size(&self) -> usize {
        self.0.len() * 8
    }
}

impl Translator<'_> {
    /// What is found in a segment, deleted records left out, if terms alone say what is wanted and many records are found. Otherwise there are
    /// quicker ways.
    fn set_from_terms(self, wanted: &SearchCondition, segment: &SegmentReader) -> Result<Option<RecordSet>> {
        let most = self.max_found(wanted, segment)?;
        if most.is_none_or(|most| most < segment.max_doc() / SPARSE_FRACTION) {
            return Ok(None);
        }
        without_deleted(self.joined_sets(wanted, segment)?, segment).map(Some)
    }

    /// What is found in a segment, deleted records left out. The weight finds the same records.
    pub(super) fn found_set(
        self,
        wanted: &SearchCondition,
        segment: &SegmentReader,
        weight: &dyn Weight,
    ) -> Result<RecordSet> {
        if let Some(set) = self.set_from_terms(wanted, segment)? {
            return Ok(set);
        }
        let (mut found, mut watch) = (RecordSet::none(segment), self.deadline.check_once_in(1024));
        weight.for_each_no_score(segment, &mut |docs| {
            if watch.has_time() {
                docs.iter().for_each(|&doc| found.insert(doc));
            }
        })?;
        self.deadline.check()?;
        without_deleted(found, segment)
    }

    /// An upper bound for the number of records found; `None` if records have to be looked at one by one, or if there are many
    /// alternatives.
    fn max_found(self, wanted: &SearchCondition, segment: &SegmentReader) -> Result<Option<u32>> {
        let all = |parts: &[SearchCondition]| -> Result<Option<Vec<u32>>> {
            parts.iter().map(|part| self.max_found(part, segment)).collect()
        };
        Ok(match wanted {
            SearchCondition::Everything => Some(segment.max_doc()),
            SearchCondition::Test(test) => match self.terms_of(test) {
                Some(terms) => {
                    let found = terms
                        .iter()
                        .map(|term| Ok(term_info(segment, term)?.map_or(0, |(_, info)| info.doc_freq)));
                    Some(found.sum::<Result<u32>>()?.min(segment.max_doc()))
                }
                None => None,
            },
            SearchCondition::And(parts) => {
                all(parts)?.map(|most| most.into_iter().min().unwrap_or_else(|| segment.max_doc()))
            }
            SearchCondition::Or(parts) if parts.len() > MAX_ALTERNATIVES => None,
            SearchCondition::Or(parts) => {
                all(parts)?.map(|most| most.into_iter().fold(0, u32::saturating_add))
            }
            SearchCondition::Without(left, right) => {
                let (left, right) = (self.max_found(left, segment)?, self.max_found(right, segment)?);
                left.filter(|_| right.is_some())
            }
        })
    }

    fn joined_sets(self, wanted: &SearchCondition, segment: &SegmentReader) -> Result<RecordSet> {
        self.deadline.check()?;
        let each = |parts: &[SearchCondition], first: RecordSet, join: fn(u64, u64) -> u64| {
            parts.iter().try_fold(first, |set, part| Ok(set.join(&self.joined_sets(part, segment)?, join)))
        };
        match wanted {
            SearchCondition::Everything => Ok(RecordSet::all(segment)),
            SearchCondition::Test(test) => {
                let mut set = RecordSet::none(segment);
                for term in self.terms_of(test).unwrap_or_default() {
                    match term_info(segment, &term)? {
                        Some((list, info)) if is_frequent(&info, segment) => {
                            set = set
                                .join(&*frequent_term_set(segment, term, &list, &info)?, |own, other| {
                                    own | other
                                });
                        }
                        Some((list, info)) => for_each_with_term(&list, &info, |doc| set.insert(doc))?,
                        None => {}
                    }
                }
                Ok(set)
            }
            SearchCondition::And(parts) => each(parts, RecordSet::all(segment), |own, other| own & other),
            SearchCondition::Or(parts) => each(parts, RecordSet::none(segment), |own, other| own | other),
            SearchCondition::Without(left, right) => {
                let right = self.joined_sets(right, segment)?;
                Ok(self.joined_sets(left, segment)?.join(&right, |own, other| own & !other))
            }
        }
    }
}

type InvertedIndex = Arc<InvertedIndexReader>;

fn term_info(segment: &SegmentReader, term: &Term) -> Result<Option<(InvertedIndex, TermInfo)>> {
    let list = segment.inverted_index(term.field())?;
    let info = list.get_term_info(term)?;
    Ok(info.map(|info| (list, info)))
}

/// Whether the set of a term is kept.
pub(super) fn is_frequent(info: &TermInfo, segment: &SegmentReader) -> bool {
    info.doc_freq >= segment.max_doc() / RARE_FRACTION
}

/// How many records of a set have a term.
pub(super) fn count_with_term(
    set: &RecordSet,
    segment: &SegmentReader,
    term: impl FnOnce() -> Term,
    (list, info): (&InvertedIndexReader, &TermInfo),
    postings: &mut Postings,
) -> Result<u64> {
    if is_frequent(info, segment) {
        return Ok(set.count_shared(&*frequent_term_set(segment, term(), list, info)?));
    }
    let mut records = 0;
    postings.for_each(list, info, |doc| records += u64::from(set.contains(doc)))?;
    Ok(records)
}

/// The records that are not deleted; `None` if none is.
pub(super) fn alive_set(segment: &SegmentReader) -> Result<Option<Arc<RecordSet>>> {
    let Some(alive) = segment.alive_bitset() else { return Ok(None) };
    let key = Key { segment: segment.segment_id(), set_of: SetOf::Alive };
    let set = CACHE.get_or_make(key, segment.delete_opstamp(), || {
        let mut set = RecordSet::none(segment);
        alive.iter_alive().for_each(|doc| set.insert(doc));
        Ok(set)
    });
    set.map(Some)
}

/// A set without the deleted records.
fn without_deleted(set: RecordSet, segment: &SegmentReader) -> Result<RecordSet> {
    Ok(match alive_set(segment)? {
        Some(alive) => set.join(&alive, |own, alive| own & alive),
        None => set,
    })
}

/// The set of one term, deleted records among them.
fn frequent_term_set(
    segment: &SegmentReader,
    term: Term,
    list: &InvertedIndexReader,
    info: &TermInfo,
) -> Result<Arc<RecordSet>> {
    CACHE.get_or_make(Key { segment: segment.segment_id(), set_of: SetOf::Term(term) }, None, || {
        let mut set = RecordSet::none(segment);
        for_each_with_term(list, info, |doc| set.insert(doc))?;
        Ok(set)
    })
}

static CACHE: LazyLock<SizedCache<Key, RecordSet>> = LazyLock::new(|| SizedCache::with_max_bytes(MAX_BYTES));

/// Whose records a set has.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    segment: SegmentId,
    set_of: SetOf,
}

#[derive(PartialEq, Eq, Hash)]
enum SetOf {
    Term(Term),
    Alive,
}

impl Size for Key {
    fn size(&self) -> usize {
        match &self.set_of {
            SetOf::Term(term) => term.serialized_value_bytes().len(),
            SetOf::Alive => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_a_set_come_in_their_order() {
        let mut set = RecordSet(vec![0; 3]);
        let records = [0, 1, 63, 64, 100, 191];
        records.iter().rev().for_each(|&doc| set.insert(doc));
        let mut blocks = Vec::new();
        set.for_each_block(|docs| blocks.push(docs.to_vec()));
        assert_eq!(blocks, [&records[..3], &records[3..5], &records[5..]]);
    }
}
