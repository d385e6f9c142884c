//! The MARC record of an instance, holdings or authority, as FOLIO's editor reads it.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.query("externalId").unwrap_or_default();
    let external = Uuid::parse_str(id)
        .map_err(|_| Fault::bad_request(format!("'externalId' parameter is incorrect. {id} is no id")))?;
    let mut session = request.context.session().await?;
    let found: Option<Value> = session.read(Statement::new(FIND).uuid(external)).await?;
    let record = found.ok_or_else(|| {
        let message = format!("Error retrieving Record by externalId: '{id}', response code 404, Not Found");
        Fault::missing(message)
    })?;
    let mut told = json!({
        "id": record["id"],
        "recordType": record["recordType"],
        "parsedRecord": record["parsedRecord"],
        "recordState": "ACTUAL",
        "relatedRecordVersion": record["generation"].as_i64().unwrap_or(0).to_string(),
    });
    for member in ["externalIdsHolder", "additionalInfo", "metadata"] {
        if !record[member].is_null() {
            told[member] = record[member].clone();
        }
    }
    Ok(Response::json(200, &told))
}

const FIND: &str = "\
select doc::text
from records_lb
where
  (
    \"externalIdsHolder.instanceId\" = $1
    or \"externalIdsHolder.holdingsId\" = $1
    or \"externalIdsHolder.authorityId\" = $1
  )
  and state = 'ACTUAL'
order by generation desc
limit 1";

octavo_pg::statements!(other = [FIND]);
