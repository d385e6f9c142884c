//! One record of an answer. Pure.

use octavo_kernel::Xml;
use octavo_marc::{Encoding, Field, Format, Record, decode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::copies::{Copies, mark_record};
use super::dates::datestamp;
use super::names::Names;
use super::page::Found;
use super::settings::Settings;
use super::{dublin_core, generate};

/// The formats in which records are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metadata {
    Marc,
    DublinCore,
    MarcWithHoldings,
}

impl Metadata {
    pub(super) const ALL: [Metadata; 3] = [Metadata::Marc, Metadata::DublinCore, Metadata::MarcWithHoldings];

    pub(super) fn of(prefix: &str) -> Option<Metadata> {
        Metadata::ALL.into_iter().find(|known| known.prefix() == prefix)
    }

    pub(super) fn prefix(self) -> &'static str {
        match self {
            Metadata::Marc => "marc21",
            Metadata::DublinCore => "oai_dc",
            Metadata::MarcWithHoldings => "marc21_withholdings",
        }
    }

    pub(super) fn schema(self) -> &'static str {
        match self {
            Metadata::DublinCore => "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
            _ => "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
        }
    }

    pub(super) fn namespace(self) -> &'static str {
        match self {
            Metadata::DublinCore => "http://www.openarchives.org/OAI/2.0/oai_dc/",
            _ => octavo_marc::NAMESPACE,
        }
    }
}

pub(super) fn header(xml: &mut Xml, found: &Found, identifiers: &str, settings: &Settings) {
    let status = [("status", "deleted")];
    xml.element("header", if found.deleted { &status[..] } else { &[] }, |xml| {
        xml.leaf("identifier", &format!("{identifiers}{}", found.id));
        xml.leaf("datestamp", &datestamp(found.at, settings));
        xml.leaf("setSpec", "all");
    });
}

/// The MARC record of what was found; `None` if its documents cannot be read.
pub(super) fn marc(
    found: &Found,
    copies: Option<Copies>,
    names: &Names,
    settings: &Settings,
) -> Option<Record> {
    let mut record = of_documents(found.marc.as_deref(), found.instance.as_deref(), names)?;
    if let Some(copies) = copies {
        copies.write(&mut record, found.hidden, settings.shows_suppressed, names);
    }
    if settings.shows_suppressed {
        mark_record(&mut record, found.hidden);
    }
    Some(record)
}

/// The MARC record that is stored, else one that is made of the instance.
pub(super) fn of_documents(marc: Option<&str>, instance: Option<&str>, names: &Names) -> Option<Record> {
    match (marc, instance) {
        (Some(marc), _) => stored(marc),
        (None, Some(instance)) => Some(generate::record(&serde_json::from_str(instance).ok()?, names)),
        (None, None) => None,
    }
}

pub(super) fn metadata(xml: &mut Xml, record: &Record, format: Metadata) {
    xml.element("metadata", &[], |xml| match format {
        Metadata::DublinCore => dublin_core::write(xml, record),
        Metadata::Marc | Metadata::MarcWithHoldings => octavo_marc::marcxml(xml, record),
    });
}

/// What is read of a stored source record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored<'a> {
    #[serde(borrow)]
    parsed_record: Parsed<'a>,
}

#[derive(Deserialize)]
struct Parsed<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

fn stored(document: &str) -> Option<Record> {
    let stored: Stored<'_> = serde_json::from_str(document).ok()?;
    let content = stored.parsed_record.content.get();
    let mut record = decode(Format::JsonValues, Encoding::Declared, content.as_bytes()).ok()?.record;
    // Editors store a backslash for a blank.
    for field in &mut record.fields {
        match field {
            Field::Control { value, .. } if value.contains('\\') => *value = value.replace('\\', " "),
            Field::Control { .. } => {}
            Field::Data { indicators, .. } => {
                for indicator in indicators.iter_mut().filter(|indicator| **indicator == '\\') {
                    *indicator = ' ';
                }
            }
        }
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_record_is_read_and_what_is_none_is_not() {
        let content = r#"{"leader": "00000nam a2200000   4500", "fields": [{"008": "\\\\x"},
            {"245": {"ind1": "\\", "ind2": "0", "subfields": [{"a": "T"}]}}]}"#;
        let record = stored(&format!(r#"{{"id": 1, "parsedRecord": {{"content": {content}}}}}"#)).unwrap();
        assert_eq!(record.control("008"), Some("  x"));
        assert!(matches!(&record.fields[1], Field::Data { indicators: [' ', '0'], .. }), "{record:?}");
        for broken in ["{}", r#"{"parsedRecord": {"content": {"leader": 1}}}"#, "no JSON"] {
            assert_eq!(stored(broken), None, "{broken}");
        }
    }

    #[test]
    fn every_format_is_found_by_its_prefix() {
        for format in Metadata::ALL {
            assert_eq!(Metadata::of(format.prefix()), Some(format));
        }
        assert_eq!(Metadata::of("marc"), None);
    }
}
