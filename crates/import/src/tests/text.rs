//! MARC records as lines: `LDR 00000nam a2200000   4500`, `001 in1`, `245 10 $aTitle$cName`; `_` is a blank indicator.

use octavo_marc::{Field, Leader, Record, Subfield};

pub(crate) fn marc(lines: &str) -> Record {
    let mut record = Record::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
        if tag == "LDR" {
            record.leader = Leader::read(rest.as_bytes());
        } else if tag.starts_with("00") {
            record.fields.push(Field::Control { tag: tag.to_owned(), value: rest.to_owned() });
        } else {
            let (indicators, rest) = rest.split_at(2);
            let mut indicators =
                indicators.chars().map(|character| if character == '_' { ' ' } else { character });
            let indicators = [indicators.next().unwrap(), indicators.next().unwrap()];
            let subfields = rest.trim_start().split('$').skip(1).map(|subfield| Subfield {
                code: subfield.chars().next().unwrap(),
                value: subfield.chars().skip(1).collect(),
            });
            record.fields.push(Field::Data {
                tag: tag.to_owned(),
                indicators,
                subfields: subfields.collect(),
            });
        }
    }
    record
}

/// The fields; the leader where it is not the usual one.
pub(super) fn lines(record: &Record) -> Vec<String> {
    let leader = (record.leader != Leader::default()).then(|| format!("LDR {}", record.leader.as_text()));
    let fields = record.fields.iter().map(|field| match field {
        Field::Control { tag, value } => format!("{tag} {value}"),
        Field::Data { tag, indicators, subfields } => {
            let indicators: String =
                indicators.iter().map(|character| if *character == ' ' { '_' } else { *character }).collect();
            let subfields: String =
                subfields.iter().map(|subfield| format!("${}{}", subfield.code, subfield.value)).collect();
            format!("{tag} {indicators} {subfields}")
        }
    });
    leader.into_iter().chain(fields).collect()
}

pub(super) fn assert_lines(record: &Record, expected: &str, why: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines(record), expected, "{why}");
}
