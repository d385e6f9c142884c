//! The declared fields of each record type, read once from tables beside the other facts about FOLIO.
//!
//! A line is a field. The columns are mod-search's own words, from the files in its `src/main/resources/model`.

use std::sync::LazyLock;

use crate::fields::{Field, Fields, HeadingKind, Index, ShownIn};

macro_rules! table {
    ($(#[$about:meta])* $name:ident, $file:literal) => {
        $(#[$about])*
        #[must_use]
        pub fn $name() -> &'static Fields {
            const TABLE: &str = include_str!(concat!("../../../modules/folio/search/", $file));
            static FIELDS: LazyLock<Fields> = LazyLock::new(|| read(TABLE));
            &FIELDS
        }
    };
}

table!(
    /// The fields of titles with their holdings and items.
    instance_fields,
    "instance.tsv"
);
table!(
    /// The fields of headings of authorities.
    authority_fields,
    "authority.tsv"
);
table!(
    /// The fields of contributors, by which browsing and facets of contributors are narrowed.
    contributor_fields,
    "contributor.tsv"
);
table!(
    /// The fields of subjects, by which browsing and facets of subjects are narrowed.
    subject_fields,
    "subject.tsv"
);
table!(
    /// The fields of classification numbers, by which browsing is narrowed.
    classification_fields,
    "classification.tsv"
);

/// Reads a table. Lines that say nothing of a field are left out; a test holds the tables to having none.
fn read(text: &'static str) -> Fields {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    Fields::new(
        lines
            .filter_map(|line| field(&TableLine { columns: &columns, cells: line.split('\t').collect() }))
            .collect(),
    )
}

struct TableLine<'a> {
    columns: &'a [&'a str],
    cells: Vec<&'static str>,
}

impl TableLine<'_> {
    /// The text of a column; empty where there is none.
    fn cell(&self, column: &str) -> &'static str {
        let at = self.columns.iter().position(|name| *name == column);
        at.and_then(|at| self.cells.get(at)).copied().unwrap_or_default()
    }

    fn non_empty_cell(&self, column: &str) -> Option<&'static str> {
        Some(self.cell(column)).filter(|text| !text.is_empty())
    }

    fn cell_list(&self, column: &str) -> Vec<&'static str> {
        self.cell(column).split(',').filter(|text| !text.is_empty()).collect()
    }
}

fn field(line: &TableLine<'_>) -> Option<Field> {
    let (types, shown) = (line.cell_list("search types"), line.cell_list("shown"));
    let shown = ShownIn {
        search: shown.contains(&"search"),
        browse: shown.contains(&"browse"),
        call_number_browse: shown.contains(&"call-number-browse"),
    };
    Some(Field {
        name: line.non_empty_cell("name")?,
        index: index(line.cell("index"))?,
        aliases: line.cell_list("aliases"),
        facet: types.contains(&"facet"),
        filter: types.contains(&"filter"),
        sort: types.contains(&"sort"),
        processor: line.non_empty_cell("processor"),
        term_processor: line.non_empty_cell("term processor"),
        default: line.non_empty_cell("default"),
        words_only: line.non_empty_cell("words only").is_some(),
        is_stored: line.cell("index") != "none",
        shown,
        sort_by: line.cell_list("sort"),
        feature: line.non_empty_cell("feature"),
        heading: heading(&line.cell_list("heading")),
    })
}

fn heading(cells: &[&'static str]) -> Option<HeadingKind> {
    let [heading_type, reference, rest @ ..] = cells else { return None };
    Some(HeadingKind { heading_type, reference, title: rest.contains(&"title") })
}

fn index(word: &str) -> Option<Index> {
    Some(match word {
        "multilang" => Index::Multilang,
        "standard" => Index::Standard,
        "whitespace" => Index::Whitespace,
        "keyword" => Index::Keyword,
        "keyword_lowercase" => Index::KeywordLowercase,
        "keyword_uppercase" => Index::KeywordUppercase,
        "bool" => Index::Bool,
        "date" => Index::Date,
        "long" => Index::Long,
        // Of `none` not even the values are kept, so there is nothing to be searched, either.
        "source" | "none" => Index::Source,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [(&str, usize); 5] = [
        (include_str!("../../../modules/folio/search/instance.tsv"), 133),
        (include_str!("../../../modules/folio/search/authority.tsv"), 51),
        (include_str!("../../../modules/folio/search/contributor.tsv"), 7),
        (include_str!("../../../modules/folio/search/subject.tsv"), 5),
        (include_str!("../../../modules/folio/search/classification.tsv"), 8),
    ];

    #[test]
    fn each_line_of_a_table_is_a_field_and_no_name_comes_twice() {
        for (text, count) in TABLES {
            let columns = text.lines().next().unwrap().split('\t').count();
            for line in text.lines() {
                assert_eq!(line.split('\t').count(), columns, "{line}");
                assert!(line.split('\t').all(|cell| cell == cell.trim()), "{line}");
            }
            let fields = read(text);
            assert_eq!((fields.list().len(), text.lines().count() - 1), (count, count));
            for (number, field) in fields.list().iter().enumerate() {
                assert_eq!(fields.field_number(field.name), Some(number), "{} is there twice", field.name);
                assert!(
                    field.sort_by.iter().all(|name| fields.field_number(name).is_some()),
                    "{}",
                    field.name
                );
            }
        }
    }

    #[test]
    fn no_alias_with_a_facet_or_with_a_processor_of_terms_is_shared() {
        for fields in [instance_fields(), authority_fields()] {
            for field in fields.list().iter().filter(|field| field.facet || field.term_processor.is_some()) {
                assert!(
                    field.aliases.iter().all(|alias| fields.by_alias(alias).len() == 1),
                    "{}",
                    field.name
                );
            }
        }
    }
}
