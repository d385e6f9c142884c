//! The functions that mapping rules call by name. Each works as in FOLIO's importer, including its oddities.

use std::cell::RefCell;
use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::Value;

use super::lookups::{Lookups, NO_TYPE, equals_ignoring_case};
use crate::{Leader, Subfield};

#[derive(Debug)]
pub(super) enum Function {
    /// Characters from one position up to another, of a control field.
    Select {
        from: usize,
        to: usize,
    },
    RemoveEndingPunctuation,
    Trim,
    TrimPeriod,
    TrimPunctuation,
    RemoveSubstring(String),
    RemovePrefixByIndicator,
    Capitalize,
    /// Appends other subfields that follow, up to the next of the same code or one that stops.
    Concatenate {
        append: Vec<char>,
        stop: Vec<char>,
    },
    PublisherRole,
    InstanceFormat,
    /// A type that the rule names: its id.
    Constant(String),
    ContributorType {
        code: char,
        name: char,
    },
    ContributorTypeByCode,
    /// The name of the type that has the text as its code, else the text.
    ContributorTypeName,
    InstanceType {
        unspecified: String,
    },
    ElectronicAccessRelationship,
    /// The second id where the pattern matches.
    IdentifierTypeByValue {
        plain: String,
        matching: String,
        pattern: Option<Regex>,
    },
    ModeOfIssuance,
    StaffOnlyByIndicator,
    HoldingsType,
    CallNumberType,
    Location,
    /// A name that FOLIO's importer does not know either: it leaves the text as it is.
    Unknown,
}

/// The types of call numbers by the first indicator of 852.
const CALL_NUMBER_TYPES: [&str; 9] = [
    "library of congress classification",
    "dewey decimal classification",
    "national library of medicine classification",
    "superintendent of documents classification",
    "shelving control number",
    "title",
    "shelved separately",
    "source specified in subfield $2",
    "other scheme",
];

/// A data field.
pub(super) struct DataField<'a> {
    pub(super) tag: &'a str,
    pub(super) indicators: [char; 2],
    pub(super) subfields: &'a [Subfield],
    /// Results that depend on the whole field, by the codes of the subfields that they were computed from.
    pub(super) cache: RefCell<HashMap<(char, char), String>>,
}

impl DataField<'_> {
    /// Computes a result once for the whole field. To look at all subfields again for each subfield would take quadratic time.
    pub(super) fn compute_once(&self, codes: (char, char), find: impl FnOnce() -> String) -> String {
        self.cache.borrow_mut().entry(codes).or_insert_with(find).clone()
    }
}

/// What a function can use besides the text.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) leader: &'a Leader,
    /// None for a control field.
    pub(super) field: Option<&'a DataField<'a>>,
    /// The subfield that the text is from; the first for a text of several.
    pub(super) subfield: usize,
    pub(super) lookups: &'a Lookups,
}

