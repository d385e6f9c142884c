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
use super::collect::each_segment;
use super::listed::Postings;
use super::sets::{self, Set, is_frequent};
use super::shape::{facet_column, sign};
use super::translate::after;
use crate::deadline::Deadline;
use crate::engine::{Counted, by_frequency};
use crate::fields::Index;
use crate::query::Wanted;

/// Estimated nanoseconds to open the list of a value, to read a record in it, and to compare 128 records with the set of a frequent value; and
/// to look up the values of a record that was found in a column: 26 to 30 with 7.2 million titles, more where a title has several.
const OPEN: u64 = 250;
const READ: u64 = 2;
const COMPARE_128: u64 = 1;
const LOOK_UP: u64 = 30;

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
        self.facets_by_lists_if(wanted, facets, deadline, |lists, column| lists < column)
    }

    fn facets_by_lists_if(
        &self,
        wanted: &Wanted,
        facets: &[usize],
        deadline: Deadline,
        by_lists: impl Fn(u64, u64) -> bool + Sync,
    ) -> tantivy::Result<Vec<Counted>> {
        let translator = self.translator(deadline);
        let searcher = self.searcher();
        let weight = translator.query(wanted).weight(EnableScoring::disabled_from_searcher(&searcher))?;
        let counted = each_segment(&searcher, |segment| {
            deadline.check()?;
            let found = translator.found(wanted, segment, weight.as_ref())?;
            let count = |&facet: &usize| {
                deadline.check()?;
                let field = self.names.field(facet);
                let Some(column) = segment.fast_fields().str(&facet_column(field))? else {
                    return Ok(HashMap::new());
                };
                let by_column = found.len() * LOOK_UP;
                // The terms of other fields are not the values as they are shown.
                let has_lists = matches!(field.index, Index::Keyword | Index::Bool);
                if has_lists && by_lists(column.num_terms() as u64 * OPEN, by_column) {
                    let lists = self.lists(segment, facet)?;
                    if by_lists(lists.iter().map(|list| list.takes(segment)).sum(), by_column) {
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
        Ok(merged.into_iter().map(by_frequency).collect())
    }

    /// The lists of all values of a field.
    fn lists(&self, segment: &SegmentReader, facet: usize) -> tantivy::Result<Vec<List>> {
        let inverted = segment.inverted_index(self.shape.whole)?;
        let sign = sign(facet).to_string();
        let end = after(sign.as_bytes()).unwrap_or_default();
        let mut terms = inverted.terms().range().ge(&sign).lt(end).into_stream()?;
        let mut lists = Vec::new();
        while terms.advance() {
            let value = String::from_utf8_lossy(&terms.key()[sign.len()..]).into_owned();
            let term = Term::from_field_bytes(self.shape.whole, terms.key());
            lists.push(List { value, term, info: terms.value().clone() });
        }
        Ok(lists)
    }

    /// Counts how many records of each list are among those that were found.
    fn count_lists(
        &self,
        segment: &SegmentReader,
        lists: &[List],
        found: &Set,
    ) -> tantivy::Result<HashMap<String, u64>> {
        let inverted = segment.inverted_index(self.shape.whole)?;
        let (mut counted, mut postings) = (HashMap::new(), Postings::default());
        for List { value, term, info } in lists {
            let records = sets::count(found, segment, || term.clone(), (&inverted, info), &mut postings)?;
            if records > 0 {
                counted.insert(value.clone(), records);
            }
        }
        Ok(counted)
    }
}

/// The list of the records of a segment that have a value.
struct List {
    value: String,
    term: Term,
    info: TermInfo,
}

impl List {
    /// How long it takes to compare it with a set, in nanoseconds.
    fn takes(&self, segment: &SegmentReader) -> u64 {
        if is_frequent(&self.info, segment) {
            u64::from(segment.max_doc()) / 128 * COMPARE_128
        } else {
            OPEN + u64::from(self.info.doc_freq) * READ
        }
    }
}

/// So many records are looked up at once, or a few more.
const AT_ONCE: usize = 1024;

/// Counts the values that the column has for the records that were found.
fn count_column(column: StrColumn, found: &Set) -> HashMap<String, u64> {
    let mut tally =
        Tally { counts: vec![0; column.num_terms()], column, values: Vec::new(), starts: Vec::new() };
    let mut docs = Vec::with_capacity(AT_ONCE + 64);
    found.in_blocks(|block| {
        docs.extend_from_slice(block);
        if docs.len() >= AT_ONCE {
            tally.count(&docs);
            docs.clear();
        }
    });
    tally.count(&docs);
    tally.named()
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
const STRETCH: usize = 16;

impl Tally {
    /// Counts the values of records, which come in the order of their numbers. An entry has each value once.
    fn count(&mut self, docs: &[DocId]) {
        let column = self.column.ords();
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
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let named = counted.filter_map(|(value, &count)| {
            let mut name = String::new();
            self.column.ord_to_str(value as u64, &mut name).ok()?.then_some((name, u64::from(count)))
        });
        named.collect()
    }
}

fn add(counts: &mut [u32], value: u64) {
    counts[value as usize] += 1;
}

#[cfg(test)]
mod tests;
