//! The tables of mod-oa 2.0.0, with its unique keys and references. Records that FOLIO shows only within other records, though it stores
//! them in tables of their own, are stored within those records here.

use octavo_record::{Field, Index, Persons, RecordType, Reference, Unique};

/// A table stands after the tables that it refers to.
pub(super) static ALL: &[&RecordType] = &[
    &CATEGORIES,
    &VALUES,
    &SETTINGS,
    &CHECKLIST,
    &WORKS,
    &TITLES,
    &PARTIES,
    &REQUESTS,
    &CORRESPONDENCE,
    &CHARGES,
];

const BASE: RecordType = RecordType { persons: Some(&Persons::NOBODY), ..RecordType::BASE };

crate::toolkit::tables!("oa", " of open access");

pub(super) static CHECKLIST: RecordType = RecordType {
    name: "definition of a checklist item",
    table: "oa_checklist_item_definition",
    fields: &[Field::exact("name")],
    unique: &[Unique::new(&["name"])],
    ..BASE
};

pub(super) static WORKS: RecordType = RecordType { name: "work", table: "oa_work", ..BASE };

pub(super) static TITLES: RecordType = RecordType {
    name: "title instance",
    table: "oa_title_instance",
    fields: &[Field::uuid("work")],
    references: &[Reference::new("work", "oa_work")],
    ..BASE
};

/// Authors and other persons, who are no users of the library: deleting a user does not concern them.
pub(super) static PARTIES: RecordType = RecordType {
    name: "party",
    table: "oa_party",
    fields: &[Field::exact("orcidId"), Field::exact("mainEmail")],
    unique: &[Unique::new(&["orcidId"]), Unique::new(&["mainEmail"])],
    ..BASE
};

pub(super) static REQUESTS: RecordType = RecordType {
    name: "publication request",
    table: "oa_publication_request",
    fields: &[Field::exact("requestNumber").indexed(&[Index::Order]), Field::uuid("work")],
    references: &[Reference::new("work", "oa_work")],
    ..BASE
};

pub(super) static CORRESPONDENCE: RecordType = RecordType {
    name: "correspondence",
    table: "oa_correspondence",
    fields: &[Field::uuid("owner")],
    references: &[Reference::new("owner", "oa_publication_request")],
    ..BASE
};

pub(super) static CHARGES: RecordType = RecordType {
    name: "charge",
    table: "oa_charge",
    fields: &[Field::uuid("owner")],
    references: &[Reference::new("owner", "oa_publication_request")],
    ..BASE
};
