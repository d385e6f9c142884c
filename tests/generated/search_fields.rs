//! The page of the names that searches know: `docs/search-fields.md`.

use std::fmt::Write;

use octavo_search::fields::{Field, Index};
use octavo_search::names::{AUTHORITY, CONTRIBUTOR, INSTANCE, Names, SUBJECT};

use crate::assert_up_to_date;

const FILE: &str = "docs/search-fields.md";

const BEGIN: &str = "\
# Search fields

What a query may name, as mod-search 3.2.6 declares it; generated from the tables in `crates/modules/folio/search/`. What
comparators mean and how words are compared stands in [search](search.md).

*words*: each word, without regard to case, accents, apostrophes and hyphens; in titles of a language that the library has
configured by stems, too (*words, stems*). *words as written*: what stands between blanks, unchanged. *whole*: the value as it is
written; *whole, any case*: without regard to case and to blanks at its ends. *yes or no*, *time*, *number*. A name of several fields searches
all of them together. *Term* is what is done to the text of a query before it is compared, *value* what makes the values from the
record.
";

#[test]
fn the_page_of_search_fields_is_in_step() {
    let mut page = BEGIN.to_owned();
    for (heading, names) in [
        ("Titles: `/search/instances`, `/search/instances/ids`, `/search/holdings/ids`", &INSTANCE),
        ("Authorities: `/search/authorities`", &AUTHORITY),
        ("Facets of contributors: `/search/contributors/facets`", &CONTRIBUTOR),
        ("Facets of subjects: `/search/subjects/facets`", &SUBJECT),
    ] {
        let _ = write!(page, "\n## {heading}\n\n{}", render_tables(names));
    }
    assert_up_to_date(FILE, &page, "run `make generated`");
}

/// The names that lead to several fields, or to one of another name; then all fields.
fn render_tables(names: &Names) -> String {
    let mut text = String::new();
    let of = |number: &usize| names.field(*number);
    let aliases: Vec<_> = names
        .names
        .iter()
        .filter(|name| name.fields.iter().any(|field| of(field).name != name.name))
        .collect();
    if !aliases.is_empty() {
        text.push_str("| name | searches |\n|---|---|\n");
    }
    for name in aliases {
        let fields: Vec<String> = name.fields.iter().map(|field| format!("`{}`", of(field).name)).collect();
        let _ = writeln!(text, "| `{}` | {} |", name.name, fields.join(", "));
    }
    text.push_str("\n| field | compared by | may be | term, value |\n|---|---|---|---|\n");
    for field in names.fields.list().iter().filter(|field| field.index != Index::Source && field.is_stored) {
        let uses = [(field.facet, "facet"), (field.filter, "filter"), (field.sort, "sort")];
        let uses: Vec<&str> = uses.into_iter().filter(|(may, _)| *may).map(|(_, name)| name).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            field.name,
            comparison_text(field.index),
            uses.join(", "),
            normalised(field),
        );
    }
    text
}

fn comparison_text(index: Index) -> &'static str {
    match index {
        Index::Multilang => "words, stems",
        Index::Standard => "words",
        Index::Whitespace => "words as written",
        Index::Keyword => "whole",
        Index::KeywordLowercase | Index::KeywordUppercase => "whole, any case",
        Index::Bool => "yes or no",
        Index::Date => "time",
        Index::Long => "number",
        Index::Source => "",
    }
}

fn normalised(field: &Field) -> String {
    let term = field.term_processor.map(|name| format!("term: {name}"));
    let value = field.processor.map(|name| format!("value: {name}"));
    let default = field.default.map(|value| format!("if missing: {value}"));
    let feature = field.feature.map(|name| format!("with the feature {name}"));
    [term, value, default, feature].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
