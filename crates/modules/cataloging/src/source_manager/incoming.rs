//! The raw records of import jobs.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::runner::{RawFormat, read_record};

/// The raw record, and the record that was parsed from it.
pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("IncomingRecord by id: '{id}' was not found"));
    let uuid = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let found: Option<(Uuid, i64, Option<String>, String, String)> =
        session.read(Statement::new(GET).uuid(uuid)).await?;
    let (job, place, kind, format, raw) = found.ok_or_else(missing)?;
    let mut record = json!({"id": uuid, "jobExecutionId": job, "order": place, "rawRecordContent": raw});
    if let Some(kind) = kind {
        record["recordType"] = json!(kind);
    }
    if let Some(Ok(parsed)) = RawFormat::from_name(&format).map(|format| read_record(format, &raw)) {
        record["parsedRecordContent"] = json!(parsed.record.to_json().to_string());
    }
    Ok(Response::json(200, &record))
}

const GET: &str = "select job, place, kind, format, raw from incoming_record where id = $1";

octavo_pg::statements!(other = [GET]);
