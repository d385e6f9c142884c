//! Custom fields of users: the other system sends the texts of options, which are stored by their ids, and may send definitions that change
//! the library's.

use std::collections::{BTreeMap, BTreeSet};

use octavo_engine::{Context, Snapshot};
use serde_json::{Value, json};

use super::reason::reason;
use crate::users::{CUSTOM_FIELD, amend_custom_fields};

/// The definitions, after those that were sent have changed them. The error is for the report.
pub(super) async fn prepare(
    context: &Context,
    snapshot: &Snapshot,
    sent: &Value,
) -> Result<Vec<Value>, String> {
    let known: Vec<Value> = snapshot.all(&CUSTOM_FIELD).map(|(_, field)| field.clone()).collect();
    let sent: Vec<&Value> = sent.as_array().into_iter().flatten().collect();
    let names = sent.iter().filter_map(|field| field["refId"].as_str());
    let missing: BTreeSet<&str> = names.filter(|name| definition(&known, name).is_none()).collect();
    match missing_message(&missing, &BTreeMap::new()) {
        Some(why) => Err(why),
        None if sent.is_empty() => Ok(known),
        None => {
            let amend = |field: &mut Value| {
                for sent in &sent {
                    if sent["refId"] == field["refId"] {
                        merge_definition(field, sent);
                    }
                }
            };
            amend_custom_fields(context, amend).await.map_err(|fault| reason(&fault))
        }
    }
}

/// Merges a sent definition into the stored one, as mod-user-import 3.8.0 does: these members are replaced, an option is added if no other
/// option has its text, and other members are set only if they are not set yet.
fn merge_definition(field: &mut Value, sent: &Value) {
    for member in ["name", "visible", "isRepeatable", "helpText"] {
        if !sent[member].is_null() {
            field[member] = sent[member].clone();
        }
    }
    let unset = field["checkboxField"].is_object() && field["checkboxField"]["default"].is_null();
    if unset && !sent["checkboxField"]["default"].is_null() {
        field["checkboxField"]["default"] = sent["checkboxField"]["default"].clone();
    }
    let Some(options) = field.pointer_mut("/selectField/options") else { return };
    let sent = &sent["selectField"]["options"];
    if options["sortingOrder"].is_null() && !sent["sortingOrder"].is_null() {
        options["sortingOrder"] = sent["sortingOrder"].clone();
    }
    let Some(values) = options["values"].as_array_mut() else { return };
    for option in sent["values"].as_array().into_iter().flatten() {
        let default = option["default"] == true;
        match values.iter_mut().find(|known| known["value"] == option["value"]) {
            Some(known) => known["default"] = json!(default),
            None => values.push(json!({"value": option["value"], "default": default})),
        }
    }
}

fn definition<'a>(known: &'a [Value], name: &str) -> Option<&'a Value> {
    known.iter().find(|definition| definition["refId"] == name)
}

/// Puts the ids of options in the place of their texts.
pub(super) fn resolve(known: &[Value], user: &mut Value) -> Result<(), String> {
    let Some(fields) = user.get_mut("customFields").and_then(Value::as_object_mut) else { return Ok(()) };
    let (mut missing, mut options) = (BTreeSet::new(), BTreeMap::new());
    for (name, value) in fields.iter_mut() {
        match definition(known, name) {
            None => _ = missing.insert(name.as_str()),
            Some(definition) if has_options(definition) => {
                let unknown = replace_texts_by_ids(definition, value);
                if !unknown.is_empty() {
                    options.insert(name.as_str(), unknown);
                }
            }
            Some(_) => {}
        }
    }
    missing_message(&missing, &options).map_or(Ok(()), Err)
}

fn has_options(definition: &Value) -> bool {
    let kind = definition["type"].as_str().unwrap_or_default();
    ["RADIO_BUTTON", "SINGLE_SELECT_DROPDOWN", "MULTI_SELECT_DROPDOWN"].contains(&kind)
}

/// Changes one text or a list of them; returns those that are no option.
fn replace_texts_by_ids(definition: &Value, value: &mut Value) -> BTreeSet<String> {
    let options = definition["selectField"]["options"]["values"].as_array();
    let mut unknown = BTreeSet::new();
    let values = match value {
        Value::Array(values) => values.as_mut_slice(),
        one => std::slice::from_mut(one),
    };
    for value in values {
        let Some(text) = value.as_str() else { continue };
        match options.into_iter().flatten().find(|option| option["value"] == text) {
            Some(option) => *value = option["id"].clone(),
            None => _ = unknown.insert(text.to_owned()),
        }
    }
    unknown
}

/// The error message about unknown custom fields or options, as mod-user-import words it; `None` if all are known.
fn missing_message(missing: &BTreeSet<&str>, options: &BTreeMap<&str, BTreeSet<String>>) -> Option<String> {
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().copied().collect();
        return Some(format!("Custom fields do not exist in the system: [{}].", names.join(", ")));
    }
    let of_field = |(name, options): (&&str, &BTreeSet<String>)| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        format!("refId = {name}, options: [{}]", options.join(", "))
    };
    let options: Vec<String> = options.iter().map(of_field).collect();
    (!options.is_empty())
        .then(|| format!(" Custom field's options do not exist in the system: [{}].", options.join("; ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_are_stored_by_their_ids() {
        let values = json!([{"id": "opt_0", "value": "Arts"}, {"id": "opt_1", "value": "Law"}]);
        let select = json!({"options": {"values": values}});
        let known = [
            json!({"refId": "faculty", "type": "SINGLE_SELECT_DROPDOWN", "selectField": select}),
            json!({"refId": "minor", "type": "MULTI_SELECT_DROPDOWN", "selectField": select}),
            json!({"refId": "note", "type": "TEXTBOX_SHORT"}),
        ];
        let resolved = |fields: Value| {
            let mut user = json!({"customFields": fields});
            resolve(&known, &mut user).map(|()| user["customFields"].take())
        };
        assert_eq!(
            resolved(json!({"faculty": "Law", "minor": ["Arts", "Law"], "note": "Law"})),
            Ok(json!({"faculty": "opt_1", "minor": ["opt_0", "opt_1"], "note": "Law"}))
        );
        assert_eq!(
            resolved(json!({"hobby": "chess", "faculty": "Music"})),
            Err("Custom fields do not exist in the system: [hobby].".to_owned())
        );
        let options = "refId = faculty, options: [Magic]; refId = minor, options: [Music]";
        assert_eq!(
            resolved(json!({"minor": ["Music", "Law"], "faculty": "Magic"})),
            Err(format!(" Custom field's options do not exist in the system: [{options}]."))
        );
        assert_eq!(resolve(&known, &mut json!({"username": "ada"})), Ok(()));
    }
}
