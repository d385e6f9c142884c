//! Pages, counts and streams of the ids of what a query finds.

use std::ops::Range;

use tantivy::collector::sort_key::SortByStaticFastValue;
use tantivy::collector::{Collector, Count, SegmentCollector, TopDocs};
use tantivy::columnar::Column;
use tantivy::index::SegmentReader;
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocAddress, DocId, Order, Score, Searcher};
use uuid::Uuid;

use super::SearchIndex;
use super::best::best_entries;
use super::collect::{collect, map_segments};
use super::order::ByText;
use super::translate::Translator;
use crate::deadline::{Deadline, Watch};
use crate::engine::{Hit, Page, Ranking, Sort};
use crate::query::{SearchCondition, Test};

impl SearchIndex {
    /// What is on one page, and how much there is in all, sorted by three keys at most. Without a sort the best come first.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn page(
        &self,
        wanted: &SearchCondition,
        sort: &[Sort],
        ranking: &Ranking,
        range: Range<usize>,
        deadline: Deadline,
    ) -> tantivy::Result<Page> {
        let searcher = self.reader.searcher();
        let translator = self.translator(deadline);
        let query = translator.query(wanted);
        let total = self.count(wanted, query.as_ref(), deadline)?;
        let top = || TopDocs::with_limit(range.len().max(1)).and_offset(range.start);
        let found: Vec<DocAddress> = if range.is_empty() || range.start as u64 >= total {
            Vec::new()
        } else if let [first, others @ ..] = sort {
            let key = |sort: &Sort| {
                let order = if sort.descending { Order::Desc } else { Order::Asc };
                let column = format!("sort {}", self.names.field(sort.field).name);
                (ByText { column, last: sort.descending }, order)
            };
            // Records that are equal in all keys come by their ids: their order is the same after every commit.
            let id = (SortByStaticFastValue::<u64>::for_field("id high"), Order::Asc);
            let search = query.as_ref();
            match others {
                [] => addresses(collect(
                    &searcher,
                    search,
                    &WithDeadline(top().order_by((key(first), id)), deadline),
                )?),
                [second] => {
                    let keys = (key(first), key(second), id);
                    addresses(collect(&searcher, search, &WithDeadline(top().order_by(keys), deadline))?)
                }
                [second, third, ..] => {
                    let keys = (key(first), key(second), key(third), id);
                    addresses(collect(&searcher, search, &WithDeadline(top().order_by(keys), deadline))?)
                }
            }
        } else {
            let first = ranking.first.iter().map(|part| translator.query(part));
            let rest = std::iter::once_with(|| translator.ranked_query(wanted, &ranking.words));
            let end = range.end.min(usize::try_from(total).unwrap_or(usize::MAX));
            best_entries(&searcher, first.chain(rest), end, deadline)?.into_iter().skip(range.start).collect()
        };
        Ok(Page { total, hits: self.hits(&searcher, &found)? })
    }

    /// How many entries a query finds.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn total(&self, wanted: &SearchCondition, deadline: Deadline) -> tantivy::Result<u64> {
        self.count(wanted, self.translator(deadline).query(wanted).as_ref(), deadline)
    }

    /// How many entries there are. Of one term, the index knows the number.
    fn count(&self, wanted: &SearchCondition, query: &dyn Query, deadline: Deadline) -> tantivy::Result<u64> {
        let searcher = self.reader.searcher();
        let count = match wanted {
            SearchCondition::Everything | SearchCondition::Test(Test::Term(..) | Test::Present(_)) => {
                collect(&searcher, query, &Count)? as u64
            }
            _ => {
                let translator = self.translator(deadline);
                let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
                let found = |segment: &SegmentReader| translator.found_set(wanted, segment, weight.as_ref());
                map_segments(&searcher, |segment| Ok(found(segment)?.len()))?.into_iter().sum()
            }
        };
        Ok(count)
    }

    /// Gives the ids of everything that is found, in blocks, until `take` says no. An id comes once, though several parts of its record
    /// are found.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn for_each_id(
        &self,
        wanted: &SearchCondition,
        deadline: Deadline,
        mut take: impl FnMut(&[Uuid]) -> bool,
    ) -> tantivy::Result<()> {
        let searcher = self.reader.searcher();
        let query = self.translator(deadline).query(wanted);
        let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
        for segment in searcher.segment_readers() {
            let halves = self.id_columns(segment)?;
            let mut going = true;
            let mut block = Vec::new();
            let mut last = None;
            weight.for_each_no_score(segment, &mut |docs| {
                if going && !deadline.is_over() {
                    let alive = docs.iter().filter(|&&doc| !segment.is_deleted(doc));
                    block.clear();
                    for &doc in alive {
                        let found = record_id(&halves, doc);
                        // The entries of one record stand side by side.
                        if last.replace(found) != Some(found) {
                            block.push(found);
                        }
                    }
                    going = take(&block);
                }
            })?;
            if !going {
                break;
            }
            deadline.check()?;
        }
        Ok(())
    }

    pub(super) fn translator(&self, deadline: Deadline) -> Translator<'_> {
        Translator { names: self.names, shape: &self.shape, deadline }
    }

    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    pub(super) fn id_columns(&self, segment: &SegmentReader) -> tantivy::Result<[Column<u64>; 2]> {
        Ok([segment.fast_fields().u64("id high")?, segment.fast_fields().u64("id low")?])
    }

    pub(super) fn hits(&self, searcher: &Searcher, found: &[DocAddress]) -> tantivy::Result<Vec<Hit>> {
        let columns =
            |segment: &SegmentReader| Ok((self.id_columns(segment)?, segment.fast_fields().u64("part")?));
        let columns: Vec<_> =
            searcher.segment_readers().iter().map(columns).collect::<tantivy::Result<_>>()?;
        let hit = |at: &DocAddress| {
            let (halves, parts) = &columns[at.segment_ord as usize];
            Hit { id: record_id(halves, at.doc_id), part: parts.first(at.doc_id).unwrap_or_default() }
        };
        Ok(found.iter().map(hit).collect())
    }
}

