//! The JSON of source records: the current state of a record without its raw form. Pure.

use serde_json::{Map, Value, json};

/// The source record of a record. `id` is the member that becomes `recordId`: the matched id in lists, the record's own id in streams.
pub(super) fn source_record(record: &Value, id: &'static str) -> Option<Value> {
    let parsed = record.get("parsedRecord").filter(|parsed| parsed.is_object())?;
    let mut shown = Map::new();
    shown.insert("recordId".to_owned(), record[id].clone());
    // In streams, the leader's status counts as well.
    let deleted = if id == "id" { is_deleted(record) } else { record["state"] == "DELETED" };
    shown.insert("deleted".to_owned(), json!(deleted));
    shown.insert("parsedRecord".to_owned(), parsed.clone());
    for name in ["snapshotId", "recordType", "order", "additionalInfo", "externalIdsHolder", "metadata"] {
        if let Some(value) = record.get(name).filter(|value| !value.is_null()) {
            shown.insert(name.to_owned(), value.clone());
        }
    }
    Some(Value::Object(shown))
}

/// Whether a record counts as deleted: by its state or by its leader.
pub(super) fn is_deleted(record: &Value) -> bool {
    let status = record["leaderRecordStatus"].as_str();
    record["state"] == "DELETED" || status.is_some_and(|status| ["d", "s", "x"].contains(&status))
}

/// A record without its raw form and metadata. With ranges of tags, only the fields in these ranges are shown.
pub(super) fn without_raw_form(record: &Value, ranges: &[(u32, u32)]) -> Value {
    let mut parsed = record["parsedRecord"].clone();
    if let Some(fields) = parsed["content"].get_mut("fields").and_then(Value::as_array_mut)
        && !ranges.is_empty()
    {
        fields.retain(|field| {
            let tag = field.as_object().and_then(|field| field.keys().next()?.parse::<u32>().ok());
            tag.is_some_and(|tag| ranges.iter().any(|(from, to)| (*from..=*to).contains(&tag)))
        });
    }
    let mut shown = json!({
        "id": record["id"],
        "recordType": record["recordType"],
        "recordState": record["state"],
        "externalIdsHolder": external_ids(record),
    });
    if !parsed.is_null() {
        shown["parsedRecord"] = parsed;
    }
    shown
}

/// The ids of what a record describes, without the hrids.
fn external_ids(record: &Value) -> Value {
    let ids = record["externalIdsHolder"].as_object().into_iter().flatten();
    ids.filter(|(name, _)| name.ends_with("Id")).map(|(name, id)| (name.clone(), id.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_outside_of_the_ranges_are_left_out() {
        let record = json!({"id": "1", "recordType": "MARC_BIB", "state": "ACTUAL",
            "externalIdsHolder": {"instanceId": "i", "instanceHrid": "h"},
            "parsedRecord": {"id": "1", "content": {"leader": "l", "fields": [{"001": "x"}, {"245": {}}, {"LKR": {}}]}}});
        let tags = |ranges: &[(u32, u32)]| {
            let shown = without_raw_form(&record, ranges);
            assert_eq!(shown["externalIdsHolder"], json!({"instanceId": "i"}));
            shown["parsedRecord"]["content"]["fields"].as_array().map(Vec::len)
        };
        assert_eq!(
            (tags(&[]), tags(&[(1, 10), (300, 400)]), tags(&[(245, 245)])),
            (Some(3), Some(1), Some(1))
        );
    }
}
