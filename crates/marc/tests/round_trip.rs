//! What is written is read again.

use octavo_marc::{Field, Format, Leader, Record, Splitter, Subfield, decode, encode, sniff};
use proptest::prelude::*;
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    // Composed characters of several scripts: what is read is composed.
    "[ -~äöüßéÅЖяאבبت中文字かな]{0,40}"
}

fn field() -> impl Strategy<Value = Field> {
    let code = prop::char::range('a', 'z');
    let subfield = (code, text()).prop_map(|(code, value)| Subfield { code, value });
    let control = ("00[1-9]", text()).prop_map(|(tag, value)| Field::Control { tag, value });
    let data = ("[1-9][0-9]{2}", "[ 0-9]{2}", prop::collection::vec(subfield, 1..6)).prop_map(
        |(tag, indicators, subfields)| {
            let mut characters = indicators.chars();
            let indicators = [characters.next().unwrap(), characters.next().unwrap()];
            Field::Data { tag, indicators, subfields }
        },
    );
    prop_oneof![1 => control, 4 => data]
}

fn record() -> impl Strategy<Value = Record> {
    prop::collection::vec(field(), 0..20)
        .prop_map(|fields| Record { leader: Leader::read(b"00000cam a2200000 i 4500"), fields })
}

fn as_json(record: &Record) -> Value {
    let fields = record.fields.iter().map(|field| match field {
        Field::Control { tag, value } => json!({tag: value}),
        Field::Data { tag, indicators, subfields } => {
            let subfields: Vec<Value> =
                subfields.iter().map(|s| json!({s.code.to_string(): s.value})).collect();
            json!({tag: {"ind1": indicators[0], "ind2": indicators[1], "subfields": subfields}})
        }
    });
    json!({"leader": record.leader.as_text(), "fields": fields.collect::<Vec<Value>>()})
}

fn as_xml(record: &Record) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&#34;");
    let mut xml = format!("<m:record><m:leader>{}</m:leader>\n", record.leader.as_text());
    for field in &record.fields {
        match field {
            Field::Control { tag, value } => {
                xml += &format!("  <m:controlfield tag='{tag}'>{}</m:controlfield>\n", escape(value));
            }
            Field::Data { tag, indicators: [one, two], subfields } => {
                xml += &format!("  <m:datafield tag=\"{tag}\" ind1=\"{one}\" ind2=\"{two}\">");
                for Subfield { code, value } in subfields {
                    xml += &format!("<m:subfield code=\"{code}\">{}</m:subfield>", escape(value));
                }
                xml += "<!-- > --></m:datafield>\n";
            }
        }
    }
    xml + "</m:record>\n"
}

fn read(bytes: &[u8]) -> Vec<Record> {
    let sniffed = sniff(bytes).unwrap();
    let body = &bytes[usize::try_from(sniffed.skip).unwrap()..];
    let frames = Splitter::new(sniffed.format, body, sniffed.skip).map(Result::unwrap);
    frames.map(|frame| decode(sniffed.format, sniffed.encoding, &frame.raw).unwrap().record).collect()
}

proptest! {
    #[test]
    fn records_are_read_as_they_were_written(records in prop::collection::vec(record(), 1..4)) {
        let iso: Vec<u8> = records.iter().flat_map(|record| encode(record).unwrap()).collect();
        let from_iso = read(&iso);
        prop_assert_eq!(
            from_iso.iter().map(|r| &r.fields).collect::<Vec<_>>(),
            records.iter().map(|r| &r.fields).collect::<Vec<_>>()
        );
        let lines: Vec<String> = records.iter().map(|record| as_json(record).to_string()).collect();
        prop_assert_eq!(&read(lines.join("\n").as_bytes()), &records);
        prop_assert_eq!(&read(format!("[{}]", lines.join(",\n")).as_bytes()), &records);
        let xml: String = records.iter().map(as_xml).collect();
        let xml = format!("<?xml version=\"1.0\"?>\n<m:collection xmlns:m='x > y'>{xml}</m:collection>");
        prop_assert_eq!(&read(xml.as_bytes()), &records);
    }

    #[test]
    fn a_load_that_was_interrupted_goes_on_at_any_boundary(records in prop::collection::vec(record(), 2..5)) {
        let iso: Vec<u8> = records.iter().flat_map(|record| encode(record).unwrap()).collect();
        let frames: Vec<_> = Splitter::new(Format::Iso2709, iso.as_slice(), 0).map(Result::unwrap).collect();
        let rest = &iso[usize::try_from(frames[0].end).unwrap()..];
        let again: Vec<_> = Splitter::new(Format::Iso2709, rest, frames[0].end).map(Result::unwrap).collect();
        prop_assert_eq!(&frames[1..], again.as_slice());
    }
}
