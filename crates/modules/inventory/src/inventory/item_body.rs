//! Converts an item from mod-inventory's form, which clients send, to mod-inventory-storage's. Pure.
//!
//! As in mod-inventory, unknown members of a body are ignored, and so are effective values, which are computed.

use octavo_circulation::status::ItemStatus;
use octavo_kernel::{Outcome, Refusal};
use octavo_modules_base::inventory_records::ITEM;
use serde_json::{Map, Value, json};
use uuid::Uuid;

pub(super) fn to_stored(body: Value) -> Outcome<Value> {
    check_status(&body)?;
    let reference = |name: &str| body[name]["id"].clone();
    let references: Map<String, Value> = [
        ("materialTypeId", reference("materialType")),
        ("permanentLoanTypeId", reference("permanentLoanType")),
        ("temporaryLoanTypeId", reference("temporaryLoanType")),
        ("permanentLocationId", reference("permanentLocation")),
        ("temporaryLocationId", reference("temporaryLocation")),
    ]
    .into_iter()
    .map(|(field, id)| (field.to_owned(), id))
    .collect();
    let mut item = ITEM.schema().root.without_unknown_members(body);
    if let Some(item) = item.as_object_mut() {
        item.remove("effectiveCallNumberComponents");
        item.extend(references);
    }
    Ok(item)
}

fn check_status(body: &Value) -> Outcome<()> {
    let name = body["status"]["name"].as_str().unwrap_or_default();
    if name.trim().is_empty() {
        return Err(Refusal::new("Status is a required field").about("status", None::<&str>).into());
    }
    if ItemStatus::spelled(name).is_none() {
        return Err(Refusal::new("Undefined status specified").about("status.name", name).into());
    }
    Ok(())
}

/// Signs circulation notes: the user who has written them, and the time.
pub(super) struct NoteSigner<'a> {
    pub(super) user: Option<&'a Value>,
    pub(super) now: &'a str,
    pub(super) fresh_id: fn() -> Uuid,
}

impl NoteSigner<'_> {
    /// Sets the author and the date of circulation notes that are new or changed. `stored` is the item before the change.
    pub(super) fn sign(&self, item: &mut Value, stored: Option<&Value>) {
        let before =
            stored.and_then(|item| item["circulationNotes"].as_array()).map_or(&[][..], Vec::as_slice);
        let Some(notes) = item.get_mut("circulationNotes").and_then(Value::as_array_mut) else { return };
        for note in notes.iter_mut().filter(|note| note.is_object()) {
            let same = |old: &&Value| {
                let kept = ["id", "noteType", "note"].iter().all(|field| old[*field] == note[*field]);
                kept && (old["staffOnly"] == true) == (note["staffOnly"] == true)
            };
            if before.iter().find(same).is_some_and(|old| !old["id"].is_null()) {
                continue;
            }
            if note["id"].is_null() || stored.is_none() {
                note["id"] = json!((self.fresh_id)());
            }
            note["date"] = json!(self.now.replace("+00:00", "+0000"));
            match self.user {
                Some(user) => {
                    let personal = &user["personal"];
                    let name = json!({"lastName": personal["lastName"], "firstName": personal["firstName"]});
                    note["source"] = json!({"id": user["id"], "personal": name});
                }
                None => drop(note.as_object_mut().and_then(|note| note.remove("source"))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_with_names_is_stored_with_ids() {
        let body = json!({"barcode": "1", "status": {"name": "Available", "more": 1}, "materialType": {"id": "m", "name": "b"},
            "effectiveCallNumberComponents": {"typeId": "#"}, "title": "T", "unknown": 1});
        let stored = to_stored(body).unwrap();
        assert_eq!((&stored["materialTypeId"], &stored["barcode"]), (&json!("m"), &json!("1")));
        assert_eq!(stored["status"], json!({"name": "Available"}));
        assert!(
            ["title", "unknown", "effectiveCallNumberComponents"]
                .iter()
                .all(|name| stored.get(name).is_none())
        );
    }

    #[test]
    fn a_status_is_one_of_folios() {
        let message = |body: Value| match to_stored(body).unwrap_err().body {
            octavo_kernel::Body::Refusals(refusals) => refusals[0].message.clone(),
            other => panic!("{other:?}"),
        };
        for without in [json!({}), json!({"status": {}}), json!({"status": {"name": " "}})] {
            assert_eq!(message(without), "Status is a required field");
        }
        assert_eq!(message(json!({"status": {"name": "Lent"}})), "Undefined status specified");
    }

    #[test]
    fn changed_notes_are_signed_and_dated() {
        let user = json!({"id": "u", "personal": {"lastName": "L", "firstName": "F"}});
        let writing =
            NoteSigner { user: Some(&user), now: "2026-11-21T10:00:00.000+00:00", fresh_id: Uuid::nil };
        let stored = json!({"circulationNotes": [{"id": "a", "note": "kept", "noteType": "Check in", "date": "before"}]});
        let mut item = json!({"circulationNotes": [
            {"id": "a", "note": "kept", "noteType": "Check in", "staffOnly": false, "date": "before"},
            {"id": "a", "note": "changed", "noteType": "Check in", "date": "before"},
            {"note": "new", "noteType": "Check in"},
        ]});
        writing.sign(&mut item, Some(&stored));
        let notes = &item["circulationNotes"];
        assert_eq!(notes[0]["date"], "before");
        assert_eq!(
            (&notes[1]["id"], &notes[1]["date"]),
            (&json!("a"), &json!("2026-11-21T10:00:00.000+0000"))
        );
        assert_eq!(notes[2]["id"], json!(Uuid::nil()));
        assert_eq!(notes[2]["source"], json!({"id": "u", "personal": {"lastName": "L", "firstName": "F"}}));
    }
}
