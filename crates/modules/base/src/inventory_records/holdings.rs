//! Holdings records: what a library has of an instance, and where.
//!
//! Left without an index: `callNumberAndSuffix`, `fullCallNumber`, `discoverySuppress`, `metadata.updatedDate`. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_record::{Dependents, Field, Hooks, Hop, Index, Join, RecordType, Reference, Related, Unique};
use serde_json::Value;

use super::effective::{apply, holdings_location, inherited_differ};
use super::instances::{MANY_BY_QUERY, hrid_stays};
use super::notes::refuse_long_notes;
use super::{INSTANCE, ITEM};

pub static HOLDINGS: RecordType = RecordType {
    name: "holdings record",
    table: "holdings_record",
    path: "/holdings-storage/holdings",
    collection: "holdingsRecords",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-inventory-storage/holdingsRecord.tsv"),
    fields: &[
        Field::text("hrid"),
        Field::uuid("instanceId").indexed(&[Index::Order]),
        Field::uuid("permanentLocationId"),
        Field::uuid("temporaryLocationId"),
        Field::uuid("effectiveLocationId"),
        Field::uuid("holdingsTypeId"),
        Field::uuid("callNumberTypeId"),
        Field::uuid("illPolicyId"),
        Field::uuid("sourceId"),
        Field::lower("callNumber").up_to(600).indexed(&[Index::Order]),
        Field::lower("callNumberAndSuffix")
            .computed(
            "rtrim(coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', ''))",
        ),
        Field::lower("fullCallNumber").computed(
            "rtrim(coalesce(doc ->> 'callNumberPrefix' || ' ', '') || coalesce(doc ->> 'callNumber' || ' ', '') || \
             coalesce(doc ->> 'callNumberSuffix', ''))",
        ),
        Field::text("discoverySuppress"),
    ],
    unique: &[Unique::of(&["hrid"]).called("HRID")],
    references: &[
        Reference::new("instanceId", "instance"),
        Reference::new("permanentLocationId", "location"),
        Reference::new("temporaryLocationId", "location"),
        Reference::new("effectiveLocationId", "location"),
        Reference::new("holdingsTypeId", "holdings_type"),
        Reference::new("callNumberTypeId", "call_number_type"),
        Reference::new("illPolicyId", "ill_policy"),
        Reference::new("sourceId", "holdings_records_source"),
    ],
    joins: &[
        Join { alias: "instance", hops: &[Hop::Parent { field: "instanceId", to: &INSTANCE }] },
        Join { alias: "item", hops: &[Hop::Children { field: "holdingsRecordId", of: &ITEM }] },
    ],
    locking: true,
    words: MANY_BY_QUERY,
    hooks: Hooks {
        validate: Some(refuse_long_notes),
        transition: Some(hrid_stays),
        derive: Some(derive),
        numbered: Some("holdings"),
        dependents: Some(Dependents {
            of: &ITEM,
            field: "holdingsRecordId",
            concerned: inherited_differ,
            change: apply,
        }),
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

fn derive(holdings: &mut Value, _: &Related<'_>) {
    holdings["effectiveLocationId"] = holdings_location(holdings);
}
