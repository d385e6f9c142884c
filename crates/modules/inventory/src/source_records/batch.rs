//! Requests with many records: to save them, or to change their parsed form.

use std::collections::{BTreeMap, BTreeSet};

use octavo_engine::{Request, Response, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Session, Statement, read_each};
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::SOURCE_RECORD;
use super::content::{is_marc_in_json, leader_status, normalize};
use super::formatted::with_formatted_content;
use super::saving::{UNREADABLE, assign_matched_id, complete_record, external_id, require_begun, uuid};
use super::view::is_deleted;

const REQUEST: &str = include_str!("../../../folio/records/mod-source-record-storage/recordCollection.tsv");
const TWICE: &str = "SQL Unique constraint violation prevented repeatedly saving the record";

/// The records in the body, validated against the schema. They have to be of one type.
fn records_in_body(request: &Request) -> Outcome<Vec<Value>> {
    let mut body = request.checked_json(REQUEST)?;
    let records = body["records"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let checked = records.into_iter().map(|record| SOURCE_RECORD.schema().check(record, Reading::FromClient));
    let records: Vec<Value> =
        checked.map(|checked| Ok(checked.map_err(Fault::refused)?.0)).collect::<Outcome<_>>()?;
    let types: BTreeSet<&str> = records.iter().filter_map(|record| record["recordType"].as_str()).collect();
    if types.len() > 1 {
        return Err(Fault::bad_request("Batch record collection only supports single record type"));
    }
    Ok(records)
}

/// Saves records as new generations.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut records = records_in_body(&request)?;
    let context = &request.context;
    let snapshots: BTreeSet<&str> =
        records.iter().filter_map(|record| record["snapshotId"].as_str()).collect();
    if snapshots.len() > 1 {
        return Err(Fault::bad_request("Batch record collection only supports single snapshot"));
    }
    let Some(first) = records.first() else {
        return Ok(Response::json(500, &json!({"records": [], "errorMessages": [], "totalRecords": 0})));
    };
    let snapshot = uuid(&first["snapshotId"]).unwrap_or_default();
    let mut errors = Vec::new();
    let mut ids = Vec::with_capacity(records.len());
    let now = context.now_text();
    for record in &mut records {
        let id = uuid(&record["id"]).unwrap_or_else(|| context.fresh_id());
        ids.push(id);
        complete_record(record, id);
        record["metadata"] = metadata(context, None, &now);
        if record["errorRecord"]["description"] == UNREADABLE {
            errors.push(json!(format!("Record {id} has invalid parsed record; {UNREADABLE}")));
        }
    }
    let mut session = context.session().await?;
    let former = identify(&mut session, snapshot, &mut records, &ids).await?;
    for record in &mut records {
        match uuid(&record["matchedId"]).and_then(|matched| former.get(&matched)) {
            Some((_, generation)) => record["generation"] = json!(generation + 1),
            None if record["generation"].is_null() => record["generation"] = json!(0),
            None => {}
        }
    }
    let documents: Vec<(Uuid, Value)> = ids.into_iter().zip(records).collect();
    let old = former.into_values().map(|(id, _)| id).collect();
    let changes =
        vec![super::keep::make_old_statement(old), statements::insert_all(&SOURCE_RECORD, &documents)];
    session.transaction(changes).await.map_err(|error| match error {
        DbError::Refused { constraint: Some(_), .. } if error.has_code(DbError::UNIQUE) => {
            Fault::text(500, TWICE)
        }
        error => error.into(),
    })?;
    let records: Vec<Value> =
        documents.into_iter().map(|(_, record)| with_formatted_content(record)).collect();
    let total = records.len();
    Ok(Response::json(201, &json!({"records": records, "errorMessages": errors, "totalRecords": total})))
}

/// Gives the records the matched ids that their generations share. Returns, by these ids, the last generations from before the job began.
async fn identify(
    session: &mut Session,
    snapshot: Uuid,
    records: &mut [Value],
    ids: &[Uuid],
) -> Outcome<BTreeMap<Uuid, (Uuid, i64)>> {
    let current = |record: &Value| record["state"] == "ACTUAL";
    let external = records.iter().filter(|record| current(record)).filter_map(external_id).collect();
    let kind =
        records.first().and_then(|record| record["recordType"].as_str()).unwrap_or_default().to_owned();
    let answers = session
        .batch(vec![
            Statement::new(SNAPSHOT).uuid(snapshot),
            Statement::new(OF_THE_SAME).uuids(external).text(kind),
        ])
        .await?;
    let (found, same): (Option<Value>, Vec<(Uuid, Uuid)>) = read_each(&answers);
    require_begun(found.as_ref(), snapshot)?;
    let same: BTreeMap<Uuid, Uuid> = same.into_iter().collect();
    for (record, id) in records.iter_mut().zip(ids) {
        let external = external_id(record).filter(|_| current(record));
        let known = external.and_then(|external| same.get(&external).copied());
        assign_matched_id(record, *id, known)?;
    }
    let matched = records.iter().filter_map(|record| uuid(&record["matchedId"])).collect();
    let former: Vec<(Uuid, Uuid, i64)> =
        session.read(Statement::new(FORMER).uuids(matched).uuid(snapshot)).await?;
    Ok(former.into_iter().map(|(matched, id, generation)| (matched, (id, generation))).collect())
}

