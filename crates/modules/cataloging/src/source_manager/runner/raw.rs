//! Records as they came, and how they are read.

use octavo_marc::{Encoding, Format, Kind, Parsed, Record, Splitter, decode};

/// FOLIO's names for how a record is written.
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

    pub(crate) fn named(name: &str) -> Option<RawFormat> {
        RawFormat::NAMES.into_iter().find(|(_, known)| *known == name).map(|(format, _)| format)
    }

    pub(crate) fn name(self) -> &'static str {
        RawFormat::NAMES.into_iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn of(format: Format) -> RawFormat {
        match format {
            Format::Iso2709 => RawFormat::Marc,
            Format::Xml => RawFormat::Xml,
            Format::JsonArray | Format::JsonLines | Format::JsonValues => RawFormat::Json,
        }
    }
}

/// Reads a record that came as text. What follows the first record in it is left out.
pub(crate) fn read(format: RawFormat, raw: &str) -> Result<Parsed, String> {
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

/// The bytes as text that the database can hold. Bytes that are not UTF-8, as those of MARC-8, become a character each: U+0080 to U+00FF.
pub(super) fn as_text(raw: Vec<u8>) -> String {
    let text = String::from_utf8(raw)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
    if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text }
}

/// What a record describes, by its leader.
pub(super) fn kind(record: &Record) -> Option<Kind> {
    match record.leader.at(6) {
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
            let record = read(format, raw).unwrap_or_else(|error| panic!("{format:?}: {error}")).record;
            assert_eq!((record.control("001"), kind(&record)), (Some("in1"), Some(Kind::Bibliographic)));
        }
        for (format, raw) in [
            (RawFormat::Json, "{}"),
            (RawFormat::Marc, ""),
            (RawFormat::Edifact, "UNA"),
            (RawFormat::Xml, "x"),
        ] {
            assert!(read(format, raw).is_err(), "{format:?} {raw}");
        }
    }

    #[test]
    fn bytes_are_kept_as_text() {
        assert_eq!(as_text("é".as_bytes().to_vec()), "é");
        assert_eq!(as_text(vec![b'a', 0xE2, b'e']), "a\u{E2}e");
        assert_eq!(as_text(vec![b'a', 0]), "a\u{FFFD}");
    }
}
