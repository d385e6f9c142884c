//! What a client asks for by SRU. Pure.

use super::diagnostics::{Diagnostic, diagnostic};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 1.1 is answered as 1.2.
    Old,
    /// 2.0
    New,
}

/// The forms in which records are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    Marc,
    DublinCore,
}

impl Schema {
    /// Short name, identifier, and the name that people read.
    pub(super) const ALL: [(Schema, &'static str, &'static str, &'static str); 2] = [
        (Schema::Marc, "marcxml", "info:srw/schema/1/marcxml-v1.1", "MARCXML"),
        (Schema::DublinCore, "dc", "info:srw/schema/1/dc-v1.1", "Dublin Core"),
    ];

    fn of(name: &str) -> Option<Schema> {
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
pub(super) struct Asked {
    pub(super) query: String,
    pub(super) sort_keys: Option<String>,
    /// From 1.
    pub(super) start: usize,
    pub(super) most: usize,
    pub(super) schema: Schema,
    /// Records as escaped text instead of as elements.
    pub(super) as_text: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operation {
    Explain,
    SearchRetrieve(Asked),
}

/// So many records are answered where a client does not say how many, and so many at most.
pub(super) const USUAL: usize = 10;
pub(super) const MOST: usize = 100;
/// The last record that can be asked for.
pub(super) const DEEPEST: usize = 10_000;

/// The version, which shapes also the answer that something is wrong, and the operation.
pub(super) fn read(query: &[(String, String)]) -> (Version, Result<Operation, Diagnostic>) {
    let get = |name: &str| {
        let found = query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        found.filter(|value| !value.is_empty())
    };
    // Version 2.0 has neither `version` nor `operation`.
    let version = match get("version") {
        Some("1.1" | "1.2") => Version::Old,
        Some("2.0") => Version::New,
        Some(other) => return (Version::Old, Err(diagnostic(5, other))),
        None if get("operation").is_some() => Version::Old,
        None => Version::New,
    };
    (version, operation(version, &get))
}

fn operation<'q>(version: Version, get: &impl Fn(&str) -> Option<&'q str>) -> Result<Operation, Diagnostic> {
    match get("operation") {
        Some("explain") => return Ok(Operation::Explain),
        None if get("query").is_none() => return Ok(Operation::Explain),
        None | Some("searchRetrieve") => {}
        Some(other) => return Err(diagnostic(4, other)),
    }
    for name in ["stylesheet", "resultSetTTL", "recordXPath"] {
        // All three are wishes that a server need not fulfil, but a record in part is not what was asked for.
        if name == "recordXPath" && get(name).is_some() {
            return Err(diagnostic(8, name));
        }
    }
    let number = |name: &str, otherwise: usize, least: usize| match get(name).map(str::parse::<usize>) {
        None => Ok(otherwise),
        Some(Ok(number)) if number >= least => Ok(number),
        Some(_) => Err(diagnostic(6, name)),
    };
    let schema = get("recordSchema").map_or(Some(Schema::Marc), Schema::of);
    let packing = if version == Version::Old { "recordPacking" } else { "recordXMLEscaping" };
    Ok(Operation::SearchRetrieve(Asked {
        query: get("query").ok_or_else(|| diagnostic(7, "query"))?.to_owned(),
        sort_keys: get("sortKeys").map(str::to_owned),
        start: number("startRecord", 1, 1)?,
        most: number("maximumRecords", USUAL, 0)?.min(MOST),
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

    fn asked(query: &str) -> (Version, Result<Operation, Diagnostic>) {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        read(&pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>())
    }

    #[test]
    fn a_request_is_of_a_version_and_about_records_or_the_server() {
        assert_eq!(asked(""), (Version::New, Ok(Operation::Explain)));
        assert_eq!(asked("version=1.2&operation=explain"), (Version::Old, Ok(Operation::Explain)));
        let (version, found) =
            asked("version=1.1&operation=searchRetrieve&query=cats&maximumRecords=5000&recordSchema=dc");
        let Ok(Operation::SearchRetrieve(found)) = found else { panic!("{found:?}") };
        assert_eq!(
            (version, found.start, found.most, found.schema),
            (Version::Old, 1, MOST, Schema::DublinCore)
        );
        assert_eq!(asked("query=cats").0, Version::New);
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
            assert_eq!(asked(query).1.unwrap_err().number, number, "{query}");
        }
    }
}
