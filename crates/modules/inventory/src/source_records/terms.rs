//! Index terms of MARC records. A term is a number (a hash): there is one for each tag, and one for each value under a tag and for some of
//! the value's prefixes. The index over these numbers finds the records that may have a value; the record itself shows whether it has the
//! value. The SQL function `marc_terms` in `tenant.sql` computes the same terms, for writers that leave the columns to the trigger; a test
//! compares both. Pure.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The lengths of the prefixes that have a term each. The whole value has a term as well, of which at most `MAX_VALUE_CHARACTERS`
/// characters count.
const PREFIX_LENGTHS: [usize; 2] = [4, 10];
const MAX_VALUE_CHARACTERS: usize = 24;

/// The index terms of a record in MARC-in-JSON.
pub(super) fn terms_of_content(content: &Value) -> BTreeSet<i32> {
    let mut terms = BTreeSet::new();
    let fields = content["fields"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
    for (tag, body) in fields {
        terms.insert(tag_term(tag));
        match &body["subfields"] {
            Value::Array(subfields) => {
                let values = subfields.iter().filter_map(Value::as_object).flat_map(|one| one.values());
                values.filter_map(scalar_text).for_each(|value| add_terms(&mut terms, tag, &value));
            }
            _ => scalar_text(body).iter().for_each(|value| add_terms(&mut terms, tag, value)),
        }
    }
    terms
}

fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn add_terms(terms: &mut BTreeSet<i32>, tag: &str, value: &str) {
    let letters = letters(value);
    terms.extend(whole_value_term(tag, &letters));
    terms.extend(PREFIX_LENGTHS.iter().filter_map(|step| prefix_term_of_length(tag, *step, &letters)));
}

/// The term of records that have a field with this tag.
pub fn tag_term(tag: &str) -> i32 {
    term_number(tag)
}

/// The term of records with this value in such a field; only letters and digits count. `None` if there are none.
pub(super) fn value_term(tag: &str, value: &str) -> Option<i32> {
    whole_value_term(tag, &letters(value))
}

/// The term of records with a value of this beginning. `None` if the beginning is shorter than the shortest prefix with a term.
pub(super) fn prefix_term(tag: &str, value: &str) -> Option<i32> {
    let letters = letters(value);
    let step = PREFIX_LENGTHS.iter().rev().find(|step| letters.chars().count() >= **step)?;
    prefix_term_of_length(tag, *step, &letters)
}

/// All terms of a record with this value: hardly any other record has all of them.
pub fn value_terms(tag: &str, value: &str) -> Vec<i32> {
    value_term(tag, value).into_iter().chain(prefix_terms(tag, value)).collect()
}

/// The terms of a record with a value of this beginning. None if the beginning is shorter than the shortest prefix with a term.
pub fn prefix_terms(tag: &str, value: &str) -> Vec<i32> {
    let letters = letters(value);
    PREFIX_LENGTHS.iter().filter_map(|step| prefix_term_of_length(tag, *step, &letters)).collect()
}

/// The value without blanks and ASCII punctuation, so that different spellings of catalogs have the same term.
pub(super) fn letters(value: &str) -> String {
    value.chars().filter(|sign| *sign != ' ' && !sign.is_ascii_punctuation()).collect()
}

fn whole_value_term(tag: &str, letters: &str) -> Option<i32> {
    let text: String = letters.chars().take(MAX_VALUE_CHARACTERS).collect();
    (!text.is_empty()).then(|| term_number(&format!("{tag}={text}")))
}

fn prefix_term_of_length(tag: &str, step: usize, letters: &str) -> Option<i32> {
    let text: String = letters.chars().take(step).collect();
    (text.chars().count() == step).then(|| term_number(&format!("{tag}^{text}")))
}

/// A term has 22 bits: few enough that the index stays in memory, many enough that each term belongs to few records.
fn term_number(text: &str) -> i32 {
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
        let terms = terms_of_content(&content);
        let has = |term: Option<i32>| term.is_some_and(|term| terms.contains(&term));
        assert!(has(Some(tag_term("035"))) && !has(Some(tag_term("036"))));
        for value in ["(OCoLC)63611770", "OCoLC 63611770", "12"] {
            assert!(has(value_term("035", value)), "{value}");
        }
        for beginning in ["(OCoLC)", "(OCoLC)63611", "(OCoLC)6361177"] {
            assert!(has(prefix_term("035", beginning)), "{beginning}");
        }
        assert!(!has(value_term("035", "(OCoLC)6361177")) && !has(value_term("001", "12")));
        assert!(!has(prefix_term("035", "(OCoLC)99999")));
        assert_eq!((prefix_term("035", "(OC"), value_term("035", " - ")), (None, None));
    }

    #[test]
    fn content_that_is_no_record_has_no_terms() {
        for content in [json!(null), json!("x"), json!({"fields": {}}), json!({"fields": [1, "x", []]})] {
            assert!(terms_of_content(&content).is_empty(), "{content}");
        }
    }
}