impl Function {
    pub(super) fn read(name: &str, parameter: &Value, lookups: &Lookups) -> Result<Function, String> {
        let text = |name: &str| parameter[name].as_str().unwrap_or_default();
        let codes = |name: &str| {
            let codes = parameter[name].as_array().into_iter().flatten().filter_map(Value::as_str);
            codes.filter_map(|code| code.chars().next()).collect::<Vec<char>>()
        };
        let code = |name: &str| text(name).chars().next().unwrap_or(' ');
        let number = |name: &str| parameter[name].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let named =
            |collection: &str, name: &str| lookups.id_by_name(collection, name).unwrap_or(NO_TYPE).to_owned();
        let constant = |collection: &str| Function::Constant(named(collection, text("name")));
        Ok(match name.to_ascii_lowercase().as_str() {
            "char_select" => Function::Select { from: number("from"), to: number("to") },
            "remove_ending_punc" => Function::RemoveEndingPunctuation,
            "trim" => Function::Trim,
            "trim_period" => Function::TrimPeriod,
            "trim_punctuation" => Function::TrimPunctuation,
            "remove_substring" => Function::RemoveSubstring(text("substring").to_owned()),
            "remove_prefix_by_indicator" => Function::RemovePrefixByIndicator,
            "capitalize" => Function::Capitalize,
            "concat_subfields_by_name" => Function::Concatenate {
                append: codes("subfieldsToConcat"),
                stop: codes("subfieldsToStopConcat"),
            },
            "set_publisher_role" => Function::PublisherRole,
            "set_instance_format_id" => Function::InstanceFormat,
            "set_classification_type_id" => constant("classificationTypes"),
            "set_contributor_name_type_id" => constant("contributorNameTypes"),
            "set_alternative_title_type_id" => constant("alternativeTitleTypes"),
            "set_identifier_type_id_by_name" => constant("identifierTypes"),
            "set_note_type_id" => {
                let types = "instanceNoteTypes";
                let id = lookups
                    .id_by_name(types, text("name"))
                    .or_else(|| lookups.id_by_name(types, "General note"));
                Function::Constant(id.unwrap_or(NO_TYPE).to_owned())
            }
            "set_contributor_type_id_by_code_or_name" => Function::ContributorType {
                code: code("contributorCodeSubfield"),
                name: code("contributorNameSubfield"),
            },
            "set_contributor_type_id" => Function::ContributorTypeByCode,
            "set_contributor_type_text" => Function::ContributorTypeName,
            "set_instance_type_id" => {
                Function::InstanceType { unspecified: text("unspecifiedInstanceTypeCode").to_owned() }
            }
            "set_electronic_access_relations_id" => Function::ElectronicAccessRelationship,
            "set_identifier_type_id_by_value" => {
                let name = |at: usize| parameter["names"][at].as_str().unwrap_or_default();
                let pattern =
                    parameter["oclc_regex"].as_str().map(|pattern| Regex::new(&format!("^(?:{pattern})$")));
                Function::IdentifierTypeByValue {
                    plain: named("identifierTypes", name(0)),
                    matching: named("identifierTypes", name(1)),
                    pattern: pattern.transpose().map_err(|error| error.to_string())?,
                }
            }
            "set_issuance_mode_id" => Function::ModeOfIssuance,
            "set_note_staff_only_via_indicator" => Function::StaffOnlyByIndicator,
            "set_holdings_type_id" => Function::HoldingsType,
            "set_call_number_type_id" => Function::CallNumberType,
            "set_permanent_location_id" => Function::Location,
            "set_holdings_note_type_id" => {
                Function::Constant(id_or_empty(lookups.id_by_name("holdingsNoteTypes", text("name"))))
            }
            "set_authority_note_type_id" => constant("authorityNoteTypes"),
            _ => Function::Unknown,
        })
    }

