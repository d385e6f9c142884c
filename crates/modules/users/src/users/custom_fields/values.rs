//! Whether a user's values of custom fields are such as the fields allow. That a required field has a value is not asked: in FOLIO that is
//! for the form to do.

use octavo_engine::Snapshot;
use octavo_kernel::{Fault, Outcome, Refusal};
use serde_json::Value;

use super::definition::{is_selectable, is_text, kind, length, option_ids};
use super::formats;
use crate::users::records::CUSTOM_FIELD;

const MAX_SHORT_LENGTH: usize = 150;
const MAX_LONG_LENGTH: usize = 1500;

/// Refuses values of unknown fields and values that a field does not take, all at once.
pub(in crate::users) fn check(snapshot: &Snapshot, user: &Value) -> Outcome<()> {
    let Some(values) = user["customFields"].as_object() else { return Ok(()) };
    let field = |name: &str| {
        snapshot.all(&CUSTOM_FIELD).map(|(_, field)| field).find(|field| field["refId"] == *name)
    };
    let refusals: Vec<Refusal> = values
        .iter()
        .filter_map(|(name, value)| {
            let Some(field) = field(name) else {
                let message = format!("Custom field with refId {name} is not found");
                return Some(Refusal::rmb(message).about("customFields", name));
            };
            let message = mistake(field, value)?;
            Some(Refusal::rmb(message).about(name, value.to_string()))
        })
        .collect();
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

fn mistake(field: &Value, value: &Value) -> Option<String> {
    let kind = kind(field);
    let many = if is_selectable(field) {
        let list = field["isRepeatable"] == true;
        if list && !value.is_array() {
            return Some(format!("Field with type {kind} must be an array"));
        }
        list || kind == "MULTI_SELECT_DROPDOWN"
    } else {
        is_text(field) && field["isRepeatable"] == true
    };
    match value.as_array() {
        Some(values) if many => values.iter().find_map(|value| mistake_of_one(field, value)),
        _ => mistake_of_one(field, value),
    }
}

fn mistake_of_one(field: &Value, value: &Value) -> Option<String> {
    let kind = kind(field);
    if kind == "SINGLE_CHECKBOX" {
        return (!value.is_boolean()).then(|| format!("Field with type {kind} must be a boolean"));
    }
    let Some(text) = value.as_str() else { return Some(format!("Field with type {kind} must be a string")) };
    if is_selectable(field) {
        let (ids, name) = (option_ids(field), field["refId"].as_str().unwrap_or_default());
        let known = ids.contains(&text);
        return (!known)
            .then(|| format!("Field {name} can only have following values: [{}]", ids.join(", ")));
    }
    if kind == "DATE_PICKER" {
        return (!formats::is_date(text)).then(|| format!("Invalid date format: {text}"));
    }
    let wrong = match field["textField"]["fieldFormat"].as_str() {
        Some("EMAIL") => (!formats::is_email(text)).then(|| format!("Invalid Email format: {text}")),
        Some("NUMBER") => (!formats::is_number(text)).then(|| format!("Invalid Number format: {text}")),
        Some("URL") => (!formats::is_url(text)).then(|| format!("Invalid URL: {text}")),
        _ => text.trim().is_empty().then(|| "Invalid Text format".to_owned()),
    };
    let most = if kind == "TEXTBOX_LONG" { MAX_LONG_LENGTH } else { MAX_SHORT_LENGTH };
    wrong.or_else(|| (length(text) > most).then(|| format!("Maximum length of the value is {most}")))
}
