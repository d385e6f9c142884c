//! One record of an answer. Pure.

use octavo_kernel::Xml;
use octavo_marc::{Encoding, Field, Format, Record, decode};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::copies::{Copies, mark_record};
use super::dates::datestamp;
use super::names::Names;
use super::page::FoundRecord;
use super::settings::Settings;
use super::{dublin_core, generate};

/// The formats in which records can be requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetadataFormat {
    Marc,
    DublinCore,
    MarcWithHoldings,
}

impl MetadataFormat {
    pub(super) const ALL: [MetadataFormat; 3] =
        [MetadataFormat::Marc, MetadataFormat::DublinCore, MetadataFormat::MarcWithHoldings];

    pub(super) fn from_prefix(prefix: &str) -> Option<MetadataFormat> {
        MetadataFormat::ALL.into_iter().find(|known| known.prefix() == prefix)
    }

    pub(super) fn prefix(self) -> &'static str {
        match self {
            MetadataFormat::Marc => "marc21",
            MetadataFormat::DublinCore => "oai_dc",
            MetadataFormat::MarcWithHoldings => "marc21_withholdings",
        }
    }

    pub(super) fn schema(self) -> &'static str {
        match self {
            MetadataFormat::DublinCore => "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
            _ => "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
        }
    }

    pub(super) fn namespace(self) -> &'static str {
        match self {
            MetadataFormat::DublinCore => "http://www.openarchives.org/OAI/2.0/oai_dc/",
            _ => octavo_marc::NAMESPACE,
        }
    }
}

pub(super) fn write_header(xml: &mut Xml, found: &FoundRecord, identifiers: &str, settings: &Settings) {
    let status = [("status", "deleted")];
    xml.element("header", if found.deleted { &status[..] } else { &[] }, |xml| {
        xml.leaf("identifier", &format!("{identifiers}{}", found.id));
        xml.leaf("datestamp", &datestamp(found.changed_at, settings));
        xml.leaf("setSpec", "all");
    });
}

/// The MARC record of what was found; `None` if its documents cannot be read.
pub(super) fn marc_record(
    found: &FoundRecord,
    copies: Option<Copies>,
    names: &Names,
    settings: &Settings,
) -> Option<Record> {
    let mut record = marc_from_documents(found.marc.as_deref(), found.instance.as_deref(), names)?;
    if let Some(copies) = copies {
        copies.write(&mut record, found.instance_hidden, settings.shows_suppressed, names);
    }
    if settings.shows_suppressed {
        mark_record(&mut record, found.hidden);
    }
    Some(record)
}

/// The stored MARC record, or one that is made from the instance.
pub(super) fn marc_from_documents(
    marc: Option<&str>,
    instance: Option<&str>,
    names: &Names,
) -> Option<Record> {
    match (marc, instance) {
        (Some(marc), _) => parse_source_record(marc),
        (None, Some(instance)) => Some(generate::record(&serde_json::from_str(instance).ok()?, names)),
        (None, None) => None,
    }
}

pub(super) fn write_metadata(xml: &mut Xml, record: &Record, format: MetadataFormat) {
    xml.element("metadata", &[], |xml| match format {
        MetadataFormat::DublinCore => dublin_core::write(xml, record),
        MetadataFormat::Marc | MetadataFormat::MarcWithHoldings => octavo_marc::write_marcxml(xml, record),
    });
}

/// The members of a stored source record that are used here.
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

fn parse_source_record(document: &str) -> Option<Record> {
    let stored: Stored<'_> = serde_json::from_str(document).ok()?;
    let content = stored.parsed_record.content.get();
    let mut record = decode(Format::JsonValues, Encoding::Declared, content.as_bytes()).ok()?.record;
    // MARC editors store a backslash instead of a blank.
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
        let record =
            parse_source_record(&format!(r#"{{"id": 1, "parsedRecord": {{"content": {content}}}}}"#))
                .unwrap();
        assert_eq!(record.control_field("008"), Some("  x"));
        assert!(matches!(&record.fields[1], Field::Data { indicators: [' ', '0'], .. }), "{record:?}");
        for broken in ["{}", r#"{"parsedRecord": {"content": {"leader": 1}}}"#, "no JSON"] {
            assert_eq!(parse_source_record(broken), None, "{broken}");
        }
    }

    #[test]
    fn every_format_is_found_by_its_prefix() {
        for format in MetadataFormat::ALL {
            assert_eq!(MetadataFormat::from_prefix(format.prefix()), Some(format));
        }
        assert_eq!(MetadataFormat::from_prefix("marc"), None);
    }
}