    pub(super) fn apply(&self, text: String, around: &Surroundings<'_>) -> String {
        let lookups = around.lookups;
        let second = around.field.map_or(' ', |field| field.indicators[1]);
        match self {
            Function::Select { from, to } => {
                text.chars().skip(*from).take(to.saturating_sub(*from)).collect()
            }
            Function::RemoveEndingPunctuation => without_last(text, |last| ";:,/+= ".contains(last)),
            Function::Trim => trim(&text).to_owned(),
            Function::TrimPeriod => without_last(text, |last| last == '.'),
            Function::TrimPunctuation => trim_punctuation(trim(&text)),
            Function::RemoveSubstring(part) if part.is_empty() => text,
            Function::RemoveSubstring(part) => text.replace(part.as_str(), ""),
            Function::RemovePrefixByIndicator => without_prefix(text, second),
            Function::Capitalize => capitalize(text),
            Function::Concatenate { append, stop } => match around.field {
                Some(field) => concatenate(text, &field.subfields[around.subfield..], append, stop),
                None => text,
            },
            Function::PublisherRole => {
                let role = ["Production", "Publication", "Distribution", "Manufacture"];
                let at = second.to_digit(10).and_then(|digit| role.get(digit as usize));
                at.copied().unwrap_or_default().to_owned()
            }
            Function::InstanceFormat => id_or_empty(lookups.id_by_code("instanceFormats", &text)),
            Function::Constant(id) => id.clone(),
            Function::ContributorType { code, name } => around.field.map_or_else(String::new, |field| {
                field.compute_once((*code, *name), || contributor_type(field, *code, *name, lookups))
            }),
            Function::ContributorTypeByCode => id_or_empty(lookups.id_by_code("contributorTypes", &text)),
            Function::ContributorTypeName => {
                let types = lookups.all("contributorTypes");
                types
                    .iter()
                    .find(|entry| equals_ignoring_case(&entry.code, &text))
                    .map_or(text, |entry| entry.name.clone())
            }
            Function::InstanceType { unspecified } => {
                let wanted = match around.field {
                    Some(_) => text.rsplit('~').find(|part| !part.is_empty()).unwrap_or_default(),
                    None => unspecified,
                };
                let found =
                    lookups.instance_type_id(wanted).or_else(|| lookups.instance_type_id(unspecified));
                found.unwrap_or(NO_TYPE).to_owned()
            }
            Function::ElectronicAccessRelationship => {
                let name = match second {
                    '0' => "resource",
                    '1' => "version of resource",
                    '2' => "related resource",
                    _ => "no information provided",
                };
                lookups.id_by_name("electronicAccessRelationships", name).unwrap_or(NO_TYPE).to_owned()
            }
            Function::IdentifierTypeByValue { plain, matching, pattern } => {
                let matches = pattern.as_ref().is_some_and(|pattern| pattern.is_match(&text));
                if matches { matching.clone() } else { plain.clone() }
            }
            Function::ModeOfIssuance => {
                let name = match around.leader.char_at(7) {
                    'a' | 'c' | 'd' | 'm' => "single unit",
                    'b' | 's' => "serial",
                    'i' => "integrating resource",
                    _ => "unspecified",
                };
                let mode = |name: &str| lookups.id_by_name("issuanceModes", name);
                id_or_empty(mode(name).or_else(|| mode("unspecified")))
            }
            Function::StaffOnlyByIndicator => {
                let first = around.field.map_or(' ', |field| field.indicators[0]);
                (first == '0').to_string()
            }
            Function::HoldingsType => {
                let name = match around.leader.char_at(6) {
                    'v' => "multi-part monograph",
                    'x' => "monograph",
                    'y' => "serial",
                    _ => "unknown",
                };
                id_or_empty(lookups.id_by_name("holdingsTypes", name))
            }
            Function::CallNumberType => {
                let first = around.field.map_or(' ', |field| field.indicators[0]);
                let name = first.to_digit(10).and_then(|digit| CALL_NUMBER_TYPES.get(digit as usize));
                id_or_empty(name.and_then(|name| lookups.id_by_name("callNumberTypes", name)))
            }
            Function::Location => {
                let mut locations = lookups.all("locations").iter();
                let found = locations.find(|location| location.code == text);
                found.map_or(NO_TYPE, |location| &location.id).to_owned()
            }
            Function::Unknown => text,
        }
    }
}

fn id_or_empty(id: Option<&str>) -> String {
    id.unwrap_or_default().to_owned()
}

/// As Java trims: every control character too.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

fn without_last(mut text: String, which: impl Fn(char) -> bool) -> String {
    if text.chars().next_back().is_some_and(which) {
        text.pop();
    }
    text
}

/// A period or comma at the end goes; the period of an initial stays.
fn trim_punctuation(text: &str) -> String {
    let end: Vec<char> = text.chars().rev().take(4).collect();
    let blank = |at: usize| end.get(at).is_some_and(|c| c.is_ascii_whitespace());
    match end.as_slice() {
        ['-', ..] => text.to_owned(),
        ['.', _, ..] if blank(2) => text.to_owned(),
        ['.', ',', _, ..] if blank(3) => format!("{}.", &text[..text.len() - 2]),
        ['.' | ',', ..] => text[..text.len() - 1].to_owned(),
        _ => text.to_owned(),
    }
}

