//! Raw records and their parsing.

use octavo_marc::{Encoding, Format, Kind, Parsed, Record, Splitter, decode};

/// The format of a raw record, with FOLIO's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawFormat {
    Marc,
    Json,
    Xml,
    Edifact,
}

impl RawFormat {
    const NAMES: [(RawFormat, &str); 4] = [
        (RawFormat::Marc, "MARC_RAW"),
        (RawFormat::Json, "MARC_JSON"),
        (RawFormat::Xml, "MARC_XML"),
        (RawFormat::Edifact, "EDIFACT_RAW"),
    ];

    pub(crate) fn from_name(name: &str) -> Option<RawFormat> {
        RawFormat::NAMES.into_iter().find(|(_, known)| *known == name).map(|(format, _)| format)
    }

    pub(crate) fn name(self) -> &'static str {
        RawFormat::NAMES.into_iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn from_format(format: Format) -> RawFormat {
        match format {
            Format::Iso2709 => RawFormat::Marc,
            Format::Xml => RawFormat::Xml,
            Format::JsonArray | Format::JsonLines | Format::JsonValues => RawFormat::Json,
        }
    }
}

/// Parses a record that was received as text. Text after the first record is ignored.
pub(crate) fn read_record(format: RawFormat, raw: &str) -> Result<Parsed, String> {
    let format = match format {
        RawFormat::Marc => Format::Iso2709,
        RawFormat::Json => Format::JsonValues,
        RawFormat::Xml => Format::Xml,
        RawFormat::Edifact => return Err("it is no MARC record".to_owned()),
    };
    let frame = Splitter::new(format, raw.as_bytes(), 0).next();
    let frame = frame.ok_or("it is empty")?.map_err(|error| error.to_string())?;
    match frame.fault {
        Some(fault) => Err(fault),
        None => decode(format, Encoding::Utf8, &frame.raw),
    }
}

/// The bytes as text that PostgreSQL can store. If they are not UTF-8, as in MARC-8, each byte becomes the character of its number.
pub(super) fn to_storable_text(raw: Vec<u8>) -> String {
    let text = String::from_utf8(raw)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
    if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text }
}

/// The kind of record that the leader gives.
pub(super) fn kind_of_record(record: &Record) -> Option<Kind> {
    match record.leader.char_at(6) {
        'a' | 'c' | 'd' | 'e' | 'f' | 'g' | 'i' | 'j' | 'k' | 'm' | 'o' | 'p' | 'r' | 't' => {
            Some(Kind::Bibliographic)
        }
        'u' | 'v' | 'x' | 'y' => Some(Kind::Holdings),
        'z' => Some(Kind::Authority),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r#"{"leader": "00000nam a2200000   4500", "fields": [{"001": "in1"}]}"#;
    const XML: &str = "<record xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>00000nam a2200000   4500</leader>\
        <controlfield tag=\"001\">in1</controlfield></record>";
    const ISO: &str = "00043nam a2200037   4500001000400000\u{1E}in1\u{1E}\u{1D}";

    #[test]
    fn records_are_read_in_each_format() {
        for (format, raw) in [
            (RawFormat::Json, JSON),
            (RawFormat::Xml, XML),
            (RawFormat::Marc, ISO),
            (RawFormat::Marc, &format!("{ISO}01542ccm a2200361   ")),
        ] {
            let record =
                read_record(format, raw).unwrap_or_else(|error| panic!("{format:?}: {error}")).record;
            assert_eq!(
                (record.control_field("001"), kind_of_record(&record)),
                (Some("in1"), Some(Kind::Bibliographic))
            );
        }
        for (format, raw) in [
            (RawFormat::Json, "{}"),
            (RawFormat::Marc, ""),
            (RawFormat::Edifact, "UNA"),
            (RawFormat::Xml, "x"),
        ] {
            assert!(read_record(format, raw).is_err(), "{format:?} {raw}");
        }
    }

    #[test]
    fn bytes_are_kept_as_text() {
        assert_eq!(to_storable_text("é".as_bytes().to_vec()), "é");
        assert_eq!(to_storable_text(vec![b'a', 0xE2, b'e']), "a\u{E2}e");
        assert_eq!(to_storable_text(vec![b'a', 0]), "a\u{FFFD}");
    }
}
