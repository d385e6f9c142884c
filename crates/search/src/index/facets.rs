//! How many of the found records have each value of a field.

use std::collections::HashMap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::column_index::{MultiValueIndex, Set};
use tantivy::columnar::{ColumnIndex, StrColumn};
use tantivy::index::SegmentReader;
use tantivy::{DocId, Score};

use super::SearchIndex;
use super::collect::collect;
use super::search::{BySets, InTime};
use super::shape::facet_column;
use crate::deadline::Deadline;
use crate::engine::{Counted, by_frequency};
use crate::query::Wanted;

impl SearchIndex {
    /// Counts the values of fields among the records that are found. A facet is the number of a declared field.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn facets(
        &self,
        wanted: &Wanted,
        facets: &[usize],
        deadline: Deadline,
    ) -> tantivy::Result<Vec<Counted>> {
        let translator = self.translator(deadline);
        let query = translator.query(wanted);
        let columns = facets.iter().map(|&facet| facet_column(self.names.field(facet))).collect();
        let values = InTime(Values { columns }, deadline);
        let counted =
            collect(&self.searcher(), query.as_ref(), &BySets { collector: values, translator, wanted })?;
        Ok(counted.into_iter().map(by_frequency).collect())
    }
}

struct Values {
    columns: Vec<String>,
}

/// How many records of one segment have each value of one column, by the value's number there.
struct Tally {
    column: Option<StrColumn>,
    counts: Vec<u32>,
    /// Room for the values of a stretch of records, and for where those of each record begin.
    values: Vec<u64>,
    starts: Vec<u32>,
}

impl Collector for Values {
    type Fruit = Vec<HashMap<String, u64>>;
    type Child = Tallies;

    fn for_segment(&self, _: u32, segment: &SegmentReader) -> tantivy::Result<Tallies> {
        let tally = |name: &String| {
            let column = segment.fast_fields().str(name)?;
            let values = column.as_ref().map_or(0, |column| column.dictionary().num_terms());
            Ok(Tally { column, counts: vec![0; values], values: Vec::new(), starts: Vec::new() })
        };
        let tallies = self.columns.iter().map(tally).collect::<tantivy::Result<_>>()?;
        Ok(Tallies { tallies, found: Vec::with_capacity(AT_ONCE) })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, segments: Vec<Vec<HashMap<String, u64>>>) -> tantivy::Result<Self::Fruit> {
        let mut merged = vec![HashMap::new(); self.columns.len()];
        for segment in segments {
            for (into, from) in merged.iter_mut().zip(segment) {
                for (value, count) in from {
                    *into.entry(value).or_default() += count;
                }
            }
        }
        Ok(merged)
    }
}

/// So many records are looked up at once, or a few more.
const AT_ONCE: usize = 1024;

struct Tallies {
    tallies: Vec<Tally>,
    /// Records that are not counted yet.
    found: Vec<DocId>,
}

impl Tallies {
    fn count(&mut self) {
        self.tallies.iter_mut().for_each(|tally| tally.count(&self.found));
        self.found.clear();
    }
}

impl SegmentCollector for Tallies {
    type Fruit = Vec<HashMap<String, u64>>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.found.extend_from_slice(docs);
        if self.found.len() >= AT_ONCE {
            self.count();
        }
    }

    fn harvest(mut self) -> Self::Fruit {
        self.count();
        self.tallies.into_iter().map(Tally::named).collect()
    }
}

/// All values between the first and the last record are unpacked if no more than so many belong to each record that is found; of fewer
/// records each value is looked up. The number is a guess.
const STRETCH: usize = 16;

impl Tally {
    /// Counts the values of records, which come in the order of their numbers. An entry has each value once.
    fn count(&mut self, docs: &[DocId]) {
        let Some(column) = self.column.as_ref().map(|column| column.ords()) else { return };
        let (Some(&first), Some(&last)) = (docs.first(), docs.last()) else { return };
        let end = last + 1;
        let rows = column.index.docid_range_to_rowids(first..end);
        if rows.len() > docs.len() * STRETCH {
            let values = docs.iter().flat_map(|&doc| column.values_for_doc(doc));
            values.for_each(|value| add(&mut self.counts, value));
            return;
        }
        self.values.resize(rows.len(), 0);
        column.values.get_range(u64::from(rows.start), &mut self.values);
        let (counts, values) = (&mut self.counts, &self.values);
        if (end - first) as usize == docs.len() {
            values.iter().for_each(|&value| add(counts, value));
            return;
        }
        match &column.index {
            // Where the values of each record begin is unpacked at once as well.
            ColumnIndex::Multivalued(MultiValueIndex::MultiValueIndexV2(index)) => {
                let ranks = index.optional_index.rank(first)..index.optional_index.rank(end);
                self.starts.resize(ranks.len() + 1, 0);
                index.start_index_column.get_range(u64::from(ranks.start), &mut self.starts);
                for rank in docs.iter().filter_map(|&doc| index.optional_index.rank_if_exists(doc)) {
                    let at = (rank - ranks.start) as usize;
                    let own = [self.starts[at], self.starts[at + 1]].map(|row| (row - rows.start) as usize);
                    values[own[0]..own[1]].iter().for_each(|&value| add(counts, value));
                }
            }
            index => {
                let found = docs.iter().flat_map(|&doc| index.value_row_ids(doc));
                found.for_each(|row| add(counts, values[(row - rows.start) as usize]));
            }
        }
    }

    fn named(self) -> HashMap<String, u64> {
        let Some(column) = self.column else { return HashMap::new() };
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let named = counted.filter_map(|(value, &count)| {
            let mut name = String::new();
            column.ord_to_str(value as u64, &mut name).ok()?.then_some((name, u64::from(count)))
        });
        named.collect()
    }
}

fn add(counts: &mut [u32], value: u64) {
    counts[value as usize] += 1;
}
