//! Records with a field for each row of the tables.

use super::super::marc::{Field, Record};
use super::rules::{
    CLASSIFICATIONS, CONTRIBUTORS, IDENTIFIERS, NOTES, OTHER_TITLES, SERIES, SUBJECTS, TEXTS, TypedValueRule,
};

/// What texts end with, in turn.
const TEXT_ENDS: [&str; 8] = [" /", ".", ", J.", ",", " ;", "", " :", "|\\"];
const INDICATORS: &str = " 01234";

pub(super) fn generate_records() -> Vec<Record> {
    let mut fields: Vec<Field> = Vec::new();
    let typed = |rows: &'static [TypedValueRule]| rows.iter().map(|row| (row.tag, row.subfields));
    let texts =
        TEXTS.iter().flat_map(|(_, tags, subfields, _)| tags.split(' ').map(move |tag| (tag, *subfields)));
    let names = CONTRIBUTORS
        .iter()
        .flat_map(|(tags, subfields, ..)| tags.split(' ').map(move |tag| (tag, *subfields)));
    let rows = typed(IDENTIFIERS)
        .chain(typed(CLASSIFICATIONS))
        .chain(typed(OTHER_TITLES))
        .chain(texts)
        .chain(SERIES.iter().copied())
        .chain(SUBJECTS.iter().map(|(tag, name, _)| (*tag, *name)))
        .chain(NOTES.iter().map(|(tag, subfields, _)| (*tag, *subfields)))
        .chain(names)
        .chain([
            ("245", "anpbcfghks"),
            ("260", "abc"),
            ("264", "abc"),
            ("720", "a"),
            ("780", "txz"),
            ("785", "txz"),
            ("856", "uyz3"),
        ]);
    for (tag, _) in rows {
        for (at, first) in INDICATORS.chars().enumerate() {
            fields.push(field(
                tag,
                [first, INDICATORS.chars().nth((at * 5 + 1) % 6).unwrap_or(' ')],
                fields.len(),
            ));
        }
    }
    fields.into_iter().enumerate().map(|(at, field)| record(at, field)).collect()
}

/// Every subfield that there is, once, and some twice.
fn field(tag: &str, indicators: [char; 2], turn: usize) -> Field {
    // $9 is an authority's id, $6 links fields, $0 and $1 are never mapped.
    let codes: Vec<char> = "abcdefghijklmnopqrstuvwxyz2345a01bz".chars().collect();
    let from = turn % codes.len();
    let codes = codes[from..].iter().chain(&codes[..from]);
    let subfields = codes.enumerate().map(|(at, code)| {
        let text = match code {
            '4' => "edt".to_owned(),
            'e' | 'j' => ["editor,", "Illustrator.", "who knows"][turn % 3].to_owned(),
            code => format!("{tag} {code}{at}{}", TEXT_ENDS[(turn + at) % TEXT_ENDS.len()]),
        };
        (*code, text)
    });
    Field {
        tag: tag.to_owned(),
        indicators,
        subfields: subfields.filter(|(code, _)| *code != '4' || turn.is_multiple_of(2)).collect(),
    }
}

fn record(at: usize, field: Field) -> Record {
    let control = |tag: &str, text: String| Field {
        tag: tag.to_owned(),
        indicators: [' '; 2],
        subfields: vec![(' ', text)],
    };
    let mut fields = vec![
        control("001", format!("g{at}")),
        control("008", "261121s2026    xx            000 0 eng d".to_owned()),
    ];
    if field.tag != "245" {
        let title = vec![('a', format!("The generated record {at}"))];
        fields.push(Field { tag: "245".to_owned(), indicators: ['0', '4'], subfields: title });
    }
    fields.push(field);
    let level = ["m", "s", "i", "a", "b", "x"][at % 6];
    Record { leader: format!("00000na{level} a2200000   4500"), fields }
}
