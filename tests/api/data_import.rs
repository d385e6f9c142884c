//! Imports of files, before the import itself: profiles (mod-di-converter-storage), and uploads (mod-data-import).

mod parts;
mod profiles;
mod relations;
mod settings;
mod snapshots;
mod uploads;

use octavo_testkit::Library;
use serde_json::{Value, json};

pub(crate) const JOBS: &str = "/data-import-profiles/jobProfiles";
pub(crate) const MATCHES: &str = "/data-import-profiles/matchProfiles";
pub(crate) const ACTIONS: &str = "/data-import-profiles/actionProfiles";
pub(crate) const MAPPINGS: &str = "/data-import-profiles/mappingProfiles";
const ASSOCIATIONS: &str = "/data-import-profiles/profileAssociations";
const UPLOADS: &str = "/data-import/uploadDefinitions";

/// The permissions of a user who uploads files.
const SENDER_PERMISSIONS: &[&str] = &[
    "data-import.uploaddefinitions.post",
    "data-import.uploaddefinitions.get",
    "data-import.upload.file.post",
    "data-import.uploadUrl.get",
    "data-import.assembleStorageFile.post",
    "data-import.downloadUrl.get",
];

/// FOLIO's own job that makes instances, and a hidden one.
pub(crate) const CREATES_INSTANCES: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";
const DELETES_AUTHORITIES: &str = "1a338fcd-3efc-4a03-b007-394eeb0d5fb9";

fn mapping(name: &str, existing: &str) -> Value {
    json!({
        "name": name, "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": existing,
        "mappingDetails": {"name": "details", "recordType": existing},
    })
}

fn action(name: &str, action: &str, record: &str) -> Value {
    json!({"name": name, "action": action, "folioRecord": record})
}

fn matching(name: &str) -> Value {
    json!({"name": name, "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "INSTANCE"})
}

fn job(name: &str) -> Value {
    json!({"name": name, "dataType": "MARC"})
}

/// A relation that puts one profile above another; an empty id stands for the profile that is sent.
pub(crate) fn association(master: (&str, &str), detail: (&str, &str), order: i64) -> Value {
    let id = |id: &str| if id.is_empty() { Value::Null } else { json!(id) };
    json!({
        "masterProfileType": format!("{}_PROFILE", master.0), "masterProfileId": id(master.1),
        "detailProfileType": format!("{}_PROFILE", detail.0), "detailProfileId": id(detail.1),
        "order": order,
    })
}

fn profile_update(profile: &Value, added: &[Value]) -> Value {
    json!({"profile": profile, "addedRelations": added, "deletedRelations": []})
}

/// Creates a profile; returns its id.
pub(crate) async fn create_profile(library: &Library, path: &str, profile: Value, added: &[Value]) -> String {
    let made = library.post(path, &profile_update(&profile, added)).await.expect(201).json();
    made["id"].as_str().unwrap().to_owned()
}

/// An action with its mapping.
async fn action_with_mapping(library: &Library, name: &str, record: &str) -> String {
    let mapping = create_profile(library, MAPPINGS, mapping(name, record), &[]).await;
    let relation = association(("ACTION", ""), ("MAPPING", &mapping), 0);
    create_profile(library, ACTIONS, action(name, "CREATE", record), &[relation]).await
}

/// The names of the profiles of a tree: `job(match(action(mapping)))`.
fn tree_text(node: &Value) -> String {
    let name = node["content"]["name"].as_str().unwrap_or_default();
    let below: Vec<String> =
        node["childSnapshotWrappers"].as_array().unwrap().iter().map(tree_text).collect();
    if below.is_empty() { name.to_owned() } else { format!("{name}({})", below.join(" ")) }
}
