//! The columns and term lists of an index, made from the declared fields.

use std::collections::HashMap;

use tantivy::schema::{
    BytesOptions, FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::RAW_TOKENIZER_NAME;

use super::tokens::TOKENIZER;
use crate::fields::{Field as DeclaredField, Index};
use crate::names::Names;

/// Raised when terms or columns are written in another way: as a part of a field's name it makes an index of an earlier format one of
/// another shape. 2: lists of terms in blocks instead of automata. 3: lists to browse also as a column, call numbers with their locations.
const INDEX_FORMAT: u32 = 3;

/// The name of the terms to browse, and of their column.
pub(super) const BROWSE: &str = "browse";

/// Where the parts of a record go.
#[derive(Debug)]
pub(super) struct IndexLayout {
    pub(super) schema: Schema,
    /// The id as 16 bytes, to replace and delete by.
    pub(super) id: Field,
    /// The id as two numbers, read in the millions.
    pub(super) id_halves: [Field; 2],
    /// Which part of the record the entry is of, where a record has several.
    pub(super) part: Field,
    /// A number made of all that was indexed of the record, to tell whether the record has changed.
    pub(super) content: Field,
    /// Whole values, after the sign of their field; those of fields that are searched by words in lower case.
    pub(super) whole: Field,
    /// The signs of the fields that have a value.
    pub(super) present: Field,
    /// Headings and numbers to browse: kind, NUL, sort key, NUL, what is shown. As a column, too, to read those of a few records.
    pub(super) browse: Field,
    /// Words, by the number of the list.
    pub(super) words: Vec<Field>,
    /// Instants, by the number of the declared field.
    pub(super) instants: HashMap<usize, Field>,
    /// Values that are counted, by the number of the declared field.
    pub(super) facets: HashMap<usize, Field>,
    /// What is sorted by, by the number of the declared field.
    pub(super) sorts: HashMap<usize, Field>,
}

impl IndexLayout {
    /// The shape of an index of these names. The lengths of values, which relevance looks at, are kept for the names in `relevant`.
    pub(super) fn new(names: &Names, relevant: &[&str]) -> IndexLayout {
        let mut schema = Schema::builder();
        let id = schema
            .add_bytes_field(&format!("id, format {INDEX_FORMAT}"), BytesOptions::default().set_indexed());
        let id_halves = ["id high", "id low"].map(|half| schema.add_u64_field(half, FAST));
        let part = schema.add_u64_field("part", FAST);
        let content = schema.add_u64_field("content", FAST);
        let terms = TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(RAW_TOKENIZER_NAME)
                .set_fieldnorms(false)
                .set_index_option(IndexRecordOption::Basic),
        );
        let [whole, present] = ["whole", "present"].map(|name| schema.add_text_field(name, terms.clone()));
        let browse = schema.add_text_field(BROWSE, terms.set_fast(RAW_TOKENIZER_NAME));
        let words = names.word_lists.iter().map(|list| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(TOKENIZER)
                .set_fieldnorms(relevant.contains(list))
                .set_index_option(IndexRecordOption::WithFreqsAndPositions);
            let options = TextOptions::default().set_indexing_options(indexing);
            schema.add_text_field(&format!("words {list}"), options)
        });
        let words = words.collect();
        let mut instants = HashMap::new();
        let column = TextOptions::default().set_fast(RAW_TOKENIZER_NAME);
        let (mut facets, mut sorts) = (HashMap::new(), HashMap::new());
        for (number, field) in names.fields.list().iter().enumerate() {
            if field.index == Index::Date {
                let options = NumericOptions::default().set_fast();
                instants.insert(number, schema.add_i64_field(&format!("instant {}", field.name), options));
            }
            if field.facet {
                facets.insert(number, schema.add_text_field(&facet_column(field), column.clone()));
            }
            if field.sort {
                let name = format!("sort {}", field.name);
                sorts.insert(number, schema.add_text_field(&name, column.clone()));
            }
        }
        let schema = schema.build();
        IndexLayout {
            schema,
            id,
            id_halves,
            part,
            content,
            whole,
            present,
            browse,
            words,
            instants,
            facets,
            sorts,
        }
    }
}

/// The name of the column of the values that are counted of a field.
pub(super) fn facet_column(field: &DeclaredField) -> String {
    format!("facet {}", field.name)
}

/// The sign that stands for a declared field at the beginning of its terms: two bytes, in the order of the fields.
pub(super) fn field_sign(field: usize) -> char {
    // The characters of two bytes, of which there are 1,920.
    u32::try_from(field).ok().and_then(|field| char::from_u32(0x80 + field)).unwrap_or('\u{7ff}')
}