/// Changes the parsed forms of records, and the members that link them to instances, holdings and authorities.
pub(super) async fn replace_parsed(request: Request) -> Outcome<Response> {
    let mut changed = records_in_body(&request)?;
    let context = &request.context;
    if changed.iter().any(|record| uuid(&record["parsedRecord"]["id"]).is_none()) {
        return Err(Fault::bad_request("Each parsed record should contain an id"));
    }
    let named = changed.iter().flat_map(|record| [uuid(&record["id"]), uuid(&record["parsedRecord"]["id"])]);
    let named: BTreeSet<Uuid> = named.flatten().collect();
    let mut session = context.session().await?;
    let lock = statements::lock_all(&SOURCE_RECORD).uuids(named.into_iter().collect());
    let answers = session.begin(vec![lock]).await?;
    let mut stored: BTreeMap<Uuid, Value> = BTreeMap::new();
    for row in answers.first().into_iter().flatten() {
        let (id, text): (Uuid, &str) = row.read();
        stored.insert(id, serde_json::from_str(text).map_err(Fault::internal)?);
    }
    let (mut errors, mut parsed) = (Vec::new(), Vec::new());
    for record in &mut changed {
        if let Some(id) = uuid(&record["id"]) {
            match stored.get_mut(&id) {
                Some(stored) => {
                    merge(stored, record);
                    stored["metadata"] = metadata(context, Some(&stored.clone()), &context.now_text());
                }
                None => errors.push(format!("Record with id {id} was not updated")),
            }
        }
        normalize(&mut record["parsedRecord"]);
        let content = &record["parsedRecord"]["content"];
        if record["recordType"] != "EDIFACT" && !is_marc_in_json(content) {
            let id = record["id"].as_str().unwrap_or("null");
            errors.push(format!("Record {id} has invalid parsed record; {UNREADABLE}"));
            continue;
        }
        let id = uuid(&record["parsedRecord"]["id"]).unwrap_or_default();
        match stored.get_mut(&id) {
            Some(stored) => {
                if let Some(status) = leader_status(content) {
                    stored["leaderRecordStatus"] = json!(status);
                    stored["deleted"] = json!(is_deleted(stored));
                }
                stored["parsedRecord"] = json!({"id": id, "content": content});
                parsed.push(with_formatted_content(record.take())["parsedRecord"].take());
            }
            None => errors.push(format!("Parsed Record with id '{id}' was not updated")),
        }
    }
    let documents: Vec<(Uuid, Value)> = stored.into_iter().collect();
    session.commit(vec![statements::overwrite_all(&SOURCE_RECORD, &documents)]).await?;
    let status = if parsed.is_empty() { 500 } else { 200 };
    let total = parsed.len();
    Ok(Response::json(
        status,
        &json!({"parsedRecords": parsed, "errorMessages": errors, "totalRecords": total}),
    ))
}

/// Copies the links and the additional information of the changed record into the stored record.
fn merge(stored: &mut Value, changed: &Value) {
    for part in ["externalIdsHolder", "additionalInfo"] {
        for (name, value) in changed[part].as_object().into_iter().flatten() {
            if !value.is_null() {
                stored[part][name] = value.clone();
            }
        }
    }
}

const SNAPSHOT: &str = "select doc::text from snapshots_lb where id = $1";

const OF_THE_SAME: &str = "\
select distinct on (external) external, r.\"matchedId\"
from records_lb r
cross join lateral (
  select coalesce(
    r.\"externalIdsHolder.instanceId\", r.\"externalIdsHolder.holdingsId\", r.\"externalIdsHolder.authorityId\")
) e (external)
where (r.\"externalIdsHolder.instanceId\" = any($1)
  or r.\"externalIdsHolder.holdingsId\" = any($1)
  or r.\"externalIdsHolder.authorityId\" = any($1))
and coalesce(r.\"recordType\", r.doc ->> 'recordType') = $2
and r.state in ('ACTUAL', 'DELETED')
order by external, r.generation desc";

const FORMER: &str = "\
select distinct on (r.\"matchedId\") r.\"matchedId\", r.id, r.generation::int8
from records_lb r
join snapshots_lb s on s.id = r.\"snapshotId\"
where r.\"matchedId\" = any($1)
and s.doc ->> 'status' in ('COMMITTED', 'ERROR', 'CANCELLED')
and s.id <> $2
and s.doc #>> '{metadata,updatedDate}' <= (
  select n.doc ->> 'processingStartedDate'
  from snapshots_lb n
  where n.id = $2)
order by r.\"matchedId\", r.generation desc";

octavo_pg::statements!(other = [SNAPSHOT, OF_THE_SAME, FORMER]);
