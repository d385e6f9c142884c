//! How many of the found records have each value of a field.
//!
//! Where many are found, the records of each value are counted that are among them, from the lists of terms. Where few are found, their
//! values are read from the column of the field.

use std::collections::HashMap;

use tantivy::columnar::column_index::{MultiValueIndex, Set as _};
use tantivy::columnar::{ColumnIndex, StrColumn};
use tantivy::index::SegmentReader;
use tantivy::postings::TermInfo;
use tantivy::query::EnableScoring;
use tantivy::{DocId, Term};

use super::SearchIndex;
use super::collect::map_segments;
use super::listed::Postings;
use super::sets::{self, RecordSet, is_frequent};
use super::shape::{facet_column, field_sign};
use super::translate::prefix_end;
use crate::deadline::Deadline;
use crate::engine::{ValueCounts, sort_by_frequency};
use crate::fields::Index;
use crate::query::SearchCondition;

/// Estimated times in nanoseconds: to open the list of a value, to read a record in it, and to compare 128 records with the set of a
/// frequent value; and to look up the values of a found record in a column: 26 to 30 with 7.2 million titles, more if a title has several
/// values.
const OPEN_LIST_NS: u64 = 250;
const READ_RECORD_NS: u64 = 2;
const COMPARE_128_NS: u64 = 1;
const LOOK_UP_NS: u64 = 30;

impl SearchIndex {
    /// Counts the values of fields among the records that are found. A facet is the number of a declared field.
    ///
    /// # Errors
    /// The index cannot be read, or the time is over.
    pub fn facets(
        &self,
        wanted: &SearchCondition,
        facets: &[usize],
        deadline: Deadline,
    ) -> tantivy::Result<Vec<ValueCounts>> {
        self.facets_by_lists_if(wanted, facets, deadline, |lists, column| lists < column)
    }

    fn facets_by_lists_if(
        &self,
        wanted: &SearchCondition,
        facets: &[usize],
        deadline: Deadline,
        by_lists: impl Fn(u64, u64) -> bool + Sync,
    ) -> tantivy::Result<Vec<ValueCounts>> {
        let translator = self.translator(deadline);
        let searcher = self.searcher();
        let weight = translator.query(wanted).weight(EnableScoring::disabled_from_searcher(&searcher))?;
        let counted = map_segments(&searcher, |segment| {
            deadline.check()?;
            let found = translator.found_set(wanted, segment, weight.as_ref())?;
            let count = |&facet: &usize| {
                deadline.check()?;
                let field = self.names.field(facet);
                let Some(column) = segment.fast_fields().str(&facet_column(field))? else {
                    return Ok(HashMap::new());
                };
                let by_column = found.len() * LOOK_UP_NS;
                // The terms of other fields are not the values as they are shown.
                let has_lists = matches!(field.index, Index::Keyword | Index::Bool);
                if has_lists && by_lists(column.num_terms() as u64 * OPEN_LIST_NS, by_column) {
                    let lists = self.value_lists(segment, facet)?;
                    if by_lists(lists.iter().map(|list| list.estimated_ns(segment)).sum(), by_column) {
                        return self.count_lists(segment, &lists, &found);
                    }
                }
                Ok(count_column(column, &found))
            };
            facets.iter().map(count).collect::<tantivy::Result<Vec<_>>>()
        })?;
        let mut merged = vec![HashMap::new(); facets.len()];
        for segment in counted {
            for (into, from) in merged.iter_mut().zip(segment) {
                for (value, count) in from {
                    *into.entry(value).or_default() += count;
                }
            }
        }
        Ok(merged.into_iter().map(sort_by_frequency).collect())
    }

    /// The lists of all values of a field.
    fn value_lists(&self, segment: &SegmentReader, facet: usize) -> tantivy::Result<Vec<ValueList>> {
        let inverted = segment.inverted_index(self.shape.whole)?;
        let sign = field_sign(facet).to_string();
        let end = prefix_end(sign.as_bytes()).unwrap_or_default();
        let mut terms = inverted.terms().range().ge(&sign).lt(end).into_stream()?;
        let mut lists = Vec::new();
        while terms.advance() {
            let value = String::from_utf8_lossy(&terms.key()[sign.len()..]).into_owned();
            let term = Term::from_field_bytes(self.shape.whole, terms.key());
            lists.push(ValueList { value, term, info: terms.value().clone() });
        }
        Ok(lists)
    }

