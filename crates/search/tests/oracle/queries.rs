//! Random queries of the grammar that is searched.

use crate::library::{BARCODES, Chance, DATES, LANGUAGES, NUMBERS, STATUSES, WORDS};

const WORDED: &[&str] = &[
    "keyword",
    "title",
    "series",
    "contributors",
    "contributors.name",
    "subjects",
    "alternativeTitles.alternativeTitle",
    "indexTitle",
    "notes.note",
    "publicNotes",
    "itemTags",
    "items.tags.tagList",
    "cql.all",
    "cql.allItems",
    "identifiers.value",
];
const WHOLE: &[&str] = &[
    "items.barcode",
    "item.barcode",
    "hrid",
    "holdings.hrid",
    "itemFullCallNumbers",
    "holdingsFullCallNumbers",
    "itemNormalizedCallNumbers",
    "holdingsNormalizedCallNumbers",
    "source",
    "languages",
    "items.status.name",
    "staffSuppress",
];
const NUMBERED: &[&str] = &["isbn", "issn", "oclc", "lccn"];

pub(crate) fn random(chance: &mut Chance) -> String {
    let clauses = 1 + chance.below(3);
    let mut query = clause(chance);
    for _ in 1..clauses {
        let operator = chance.pick(&["and", "or", "not"]);
        let other = clause(chance);
        query = if chance.below(2) == 0 {
            format!("({query}) {operator} {other}")
        } else {
            format!("{other} {operator} ({query})")
        };
    }
    query
}

fn clause(chance: &mut Chance) -> String {
    let (name, relation, term) = match chance.below(8) {
        0..=3 => (chance.pick(WORDED), relation(chance), worded(chance)),
        4 => (chance.pick(NUMBERED), chance.pick(&["=", "==", "all"]), open(chance.pick(NUMBERS), chance)),
        5 => {
            let relation = chance.pick(&["<", "<=", ">", ">=", "==", "="]);
            let day = chance.pick(DATES);
            return format!(
                "metadata.createdDate {relation} \"{}\"",
                if chance.below(2) == 0 { &day[..10] } else { day }
            );
        }
        _ => {
            let name = chance.pick(WHOLE);
            let relation = chance.pick(&["=", "==", "all", "any", "<>", "<", "<=", ">", ">="]);
            let value = match name {
                "languages" => chance.pick(LANGUAGES),
                "items.status.name" => chance.pick(STATUSES),
                "staffSuppress" => chance.pick(&["true", "false"]),
                "source" => chance.pick(&["FOLIO", "MARC", "folio"]),
                "hrid" => chance.pick(&["in0001", "in1000", "in19*", "*7"]),
                "items.barcode" | "item.barcode" => chance.pick(BARCODES),
                _ => chance.pick(&[
                    "QA 76.9",
                    "qa769",
                    "PT 1971 .W3",
                    "ref qa 76.9",
                    "QA*",
                    "",
                    "[]",
                    "Z 1",
                    "b12/3",
                ]),
            };
            (name, relation, escaped(value))
        }
    };
    format!("{name} {relation} \"{term}\"")
}

fn relation(chance: &mut Chance) -> &'static str {
    chance.pick(&["=", "all", "all", "any", "adj", "==", "==/string", "<>"])
}

fn worded(chance: &mut Chance) -> String {
    match chance.below(10) {
        0 => open(chance.pick(WORDS), chance),
        1 => escaped(&chance.pick(WORDS).to_uppercase()),
        2 => String::new(),
        3 => "[]".to_owned(),
        _ => escaped(&chance.random_words(3)),
    }
}

/// The beginning, end or middle of a value.
fn open(value: &str, chance: &mut Chance) -> String {
    let signs: Vec<char> = value.chars().collect();
    let (from, to) = (chance.below(signs.len()), 1 + chance.below(signs.len()));
    let part = |range: &[char]| escaped(&range.iter().collect::<String>());
    match chance.below(4) {
        0 => format!("{}*", part(&signs[..to])),
        1 => format!("*{}", part(&signs[from..])),
        2 => format!("*{}*", part(&signs[from.min(to)..to.max(from)])),
        _ => part(&signs),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for sign in text.chars() {
        if matches!(sign, '"' | '\\' | '?' | '^')
            || (sign == '*' && text.len() > 1 && !text.ends_with('*') && !text.starts_with('*'))
        {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}
