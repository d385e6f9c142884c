//! The best of what is found, in an order that stays the same when the index is written: of equally good entries the one with the
//! lower id comes first.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::index::SegmentReader;
use tantivy::query::{Query, Weight};
use tantivy::{DocAddress, DocId, Score, Searcher, SegmentOrdinal};

use super::collect::collect;
use crate::deadline::Deadline;

/// The first `most` entries that the queries find: those of the first query, the best first, then those that the second finds besides,
/// and so on. A later query is asked only if those before it find too little.
pub(super) fn best_entries(
    searcher: &Searcher,
    queries: impl IntoIterator<Item = Box<dyn Query>>,
    most: usize,
    deadline: Deadline,
) -> tantivy::Result<Vec<DocAddress>> {
    let (mut all, mut known) = (Vec::new(), HashSet::new());
    for query in queries {
        if all.len() >= most {
            break;
        }
        // Of the first `most` that one query finds, at most as many are known as there are in `all`: enough remain.
        let found = collect(searcher, query.as_ref(), &BestEntries { most, deadline })?;
        all.extend(found.into_iter().filter(|at| known.insert(*at)));
    }
    all.truncate(most);
    Ok(all)
}

struct BestEntries {
    most: usize,
    deadline: Deadline,
}

/// How good an entry is, and what decides between equally good ones.
#[derive(Clone, Copy, PartialEq)]
struct Rank {
    score: Score,
    /// The upper half of the record's id, and the part of the record.
    id: Reverse<(u64, u64)>,
}

impl Eq for Rank {}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| self.id.cmp(&other.id))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best entries that were seen so far in one segment: the least of them is at the top of the heap.
struct SegmentBest {
    most: usize,
    segment: SegmentOrdinal,
    ids: Column<u64>,
    parts: Column<u64>,
    heap: BinaryHeap<Reverse<(Rank, DocAddress)>>,
}

/// The threshold lies this much below the score of the worst entry that is kept, so that entries with the same score are compared by their ids.
/// A little more than nothing is needed: the index adds up the same numbers in another order for its bounds, and rounds otherwise.
const ROUNDING: Score = 1.0 - 1e-5;

impl SegmentBest {
    fn take(&mut self, doc: DocId, score: Score) {
        if score < self.threshold() {
            return;
        }
        let first = |column: &Column<u64>| column.first(doc).unwrap_or_default();
        let rank = Rank { score, id: Reverse((first(&self.ids), first(&self.parts))) };
        self.heap.push(Reverse((rank, DocAddress::new(self.segment, doc))));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// Entries with a lower score than this are not among the best.
    fn threshold(&self) -> Score {
        match self.heap.peek() {
            Some(Reverse((worst, _))) if self.heap.len() == self.most => worst.score * ROUNDING,
            _ => Score::MIN,
        }
    }
}

impl SegmentCollector for SegmentBest {
    type Fruit = Vec<(Rank, DocAddress)>;

    fn collect(&mut self, doc: DocId, score: Score) {
        self.take(doc, score);
    }

    fn harvest(self) -> Self::Fruit {
        self.heap.into_iter().map(|Reverse(found)| found).collect()
    }
}

impl Collector for BestEntries {
    type Fruit = Vec<DocAddress>;
    type Child = SegmentBest;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentBest> {
        let columns = reader.fast_fields();
        let (ids, parts) = (columns.u64("id high")?, columns.u64("part")?);
        Ok(SegmentBest { most: self.most, segment, ids, parts, heap: BinaryHeap::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn collect_segment(
        &self,
        weight: &dyn Weight,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<Vec<(Rank, DocAddress)>> {
        let mut best = self.for_segment(segment, reader)?;
        let (mut looked_at, mut is_late) = (0_u32, false);
        weight.for_each_pruning(Score::MIN, reader, &mut |doc, score| {
            looked_at = looked_at.wrapping_add(1);
            if looked_at.is_multiple_of(1024) {
                is_late |= self.deadline.is_over();
            }
            if is_late {
                return Score::MAX;
            }
            if !reader.is_deleted(doc) {
                best.take(doc, score);
            }
            best.threshold()
        })?;
        self.deadline.check()?;
        Ok(best.harvest())
    }

    fn merge_fruits(&self, segments: Vec<Vec<(Rank, DocAddress)>>) -> tantivy::Result<Vec<DocAddress>> {
        let mut all: Vec<(Rank, DocAddress)> = segments.into_iter().flatten().collect();
        all.sort_unstable_by_key(|(rank, _)| Reverse(*rank));
        Ok(all.into_iter().take(self.most).map(|(_, at)| at).collect())
    }
}
