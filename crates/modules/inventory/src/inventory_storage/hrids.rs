//! Human-readable ids of instances, holdings and items: the settings, and the counters in the database.
//!
//! The SQL function `next_hrid(kind)` (`tenant.sql`) takes the next number. The record engine calls it for records that are sent without an
//! hrid. As in FOLIO, numbers that were taken for a refused record are not used again. Facts: mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::{Field, Reading, RecordType, Unique};
use serde_json::{Value, json};

/// A tenant has one such record. The unique key ensures that enabling the module again does not overwrite it.
pub static HRID_SETTINGS: RecordType = RecordType {
    name: "hrid settings",
    table: "hrid_settings",
    path: "/hrid-settings-storage/hrid-settings",
    collection: "hridSettings",
    schema: include_str!("../../../folio/records/mod-inventory-storage/hridsettings.tsv"),
    fields: &[Field::exact("only").computed("'hrid'::text")],
    unique: &[Unique::new(&["only"])],
    ..RecordType::BASE
};

const KINDS: [&str; 3] = ["instances", "holdings", "items"];

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found: Option<(Value, [i64; 3])> = session.read(Statement::new(READ)).await?;
    let (mut settings, numbers) = found.ok_or_else(Fault::not_found)?;
    for (kind, number) in KINDS.into_iter().zip(numbers) {
        settings[kind]["currentNumber"] = json!(number);
    }
    Ok(Response::json(200, &settings))
}

/// Replaces the settings, and sets the counters: the next number of each kind is its start number.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let checked =
        HRID_SETTINGS.schema().check(request.json()?, Reading::FromClient).map_err(Fault::refused)?;
    let mut settings = checked.0;
    let mut session = request.context.session().await?;
    let mut statements = Vec::new();
    for kind in KINDS {
        let start = settings[kind]["startNumber"].as_i64().unwrap_or(1);
        statements.push(Statement::new(RESTART).text(kind).long(start));
    }
    if let Some(settings) = settings.as_object_mut() {
        settings.remove("id");
        settings.remove("metadata");
    }
    let metadata =
        json!({"updatedDate": request.context.now_text(), "updatedByUserId": request.context.caller.user_id});
    statements.push(Statement::new(WRITE).text(settings.to_string()).text(metadata.to_string()));
    let answers = session.transaction(statements).await?;
    match answers.last().is_some_and(|rows| !rows.is_empty()) {
        true => Ok(Response::no_content()),
        false => Err(Fault::not_found()),
    }
}

const READ: &str = "\
select doc::text, hrid_counter('instances'), hrid_counter('holdings'), hrid_counter('items')
from hrid_settings";
const WRITE: &str = "\
update hrid_settings set doc = $1::text::jsonb || jsonb_build_object(
  'id', id,
  'metadata', jsonb_build_object('createdDate', $2::text::jsonb -> 'updatedDate')
    || coalesce((doc -> 'metadata')::jsonb, '{}') || jsonb_strip_nulls($2::text::jsonb))
returning 1";

const RESTART: &str = "select restart_hrids($1, $2)";

octavo_pg::statements!(other = [READ, WRITE, RESTART]);
