//! mod-tags 2.2.0.

use octavo_engine::Module;
use octavo_record::{Field, RecordType, Unique};

pub static MODULE: Module = Module { name: "mod-tags", records: &[&TAG], ..Module::BASE };

pub static TAG: RecordType = RecordType {
    name: "tag",
    table: "tags",
    path: "/tags",
    collection: "tags",
    schema: include_str!("../folio/records/mod-tags/tagDto.tsv"),
    fields: &[Field::exact("label")],
    unique: &[Unique::of(&["label"]).says("Key (label)=({}) already exists.", "label")],
    ..RecordType::BASE
};
