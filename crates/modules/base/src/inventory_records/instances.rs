//! What holds for an instance when it is written, and the relations between instances.
//!
//! Facts: mod-inventory-storage 27.1.3 (`schema.json`, publication period, status date).

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{
    ConstraintMessage, Field, Hooks, PlainErrors, RecordMessages, RecordType, Reference, Related,
};
use serde_json::{Value, json};

use super::publication_period::publication_period;
use super::reference_types::NOT_REPLACED;

pub static INSTANCE_RELATIONSHIP: RecordType = RecordType {
    name: "instance relationship",
    table: "instance_relationship",
    path: "/instance-storage/instance-relationships",
    collection: "instanceRelationships",
    schema: include_str!("../../../folio/records/mod-inventory-storage/instancerelationship.tsv"),
    fields: &[
        Field::uuid("superInstanceId"),
        Field::uuid("subInstanceId"),
        Field::uuid("instanceRelationshipTypeId"),
    ],
    references: &[
        Reference::new("superInstanceId", "instance"),
        Reference::new("subInstanceId", "instance"),
        Reference::new("instanceRelationshipTypeId", "instance_relationship_type"),
    ],
    messages: RecordMessages { on_replace: ConstraintMessage::Database, ..NOT_REPLACED },
    plain_errors: PlainErrors::Everything,
    ..RecordType::BASE
};

pub static PRECEDING_SUCCEEDING_TITLE: RecordType = RecordType {
    name: "preceding or succeeding title",
    table: "preceding_succeeding_title",
    path: "/preceding-succeeding-titles",
    collection: "precedingSucceedingTitles",
    schema: include_str!("../../../folio/records/mod-inventory-storage/instanceprecedingsucceedingtitle.tsv"),
    fields: &[Field::uuid("precedingInstanceId"), Field::uuid("succeedingInstanceId")],
    references: &[
        Reference::new("precedingInstanceId", "instance"),
        Reference::new("succeedingInstanceId", "instance"),
    ],
    hooks: Hooks { validate: Some(refuse_unrelated_title), ..Hooks::NONE },
    ..RecordType::BASE
};

/// Refuses a title that names neither a preceding nor a succeeding instance.
fn refuse_unrelated_title(title: &Value) -> Vec<Refusal> {
    let empty = |field: &str| title[field].as_str().is_none_or(str::is_empty);
    if !(empty("precedingInstanceId") && empty("succeedingInstanceId")) {
        return Vec::new();
    }
    let message = "The precedingInstanceId and succeedingInstanceId can't be empty at the same time";
    vec![Refusal::rmb(message).about("", "")]
}

/// Refuses a change of the hrid; a consortium numbers shared instances itself.
pub(super) fn transition(stored: &Value, new: &Value) -> Outcome<()> {
    let shared = new["source"].as_str().is_some_and(|source| source.starts_with("CONSORTIUM-"));
    if shared { Ok(()) } else { refuse_changed_hrid(stored, new) }
}

pub(super) fn refuse_changed_hrid(stored: &Value, new: &Value) -> Outcome<()> {
    if stored["hrid"] == new["hrid"] {
        return Ok(());
    }
    let text = |value: &Value| value.as_str().unwrap_or("null").to_owned();
    Err(Fault::bad_request(format!(
        "The hrid field cannot be changed: new={}, old={}",
        text(&new["hrid"]),
        text(&stored["hrid"])
    )))
}

pub(super) fn derive(instance: &mut Value, related: &Related<'_>) {
    keep_format(instance, related.stored);
    let published = match related.stored {
        None => instance["publicationPeriod"].is_null(),
        Some(stored) => publications_differ(&stored["publication"], &instance["publication"]),
    };
    if published {
        match (publication_period(&instance["publication"]), instance.as_object_mut()) {
            (None, Some(instance)) => drop(instance.remove("publicationPeriod")),
            (period, _) => instance["publicationPeriod"] = json!(period),
        }
    }
    match related.stored.filter(|_| !related.in_batch) {
        // A new instance, and every instance of a batch, gets the older of FOLIO's two forms of this date.
        None => instance["statusUpdatedDate"] = json!(related.now.replace("+00:00", "+0000")),
        Some(stored) if stored["statusId"] != instance["statusId"] => {
            instance["statusUpdatedDate"] = json!(related.now.replace("+00:00", "Z"));
        }
        Some(_) => {}
    }
}

/// The member of an instance that tells in which format its source record is stored.
pub const SOURCE_RECORD_FORMAT: &str = "sourceRecordFormat";

/// Keeps the stored format, because clients cannot set it.
fn keep_format(instance: &mut Value, stored: Option<&Value>) {
    if let Some(format) = stored.and_then(|stored| stored.get(SOURCE_RECORD_FORMAT)) {
        instance[SOURCE_RECORD_FORMAT] = format.clone();
    }
}

fn publications_differ(before: &Value, after: &Value) -> bool {
    let dates = |publications: &Value| {
        let all = publications.as_array().map_or(&[][..], Vec::as_slice);
        let date = |publication: Option<&Value>| publication.map(|found| found["dateOfPublication"].clone());
        (all.len(), date(all.first()), date(all.last()))
    };
    dates(before) != dates(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hrid_is_neither_changed_nor_left_out() {
        let stored = json!({"hrid": "in1"});
        assert!(refuse_changed_hrid(&stored, &stored).is_ok());
        for (new, told) in [(json!({"hrid": "in2"}), "in2"), (json!({}), "null")] {
            let fault = refuse_changed_hrid(&stored, &new).unwrap_err();
            let message = format!("The hrid field cannot be changed: new={told}, old=in1");
            assert_eq!((fault.status, fault.body), (400, octavo_kernel::Body::Text(message)));
        }
        assert!(transition(&stored, &json!({"source": "CONSORTIUM-MARC"})).is_ok());
    }

    #[test]
    fn the_status_date_follows_the_status() {
        let now = "2026-11-21T10:00:00.000+00:00";
        let derived = |new: Value, stored: Option<&Value>| {
            let mut new = new;
            derive(&mut new, &Related { stored, now, ..Related::default() });
            new["statusUpdatedDate"].clone()
        };
        assert_eq!(derived(json!({}), None), "2026-11-21T10:00:00.000+0000");
        let stored = json!({"statusId": "a", "statusUpdatedDate": "before"});
        assert_eq!(derived(json!({"statusId": "a", "statusUpdatedDate": "before"}), Some(&stored)), "before");
        assert_eq!(derived(json!({"statusId": "b"}), Some(&stored)), "2026-11-21T10:00:00.000Z");
        let mut sent = json!({"statusId": "a"});
        derive(&mut sent, &Related { stored: Some(&stored), now, in_batch: true, ..Related::default() });
        assert_eq!(sent["statusUpdatedDate"], "2026-11-21T10:00:00.000+0000");
    }
}
