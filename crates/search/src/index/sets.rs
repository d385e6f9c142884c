//! The records that frequent terms find, as a bit for each record: sets are joined 64 records at a time, and those of frequent terms are
//! kept in memory for the next search.

use std::sync::{Arc, LazyLock};

use tantivy::index::{InvertedIndexReader, SegmentId, SegmentReader};
use tantivy::postings::TermInfo;
use tantivy::query::Weight;
use tantivy::{DocId, Result, Term};

use super::kept::{Kept, Size};
use super::listed::{Postings, each_with_term};
use super::translate::{FEW, Translator};
use crate::query::Wanted;

/// A query that finds fewer records than one of so many is answered from the lists of its terms, which are short then.
const SPARSE: u32 = 64;
/// The set of a term that finds fewer records than one of so many is made anew each time.
const RARE: u32 = 32;
/// Memory for the sets that are kept, of all indexes together.
const ROOM: usize = 64 << 20;

/// Records of one segment. Tantivy's own set of bits can be joined by `and` alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    fn none(segment: &SegmentReader) -> Set {
        Set(vec![0; (segment.max_doc() as usize).div_ceil(64)])
    }

    fn all(segment: &SegmentReader) -> Set {
        let mut all = Set(vec![u64::MAX; (segment.max_doc() as usize).div_ceil(64)]);
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
    fn shared(&self, other: &Set) -> u64 {
        self.0.iter().zip(&other.0).map(|(own, other)| u64::from((own & other).count_ones())).sum()
    }

    fn join(mut self, other: &Set, join: impl Fn(u64, u64) -> u64) -> Set {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = join(*own, *other));
        self
    }

    /// The records in the order of their numbers, at most 64 at a time.
    pub(super) fn in_blocks(&self, mut take: impl FnMut(&[DocId])) {
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

impl Size for Set {
    fn size(&self) -> usize {
        self.0.len() * 8
    }
}

impl Translator<'_> {
    /// What is found in a segment, deleted records left out, if terms alone say what is wanted and many records are found. Otherwise there are
    /// quicker ways.
    fn set(self, wanted: &Wanted, segment: &SegmentReader) -> Result<Option<Set>> {
        let most = self.most(wanted, segment)?;
        if most.is_none_or(|most| most < segment.max_doc() / SPARSE) {
            return Ok(None);
        }
        left(self.joined(wanted, segment)?, segment).map(Some)
    }

    /// What is found in a segment, deleted records left out. The weight finds the same records.
    pub(super) fn found(self, wanted: &Wanted, segment: &SegmentReader, weight: &dyn Weight) -> Result<Set> {
        if let Some(set) = self.set(wanted, segment)? {
            return Ok(set);
        }
        let (mut found, mut watch) = (Set::none(segment), self.deadline.once_in(1024));
        weight.for_each_no_score(segment, &mut |docs| {
            if watch.has_time() {
                docs.iter().for_each(|&doc| found.insert(doc));
            }
        })?;
        self.deadline.check()?;
        left(found, segment)
    }

    /// So many records are found at most; `None` if something has to be looked up in each, or if there are many alternatives.
    fn most(self, wanted: &Wanted, segment: &SegmentReader) -> Result<Option<u32>> {
        let all = |parts: &[Wanted]| -> Result<Option<Vec<u32>>> {
            parts.iter().map(|part| self.most(part, segment)).collect()
        };
        Ok(match wanted {
            Wanted::Everything => Some(segment.max_doc()),
            Wanted::Test(test) => match self.terms_of(test) {
                Some(terms) => {
                    let found = terms
                        .iter()
                        .map(|term| Ok(info(segment, term)?.map_or(0, |(_, info)| info.doc_freq)));
                    Some(found.sum::<Result<u32>>()?.min(segment.max_doc()))
                }
                None => None,
            },
            Wanted::And(parts) => {
                all(parts)?.map(|most| most.into_iter().min().unwrap_or_else(|| segment.max_doc()))
            }
            Wanted::Or(parts) if parts.len() > FEW => None,
            Wanted::Or(parts) => all(parts)?.map(|most| most.into_iter().fold(0, u32::saturating_add)),
            Wanted::Without(left, right) => {
                let (left, right) = (self.most(left, segment)?, self.most(right, segment)?);
                left.filter(|_| right.is_some())
            }
        })
    }

    fn joined(self, wanted: &Wanted, segment: &SegmentReader) -> Result<Set> {
        self.deadline.check()?;
        let each = |parts: &[Wanted], first: Set, join: fn(u64, u64) -> u64| {
            parts.iter().try_fold(first, |set, part| Ok(set.join(&self.joined(part, segment)?, join)))
        };
        match wanted {
            Wanted::Everything => Ok(Set::all(segment)),
            Wanted::Test(test) => {
                let mut set = Set::none(segment);
                for term in self.terms_of(test).unwrap_or_default() {
                    match info(segment, &term)? {
                        Some((list, info)) if is_frequent(&info, segment) => {
                            set =
                                set.join(&*frequent(segment, term, &list, &info)?, |own, other| own | other);
                        }
                        Some((list, info)) => each_with_term(&list, &info, |doc| set.insert(doc))?,
                        None => {}
                    }
                }
                Ok(set)
            }
            Wanted::And(parts) => each(parts, Set::all(segment), |own, other| own & other),
            Wanted::Or(parts) => each(parts, Set::none(segment), |own, other| own | other),
            Wanted::Without(left, right) => {
                let right = self.joined(right, segment)?;
                Ok(self.joined(left, segment)?.join(&right, |own, other| own & !other))
            }
        }
    }
}

