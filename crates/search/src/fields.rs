//! The declared search fields of a record type, as mod-search 3.2.6 declares them, and how a name in a request leads to them.
//!
//! The declarations themselves are tables, which [`crate::records`] reads.

use std::borrow::Cow;
use std::collections::HashMap;

/// How the values of a field are indexed: mod-search's `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// Words as they are written, and stems of the languages that the tenant has configured and the title is in.
    Multilang,
    /// Words as they are written.
    Standard,
    /// Words between blanks, unchanged.
    Whitespace,
    /// The whole value, unchanged.
    Keyword,
    /// The whole value in lower case, without blanks at its ends.
    KeywordLowercase,
    /// The whole value in upper case, without blanks at its ends.
    KeywordUppercase,
    Bool,
    /// An instant.
    Date,
    Long,
    /// Only kept to be shown, not searched.
    Source,
}

/// The kinds of responses that contain a field: mod-search's `showInResponse`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownIn {
    pub search: bool,
    pub browse: bool,
    pub call_number_browse: bool,
}

/// What an authority's heading is, by the member of the authority that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadingKind {
    /// `Personal Name`, `Topical`: the field `headingType`.
    pub heading_type: &'static str,
    /// `Authorized`, `Reference` (see from) or `Auth/Ref` (see also): the field `authRefType`.
    pub reference: &'static str,
    /// Whether the heading is a name with a title: the field `isTitleHeadingRef`.
    pub title: bool,
}

/// One declared field.
#[derive(Debug)]
pub struct Field {
    /// Path in the record, as a query names it: `items.status.name`. Members of lists are reached without brackets.
    pub name: &'static str,
    pub index: Index,
    /// Other names that a query may use; several fields may share one.
    pub aliases: Vec<&'static str>,
    pub facet: bool,
    pub filter: bool,
    pub sort: bool,
    /// What computes the values, if they are not just those at the path: `isbnProcessor`.
    pub processor: Option<&'static str>,
    /// What is done to the word or number that is searched for: `isbnSearchTermProcessor`.
    pub term_processor: Option<&'static str>,
    /// The value of records that have none at the path.
    pub default: Option<&'static str>,
    /// Searched by words alone: the whole values are not kept beside them.
    pub words_only: bool,
    /// Whether the values can be in a response: mod-search stores no values of fields with index `none`.
    pub is_stored: bool,
    pub shown: ShownIn,
    /// The names of the fields by which a sort on this field goes, if not by itself.
    pub sort_by: Vec<&'static str>,
    /// The feature that a tenant must have switched on: `search.all.fields`.
    pub feature: Option<&'static str>,
    /// For members of an authority that hold headings.
    pub heading: Option<HeadingKind>,
}

impl Field {
    /// Whether the values are searched by words.
    #[must_use]
    pub fn is_searched_by_words(&self) -> bool {
        matches!(self.index, Index::Multilang | Index::Standard | Index::Whitespace)
    }

    /// Whether the whole values are kept beside their words.
    #[must_use]
    pub fn has_whole_values(&self) -> bool {
        self.is_searched_by_words() && !self.words_only
    }

    /// Whether a query can search the field at all.
    pub(crate) fn is_searched(&self) -> bool {
        self.index != Index::Source && self.is_stored
    }
}

/// The fields of a record type, found by the names that requests use.
#[derive(Debug)]
pub struct Fields {
    list: Vec<Field>,
    by_name: HashMap<&'static str, usize>,
    by_alias: HashMap<&'static str, Vec<usize>>,
}

impl Fields {
    #[must_use]
    pub fn new(list: Vec<Field>) -> Fields {
        let mut by_name = HashMap::new();
        let mut by_alias: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, field) in list.iter().enumerate() {
            by_name.insert(field.name, number);
            for alias in &field.aliases {
                by_alias.entry(*alias).or_default().push(number);
            }
        }
        Fields { list, by_name, by_alias }
    }

    /// All fields; their numbers are their places here.
    #[must_use]
    pub fn list(&self) -> &[Field] {
        &self.list
    }

    /// The number of the field of this name.
    #[must_use]
    pub fn field_number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Field> {
        self.field_number(name).map(|number| &self.list[number])
    }

    /// The numbers of the fields that share this alias, in their declared order; none if it is no alias.
    #[must_use]
    pub fn by_alias(&self, alias: &str) -> &[usize] {
        self.by_alias.get(alias).map_or(&[], Vec::as_slice)
    }

    /// The fields that a query under this name searches. An alias hides the field of the same name.
    #[must_use]
    pub fn fields_searched_by(&self, name: &str) -> Vec<usize> {
        match self.by_alias(name) {
            [] => self.field_number(name).into_iter().collect(),
            fields => fields.to_vec(),
        }
    }

    /// The field that a facet of this name counts.
    ///
    /// The first field of an alias is taken, if it has facets; otherwise the field of the name itself.
    #[must_use]
    pub fn facet_field(&self, name: &str) -> Option<usize> {
        let first = self.by_alias(name).first().copied();
        [first, self.field_number(name)].into_iter().flatten().find(|&number| self.list[number].facet)
    }

    /// The fields by which a sort on this name goes, the most important first; none if it cannot be sorted by.
    ///
    /// Aliases are no names to sort by. Of a field with several values, the least counts upwards and the greatest downwards.
    #[must_use]
    pub fn sort_fields(&self, name: &str) -> Option<Vec<usize>> {
        let prefixed = self.field_number(&format!("sort_{name}"));
        let candidates = [self.field_number(name), prefixed];
        let asked = candidates.into_iter().flatten().find(|&number| self.list[number].sort)?;
        let by = &self.list[asked].sort_by;
        if by.is_empty() {
            return Some(vec![prefixed.unwrap_or(asked)]);
        }
        Some(by.iter().filter_map(|name| self.field_number(name)).collect())
    }
}

/// The name of an instance's field as it is declared: names may begin with `item.` instead of `items.`.
///
/// Once they do, each further `item.` in them is replaced as well.
#[must_use]
pub fn instance_name(name: &str) -> Cow<'_, str> {
    if name.starts_with("item.") { Cow::Owned(name.replace("item.", "items.")) } else { Cow::Borrowed(name) }
}
