//! A MARC record that a client gives, and the id that is written into it. Pure.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use octavo_marc::{Encoding, Field, Format, Record, Splitter, Subfield, decode, from_json};
use serde_json::Value;

/// Reads the member `record` of a request: `json`, or `marc` in base64.
pub(super) fn read_record(given: &Value) -> Result<Record, String> {
    if let Some(json) = given["json"].as_str() {
        let json: Value = serde_json::from_str(json).map_err(|error| format!("The record: {error}"))?;
        return from_json(&json).map_err(|error| format!("The record: {error}"));
    }
    let Some(text) = given["marc"].as_str() else {
        return Err("One of 'json' or 'marc' must be given in record".to_owned());
    };
    let bytes =
        STANDARD.decode(text.trim()).map_err(|error| format!("The record is not in base64: {error}"))?;
    let frame = Splitter::new(Format::Iso2709, bytes.as_slice(), 0).next();
    let incomplete = || "Incomplete/missing MARC record".to_owned();
    let frame = frame.and_then(Result::ok).ok_or_else(incomplete)?;
    match frame.fault {
        Some(fault) => Err(format!("{}: {fault}", incomplete())),
        None => decode(Format::Iso2709, Encoding::Declared, &frame.raw).map(|parsed| parsed.record),
    }
}

/// Writes a value into the subfield that a path such as `999ff$i` names; `_` is a blank indicator. A new field stands before those with
/// higher tags.
pub(super) fn embed(record: &mut Record, path: &str, value: &str) -> Result<(), String> {
    let signs: Vec<char> = path.chars().collect();
    let [a, b, c, first, second, sign, code] = signs[..] else {
        return Err("pattern must be exactly 7 characters (3+2+$+subfield".to_owned());
    };
    if sign != '$' {
        return Err("Missing $ in marcPath".to_owned());
    }
    let (wanted, tag) =
        ([first, second].map(|sign| if sign == '_' { ' ' } else { sign }), String::from_iter([a, b, c]));
    let there = record.fields.iter_mut().find_map(|field| match field {
        Field::Data { tag: of, indicators, subfields } if *of == tag && *indicators == wanted => {
            Some(subfields)
        }
        _ => None,
    });
    let subfield = Subfield { code, value: value.to_owned() };
    match there {
        Some(subfields) => match subfields.iter_mut().find(|subfield| subfield.code == code) {
            // Another catalogue's id has no place in this one.
            Some(foreign) => *foreign = subfield,
            None => subfields.push(subfield),
        },
        None => {
            let place = record.fields.iter().position(|field| field.tag() > tag.as_str());
            let field = Field::Data { tag, indicators: wanted, subfields: vec![subfield] };
            record.fields.insert(place.unwrap_or(record.fields.len()), field);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_are_read_in_both_forms() {
        let json = json!({"leader": "00000nam a2200000   4500", "fields": [{"001": "in1"}]}).to_string();
        let marc = STANDARD.encode("00043nam a2200037   4500001000400000\u{1E}in1\u{1E}\u{1D}");
        let cases = [
            (json!({"json": json}), Ok("in1")),
            (json!({"marc": marc}), Ok("in1")),
            (json!({"json": "{"}), Err("The record: EOF")),
            (json!({"marc": "?"}), Err("The record is not in base64")),
            (json!({"marc": ""}), Err("Incomplete/missing MARC record")),
            (json!({"marc": STANDARD.encode("00043nam a22")}), Err("Incomplete/missing MARC record")),
            (json!({}), Err("One of 'json' or 'marc' must be given in record")),
        ];
        for (given, expected) in cases {
            match (read_record(&given), expected) {
                (Ok(record), Ok(number)) => assert_eq!(record.control_field("001"), Some(number)),
                (Err(told), Err(begins)) => assert!(told.starts_with(begins), "{given}: {told}"),
                (read, expected) => panic!("{given}: {read:?} is not {expected:?}"),
            }
        }
    }

    #[test]
    fn an_id_is_written_where_the_path_says() {
        let own = |indicators: &str, subfields: Value| json!({"999": {"ind1": indicators, "ind2": indicators, "subfields": subfields}});
        let cases = [
            ("999ff$i", vec![], Ok(own("f", json!([{"i": "new"}])))),
            ("999ff$i", vec![own("f", json!([{"s": "s"}]))], Ok(own("f", json!([{"s": "s"}, {"i": "new"}])))),
            (
                "999ff$i",
                vec![own("f", json!([{"i": "old"}, {"s": "s"}]))],
                Ok(own("f", json!([{"i": "new"}, {"s": "s"}]))),
            ),
            ("999__$i", vec![], Ok(own(" ", json!([{"i": "new"}])))),
            ("999ffi", vec![], Err("pattern must be exactly 7 characters (3+2+$+subfield")),
            ("999ff i", vec![], Err("Missing $ in marcPath")),
        ];
        for (path, more, expected) in cases {
            let fields: Vec<Value> = [json!({"001": "1"})].into_iter().chain(more).collect();
            let mut record = from_json(&json!({"leader": "", "fields": fields})).unwrap();
            let embedded = embed(&mut record, path, "new").map(|()| record.to_json()["fields"][1].clone());
            assert_eq!(embedded, expected.map_err(str::to_owned), "{path}");
        }
        let mut record = from_json(&json!({"leader": "", "fields": [{"001": "1"}, {"005": "2"}]})).unwrap();
        embed(&mut record, "003ff$i", "new").unwrap();
        assert_eq!(record.fields[1].tag(), "003");
    }
}
