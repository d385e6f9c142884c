//! The records of mod-remote-storage 3.2.0: remote storages, and the locations that stand for them. Moving items to and from a storage
//! is not built.

use octavo_engine::{Call, Module, Notation, Request, Response, calls, create, delete, find, replace};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_pg::{Statement, read_each};
use octavo_record::{Field, Hooks, Index, Reading, RecordType, Words};
use serde_json::{Value, json};
use uuid::Uuid;

pub static MODULE: Module = Module {
    name: "mod-remote-storage",
    notation: Notation::SPRING,
    records: &[&CONFIGURATION],
    hidden: &[&MAPPING],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Put "/remote-storage/configurations/{configurationId}" => change;
    Get "/remote-storage/providers" => |_| providers();
    Get MAPPING.path => mappings;
    Post MAPPING.path => map;
    Get "/remote-storage/mappings/{finalLocationId}" => mapping;
    Delete "/remote-storage/mappings/{finalLocationId}" => unmap;
};

pub static CONFIGURATION: RecordType = RecordType {
    name: "remote storage configuration",
    table: "remote_storage_configurations",
    path: "/remote-storage/configurations",
    collection: "configurations",
    words: Words {
        read: "",
        another_id: Some((Kind::BadRequest, "request id and entity id are not equal")),
        ..Words::unknown("Configuration not found")
    },
    schema: include_str!("../../folio/records/mod-remote-storage/storageConfiguration.tsv"),
    hooks: Hooks { validate: Some(refuse_incomplete), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static MAPPING: RecordType = RecordType {
    name: "remote storage location",
    words: Words::unknown("Mapping not found"),
    table: "location_mappings",
    path: "/remote-storage/mappings",
    collection: "mappings",
    schema: include_str!("../../folio/records/mod-remote-storage/remoteLocationConfigurationMapping.tsv"),
    fields: &[Field::uuid("configurationId").indexed(&[Index::Order])],
    ..RecordType::BASE
};

/// FOLIO's ids and names.
const PROVIDERS: [(&str, &str); 3] = [
    ("DEMATIC_EMS", "Dematic EMS (API)"),
    ("DEMATIC_SD", "Dematic StagingDirector (TCP/IP)"),
    ("CAIA_SOFT", "CaiaSoft"),
];

async fn providers() -> Outcome<Response> {
    Ok(Response::json(200, &json!(PROVIDERS.map(|(id, name)| json!({"id": id, "name": name})))))
}

/// Refuses a storage of the kind that needs an accession delay, if it has none.
fn refuse_incomplete(configuration: &Value) -> Vec<Refusal> {
    if configuration["providerName"] != "DEMATIC_SD" || !configuration["accessionDelay"].is_null() {
        return Vec::new();
    }
    vec![Refusal::new("accessionDelay must not be null").kind("-1").code("Constraint violation error")]
}

async fn change(request: Request) -> Outcome<Response> {
    let (id, body) = (request.id(0)?, request.json()?);
    if body["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) != Some(id) {
        let message = "request id and entity id are not equal";
        let error = json!({"message": message, "type": "-1", "code": "Validation error"});
        return Err(Fault::json(400, json!({"errors": [error], "total_records": 1})));
    }
    let mut session = request.context.session().await?;
    replace(&request.context, &mut session, &CONFIGURATION, id, body).await?;
    Ok(Response::no_content())
}

async fn mappings(request: Request) -> Outcome<Response> {
    let bound = i64::from(i32::MAX);
    let (offset, limit) = (request.number("offset", 0, 0..=bound)?, request.number("limit", 10, 0..=bound)?);
    let id = |name: &str| -> Outcome<Option<Uuid>> {
        let given = request.query(name).map(Uuid::parse_str).transpose();
        given.map_err(|_| Fault::bad_request(format!("{name} is no UUID")))
    };
    let (location, configuration) = (id("finalLocationId")?, id("remoteStorageConfigurationId")?);
    let of = |sql: &'static str| Statement::new(sql).maybe_uuid(location).maybe_uuid(configuration);
    let mut session = request.context.session().await?;
    let answers = session.batch(vec![of(FOUND).long(offset).long(limit), of(COUNT)]).await?;
    let (found, total): (Vec<Value>, Option<i64>) = read_each(&answers);
    let found: Vec<Value> = found.into_iter().map(shown).collect();
    Ok(Response::json(200, &json!({"mappings": found, "totalRecords": total.unwrap_or(0)})))
}

async fn mapping(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = find(&mut session, &MAPPING, request.id(0)?).await?;
    let found = found.ok_or_else(|| Fault::missing("Mapping not found"))?;
    Ok(Response::json(200, &shown(found)))
}

/// A location stands for one storage, so a new mapping replaces the former one.
async fn map(request: Request) -> Outcome<Response> {
    let checked = MAPPING.schema().check(request.json()?, Reading::FromClient);
    let mut body = checked.map_err(Fault::refused)?.0;
    body["id"] = body["folioLocationId"].clone();
    let id = body["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let context = &request.context;
    let mut session = context.session().await?;
    let stored = match find(&mut session, &MAPPING, id).await? {
        Some(_) => replace(context, &mut session, &MAPPING, id, body).await?,
        None => create(context, &mut session, &MAPPING, body).await?,
    };
    Ok(Response::json(201, &shown(stored)))
}

async fn unmap(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    delete(&request.context, &mut session, &MAPPING, request.id(0)?).await?;
    Ok(Response::no_content())
}

fn shown(mut mapping: Value) -> Value {
    mapping.as_object_mut().map(|mapping| mapping.remove("id"));
    mapping
}

const FOUND: &str = "\
select doc::text
from location_mappings
where ($1::uuid is null or id = $1)
and ($2::uuid is null or \"configurationId\" = $2)
order by id
offset $3
limit $4";

const COUNT: &str = "\
select count(*)
from location_mappings
where ($1::uuid is null or id = $1)
and ($2::uuid is null or \"configurationId\" = $2)";

octavo_pg::statements!(other = [FOUND, COUNT]);
