//! The rules for a custom field, and the members that the server adds: its place, its `refId`, ids of its options. Facts and messages come
//! from folio-custom-fields 2.1.0. Only the first error is reported.

use std::collections::HashSet;

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

const MAX_NAME_LENGTH: usize = 65;
const MAX_HELP_TEXT_LENGTH: usize = 100;
const MAX_OPTION_LENGTH: usize = 100;
const MAX_RADIO_BUTTONS: usize = 5;
const MAX_DROPDOWN_OPTIONS: usize = 200;

/// The members of every custom field, in the order in which a refusal lists them.
const COMMON: &str =
    "id, name, refId, type, entityType, visible, required, isRepeatable, order, helpText, metadata";
/// The member that only fields of some types have.
const SPECIAL: [&str; 3] = ["checkboxField", "selectField", "textField"];

/// The length of a text as FOLIO counts it: in UTF-16 code units.
pub(super) fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

pub(super) fn kind(field: &Value) -> &str {
    field["type"].as_str().unwrap_or_default()
}

pub(super) fn is_text(field: &Value) -> bool {
    kind(field).starts_with("TEXTBOX")
}

pub(super) fn is_selectable(field: &Value) -> bool {
    most_options(field).is_some()
}

fn most_options(field: &Value) -> Option<usize> {
    match kind(field) {
        "RADIO_BUTTON" => Some(MAX_RADIO_BUTTONS),
        "SINGLE_SELECT_DROPDOWN" | "MULTI_SELECT_DROPDOWN" => Some(MAX_DROPDOWN_OPTIONS),
        _ => None,
    }
}

/// The first error in a field that its schema allows; `None` if there is none.
pub(super) fn mistake(field: &Value) -> Option<String> {
    let (text, kind) = (|name: &str| length(field[name].as_str().unwrap_or_default()), kind(field));
    if text("helpText") > MAX_HELP_TEXT_LENGTH {
        return Some(format!("The 'helpText' length cannot be more than {MAX_HELP_TEXT_LENGTH}"));
    }
    if text("name") > MAX_NAME_LENGTH {
        return Some(format!("The 'name' length cannot be more than {MAX_NAME_LENGTH}"));
    }
    let own = match kind {
        "SINGLE_CHECKBOX" => Some("checkboxField"),
        _ if is_text(field) => Some("textField"),
        _ if is_selectable(field) => Some("selectField"),
        _ => None,
    };
    if let Some(other) = SPECIAL.iter().find(|name| !field[**name].is_null() && own != Some(**name)) {
        let allowed = own.map(|own| format!(", {own}")).unwrap_or_default();
        return Some(format!(
            "Attribute {other} is not allowed, following attributes are allowed for field of type {kind} : [{COMMON}{allowed}]"
        ));
    }
    let once = matches!(kind, "SINGLE_CHECKBOX" | "MULTI_SELECT_DROPDOWN" | "RADIO_BUTTON");
    if once && field["isRepeatable"] == true {
        return Some(format!("Repeatable is not supported by custom field of type {kind}"));
    }
    if kind == "SINGLE_CHECKBOX" && field["checkboxField"].is_null() {
        return Some(format!("The 'checkBox' property should be defined for '{kind}' custom field type."));
    }
    most_options(field).and_then(|most| mistake_of_options(field, most))
}

fn mistake_of_options(field: &Value, most: usize) -> Option<String> {
    if field["selectField"].is_null() {
        return Some("The 'selectField' property should be defined".into());
    }
    let all = options(field);
    if all.is_empty() || all.len() > most {
        return Some(format!("The options amount should be in range 1 - {most}"));
    }
    if all.iter().any(Value::is_null) {
        return Some("Option should not be null".into());
    }
    let texts: Vec<&str> = all.iter().filter_map(|option| option["value"].as_str()).collect();
    if texts.iter().any(|text| text.trim().is_empty() || length(text) > MAX_OPTION_LENGTH) {
        return Some(format!(
            "The option value cannot be blank or have more than {MAX_OPTION_LENGTH} length"
        ));
    }
    let differ = |texts: &[&str]| texts.iter().collect::<HashSet<_>>().len() == texts.len();
    if !differ(&texts) {
        return Some("Option values should be unique".into());
    }
    if !differ(&option_ids(field)) {
        return Some("Option IDs should be unique".into());
    }
    let many = kind(field) == "MULTI_SELECT_DROPDOWN";
    if !many && defaults(field).count() > 1 {
        return Some("The max defaults amount is 1".into());
    }
    (field["selectField"]["multiSelect"] != many)
        .then(|| format!("The 'multiSelect' property should be '{many}'"))
}

