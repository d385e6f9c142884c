//! What a record is found by: a number for each beginning of each value under its tag, and one for each tag. An index over lists of such
//! numbers finds the records that may have a value; whether they have it, the record itself tells. `marc_terms` in `tenant.sql` does the
//! same, for writers that leave the columns to the trigger; a test compares them. Pure.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Beginnings of these lengths have a number each, and the whole value, of which no more than `WHOLE` characters count.
const STEPS: [usize; 2] = [4, 10];
const WHOLE: usize = 24;

/// The numbers of a record in MARC-in-JSON.
pub(super) fn of_content(content: &Value) -> BTreeSet<i32> {
    let mut terms = BTreeSet::new();
    let fields = content["fields"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
    for (tag, body) in fields {
        terms.insert(of_tag(tag));
        match &body["subfields"] {
            Value::Array(subfields) => {
                let values = subfields.iter().filter_map(Value::as_object).flat_map(|one| one.values());
                values.filter_map(plain).for_each(|value| add(&mut terms, tag, &value));
            }
            _ => plain(body).iter().for_each(|value| add(&mut terms, tag, value)),
        }
    }
    terms
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn add(terms: &mut BTreeSet<i32>, tag: &str, value: &str) {
    let letters = letters(value);
    terms.extend(whole(tag, &letters));
    terms.extend(STEPS.iter().filter_map(|step| beginning(tag, *step, &letters)));
}

/// Of records with such a field.
pub fn of_tag(tag: &str) -> i32 {
    number(tag)
}

/// Of records with a field of this value, as far as its letters and digits go.
pub(super) fn of_value(tag: &str, value: &str) -> Option<i32> {
    whole(tag, &letters(value))
}

/// Of records with a field that begins so; `None` if the beginning is too short to tell.
pub(super) fn of_beginning(tag: &str, value: &str) -> Option<i32> {
    let letters = letters(value);
    let step = STEPS.iter().rev().find(|step| letters.chars().count() >= **step)?;
    beginning(tag, *step, &letters)
}

/// The numbers that a record with such a value has, all of them: hardly any other record has them all.
pub fn all_of_value(tag: &str, value: &str) -> Vec<i32> {
    of_value(tag, value).into_iter().chain(all_of_beginning(tag, value)).collect()
}

/// The numbers that a record with a value of this beginning has; none if the beginning is too short to tell.
pub fn all_of_beginning(tag: &str, value: &str) -> Vec<i32> {
    let letters = letters(value);
    STEPS.iter().filter_map(|step| beginning(tag, *step, &letters)).collect()
}

/// A value without blanks and the punctuation of ASCII: what catalogs write in many ways is found by one number.
pub(super) fn letters(value: &str) -> String {
    value.chars().filter(|sign| *sign != ' ' && !sign.is_ascii_punctuation()).collect()
}

fn whole(tag: &str, letters: &str) -> Option<i32> {
    let text: String = letters.chars().take(WHOLE).collect();
    (!text.is_empty()).then(|| number(&format!("{tag}={text}")))
}

fn beginning(tag: &str, step: usize, letters: &str) -> Option<i32> {
    let text: String = letters.chars().take(step).collect();
    (text.chars().count() == step).then(|| number(&format!("{tag}^{text}")))
}

/// 22 bits: so few that the numbers and the places where they occur stay in memory, so many that each is of few records.
fn number(text: &str) -> i32 {
    let hash = Sha256::digest(text.as_bytes());
    i32::from_be_bytes([0, hash[0], hash[1], hash[2]]) >> 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_found_whole_by_their_beginnings_and_by_their_tag() {
        let content = json!({"leader": "00000nam a", "fields": [
            {"001": "in00000123"},
            {"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(OCoLC)63611770"}, {"z": "12"}]}}]});
        let terms = of_content(&content);
        let has = |term: Option<i32>| term.is_some_and(|term| terms.contains(&term));
        assert!(has(Some(of_tag("035"))) && !has(Some(of_tag("036"))));
        for value in ["(OCoLC)63611770", "OCoLC 63611770", "12"] {
            assert!(has(of_value("035", value)), "{value}");
        }
        for beginning in ["(OCoLC)", "(OCoLC)63611", "(OCoLC)6361177"] {
            assert!(has(of_beginning("035", beginning)), "{beginning}");
        }
        assert!(!has(of_value("035", "(OCoLC)6361177")) && !has(of_value("001", "12")));
        assert!(!has(of_beginning("035", "(OCoLC)99999")));
        assert_eq!((of_beginning("035", "(OC"), of_value("035", " - ")), (None, None));
    }

    #[test]
    fn content_that_is_no_record_has_no_terms() {
        for content in [json!(null), json!("x"), json!({"fields": {}}), json!({"fields": [1, "x", []]})] {
            assert!(of_content(&content).is_empty(), "{content}");
        }
    }
}
