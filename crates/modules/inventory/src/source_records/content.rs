//! Reads and changes MARC-in-JSON content. Pure.

use serde_json::{Value, json};

/// Clients send the content as an object or as JSON text. This turns text into an object.
pub(super) fn normalize(parsed: &mut Value) {
    let Some(text) = parsed["content"].as_str() else { return };
    if let Ok(content @ Value::Object(_)) = serde_json::from_str(text) {
        parsed["content"] = content;
    }
}

/// Whether the content has a leader, and fields with one tag each.
pub(super) fn is_marc_in_json(content: &Value) -> bool {
    let fields = content["fields"].as_array();
    let one_tag = |field: &Value| field.as_object().is_some_and(|field| field.len() == 1);
    content["leader"].is_string() && fields.is_some_and(|fields| fields.iter().all(one_tag))
}

/// The record status: position 05 of the leader (new, corrected, deleted and so on). Any character counts as a status, a blank too: FOLIO
/// shows only source records that have a status.
pub(super) fn leader_status(content: &Value) -> Option<char> {
    content["leader"].as_str()?.chars().nth(5)
}

/// Subfield `s` of FOLIO's own field 999 (`ff`): the matched id, which all generations of a record share.
pub(super) fn matched_id(content: &Value) -> Option<&str> {
    let fields = content["fields"].as_array()?;
    let own = fields.iter().map(|field| &field["999"]).find(|field| is_own(field))?;
    own["subfields"].as_array()?.iter().find_map(|subfield| subfield["s"].as_str())
}

pub(super) fn set_matched_id(content: &mut Value, id: &str) {
    let Some(fields) = content.get_mut("fields").and_then(Value::as_array_mut) else { return };
    let own = fields.iter_mut().filter_map(|field| field.get_mut("999")).find(|field| is_own(field));
    match own.and_then(|own| own.get_mut("subfields")).and_then(Value::as_array_mut) {
        Some(subfields) => {
            subfields.retain(|subfield| subfield.get("s").is_none());
            subfields.push(json!({"s": id}));
        }
        None => fields.push(json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"s": id}]}})),
    }
}

fn is_own(field: &Value) -> bool {
    field["ind1"] == "f" && field["ind2"] == "f"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_generations_share_the_id_in_folios_own_field() {
        let mut content = json!({"leader": "00000nam a", "fields": [{"001": "x"}, {"999": {"ind1": " ", "ind2": " ", "subfields": [{"s": "theirs"}]}}]});
        assert_eq!((matched_id(&content), leader_status(&content)), (None, Some('n')));
        for id in ["a", "b"] {
            set_matched_id(&mut content, id);
            assert_eq!(matched_id(&content), Some(id));
        }
        assert_eq!(content["fields"].as_array().map(Vec::len), Some(3));
        content["leader"] = json!("00000 am a");
        assert_eq!(leader_status(&content), Some(' '));
    }

    #[test]
    fn content_that_is_text_becomes_an_object() {
        let mut parsed = json!({"content": "{\"leader\": \"short\"}"});
        normalize(&mut parsed);
        assert_eq!(
            (&parsed["content"]["leader"], leader_status(&parsed["content"])),
            (&json!("short"), None)
        );
        let mut broken = json!({"content": "no JSON"});
        normalize(&mut broken);
        assert_eq!(broken, json!({"content": "no JSON"}));
        assert!(!is_marc_in_json(&broken["content"]));
        for (content, marc) in [
            (json!({"leader": "00000nam a", "fields": [{"001": "x"}]}), true),
            (json!({"leader": "00000nam a"}), false),
            (json!({"leader": "00000nam a", "fields": [{}]}), false),
            (json!({"fields": []}), false),
        ] {
            assert_eq!(is_marc_in_json(&content), marc, "{content}");
        }
    }
}
