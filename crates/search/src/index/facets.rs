//! How many of the found records have each value of a field.

use std::collections::HashMap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::StrColumn;
use tantivy::index::SegmentReader;
use tantivy::{DocId, Score};

use super::SearchIndex;
use super::collect::collect;
use super::search::InTime;
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
        let query = self.translator(deadline).query(wanted);
        let columns = facets.iter().map(|&facet| format!("facet {}", self.names.field(facet).name)).collect();
        let counted = collect(&self.searcher(), query.as_ref(), &InTime(Values { columns }, deadline))?;
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
}

impl Collector for Values {
    type Fruit = Vec<HashMap<String, u64>>;
    type Child = Tallies;

    fn for_segment(&self, _: u32, segment: &SegmentReader) -> tantivy::Result<Tallies> {
        let tally = |name: &String| {
            let column = segment.fast_fields().str(name)?;
            let values = column.as_ref().map_or(0, |column| column.dictionary().num_terms());
            Ok(Tally { column, counts: vec![0; values] })
        };
        Ok(Tallies(self.columns.iter().map(tally).collect::<tantivy::Result<_>>()?))
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

struct Tallies(Vec<Tally>);

impl SegmentCollector for Tallies {
    type Fruit = Vec<HashMap<String, u64>>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.collect_block(&[doc]);
    }

    fn collect_block(&mut self, docs: &[DocId]) {
        self.0.iter_mut().for_each(|tally| tally.count(docs));
    }

    fn harvest(self) -> Self::Fruit {
        self.0.into_iter().map(Tally::named).collect()
    }
}

/// So many records are looked up at once.
const AT_ONCE: usize = 64;

impl Tally {
    fn count(&mut self, docs: &[DocId]) {
        let Some(values) = self.column.as_ref().map(|column| column.ords()) else { return };
        // An entry has each value once.
        if values.get_cardinality().is_multivalue() {
            for value in docs.iter().flat_map(|&doc| values.values_for_doc(doc)) {
                self.counts[value as usize] += 1;
            }
            return;
        }
        let mut found = [None; AT_ONCE];
        for docs in docs.chunks(AT_ONCE) {
            let found = &mut found[..docs.len()];
            values.first_vals(docs, found);
            for value in found.iter().flatten() {
                self.counts[*value as usize] += 1;
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
