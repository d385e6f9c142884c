//! Instances, which are the titles that a library describes, and the relations between them.
//!
//! Columns: what FOLIO's clients and its importer look instances up by, and `keyword`, the words that the module `search`
//! finds them by. Left without an index: `contributors`, `publication`, `statisticalCodeIds`; CQL finds them by reading the
//! documents. `titles`, `contributorNames`, `subjectHeadings` and `identifierTokens` are parts of `keyword`, which narrow
//! what it finds.
//! Facts: mod-inventory-storage 27.1.3 (`schema.json`, publication period, status date).

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{Field, Hooks, Hop, Index, Join, Plain, RecordType, Reference, Related, Unique, Words};
use serde_json::{Value, json};

use super::notes::refuse_long_notes;
use super::publication_period::publication_period;
use super::{HOLDINGS, ITEM};

pub static INSTANCE: RecordType = RecordType {
    name: "instance",
    table: "instance",
    path: "/instance-storage/instances",
    collection: "instances",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-inventory-storage/instance.tsv"),
    fields: &[
        Field::text("hrid"),
        Field::text("matchKey"),
        Field::text("source").indexed(&[Index::Order]),
        // An entry of an index has room for 600 characters.
        Field::text("title").up_to(600).indexed(&[Index::Order, Index::Words, Index::Anywhere]),
        Field::text("indexTitle").up_to(600).indexed(&[Index::Order]),
        Field::text("staffSuppress"),
        Field::text("discoverySuppress"),
        Field::uuid("instanceTypeId"),
        Field::uuid("modeOfIssuanceId"),
        Field::uuid("statusId"),
        Field::time("metadata.updatedDate").indexed(&[Index::Order]),
        Field::text("identifiers").array("value", &["identifierTypeId"]),
        Field::text("contributors").array("name", &["contributorNameTypeId", "contributorTypeId", "primary"]),
        Field::text("keyword")
            .computed(
                "left(coalesce(doc ->> 'title', '') || ' ' || \
                 octavo.texts(doc -> 'alternativeTitles', 'alternativeTitle') || ' ' || \
                 octavo.texts(doc -> 'series', 'value') || ' ' || \
                 octavo.texts(doc -> 'contributors', 'name') || ' ' || \
                 octavo.texts(doc -> 'subjects', 'value') || ' ' || \
                 octavo.texts(doc -> 'identifiers', 'value') || \
                 octavo.identifiers(doc -> 'identifiers'), 100000)",
            )
            .indexed(&[Index::Words]),
        Field::text("titles").looked_up(
            "octavo.fold(coalesce({t}.doc ->> 'title', '') || ' ' || \
             octavo.texts(({t}.doc -> 'alternativeTitles')::jsonb, 'alternativeTitle') || ' ' || \
             octavo.texts(({t}.doc -> 'series')::jsonb, 'value'))",
        ),
        Field::text("contributorNames")
            .looked_up("octavo.fold(octavo.texts(({t}.doc -> 'contributors')::jsonb, 'name'))"),
        Field::text("subjectHeadings")
            .looked_up("octavo.fold(octavo.texts(({t}.doc -> 'subjects')::jsonb, 'value'))"),
        // Clients sort instances by the status of their items.
        Field::lower("itemStatus").looked_up(
            "(select min(lower(i.doc #>> '{status,name}')) from holdings_record h \
             join item i on i.\"holdingsRecordId\" = h.id where h.\"instanceId\" = {t}.id)",
        ),
        Field::text("identifierTokens").looked_up("octavo.identifiers(({t}.doc -> 'identifiers')::jsonb)"),
    ],
    unique: &[Unique::of(&["hrid"]).called("HRID"), Unique::of(&["matchKey"])],
    references: &[
        Reference::new("instanceTypeId", "instance_type"),
        Reference::new("modeOfIssuanceId", "mode_of_issuance"),
    ],
    joins: &[
        Join { alias: "holdingsRecords", hops: &[Hop::Children { field: "instanceId", of: &HOLDINGS }] },
        Join {
            alias: "item",
            hops: &[
                Hop::Children { field: "instanceId", of: &HOLDINGS },
                Hop::Children { field: "holdingsRecordId", of: &ITEM },
            ],
        },
    ],
    locking: true,
    words: MANY_BY_QUERY,
    plain_errors: Plain::Everything,
    hooks: Hooks {
        validate: Some(refuse_long_notes),
        transition: Some(transition),
        derive: Some(derive),
        numbered: Some("instances"),
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

/// The messages for record types of which many can be deleted by a query.
pub(super) const MANY_BY_QUERY: Words =
    Words { no_query: "Expected CQL but query parameter is empty", ..Words::RMB };

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
    plain_errors: Plain::Everything,
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
    hooks: Hooks { validate: Some(one_side), ..Hooks::NONE },
    ..RecordType::BASE
};

/// Refuses a title that names neither a preceding nor a succeeding instance.
fn one_side(title: &Value) -> Vec<Refusal> {
    let empty = |field: &str| title[field].as_str().is_none_or(str::is_empty);
    if !(empty("precedingInstanceId") && empty("succeedingInstanceId")) {
        return Vec::new();
    }
    let message = "The precedingInstanceId and succeedingInstanceId can't be empty at the same time";
    vec![Refusal::rmb(message).about("", "")]
}

/// Refuses a change of the hrid; a consortium numbers shared instances itself.
fn transition(stored: &Value, new: &Value) -> Outcome<()> {
    let shared = new["source"].as_str().is_some_and(|source| source.starts_with("CONSORTIUM-"));
    if shared { Ok(()) } else { hrid_stays(stored, new) }
}

pub(super) fn hrid_stays(stored: &Value, new: &Value) -> Outcome<()> {
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

fn derive(instance: &mut Value, related: &Related<'_>) {
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
    match related.stored {
        // Only a new instance gets the older of FOLIO's two forms of this date.
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
        assert!(hrid_stays(&stored, &stored).is_ok());
        for (new, told) in [(json!({"hrid": "in2"}), "in2"), (json!({}), "null")] {
            let fault = hrid_stays(&stored, &new).unwrap_err();
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
    }
}
