//! mod-configuration 5.10.0: entries by module, configuration name, code and user.

use octavo_engine::{Module, Snapshot};
use octavo_record::{Field, Index, RecordType, Unique};
use serde_json::{Value, json};

pub static MODULE: Module = Module { name: "mod-configuration", records: &[&ENTRY], ..Module::BASE };

const ONE: &str =
    "Cannot have more than one tenant or user record with the same module, config name and code";
const ENABLED: &str = "doc ->> 'enabled' = 'true'";

pub static ENTRY: RecordType = RecordType {
    name: "configuration entry",
    table: "config_data",
    path: "/configurations/entries",
    collection: "configs",
    schema: include_str!("../folio/records/mod-configuration/kv_configuration.tsv"),
    fields: &[
        Field::text("module").indexed(&[Index::Order]),
        Field::text("configName"),
        // Absent codes and users take part in the comparison.
        Field::text("code").computed("coalesce(doc ->> 'code', '')"),
        Field::text("userId").computed("coalesce(doc ->> 'userId', '')"),
    ],
    unique: &[Unique::of(&["module", "configName", "code", "userId"]).only(ENABLED).says(ONE, "code")],
    snapshot: true,
    hooks: octavo_record::Hooks { default: Some(enabled), ..octavo_record::Hooks::NONE },
    ..RecordType::BASE
};

/// The value of an entry that is in force.
pub fn value(snapshot: &Snapshot, wanted: impl Fn(&Value) -> bool) -> Option<&str> {
    let mut entries = snapshot.all(&ENTRY).map(|(_, entry)| entry);
    entries.find(|entry| entry["enabled"] != false && wanted(entry)).and_then(|entry| entry["value"].as_str())
}

fn enabled(entry: &mut Value) {
    if let Some(entry) = entry.as_object_mut() {
        entry.entry("enabled").or_insert(json!(true));
    }
}