/// FOLIO removes the article wherever it stands again.
fn without_prefix(text: String, indicator: char) -> String {
    let length = indicator.to_digit(10).map_or(0, |digit| digit as usize);
    match text.char_indices().nth(length) {
        Some((at, _)) if length > 0 => text.replace(&text[..at], ""),
        _ => text,
    }
}

fn capitalize(text: String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(characters).collect(),
        _ => text,
    }
}

/// `subfields` begins with the subfield that the text is from.
fn concatenate(text: String, subfields: &[Subfield], append: &[char], stop: &[char]) -> String {
    let [own, rest @ ..] = subfields else { return text };
    let ends = |subfield: &Subfield| subfield.code == own.code || stop.contains(&subfield.code);
    let group = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let mut whole = text;
    for code in append {
        // The subfield itself counts, as in FOLIO, if its own code is among those to append.
        for subfield in std::iter::once(own).chain(group).filter(|subfield| subfield.code == *code) {
            whole.push(' ');
            whole.push_str(&subfield.value);
        }
    }
    whole
}

/// By a code in one subfield, else by a name in another.
fn contributor_type(field: &DataField<'_>, code: char, name: char, lookups: &Lookups) -> String {
    let types = lookups.all("contributorTypes");
    let values =
        |code: char| field.subfields.iter().filter(move |s| s.code == code).map(|s| s.value.as_str());
    let by_code = values(code).find_map(|value| types.iter().find(|entry| entry.code == value));
    let by_name =
        || values(name).find_map(|value| types.iter().find(|entry| is_named(&entry.name, value.trim())));
    by_code.or_else(by_name).map(|entry| entry.id.clone()).unwrap_or_default()
}

/// Punctuation at the end of the field's text does not count, unless the type's name ends with a period.
fn is_named(name: &str, text: &str) -> bool {
    match name.strip_suffix('.') {
        Some(_) if text.ends_with('.') => equals_ignoring_case(name, text),
        Some(bare) => match text.strip_suffix([';', ',']) {
            Some(text) => equals_ignoring_case(name, text),
            None => equals_ignoring_case(bare, text),
        },
        None => equals_ignoring_case(name, text.strip_suffix(['.', ',', ';']).unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_at_the_end_goes_but_initials_keep_theirs() {
        let cases = [
            ("Smith, John, ", "Smith, John"),
            ("Smith, J.", "Smith, J."),
            ("Smith, J,.", "Smith, J."),
            ("Smith, John, 1950-", "Smith, John, 1950-"),
            ("Smith, John.", "Smith, John"),
            (".", ""),
            ("", ""),
            ("Müller, ö.", "Müller, ö."),
        ];
        for (text, expected) in cases {
            assert_eq!(trim_punctuation(trim(text)), expected, "{text}");
        }
    }

    #[test]
    fn articles_are_passed_over_by_indicator() {
        assert_eq!(without_prefix("The cat".into(), '4'), "cat");
        assert_eq!(without_prefix("The cat and The dog".into(), '4'), "cat and dog");
        assert_eq!(without_prefix("Élan".into(), '1'), "lan");
        for (text, indicator) in [("The", '4'), ("The cat", '0'), ("The cat", ' ')] {
            assert_eq!(without_prefix(text.into(), indicator), text);
        }
        assert_eq!(capitalize("élan".into()), "Élan");
    }

    #[test]
    fn contributor_types_are_found_by_name_whatever_ends_it() {
        assert!(is_named("Author", "author."));
        assert!(is_named("Author", "author,"));
        assert!(is_named("Etc.", "etc"));
        assert!(is_named("Etc.", "etc.,"));
        assert!(!is_named("Author", "editor"));
    }
}
