//! mod-event-config 2.7.1: which templates are sent by which channel after an event, such as a changed password.

use octavo_engine::Module;
use octavo_record::{Field, Plain, RecordType, Unique};

pub static MODULE: Module = Module { name: "mod-event-config", records: &[&EVENT], ..Module::BASE };

pub static EVENT: RecordType = RecordType {
    name: "event configuration",
    table: "event_configurations",
    path: "/eventConfig",
    collection: "eventEntity",
    schema: include_str!("../../folio/records/mod-event-config/event_config_entity.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::of(&["name"])],
    snapshot: true,
    plain_errors: Plain::Everything,
    ..RecordType::BASE
};
