//! Saves a record that a client has sent: which members are added, which generation it becomes, and what happens to the former generation.

use octavo_engine::{Context, RecordOperation, fault_from_db_error, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Row, Session, Statement, read_each};
use serde_json::{Value, json};
use uuid::Uuid;

use super::SOURCE_RECORD;
use super::content::{is_marc_in_json, leader_status, matched_id, normalize, set_matched_id};
use super::view::is_deleted;

/// The message about a generation that exists already.
pub(super) const DUPLICATE: &str = "Incoming file may contain duplicates";
pub(super) const UNREADABLE: &str = "Unable to read marc record!";

/// Saves a record as a new generation, unless the record itself has a generation number.
pub(super) async fn save(context: &Context, record: Value, id: Uuid) -> Outcome<Value> {
    let mut session = context.session().await?;
    let saved = save_within(context, &mut session, record, id).await;
    if saved.is_err() {
        session.rollback().await?;
    }
    saved
}

async fn save_within(
    context: &Context,
    session: &mut Session,
    mut record: Value,
    id: Uuid,
) -> Outcome<Value> {
    complete_record(&mut record, id);
    let stored = identify(session, &mut record, id).await?;
    let generation = assign_generation(session, &mut record).await?;
    record["metadata"] = metadata(context, stored.as_ref(), &context.now_text());
    let mut changes = Vec::new();
    if generation > 0 {
        let matched = uuid(&record["matchedId"]).unwrap_or_default();
        changes.push(Statement::new(MAKE_OLD).uuid(matched).uuid(id));
    }
    changes.push(write_statement(&record, id, stored.is_some()));
    session.commit(changes).await.map_err(|error| save_fault(context, error, &record))?;
    Ok(record)
}

/// Replaces the stored record, without a new generation. `None` if no record with this id is stored.
pub(super) async fn replace(context: &Context, mut record: Value, id: Uuid) -> Outcome<Option<Value>> {
    let mut session = context.session().await?;
    let answers = session.begin(vec![Statement::new(LOCK).uuid(id)]).await?;
    let Some(stored) = answers[0].first().map(Row::read::<Value>) else {
        session.rollback().await?;
        return Ok(None);
    };
    for name in ["additionalInfo", "generation"] {
        keep_stored_member(&mut record, &stored, name);
    }
    complete_record(&mut record, id);
    keep_unsent_members(&mut record, &stored);
    record["metadata"] = metadata(context, Some(&stored), &context.now_text());
    let replaced = session.commit(vec![write_statement(&record, id, true)]).await;
    replaced.map_err(|error| save_fault(context, error, &record))?;
    Ok(Some(record))
}

/// Copies members that the client has left out from the stored record: the contents, and the links to what the record describes.
fn keep_unsent_members(record: &mut Value, stored: &Value) {
    for name in ["parsedRecord", "errorRecord", "leaderRecordStatus"] {
        keep_stored_member(record, stored, name);
    }
    for name in stored["externalIdsHolder"].as_object().into_iter().flat_map(|holder| holder.keys()) {
        keep_stored_member(&mut record["externalIdsHolder"], &stored["externalIdsHolder"], name);
    }
    record["deleted"] = json!(is_deleted(record));
}

fn keep_stored_member(record: &mut Value, stored: &Value, name: &str) {
    if record[name].is_null() && !stored[name].is_null() {
        record[name] = stored[name].clone();
    }
}

fn write_statement(record: &Value, id: Uuid, is_stored: bool) -> Statement {
    match is_stored {
        true => statements::overwrite(&SOURCE_RECORD, id, record),
        false => statements::insert(&SOURCE_RECORD, id, record),
    }
}

/// Refuses a snapshot that does not exist or has not begun.
pub(super) fn require_begun(snapshot: Option<&Value>, named: Uuid) -> Outcome<()> {
    let snapshot =
        snapshot.ok_or_else(|| Fault::not_found_with(format!("Snapshot with id '{named}' was not found")))?;
    if snapshot["processingStartedDate"].is_null() {
        let status = snapshot["status"].as_str().unwrap_or_default();
        return Err(Fault::bad_request(format!(
            "Date when processing started is not set, expected snapshot status is PARSING_IN_PROGRESS, actual - {status}"
        )));
    }
    Ok(())
}

pub(super) fn save_fault(context: &Context, error: DbError, record: &Value) -> Fault {
    match &error {
        DbError::Refused { constraint: Some(constraint), .. }
            if *constraint == SOURCE_RECORD.unique[0].constraint(SOURCE_RECORD.table) =>
        {
            Fault::text(500, DUPLICATE)
        }
        _ => fault_from_db_error(context, error, RecordOperation::Creating, &SOURCE_RECORD, record),
    }
}

pub(super) fn complete_record(record: &mut Value, id: Uuid) {
    record["id"] = json!(id);
    for part in ["rawRecord", "parsedRecord", "errorRecord"] {
        if record[part].is_object() {
            record[part]["id"] = json!(id);
        }
    }
    if !record["additionalInfo"]["suppressDiscovery"].is_boolean() {
        record["additionalInfo"] = json!({"suppressDiscovery": false});
    }
    if record["parsedRecord"].is_object() {
        normalize(&mut record["parsedRecord"]);
        move_unreadable_content(record, id);
    }
    if let Some(status) = leader_status(&record["parsedRecord"]["content"]) {
        record["leaderRecordStatus"] = json!(status);
    }
    record["deleted"] = json!(is_deleted(record));
}

