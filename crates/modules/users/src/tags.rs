//! mod-tags 2.2.0.

use octavo_engine::{Dialect, Module, Notation};
use octavo_record::{Field, RecordMessages, RecordType, Unique};

pub static MODULE: Module = Module {
    name: "mod-tags",
    notation: Notation::SPRING,
    dialect: Dialect::Spring {
        bad_id: "id: must match \"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$\"",
    },
    records: &[&TAG],
    ..Module::BASE
};

pub static TAG: RecordType = RecordType {
    name: "tag",
    table: "tags",
    path: "/tags",
    collection: "tags",
    default_limit: 1000,
    messages: RecordMessages::not_found("Tag with id [{}] was not found"),
    schema: include_str!("../../folio/records/mod-tags/tagDto.tsv"),
    fields: &[Field::exact("label")],
    unique: &[Unique::new(&["label"]).with_refusal("Key (label)=({}) already exists.", "label")],
    ..RecordType::BASE
};
