//! Reads and writes the MARC record of an instance, holdings or authority for FOLIO's editor.

use octavo_engine::{Request, Response};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_marc::{Kind, from_json};
use octavo_modules_inventory::has_next_generation;
use octavo_modules_inventory::source_records::keep::record_type;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::edit::{self, Edit};
use crate::words::{fault_message, unknown_record_message};

const PARSED: &str = include_str!("../../../folio/records/mod-source-record-manager/parsedRecordDto.tsv");

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.query("externalId").unwrap_or_default();
    let external = Uuid::parse_str(id)
        .map_err(|_| Fault::bad_request(format!("'externalId' parameter is incorrect. {id} is no id")))?;
    let mut session = request.context.session().await?;
    let found: Option<(Value, Option<i64>)> = session.read(Statement::new(FIND).uuid(external)).await?;
    let (record, version) = found.ok_or_else(|| Fault::not_found_with(unknown_record_message(id)))?;
    let mut told = json!({
        "id": record.get("matchedId").unwrap_or(&record["id"]),
        "recordType": record["recordType"],
        "parsedRecord": record["parsedRecord"],
        "recordState": "ACTUAL",
        "relatedRecordVersion": version.unwrap_or(0).to_string(),
    });
    for member in ["externalIdsHolder", "additionalInfo", "metadata"] {
        if !record[member].is_null() {
            told[member] = record[member].clone();
        }
    }
    Ok(Response::json(200, &told))
}

/// Writes a record as the MARC editor does. FOLIO answers before the record is written, so its clients never get the error.
pub(super) async fn put(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.checked_json(PARSED)?);
    let edit = parse_edit(id, &body).map_err(Fault::bad_request)?;
    let context = &request.context;
    let mut session = context.session().await?;
    edit::write(context, &mut session, edit).await.map_err(|mut fault| {
        // The error is text, as in FOLIO.
        if let Body::Refusals(_) = fault.body {
            fault.body = Body::Text(fault_message(&fault.body));
        }
        fault
    })?;
    Ok(Response { status: 202, ..Response::no_content() })
}

/// The change in the body of a request; the error says what is wrong with the body.
fn parse_edit(id: Uuid, body: &Value) -> Result<Edit, String> {
    if body["id"].as_str().and_then(|sent| Uuid::parse_str(sent).ok()) != Some(id) {
        return Err(format!("The id of the record is not {id}"));
    }
    let kinds = [
        (Kind::Bibliographic, "instanceId"),
        (Kind::Holdings, "holdingsId"),
        (Kind::Authority, "authorityId"),
    ];
    let (kind, member) = kinds
        .into_iter()
        .find(|(kind, _)| body["recordType"] == record_type(*kind))
        .ok_or_else(|| format!("A record of the type {} cannot be changed", body["recordType"]))?;
    let content = match &body["parsedRecord"]["content"] {
        Value::String(text) => serde_json::from_str(text).map_err(|error| format!("content: {error}"))?,
        content => content.clone(),
    };
    let record = from_json(&content).map_err(|error| format!("content is no MARC record: {error}"))?;
    let described = body["externalIdsHolder"][member].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let described = described.or(record.own_id('i'));
    let version = body["relatedRecordVersion"].as_str().and_then(|text| text.trim().parse().ok());
    Ok(Edit {
        kind,
        described: described.ok_or_else(|| format!("externalIdsHolder has no {member}"))?,
        source: id,
        version: version.ok_or("relatedRecordVersion is no number")?,
        record,
        suppressed: body["additionalInfo"]["suppressDiscovery"].as_bool(),
        links: None,
    })
}

const FIND: &str = concat!(
    "\
select
  r.doc::text,
  (coalesce(
    (select i.doc from instance i where i.id = $1),
    (select h.doc from holdings_record h where h.id = $1),
    (select a.doc from authority a where a.id = $1)
  ) ->> '_version')::int8
from records_lb r
where
  (
    r.\"externalIdsHolder.instanceId\" = $1
    or r.\"externalIdsHolder.holdingsId\" = $1
    or r.\"externalIdsHolder.authorityId\" = $1
  )
  and ",
    has_next_generation!("r"),
    "
order by r.state, r.generation desc
limit 1"
);

octavo_pg::statements!(other = [FIND]);