type List = Arc<InvertedIndexReader>;

fn info(segment: &SegmentReader, term: &Term) -> Result<Option<(List, TermInfo)>> {
    let list = segment.inverted_index(term.field())?;
    let info = list.get_term_info(term)?;
    Ok(info.map(|info| (list, info)))
}

/// Whether the set of a term is kept.
pub(super) fn is_frequent(info: &TermInfo, segment: &SegmentReader) -> bool {
    info.doc_freq >= segment.max_doc() / RARE
}

/// How many records of a set have a term.
pub(super) fn count(
    set: &Set,
    segment: &SegmentReader,
    term: impl FnOnce() -> Term,
    (list, info): (&InvertedIndexReader, &TermInfo),
    postings: &mut Postings,
) -> Result<u64> {
    if is_frequent(info, segment) {
        return Ok(set.shared(&*frequent(segment, term(), list, info)?));
    }
    let mut records = 0;
    postings.each(list, info, |doc| records += u64::from(set.contains(doc)))?;
    Ok(records)
}

/// The records that are not deleted; `None` if none is.
pub(super) fn alive(segment: &SegmentReader) -> Result<Option<Arc<Set>>> {
    let Some(alive) = segment.alive_bitset() else { return Ok(None) };
    let key = Key { segment: segment.segment_id(), of: Of::Alive };
    let set = KEPT.get_or_make(key, segment.delete_opstamp(), || {
        let mut set = Set::none(segment);
        alive.iter_alive().for_each(|doc| set.insert(doc));
        Ok(set)
    });
    set.map(Some)
}

/// A set without the deleted records.
fn left(set: Set, segment: &SegmentReader) -> Result<Set> {
    Ok(match alive(segment)? {
        Some(alive) => set.join(&alive, |own, alive| own & alive),
        None => set,
    })
}

/// The set of one term, deleted records among them.
fn frequent(
    segment: &SegmentReader,
    term: Term,
    list: &InvertedIndexReader,
    info: &TermInfo,
) -> Result<Arc<Set>> {
    KEPT.get_or_make(Key { segment: segment.segment_id(), of: Of::Term(term) }, None, || {
        let mut set = Set::none(segment);
        each_with_term(list, info, |doc| set.insert(doc))?;
        Ok(set)
    })
}

static KEPT: LazyLock<Kept<Key, Set>> = LazyLock::new(|| Kept::with_room(ROOM));

/// Whose records a set has.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    segment: SegmentId,
    of: Of,
}

#[derive(PartialEq, Eq, Hash)]
enum Of {
    Term(Term),
    Alive,
}

impl Size for Key {
    fn size(&self) -> usize {
        match &self.of {
            Of::Term(term) => term.serialized_value_bytes().len(),
            Of::Alive => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_a_set_come_in_their_order() {
        let mut set = Set(vec![0; 3]);
        let records = [0, 1, 63, 64, 100, 191];
        records.iter().rev().for_each(|&doc| set.insert(doc));
        let mut blocks = Vec::new();
        set.in_blocks(|docs| blocks.push(docs.to_vec()));
        assert_eq!(blocks, [&records[..3], &records[3..5], &records[5..]]);
    }
}
