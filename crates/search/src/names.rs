//! The names that a query may search in.
//!
//! A name is an alias, which several fields may share (`keyword`, `title`), or a field that no alias hides. What all fields of a name
//! hold is indexed together under the name, so that words of a query may stand in different fields of it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::fields::{Field, Fields, Index, instance_name};
use crate::records::{authority_fields, contributor_fields, instance_fields, subject_fields};
use crate::text::and_for_ampersand;

/// A name that a query may search in.
#[derive(Debug)]
pub struct Name {
    pub name: &'static str,
    /// Numbers of the declared fields.
    pub fields: Vec<usize>,
    /// The index in [`Names::word_lists`] of the list in which the words of the fields are indexed together; `None` if no field is
    /// searched by words.
    pub word_list: Option<usize>,
    /// Some field is searched by words between blanks, as they are written.
    pub unchanged_words: bool,
    /// Whether some field that is searched by words is also indexed by its whole values, in lower case.
    pub has_whole_values: bool,
    /// How the whole values of the other fields are indexed.
    pub whole_index: Option<Index>,
}

impl Name {
    /// What is done to a term that is searched for. Only names of one field have it.
    #[must_use]
    pub fn term_processor(&self, fields: &Fields) -> Option<&'static str> {
        self.fields.first().and_then(|&field| fields.list()[field].term_processor)
    }
}

/// The names of a record type, in the order of their first fields.
#[derive(Debug)]
pub struct Names {
    pub fields: &'static Fields,
    pub names: Vec<Name>,
    /// What is done to a name in a query before it is looked up.
    rename: fn(&str) -> Cow<'_, str>,
    /// What is done to a text before its words are looked for, in values and in queries.
    pub prepare: fn(&str) -> Cow<'_, str>,
    by_name: HashMap<&'static str, usize>,
    /// The lists of words, each of several fields together. Names with the same fields share a list, which is called by the first of them.
    pub word_lists: Vec<&'static str>,
    /// For each field, the lists of words that contain it.
    word_lists_of: Vec<Vec<usize>>,
}

impl Names {
    #[must_use]
    pub fn new(
        fields: &'static Fields,
        rename: fn(&str) -> Cow<'_, str>,
        prepare: fn(&str) -> Cow<'_, str>,
    ) -> Names {
        let lists_of = vec![Vec::new(); fields.list().len()];
        let (names, by_name) = (Vec::new(), HashMap::new());
        let mut names = Names {
            fields,
            names,
            rename,
            prepare,
            by_name,
            word_lists: Vec::new(),
            word_lists_of: lists_of,
        };
        for field in fields.list().iter().filter(|field| field.is_searched()) {
            for name in field.aliases.iter().copied().chain([field.name]) {
                names.add(name);
            }
        }
        names.share_lists();
        names
    }

    /// Names that a query writes as they are declared.
    fn without_renaming(fields: &'static Fields) -> Names {
        Names::new(fields, |name| Cow::Borrowed(name), |text| Cow::Borrowed(text))
    }

    /// Adds a name with the fields that it leads to, once.
    fn add(&mut self, name: &'static str) {
        if self.by_name.contains_key(name) {
            return;
        }
        let mut numbers = self.fields.fields_searched_by(name);
        numbers.retain(|&number| self.field(number).is_searched());
        let searched: Vec<&Field> = numbers.iter().map(|&number| self.field(number)).collect();
        let entry = Name {
            name,
            word_list: None,
            unchanged_words: searched.iter().any(|field| field.index == Index::Whitespace),
            has_whole_values: searched.iter().any(|field| field.has_whole_values()),
            whole_index: searched
                .iter()
                .rfind(|field| !field.is_searched_by_words())
                .map(|field| field.index),
            fields: numbers,
        };
        self.by_name.insert(name, self.names.len());
        self.names.push(entry);
    }

    /// Gives each name its list of words, names of the same fields the same one.
    fn share_lists(&mut self) {
        let mut made: HashMap<Vec<usize>, usize> = HashMap::new();
        for name in &mut self.names {
            let by_words = |field: &&usize| self.fields.list()[**field].is_searched_by_words();
            let fields: Vec<usize> = name.fields.iter().filter(by_words).copied().collect();
            if fields.is_empty() {
                continue;
            }
            let list = *made.entry(fields.clone()).or_insert_with(|| {
                self.word_lists.push(name.name);
                for field in fields {
                    self.word_lists_of[field].push(self.word_lists.len() - 1);
                }
                self.word_lists.len() - 1
            });
            name.word_list = Some(list);
        }
    }

    /// A name that a query writes, as the fields are declared.
    #[must_use]
    pub fn renamed<'n>(&self, name: &'n str) -> Cow<'n, str> {
        (self.rename)(name)
    }

    /// The number of a name, as a query may write it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(self.renamed(name).as_ref()).copied()
    }

    /// The declared field with this number.
    #[must_use]
    pub fn field(&self, number: usize) -> &Field {
        &self.fields.list()[number]
    }

    /// The lists of words in which the field with this number is.
    #[must_use]
    pub fn word_lists_of(&self, field: usize) -> &[usize] {
        &self.word_lists_of[field]
    }
}

/// The names under which titles are searched.
pub static INSTANCE: LazyLock<Names> =
    LazyLock::new(|| Names::new(instance_fields(), instance_name, and_for_ampersand));

/// The names under which headings of authorities are searched.
pub static AUTHORITY: LazyLock<Names> = LazyLock::new(|| Names::without_renaming(authority_fields()));

/// The names under which lines of the list of contributors are looked for.
pub static CONTRIBUTOR: LazyLock<Names> = LazyLock::new(|| Names::without_renaming(contributor_fields()));

/// The names under which lines of the list of subjects are looked for.
pub static SUBJECT: LazyLock<Names> = LazyLock::new(|| Names::without_renaming(subject_fields()));