    /// Counts how many records of each list are among those that were found.
    fn count_lists(
        &self,
        segment: &SegmentReader,
        lists: &[ValueList],
        found: &RecordSet,
    ) -> tantivy::Result<HashMap<String, u64>> {
        let inverted = segment.inverted_index(self.shape.whole)?;
        let (mut counted, mut postings) = (HashMap::new(), Postings::default());
        for ValueList { value, term, info } in lists {
            let records =
                sets::count_with_term(found, segment, || term.clone(), (&inverted, info), &mut postings)?;
            if records > 0 {
                counted.insert(value.clone(), records);
            }
        }
        Ok(counted)
    }
}

/// The list of the records of a segment that have a value.
struct ValueList {
    value: String,
    term: Term,
    info: TermInfo,
}

impl ValueList {
    /// The estimated time in nanoseconds to compare the list with a set of records.
    fn estimated_ns(&self, segment: &SegmentReader) -> u64 {
        if is_frequent(&self.info, segment) {
            u64::from(segment.max_doc()) / 128 * COMPARE_128_NS
        } else {
            OPEN_LIST_NS + u64::from(self.info.doc_freq) * READ_RECORD_NS
        }
    }
}

/// About how many records are looked up at once.
const RECORDS_PER_BLOCK: usize = 1024;

/// Counts the values that the column has for the records that were found.
fn count_column(column: StrColumn, found: &RecordSet) -> HashMap<String, u64> {
    let mut tally =
        Tally { counts: vec![0; column.num_terms()], column, values: Vec::new(), starts: Vec::new() };
    let mut docs = Vec::with_capacity(RECORDS_PER_BLOCK + 64);
    found.for_each_block(|block| {
        docs.extend_from_slice(block);
        if docs.len() >= RECORDS_PER_BLOCK {
            tally.count(&docs);
            docs.clear();
        }
    });
    tally.count(&docs);
    tally.into_counts()
}

/// How many records of one segment have each value of one column, by the value's number there.
struct Tally {
    column: StrColumn,
    counts: Vec<u32>,
    /// Room for the values of a stretch of records, and for where those of each record begin.
    values: Vec<u64>,
    starts: Vec<u32>,
}

/// All values between the first and the last record are unpacked if no more than so many belong to each record that is found; of fewer
/// records each value is looked up. The number is a guess.
const MAX_VALUES_PER_RECORD: usize = 16;

impl Tally {
    /// Counts the values of records, which come in the order of their numbers. An entry has each value once.
    fn count(&mut self, docs: &[DocId]) {
        let column = self.column.ords();
        let (Some(&first), Some(&last)) = (docs.first(), docs.last()) else { return };
        let end = last + 1;
        let rows = column.index.docid_range_to_rowids(first..end);
        if rows.len() > docs.len() * MAX_VALUES_PER_RECORD {
            let values = docs.iter().flat_map(|&doc| column.values_for_doc(doc));
            values.for_each(|value| count_value(&mut self.counts, value));
            return;
        }
        self.values.resize(rows.len(), 0);
        column.values.get_range(u64::from(rows.start), &mut self.values);
        let (counts, values) = (&mut self.counts, &self.values);
        if (end - first) as usize == docs.len() {
            values.iter().for_each(|&value| count_value(counts, value));
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
                    values[own[0]..own[1]].iter().for_each(|&value| count_value(counts, value));
                }
            }
            index => {
                let found = docs.iter().flat_map(|&doc| index.value_row_ids(doc));
                found.for_each(|row| count_value(counts, values[(row - rows.start) as usize]));
            }
        }
    }

    fn into_counts(self) -> HashMap<String, u64> {
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let named = counted.filter_map(|(value, &count)| {
            let mut name = String::new();
            self.column.ord_to_str(value as u64, &mut name).ok()?.then_some((name, u64::from(count)))
        });
        named.collect()
    }
}

fn count_value(counts: &mut [u32], value: u64) {
    counts[value as usize] += 1;
}

#[cfg(test)]
mod tests;
