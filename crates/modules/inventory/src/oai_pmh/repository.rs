//! The verbs about the repository: `Identify`, `ListMetadataFormats`, `ListSets`. Pure.

use octavo_engine::Response;

use super::envelope::{Envelope, identifier_prefix};
use super::record::MetadataFormat;

/// The id of an instance in FOLIO's sample data, for the example of an identifier.
const SAMPLE: &str = "3c4ae3f3-b460-4a89-a2f9-78ce3145e4fc";
const IDENTIFIER: &str = "http://www.openarchives.org/OAI/2.0/oai-identifier";
const IDENTIFIER_SCHEMA: &str = "http://www.openarchives.org/OAI/2.0/oai-identifier http://www.openarchives.org/OAI/2.0/oai-identifier.xsd";

pub(super) fn identify(envelope: &Envelope<'_>, tenant: &str) -> Response {
    let settings = envelope.settings;
    let earliest = if settings.by_day { "1970-01-01" } else { "1970-01-01T00:00:00Z" };
    envelope.respond_with(|xml| {
        xml.element("Identify", &[], |xml| {
            xml.leaf("repositoryName", &settings.repository);
            xml.leaf("baseURL", &settings.base_url);
            xml.leaf("protocolVersion", "2.0");
            settings.administrators.iter().for_each(|address| xml.leaf("adminEmail", address));
            xml.leaf("earliestDatestamp", earliest);
            xml.leaf("deletedRecord", settings.deleted.name());
            xml.leaf("granularity", settings.granularity());
            xml.element("description", &[], |xml| {
                let schema = [("xmlns", IDENTIFIER), ("xsi:schemaLocation", IDENTIFIER_SCHEMA)];
                xml.element("oai-identifier", &schema, |xml| {
                    xml.leaf("scheme", "oai");
                    xml.leaf("repositoryIdentifier", settings.host());
                    xml.leaf("delimiter", ":");
                    let sample = format!("{}{SAMPLE}", identifier_prefix(settings, tenant));
                    xml.leaf("sampleIdentifier", &sample);
                });
            });
        });
    })
}

pub(super) fn formats(envelope: &Envelope<'_>) -> Response {
    envelope.respond_with(|xml| {
        xml.element("ListMetadataFormats", &[], |xml| {
            for format in MetadataFormat::ALL {
                xml.element("metadataFormat", &[], |xml| {
                    xml.leaf("metadataPrefix", format.prefix());
                    xml.leaf("schema", format.schema());
                    xml.leaf("metadataNamespace", format.namespace());
                });
            }
        });
    })
}

/// FOLIO lets staff describe sets, but harvesters get only one set: all records.
pub(super) fn sets(envelope: &Envelope<'_>) -> Response {
    envelope.respond_with(|xml| {
        xml.element("ListSets", &[], |xml| {
            xml.element("set", &[], |xml| {
                xml.leaf("setSpec", "all");
                xml.leaf("setName", "All records");
            });
        });
    })
}
