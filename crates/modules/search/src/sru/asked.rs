//! Parses SRU requests. Pure.

use super::diagnostics::{Diagnostic, diagnostic};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// SRU 1.2, which also answers requests of version 1.1.
    V1,
    /// SRU 2.0.
    V2,
}

/// The record schemas in which records can be requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    Marc,
    DublinCore,
}

impl Schema {
    /// Each schema with its short name, its identifier, and its title.
    pub(super) const ALL: [(Schema, &'static str, &'static str, &'static str); 2] = [
        (Schema::Marc, "marcxml", "info:srw/schema/1/marcxml-v1.1", "MARCXML"),
        (Schema::DublinCore, "dc", "info:srw/schema/1/dc-v1.1", "Dublin Core"),
    ];

    fn from_name(name: &str) -> Option<Schema> {
        let named = |(_, short, identifier, _): &&(Schema, &str, &str, &str)| {
            name.eq_ignore_ascii_case(short) || name == *identifier || (name == "oai_dc" && *short == "dc")
        };
        Schema::ALL.iter().find(named).map(|(schema, ..)| *schema)
    }

    pub(super) fn identifier(self) -> &'static str {
        Schema::ALL.iter().find(|(schema, ..)| *schema == self).map_or("", |(_, _, identifier, _)| identifier)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RetrieveRequest {
    pub(super) query: String,
    pub(super) sort_keys: Option<String>,
    /// The position of the first requested record, from 1.
    pub(super) first_record: usize,
    pub(super) max_records: usize,
    pub(super) schema: Schema,
    /// Records as escaped text instead of as elements.
    pub(super) as_text: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operation {
    Explain,
    SearchRetrieve(RetrieveRequest),
}

/// The number of records if the client requests no number, and the most records of an answer.
pub(super) const DEFAULT_RECORDS: usize = 10;
pub(super) const MAX_RECORDS: usize = 100;
/// The position of the last record that can be requested.
pub(super) const LAST_POSITION: usize = 10_000;

/// The version and the operation of a request. The version also determines the form of error answers.
pub(super) fn read_request(query: &[(String, String)]) -> (Version, Result<Operation, Diagnostic>) {
    let get = |name: &str| {
        let found = query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        found.filter(|value| !value.is_empty())
    };
    // Version 2.0 has neither `version` nor `operation`.
    let version = match get("version") {
        Some("1.1" | "1.2") => Version::V1,
        Some("2.0") => Version::V2,
        Some(other) => return (Version::V1, Err(diagnostic(5, other))),
        None if get("operation").is_some() => Version::V1,
        None => Version::V2,
    };
    (version, parse_operation(version, &get))
}

fn parse_operation<'q>(
    version: Version,
    get: &impl Fn(&str) -> Option<&'q str>,
) -> Result<Operation, Diagnostic> {
    match get("operation") {
        Some("explain") => return Ok(Operation::Explain),
        None if get("query").is_none() => return Ok(Operation::Explain),
        None | Some("searchRetrieve") => {}
        Some(other) => return Err(diagnostic(4, other)),
    }
    for name in ["stylesheet", "resultSetTTL", "recordXPath"] {
        // A server may ignore all three parameters. But `recordXPath` asks for parts of records, so ignoring it would give a wrong answer.
        if name == "recordXPath" && get(name).is_some() {
            return Err(diagnostic(8, name));
        }
    }
    let number = |name: &str, otherwise: usize, least: usize| match get(name).map(str::parse::<usize>) {
        None => Ok(otherwise),
        Some(Ok(number)) if number >= least => Ok(number),
        Some(_) => Err(diagnostic(6, name)),
    };
    let schema = get("recordSchema").map_or(Some(Schema::Marc), Schema::from_name);
    let packing = if version == Version::V1 { "recordPacking" } else { "recordXMLEscaping" };
    Ok(Operation::SearchRetrieve(RetrieveRequest {
        query: get("query").ok_or_else(|| diagnostic(7, "query"))?.to_owned(),
        sort_keys: get("sortKeys").map(str::to_owned),
        first_record: number("startRecord", 1, 1)?,
        max_records: number("maximumRecords", DEFAULT_RECORDS, 0)?.min(MAX_RECORDS),
        schema: schema.ok_or_else(|| diagnostic(66, get("recordSchema").unwrap_or_default()))?,
        as_text: match get(packing) {
            None | Some("xml") => false,
            Some("string") => true,
            Some(other) => return Err(diagnostic(71, other)),
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_query_string(query: &str) -> (Version, Result<Operation, Diagnostic>) {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        read_request(&pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>())
    }

    #[test]
    fn a_request_is_of_a_version_and_about_records_or_the_server() {
        assert_eq!(read_query_string(""), (Version::V2, Ok(Operation::Explain)));
        assert_eq!(read_query_string("version=1.2&operation=explain"), (Version::V1, Ok(Operation::Explain)));
        let (version, found) = read_query_string(
            "version=1.1&operation=searchRetrieve&query=cats&maximumRecords=5000&recordSchema=dc",
        );
        let Ok(Operation::SearchRetrieve(found)) = found else { panic!("{found:?}") };
        assert_eq!(
            (version, found.first_record, found.max_records, found.schema),
            (Version::V1, 1, MAX_RECORDS, Schema::DublinCore)
        );
        assert_eq!(read_query_string("query=cats").0, Version::V2);
    }

    #[test]
    fn what_is_wrong_is_told_by_number() {
        for (query, number) in [
            ("version=3.0&query=cats", 5),
            ("version=1.2&operation=scan", 4),
            ("version=1.2&operation=searchRetrieve", 7),
            ("query=cats&startRecord=0", 6),
            ("query=cats&maximumRecords=x", 6),
            ("query=cats&recordSchema=mods", 66),
            ("query=cats&recordXMLEscaping=no", 71),
            ("query=cats&recordXPath=x", 8),
        ] {
            assert_eq!(read_query_string(query).1.unwrap_err().number, number, "{query}");
        }
    }
}
