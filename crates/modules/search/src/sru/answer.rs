//! Answers of SRU as XML. Pure.

use octavo_engine::Response;
use octavo_kernel::Xml;

use super::asked::{DEFAULT_RECORDS, LAST_POSITION, MAX_RECORDS, RetrieveRequest, Schema, Version};
use super::diagnostics::Diagnostic;
use super::query::SETS;

/// The names that a version of SRU uses.
struct VersionNames {
    version: &'static str,
    namespace: &'static str,
    diagnostics: &'static str,
    packing: &'static str,
}

impl Version {
    fn names(self) -> VersionNames {
        match self {
            Version::V1 => VersionNames {
                version: "1.2",
                namespace: "http://www.loc.gov/zing/srw/",
                diagnostics: "http://www.loc.gov/zing/srw/diagnostic/",
                packing: "recordPacking",
            },
            Version::V2 => VersionNames {
                version: "2.0",
                namespace: "http://docs.oasis-open.org/ns/search-ws/sruResponse",
                diagnostics: "http://docs.oasis-open.org/ns/search-ws/diagnostic",
                packing: "recordXMLEscaping",
            },
        }
    }
}

fn xml_response(version: Version, name: &str, inside: impl FnOnce(&mut Xml, &VersionNames)) -> Response {
    let words = version.names();
    let mut xml = Xml::document();
    xml.element(name, &[("xmlns", words.namespace)], |xml| {
        xml.leaf("version", words.version);
        inside(xml, &words);
    });
    Response { content_type: "text/xml", ..Response::text(200, xml.into_text()) }
}

pub(super) fn diagnostic_response(version: Version, diagnostic: &Diagnostic) -> Response {
    xml_response(version, "searchRetrieveResponse", |xml, words| {
        xml.leaf("numberOfRecords", "0");
        xml.element("diagnostics", &[], |xml| {
            xml.element("diagnostic", &[("xmlns", words.diagnostics)], |xml| {
                xml.leaf("uri", &diagnostic.uri());
                xml.leaf("details", &diagnostic.details);
                xml.leaf("message", diagnostic.message());
            });
        });
    })
}

/// `records` are the records of the page, written as XML.
pub(super) fn records_response(
    version: Version,
    asked: &RetrieveRequest,
    total: u64,
    records: Vec<Xml>,
) -> Response {
    let next = asked.first_record + records.len();
    let more = !records.is_empty() && next as u64 <= total && next <= LAST_POSITION;
    xml_response(version, "searchRetrieveResponse", |xml, words| {
        xml.leaf("numberOfRecords", &total.to_string());
        if !records.is_empty() {
            xml.element("records", &[], |xml| {
                for (place, data) in (asked.first_record..).zip(records) {
                    write_record(
                        xml,
                        words,
                        asked.schema.identifier(),
                        asked.as_text,
                        |xml| {
                            if asked.as_text { xml.text(&data.into_text()) } else { xml.append(&data) }
                        },
                        Some(place),
                    );
                }
            });
        }
        if more {
            xml.leaf("nextRecordPosition", &next.to_string());
        }
        match version {
            Version::V2 => {
                xml.leaf("resultCountPrecision", "info:srw/vocabulary/resultCountPrecision/1/exact");
            }
            Version::V1 => xml.element("echoedSearchRetrieveRequest", &[], |xml| {
                xml.leaf("version", words.version);
                xml.leaf("query", &asked.query);
                xml.leaf("startRecord", &asked.first_record.to_string());
                xml.leaf("maximumRecords", &asked.max_records.to_string());
                xml.leaf("recordSchema", asked.schema.identifier());
            }),
        }
    })
}

fn write_record(
    xml: &mut Xml,
    words: &VersionNames,
    schema: &str,
    as_text: bool,
    data: impl FnOnce(&mut Xml),
    place: Option<usize>,
) {
    xml.element("record", &[], |xml| {
        xml.leaf("recordSchema", schema);
        xml.leaf(words.packing, if as_text { "string" } else { "xml" });
        xml.element("recordData", &[], data);
        if let Some(place) = place {
            xml.leaf("recordPosition", &place.to_string());
        }
    });
}

const EXPLAIN: &str = "http://explain.z3950.org/dtd/2.0/";

/// Describes the server. `host` is its name and port as the client has addressed it.
pub(super) fn explain_response(version: Version, host: &str, database: &str) -> Response {
    let (host, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    xml_response(version, "explainResponse", |xml, words| {
        let data = |xml: &mut Xml| {
            xml.element("explain", &[("xmlns", EXPLAIN)], |xml| {
                xml.element("serverInfo", &[("protocol", "SRU"), ("version", words.version)], |xml| {
                    for (name, value) in [("host", host), ("port", port), ("database", database)] {
                        xml.leaf(name, value);
                    }
                });
                xml.element("databaseInfo", &[], |xml| xml.leaf("title", "Titles of the library"));
                xml.element("indexInfo", &[], write_indexes);
                xml.element("schemaInfo", &[], |xml| {
                    for (_, short, identifier, title) in Schema::ALL {
                        let attributes = [("identifier", identifier), ("name", short)];
                        xml.element("schema", &attributes, |xml| xml.leaf("title", title));
                    }
                });
                xml.element("configInfo", &[], |xml| {
                    let (usual, most) = (DEFAULT_RECORDS.to_string(), MAX_RECORDS.to_string());
                    xml.element("default", &[("type", "numberOfRecords")], |xml| xml.text(&usual));
                    xml.element("setting", &[("type", "maximumRecords")], |xml| xml.text(&most));
                });
            });
        };
        write_record(xml, words, EXPLAIN, false, data, None);
    })
}

fn write_indexes(xml: &mut Xml) {
    for set in SETS {
        xml.element("set", &[("identifier", set.identifier), ("name", set.prefix)], |_| ());
    }
    for set in SETS {
        for (index, _) in set.indexes {
            xml.element("index", &[], |xml| {
                xml.leaf("title", index);
                xml.element("map", &[], |xml| {
                    xml.element("name", &[("set", set.prefix)], |xml| xml.text(index));
                });
            });
        }
    }
}