pub(super) fn options(field: &Value) -> &[Value] {
    field["selectField"]["options"]["values"].as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn option_ids(field: &Value) -> Vec<&str> {
    options(field).iter().filter_map(|option| option["id"].as_str()).collect()
}

fn defaults(field: &Value) -> impl Iterator<Item = &Value> {
    options(field).iter().filter(|option| option["default"] == true)
}

pub(super) fn default_ids(field: &Value) -> Vec<&str> {
    defaults(field).filter_map(|option| option["id"].as_str()).collect()
}

/// Fills in what the client may leave to the server: the format of a text, the order of options, ids of new ones.
pub(super) fn complete(field: &mut Value) {
    if is_text(field) && field["textField"].is_null() {
        field["textField"] = json!({"fieldFormat": "TEXT"});
    }
    if !is_selectable(field) {
        return;
    }
    let number = |id: &&str| id.strip_prefix("opt_").and_then(|number| number.parse::<u32>().ok());
    let mut last = option_ids(field).iter().filter_map(number).max().unwrap_or(0);
    let chosen = field["selectField"]["options"]["sortingOrder"].as_str().unwrap_or_default().to_owned();
    let Some(options) = field["selectField"]["options"]["values"].as_array_mut() else { return };
    let text = |option: &Value| option["value"].as_str().unwrap_or_default().to_owned();
    match chosen.as_str() {
        "ASC" => options.sort_by_key(text),
        "DESC" => options.sort_by_key(|option| std::cmp::Reverse(text(option))),
        _ => {}
    }
    for option in options.iter_mut().filter(|option| option["id"].is_null()) {
        last += 1;
        option["id"] = json!(format!("opt_{last}"));
    }
}

/// The name under which users have their values: letters of the field's name, `_2` and so on where others have it already.
pub(super) fn ref_id<'a>(name: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let plain = camel_case(name);
    let number = |taken: &str| match taken.strip_prefix(&plain)? {
        "" => Some(1),
        rest => rest.strip_prefix('_')?.parse::<u32>().ok().filter(|number| *number > 1),
    };
    match taken.filter_map(number).max() {
        None => plain,
        Some(last) => format!("{plain}_{}", last + 1),
    }
}

/// `Straße und Geburtsort (früher)` becomes `straeUndGeburtsortFruher`: accents and what is no Latin letter go.
fn camel_case(name: &str) -> String {
    let mut made = String::new();
    for word in name.split_whitespace() {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let capitalised: String = first.chain(letters.flat_map(char::to_lowercase)).collect();
        made.extend(capitalised.nfd().filter(char::is_ascii_alphabetic));
    }
    made[..made.len().min(1)].to_ascii_lowercase() + made.get(1..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_ref_id() {
        for (name, expected) in [
            ("Department", "department"),
            ("Expiration Date", "expirationDate"),
            ("  favorite   FOOD 2 ", "favoriteFood"),
            ("Thís is a tričky (String)", "thisIsATrickystring"),
            ("Straße und Geburtsort", "straeUndGeburtsort"),
            ("Любимая еда", ""),
        ] {
            // A word that begins with a bracket has no capital letter.
            let expected = if name.contains('(') { "thisIsATrickystring" } else { expected };
            assert_eq!(ref_id(name, std::iter::empty()), expected, "{name}");
        }
    }

    #[test]
    fn a_ref_id_that_is_taken_gets_the_next_number() {
        let next = |taken: &[&str]| ref_id("Food", taken.iter().copied());
        assert_eq!(next(&["drink", "foods", "foodx_3", "food_1", "food_x"]), "food");
        assert_eq!(next(&["food"]), "food_2");
        assert_eq!(next(&["food_3"]), "food_4");
        assert_eq!(next(&["food", "food_2", "food_10"]), "food_11");
    }
}
