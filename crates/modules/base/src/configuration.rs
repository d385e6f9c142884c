//! mod-configuration 5.10.0: entries by module, configuration name, code and user.

use octavo_engine::migrations::Migration;
use octavo_engine::{
    Call, Module, Request, Response, Snapshot, calls, create as store, replace as overwrite,
};
use octavo_kernel::{Body, Fault, Kind, Outcome};
use octavo_record::{Field, Index, Member, PersonalData, Persons, RecordType, Unique};
use serde_json::{Value, json};

use crate::api_key_entries::{is_api_key, permissions_of_entry};

pub static MODULE: Module = Module {
    name: "mod-configuration",
    never_late: true,
    records: &[&ENTRY, &CHANGE],
    script: include_str!("configuration/tenant.sql"),
    migrations: &[Migration {
        number: 19,
        name: "changes of configuration entries",
        sql: include_str!("../../migrations/19_changes_of_configuration.sql"),
    }],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/configurations/entries" => create;
    Put "/configurations/entries/{id}" => replace;
};

/// The snapshot holds only these entries: user interfaces write the others often, and each change makes a new snapshot.
const READ_BY_OCTAVO: &[(&str, &[&str])] = &[
    (
        "module",
        &["CHECKOUT", "EVENT_LOG", "LOAN_HISTORY", "NOTES", "OAIPMH", "OCTAVO", "ORG", "SETTINGS", "edge"],
    ),
    ("code", &["login.fail.attempts", "login.fail.timeout", "login.fail.to.warn.attempts"]),
];

const DUPLICATE_ENTRY: &str =
    "Cannot have more than one tenant or user record with the same module, config name and code";
const ENABLED: &str = "doc ->> 'enabled' = 'true'";

pub static ENTRY: RecordType = RecordType {
    name: "configuration entry",
    table: "config_data",
    path: "/configurations/entries",
    collection: "configs",
    result_info: true,
    schema: include_str!("../../folio/records/mod-configuration/kv_configuration.tsv"),
    fields: &[
        Field::text("module").indexed(&[Index::Order]),
        Field::text("configName"),
        // An entry without a code or user is compared as if it were empty.
        Field::text("code").computed("coalesce(doc ->> 'code', '')"),
        Field::text("userId").computed("coalesce(doc ->> 'userId', '')"),
    ],
    unique: &[Unique::new(&["module", "configName", "code", "userId"])
        .only_where(ENABLED)
        .with_refusal(DUPLICATE_ENTRY, "code")],
    snapshot: true,
    snapshot_only: READ_BY_OCTAVO,
    hooks: octavo_record::Hooks { default: Some(enable_by_default), ..octavo_record::Hooks::NONE },
    persons: Some(&Persons::deleted_with_user(
        &[Member::patron_id("userId")],
        "t.\"userId\" = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};

/// What was done to an entry of the whole tenant: created (`I`), replaced (`U`) or deleted (`D`), and how it was then. A trigger writes
/// it, as in FOLIO; the entries of single users are left out, since nobody would be forgotten otherwise.
static CHANGE: RecordType = RecordType {
    name: "change of a configuration entry",
    table: "audit_config_data",
    path: "/configurations/audit",
    collection: "audits",
    schema: include_str!("../../folio/records/mod-configuration/audit.tsv"),
    fields: &[Field::exact("createdDate").indexed(&[Index::Order])],
    newest_first: Some("createdDate"),
    persons: Some(&Persons::naming_staff(&[Member::staff("config_data.metadata", PersonalData::Id)])),
    ..RecordType::BASE
};

/// Creates a configuration entry. A second entry of the same module, name, code and user is refused with an error that has another form
/// than other refusals.
async fn create(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    check_api_key_permissions(&request, &body)?;
    let names = body.clone();
    let mut session = request.context.session().await?;
    let stored = store(&request.context, &mut session, &ENTRY, body).await;
    let entry = stored.map_err(|fault| with_folio_error(fault, &names))?;
    Ok(Response::created(&ENTRY, &entry))
}

async fn replace(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.json()?);
    check_api_key_permissions(&request, &body)?;
    let mut session = request.context.session().await?;
    overwrite(&request.context, &mut session, &ENTRY, id, body).await?;
    Ok(Response::no_content())
}

/// An API key lets its bearer make the calls of edge modules as any user whom the key names, so it is given by those alone who have the
/// permissions of these calls.
fn check_api_key_permissions(request: &Request, entry: &Value) -> Outcome<()> {
    if !is_api_key(entry) {
        return Ok(());
    }
    let modules = request.context.platform.modules;
    let opened = permissions_of_entry(modules, entry["value"].as_str().unwrap_or_default())?;
    let caller = &request.context.caller.permissions;
    match opened.into_iter().find(|permission| !caller.has(permission)) {
        Some(lacking) => Err(Fault::new(
            Kind::Forbidden,
            format!("An API key is given by who has the permission {lacking}"),
        )),
        None => Ok(()),
    }
}

fn with_folio_error(fault: Fault, sent: &Value) -> Fault {
    let Body::Refusals(refusals) = &fault.body else { return fault };
    if !refusals.iter().any(|refusal| refusal.message == DUPLICATE_ENTRY) {
        return fault;
    }
    let mut error = json!({"message": DUPLICATE_ENTRY, "parameters": []});
    for name in ["module", "configName", "code", "userId"] {
        if sent[name].is_string() {
            error[name] = sent[name].clone();
        }
    }
    Fault::json(422, json!({"errors": [error]}))
}

pub fn value(snapshot: &Snapshot, wanted: impl Fn(&Value) -> bool) -> Option<&str> {
    let mut entries = snapshot.all(&ENTRY).map(|(_, entry)| entry);
    entries.find(|entry| entry["enabled"] != false && wanted(entry)).and_then(|entry| entry["value"].as_str())
}

/// The value of the entry of a module and name, where it is JSON.
pub fn settings(snapshot: &Snapshot, module: &str, name: &str) -> Option<Value> {
    let value = value(snapshot, |entry| entry["module"] == module && entry["configName"] == name)?;
    serde_json::from_str(value).ok()
}

fn enable_by_default(entry: &mut Value) {
    if let Some(entry) = entry.as_object_mut() {
        entry.entry("enabled").or_insert(json!(true));
    }
}