/// Moves content that cannot be parsed from `parsedRecord` to `errorRecord`, with the reason. MARC has to be a MARC record; EDIFACT has to
/// be a JSON object.
fn move_unreadable_content(record: &mut Value, id: Uuid) {
    let is_marc = record["recordType"].as_str().is_some_and(|kind| kind.starts_with("MARC"));
    let content = &record["parsedRecord"]["content"];
    let is_read = match is_marc {
        true => is_marc_in_json(content),
        false => content.is_null() || content.is_object(),
    };
    if is_read {
        return;
    }
    record["errorRecord"] = json!({"id": id, "description": UNREADABLE, "content": content.clone()});
    if let Some(members) = record.as_object_mut() {
        members.remove("parsedRecord");
        members.remove("leaderRecordStatus");
    }
}

/// Opens a transaction, and gives the record the matched id that its generations share. If a record with the same id is stored, copies its
/// members that the client has left out. Returns the stored record.
async fn identify(session: &mut Session, record: &mut Value, id: Uuid) -> Outcome<Option<Value>> {
    let kind = record["recordType"].as_str().unwrap_or_default().to_owned();
    let external = external_id(record);
    let external = external.filter(|_| record["state"] == "ACTUAL");
    let named = uuid(&record["snapshotId"]).unwrap_or_default();
    let answers = session
        .begin(vec![
            Statement::new(SNAPSHOT_OF).uuid(named),
            Statement::new(LOCK).uuid(id),
            Statement::new(OF_THE_SAME).maybe_uuid(external).text(&kind),
        ])
        .await?;
    let (snapshot, stored, same): (Option<Value>, Option<Value>, Option<Uuid>) = read_each(&answers);
    require_begun(snapshot.as_ref(), named)?;
    if let Some(stored) = &stored {
        keep_unsent_members(record, stored);
    }
    assign_matched_id(record, id, same)?;
    Ok(stored)
}

/// The id of the instance, holdings record or authority that a record describes.
pub(super) fn external_id(record: &Value) -> Option<Uuid> {
    let holder = &record["externalIdsHolder"];
    match record["recordType"].as_str()? {
        "MARC_BIB" => uuid(&holder["instanceId"]),
        "MARC_HOLDING" => uuid(&holder["holdingsId"]),
        "MARC_AUTHORITY" => uuid(&holder["authorityId"]),
        _ => None,
    }
}

/// Gives a record the id that all its generations have: that in its field 999, that of the current one, or its own.
pub(super) fn assign_matched_id(record: &mut Value, id: Uuid, same: Option<Uuid>) -> Outcome<()> {
    let told = matched_id(&record["parsedRecord"]["content"]).map(str::to_owned);
    let shared = told.clone().unwrap_or_else(|| same.unwrap_or(id).to_string());
    if Uuid::parse_str(&shared).is_err() {
        return Err(Fault::bad_request(format!("Invalid UUID {shared}")));
    }
    if told.is_none() && record["recordType"] != "EDIFACT" && record["parsedRecord"]["content"].is_object() {
        set_matched_id(&mut record["parsedRecord"]["content"], &shared);
    }
    record["matchedId"] = json!(shared);
    Ok(())
}

/// Sets the generation: the client's, or else one more than the last generation of a job that ended before this job began.
async fn assign_generation(session: &mut Session, record: &mut Value) -> Outcome<i64> {
    if let Some(generation) = record["generation"].as_i64() {
        return Ok(generation);
    }
    let shared = uuid(&record["matchedId"]).unwrap_or_default();
    let snapshot = uuid(&record["snapshotId"]).unwrap_or_default();
    let next: Option<Option<i64>> =
        session.read(Statement::new(GENERATION).uuid(shared).uuid(snapshot)).await?;
    let generation = next.flatten().unwrap_or(0);
    record["generation"] = json!(generation);
    Ok(generation)
}

pub(super) fn uuid(value: &Value) -> Option<Uuid> {
    Uuid::parse_str(value.as_str()?).ok()
}

/// The current record of the same instance, holdings or authority.
const OF_THE_SAME: &str = "\
select \"matchedId\"
from records_lb
where (\"externalIdsHolder.instanceId\" = $1
  or \"externalIdsHolder.holdingsId\" = $1
  or \"externalIdsHolder.authorityId\" = $1)
and coalesce(\"recordType\", doc ->> 'recordType') = $2
and state in ('ACTUAL', 'DELETED')
order by generation desc
limit 1";

const GENERATION: &str = "\
select (max(r.generation) + 1)::int8
from records_lb r
join snapshots_lb s on s.id = r.\"snapshotId\"
where r.\"matchedId\" = $1
and s.id <> $2
and s.doc #>> '{metadata,updatedDate}' <= (
  select n.doc ->> 'processingStartedDate'
  from snapshots_lb n
  where n.id = $2)";

const MAKE_OLD: &str = concat!(
    make_old!(),
    "\
where \"matchedId\" = $1
and id <> $2
and state in ('ACTUAL', 'DELETED')"
);

const SNAPSHOT_OF: &str = "select doc::text from snapshots_lb where id = $1";

const LOCK: &str = "select doc::text from records_lb where id = $1 for update";

octavo_pg::statements!(other = [OF_THE_SAME, GENERATION, MAKE_OLD, SNAPSHOT_OF, LOCK]);
