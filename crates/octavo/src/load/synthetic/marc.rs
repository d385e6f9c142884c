//! The synthetic library's titles as MARC records in a file (ISO 2709, UTF-8), as a vendor would send them.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use octavo_marc::{Field, Leader, Record, Subfield, encode};
use serde_json::Value;

use super::books::RecordGenerator;
use super::shape::{Shape, Totals};
use super::types::Types;

/// So many titles are made at a time.
const BATCH: u64 = 1000;

/// Writes the titles from 0 up to `count` of the library with this seed. Their numbers, in 001 and 035, are `prefix` and their place, from 1.
pub(crate) fn write_file(to: &mut impl Write, seed: u64, count: u64, prefix: &str) -> Result<()> {
    let now = "2026-11-21T00:00:00.000+00:00".to_owned();
    let generator = RecordGenerator { shape: Shape::new(seed, count, None), types: Types::reference()?, now };
    let mut at = 0;
    while at < count {
        let until = count.min(at + BATCH);
        for row in generator.books(at..until, Totals::default()).instances {
            at += 1;
            let title: Value = serde_json::from_str(&row.document)?;
            let record =
                marc_record(&title, &format!("{prefix}{at:09}")).context("a title lacks a member")?;
            let bytes = encode(&record).map_err(|_| anyhow!("a title is too long for ISO 2709"))?;
            to.write_all(&bytes)?;
        }
    }
    Ok(())
}

fn marc_record(title: &Value, number: &str) -> Option<Record> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let published = &title["publication"][0];
    let year = text(&published["dateOfPublication"]);
    let mut fields = vec![
        control_field("001", number.to_owned()),
        control_field("003", "VEND".to_owned()),
        control_field("005", "20261121000000.0".to_owned()),
        control_field(
            "008",
            format!("261121s{year:4}    xx            000 0 {} d", text(&title["languages"][0])),
        ),
    ];
    let identifiers = title["identifiers"].as_array()?.iter().map(|identifier| text(&identifier["value"]));
    for isbn in identifiers.filter(|value| !value.starts_with('(')) {
        fields.push(data_field("020", "  ", [('a', isbn)]));
    }
    fields.push(data_field("035", "  ", [('a', format!("(VEND){number}"))]));
    let number = text(&title["classifications"][0]["classificationNumber"]);
    fields.push(data_field("050", " 4", [('a', number)]));
    let mut contributors = title["contributors"].as_array()?.iter();
    fields.push(data_field(
        "100",
        "1 ",
        [('a', text(&contributors.next()?["name"])), ('e', "author.".to_owned())],
    ));
    let heading = text(&title["title"]);
    fields.push(match heading.split_once(" : ") {
        Some((main, rest)) => {
            data_field("245", "10", [('a', format!("{main} :")), ('b', format!("{rest}."))])
        }
        None => data_field("245", "10", [('a', format!("{heading}."))]),
    });
    let published = [('a', text(&published["place"])), ('b', text(&published["publisher"])), ('c', year)];
    fields.push(data_field("264", " 1", published));
    let extent = text(&title["physicalDescriptions"][0]);
    let (pages, size) = extent.split_once(" ; ").unwrap_or((&extent, ""));
    fields.push(data_field("300", "  ", [('a', format!("{pages} ;")), ('c', size.to_owned())]));
    fields.push(data_field("336", "  ", [('a', "text".to_owned()), ('b', "txt".to_owned())]));
    fields.push(data_field("338", "  ", [('a', "volume".to_owned()), ('b', "nc".to_owned())]));
    if let Some(series) = title["series"][0]["value"].as_str() {
        fields.push(data_field("490", "0 ", [('a', series.to_owned())]));
    }
    if let Some(note) = title["notes"][0]["note"].as_str() {
        fields.push(data_field("504", "  ", [('a', format!("{note}."))]));
    }
    for subject in title["subjects"].as_array()? {
        fields.push(data_field("650", " 0", [('a', format!("{}.", text(&subject["value"])))]));
    }
    for contributor in contributors {
        fields.push(data_field(
            "700",
            "1 ",
            [('a', text(&contributor["name"])), ('e', "editor.".to_owned())],
        ));
    }
    Some(Record { leader: Leader::read(b"00000nam a2200000 i 4500"), fields })
}

fn control_field(tag: &str, value: String) -> Field {
    Field::Control { tag: tag.to_owned(), value }
}

fn data_field<const N: usize>(tag: &str, indicators: &str, subfields: [(char, String); N]) -> Field {
    let mut indicators = indicators.chars();
    let mut next = || indicators.next().unwrap_or(' ');
    Field::Data {
        tag: tag.to_owned(),
        indicators: [next(), next()],
        subfields: subfields.into_iter().map(|(code, value)| Subfield { code, value }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::{Encoding, Format, Splitter, decode};

    use super::write_file;

    #[test]
    fn titles_are_written_as_marc_and_read_again() {
        let mut file = Vec::new();
        write_file(&mut file, 7, 1500, "v").unwrap();
        let records = Splitter::new(Format::Iso2709, file.as_slice(), 0)
            .map(|frame| decode(Format::Iso2709, Encoding::Declared, &frame.unwrap().raw).unwrap());
        let records: Vec<_> = records.collect();
        assert_eq!(records.len(), 1500);
        assert!(records.iter().all(|parsed| parsed.remarks.is_empty()));
        let last = &records[1499].record;
        assert_eq!(last.control_field("001"), Some("v000001500"));
        assert_eq!(last.control_field("008").map(str::len), Some(40));
        assert!(last.values("245", 'a').count() == 1 && last.values("650", 'a').count() > 0);
    }
}
