//! What one record puts into an index.

use std::collections::HashMap;

use tantivy::TantivyDocument;
use tantivy::schema::Field;
use uuid::Uuid;

use super::shape::{IndexLayout, field_sign};
use super::tokens::WordText;
use crate::fields::Index;
use crate::instants;
use crate::names::Names;
use crate::records::ValueKind;
use crate::text::{self, Language};

/// Positions between two values of a field, so that a phrase never reaches from one to the next: Elasticsearch's `position_increment_gap`.
const VALUE_GAP: usize = 100;

/// Values and words beyond these numbers are not indexed: a record of 16 MB must not take all memory.
const MAX_WORDS: usize = 200_000;
const MAX_VALUES: usize = 50_000;

/// How records are indexed: mod-search's configuration of a tenant.
#[derive(Clone, Debug, Default)]
pub struct IndexingOptions {
    /// The languages whose stems are indexed, in records of these languages.
    pub languages: Vec<Language>,
    /// The features that are switched on: `search.all.fields`.
    pub features: Vec<String>,
}

/// The entry of a record, filled value by value.
pub struct Entry<'a> {
    names: &'a Names,
    shape: &'a IndexLayout,
    /// Languages in which the record's values have stems.
    languages: Vec<Language>,
    features: &'a [String],
    document: TantivyDocument,
    words: HashMap<usize, WordText>,
    /// The terms and columns of the record; some come several times.
    terms: Vec<(Field, String)>,
    values: usize,
    part: u64,
}

impl<'a> Entry<'a> {
    /// An entry for the record with this id, which is in these languages by their codes.
    pub(super) fn new<'l>(
        names: &'a Names,
        shape: &'a IndexLayout,
        indexing: &'a IndexingOptions,
        id: Uuid,
        codes: impl IntoIterator<Item = &'l str>,
    ) -> Entry<'a> {
        let mut document = TantivyDocument::new();
        document.add_bytes(shape.id, id.as_bytes());
        let (high, low) = id.as_u64_pair();
        document.add_u64(shape.id_halves[0], high);
        document.add_u64(shape.id_halves[1], low);
        let spoken: Vec<Language> = codes.into_iter().filter_map(Language::from_code).collect();
        let languages =
            indexing.languages.iter().copied().filter(|language| spoken.contains(language)).collect();
        let (words, terms) = (HashMap::new(), Vec::new());
        Entry {
            names,
            shape,
            languages,
            features: &indexing.features,
            document,
            words,
            terms,
            values: 0,
            part: 0,
        }
    }

    /// Adds a value of the declared field with this number.
    pub fn add(&mut self, number: usize, kind: ValueKind, value: &str) {
        let field = self.names.field(number);
        self.values += 1;
        if self.values > MAX_VALUES
            || field.feature.is_some_and(|one| !self.features.iter().any(|on| on == one))
        {
            return;
        }
        if let Some(&column) = self.shape.facets.get(&number) {
            self.terms.push((column, text::cut_value(value).to_owned()));
        }
        if let Some(&column) = self.shape.sorts.get(&number) {
            self.terms.push((column, text::lowercase_term(&text::fold(value))));
        }
        if field.index == Index::Source {
            return;
        }
        let sign = field_sign(number);
        self.terms.push((self.shape.present, sign.to_string()));
        if let Some(&column) = self.shape.instants.get(&number) {
            if let Some((at, _)) = instants::instant_range(value) {
                self.document.add_i64(column, at);
            }
            return;
        }
        if field.is_searched_by_words() && kind == ValueKind::Value {
            self.add_words(number, field.index, value);
        }
        if !field.is_searched_by_words() || field.has_whole_values() || kind == ValueKind::Whole {
            self.terms.push((self.shape.whole, format!("{sign}{}", text::whole_term(field.index, value))));
        }
    }

    /// Sets which part of the record the entry is of.
    pub fn set_part(&mut self, part: u64) {
        self.part = part;
    }

    /// Sets the number by which the record's content is told from an earlier one.
    pub fn set_content(&mut self, content: u64) {
        self.document.add_u64(self.shape.content, content);
    }

    /// Adds a heading or number to browse.
    pub fn add_heading(&mut self, term: String) {
        self.terms.push((self.shape.browse, term));
    }

    fn add_words(&mut self, number: usize, index: Index, value: &str) {
        let lists = self.names.word_lists_of(number);
        let mut made: Vec<(usize, String)> = Vec::new();
        if index == Index::Whitespace {
            made.extend(value.split_whitespace().map(text::unchanged_word_term).enumerate());
        } else {
            for word in text::index_words(&(self.names.prepare)(value)) {
                if index == Index::Multilang {
                    let stems = self.languages.iter().flat_map(|&language| text::stems(language, &word));
                    made.extend(stems.map(|stem| (word.position, stem)));
                }
                made.push((word.position, word.text));
            }
        }
        for &list in lists {
            let words = self.words.entry(list).or_default();
            let from = if words.count == 0 { 0 } else { words.position() + VALUE_GAP };
            for (position, word) in made.iter().take(MAX_WORDS.saturating_sub(words.count)) {
                words.add(from + position, word);
            }
        }
    }

    /// The document for the index.
    #[must_use]
    pub fn finish(mut self) -> TantivyDocument {
        self.document.add_u64(self.shape.part, self.part);
        for (list, words) in self.words {
            self.document.add_text(self.shape.words[list], words.into_text());
        }
        self.terms.sort_unstable();
        self.terms.dedup();
        for (field, term) in self.terms {
            self.document.add_text(field, term);
        }
        self.document
    }
}