pub(super) fn record_id(halves: &[Column<u64>; 2], doc: DocId) -> Uuid {
    let [high, low] = [&halves[0], &halves[1]].map(|half| half.first(doc).unwrap_or_default());
    Uuid::from_u64_pair(high, low)
}

fn addresses<K>(found: Vec<(K, DocAddress)>) -> Vec<DocAddress> {
    found.into_iter().map(|(_, at)| at).collect()
}

/// A collector that gives up when the time is over.
pub(super) struct WithDeadline<C>(pub(super) C, pub(super) Deadline);

impl<C: Collector> Collector for WithDeadline<C> {
    type Fruit = C::Fruit;
    type Child = Timed<C::Child>;

    fn for_segment(&self, ordinal: u32, segment: &SegmentReader) -> tantivy::Result<Timed<C::Child>> {
        self.1.check()?;
        Ok(Timed { inner: self.0.for_segment(ordinal, segment)?, watch: self.1.check_once_in(1024) })
    }

    fn requires_scoring(&self) -> bool {
        self.0.requires_scoring()
    }

    fn merge_fruits(
        &self,
        fruits: Vec<(<C::Child as SegmentCollector>::Fruit, bool)>,
    ) -> tantivy::Result<C::Fruit> {
        if fruits.iter().any(|(_, late)| *late) {
            self.1.check()?;
        }
        self.0.merge_fruits(fruits.into_iter().map(|(fruit, _)| fruit).collect())
    }
}

/// The same in one segment.
pub(super) struct Timed<C> {
    inner: C,
    watch: Watch,
}

impl<C: SegmentCollector> SegmentCollector for Timed<C> {
    type Fruit = (C::Fruit, bool);

    fn collect(&mut self, doc: DocId, score: Score) {
        if self.watch.has_time() {
            self.inner.collect(doc, score);
        }
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        if self.watch.has_time() {
            self.inner.collect_block(docs);
        }
    }

    fn harvest(self) -> Self::Fruit {
        (self.inner.harvest(), self.watch.is_late())
    }
}
