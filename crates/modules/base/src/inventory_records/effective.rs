//! The effective values of an item: its own value where it has one, else that of its holdings record. Pure.
//!
//! Facts: mod-inventory-storage 27.1.3.

use serde_json::{Map, Value, json};

use super::shelving::{CallNumber, shelving_order};

/// The temporary location, else the permanent one.
pub(super) fn holdings_location(holdings: &Value) -> Value {
    let temporary = &holdings["temporaryLocationId"];
    if temporary.is_null() { holdings["permanentLocationId"].clone() } else { temporary.clone() }
}

/// Effective location, call number and shelving order of an item of these holdings.
pub fn set_effective_values(item: &mut Value, holdings: &Value) {
    let of_item = ["temporaryLocationId", "permanentLocationId"].map(|field| non_blank(&item[field]));
    let location =
        of_item.into_iter().flatten().next().or_else(|| non_blank(&holdings["effectiveLocationId"]));
    let location = location.map(str::to_owned);
    set_or_remove(item, "effectiveLocationId", location.map(Value::from));
    let components = components(item, holdings);
    let order = shelving_order(&CallNumber {
        kind: components.get("typeId").and_then(Value::as_str),
        number: components.get("callNumber").and_then(Value::as_str).unwrap_or_default(),
        parts: ["volume", "enumeration", "chronology", "copyNumber"].map(|field| item[field].as_str()),
        suffix: components.get("suffix").and_then(Value::as_str),
    });
    set_or_remove(item, "effectiveCallNumberComponents", Some(Value::Object(components)));
    set_or_remove(item, "effectiveShelvingOrder", order.map(Value::from));
}

/// The parts of the call number, each from the item or else from the holdings record.
fn components(item: &Value, holdings: &Value) -> Map<String, Value> {
    const PARTS: [(&str, &str, &str); 4] = [
        ("callNumber", "itemLevelCallNumber", "callNumber"),
        ("prefix", "itemLevelCallNumberPrefix", "callNumberPrefix"),
        ("suffix", "itemLevelCallNumberSuffix", "callNumberSuffix"),
        ("typeId", "itemLevelCallNumberTypeId", "callNumberTypeId"),
    ];
    let value = |own, inherited| non_blank(&item[own]).or_else(|| non_blank(&holdings[inherited]));
    PARTS
        .into_iter()
        .filter_map(|(part, own, inherited)| Some((part.to_owned(), json!(value(own, inherited)?))))
        .collect()
}

/// Fields of a holdings record that its items inherit.
pub(super) fn inherited_differ(before: &Value, after: &Value) -> bool {
    const INHERITED: [&str; 5] =
        ["effectiveLocationId", "callNumber", "callNumberPrefix", "callNumberSuffix", "callNumberTypeId"];
    INHERITED.into_iter().any(|field| before[field] != after[field])
}

fn non_blank(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

fn set_or_remove(record: &mut Value, field: &str, value: Option<Value>) {
    let Some(record) = record.as_object_mut() else { return };
    match value {
        Some(value) => record.insert(field.to_owned(), value),
        None => record.remove(field),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_location_counts() {
        // Locations of the item (temporary, permanent), of the holdings, and the effective one.
        let cases = [
            (Some("t"), Some("p"), "h", "t"),
            (None, Some("p"), "h", "p"),
            (Some("t"), None, "h", "t"),
            (None, None, "h", "h"),
        ];
        for (temporary, permanent, holdings, effective) in cases {
            let mut item = json!({"temporaryLocationId": temporary, "permanentLocationId": permanent});
            set_effective_values(&mut item, &json!({"effectiveLocationId": holdings}));
            assert_eq!(item["effectiveLocationId"], effective);
        }
        let at = |temporary: Value| {
            holdings_location(&json!({"temporaryLocationId": temporary, "permanentLocationId": "p"}))
        };
        assert_eq!((at(json!("t")), at(Value::Null)), (json!("t"), json!("p")));
    }

    #[test]
    fn each_part_of_the_call_number_is_inherited_for_itself() {
        let holdings = json!({"callNumber": "H 1", "callNumberPrefix": "hp", "callNumberSuffix": "hs", "callNumberTypeId": "ht"});
        let mut item = json!({"itemLevelCallNumber": "I 2", "itemLevelCallNumberSuffix": " ", "volume": "v.1",
            "effectiveCallNumberComponents": {"prefix": "stale"}});
        set_effective_values(&mut item, &holdings);
        let expected = json!({"callNumber": "I 2", "prefix": "hp", "suffix": "hs", "typeId": "ht"});
        assert_eq!(item["effectiveCallNumberComponents"], expected);
        assert_eq!(item["effectiveShelvingOrder"], "I 2 v.1 hs");
        let mut bare = json!({"effectiveShelvingOrder": "stale", "effectiveLocationId": "stale"});
        set_effective_values(&mut bare, &json!({}));
        assert_eq!(bare, json!({"effectiveCallNumberComponents": {}}));
    }

    #[test]
    fn items_change_only_with_what_they_inherit() {
        let before = json!({"callNumber": "a", "notes": []});
        assert!(!inherited_differ(&before, &json!({"callNumber": "a", "notes": ["x"]})));
        assert!(inherited_differ(&before, &json!({"callNumber": "b"})));
    }
}
