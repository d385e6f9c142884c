//! The order of what is found by the text in a column.

use tantivy::collector::sort_key::NaturalComparator;
use tantivy::collector::{SegmentSortKeyComputer, SortKeyComputer};
use tantivy::columnar::StrColumn;
use tantivy::index::SegmentReader;
use tantivy::termdict::TermOrdinal;
use tantivy::{DocId, Score};

/// The first value of a record in a column, or the last: an entry has its values in order.
#[derive(Clone, Debug)]
pub(super) struct ByText {
    pub(super) column: String,
    pub(super) last: bool,
}

impl SortKeyComputer for ByText {
    type SortKey = Option<String>;
    type Child = SegmentByText;
    type Comparator = NaturalComparator;

    fn segment_sort_key_computer(&self, segment: &SegmentReader) -> tantivy::Result<SegmentByText> {
        Ok(SegmentByText { column: segment.fast_fields().str(&self.column)?, last: self.last })
    }
}

/// The same in one segment, by the number of the value in the segment's list.
pub(super) struct SegmentByText {
    column: Option<StrColumn>,
    last: bool,
}

impl SegmentSortKeyComputer for SegmentByText {
    type SortKey = Option<String>;
    type SegmentSortKey = Option<TermOrdinal>;
    type SegmentComparator = NaturalComparator;

    fn segment_sort_key(&mut self, doc: DocId, _: Score) -> Option<TermOrdinal> {
        let column = self.column.as_ref()?.ords();
        if self.last { column.values_for_doc(doc).last() } else { column.first(doc) }
    }

    fn convert_segment_sort_key(&self, key: Option<TermOrdinal>) -> Option<String> {
        let mut text = Vec::new();
        let found = self.column.as_ref()?.dictionary().ord_to_term(key?, &mut text).ok()?;
        if found { String::from_utf8(text).ok() } else { None }
    }
}
