//! Loads thousands of records at once: each is validated and completed as `create` does it, and all are written by one COPY. An error in
//! one record does not stop the others.

use std::collections::{HashMap, HashSet};

use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Cell, DbError, Row, Session, Statement};
use octavo_record::{Reading, RecordType, Related, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change::{
    ChangeInputs, add_server_members, check, check_as, check_with_id, ensure_id, is_unnumbered,
    validate_with_snapshot,
};
use super::faults::{RecordOperation, fault_from_db_error};
use super::listed::{self, ExistingIds, Lookup};
use super::statements;
use super::write::{invalidate_caches, notify_statements, recompute_dependent};
use crate::Context;

#[derive(Debug, Clone)]
pub struct PreparedRecord {
    pub id: Uuid,
    pub document: Value,
}

/// Validates and completes records of one type. Each result is the record, or why it is refused.
pub async fn prepare(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
) -> Outcome<Vec<Outcome<PreparedRecord>>> {
    let mut all = Vec::with_capacity(bodies.len());
    for body in bodies {
        let identified = check_with_id(context, record, body);
        all.push(validated(context, session, record, identified).await);
    }
    complete_all(session, record, all, |document, related, listed| {
        listed::refuse_absent(
            record,
            (document, None),
            listed,
            RecordOperation::Creating.answers_plain_text(record),
        )?;
        add_server_members(context, record, document, related, None);
        Ok(())
    })
    .await
}

/// Validates records that come from another FOLIO server: `_version`, `metadata`, `hrid` and other members that a server writes are kept.
/// Members that are derived from other records are computed again, as if each record replaced itself.
pub async fn prepare_imported(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
) -> Outcome<Vec<Outcome<PreparedRecord>>> {
    let mut all = Vec::with_capacity(bodies.len());
    let mut kept: HashMap<Uuid, Value> = HashMap::new();
    for mut body in bodies {
        // FOLIO does not check `metadata` against the schema: its scripts write records without the id of a user.
        let metadata = body.as_object_mut().and_then(|members| members.remove("metadata"));
        let checked = check_as(record, body, Reading::FromServer);
        let identified = checked.and_then(|document| ensure_id(context, record, document));
        if let (Ok((id, _)), Some(metadata)) = (&identified, metadata) {
            kept.insert(*id, normalise_metadata(metadata));
        }
        all.push(validated(context, session, record, identified).await);
    }
    complete_all(session, record, all, |document, related, _| {
        let before = document.clone();
        add_server_members(context, record, document, related, Some(&before));
        if let Some(version) = before.get("_version") {
            document["_version"] = version.clone();
        }
        let id = document["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let Some(members) = document.as_object_mut() else { return Ok(()) };
        match id.and_then(|id| kept.remove(&id)) {
            Some(metadata) => members.insert("metadata".to_owned(), metadata),
            None => members.remove("metadata"),
        };
        Ok(())
    })
    .await
}

/// A record with its id, once the module's own conditions hold.
async fn validated(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    identified: Outcome<(Uuid, Value)>,
) -> Outcome<PreparedRecord> {
    let (id, document) = identified?;
    validate_with_snapshot(context, session, record, &document).await?;
    Ok(PreparedRecord { id, document })
}

/// `metadata` with its times in the form in which Octavo writes them, and without members that are null.
fn normalise_metadata(mut metadata: Value) -> Value {
    if let Some(members) = metadata.as_object_mut() {
        members.retain(|_, member| !member.is_null());
        for name in ["createdDate", "updatedDate"] {
            if let Some(at) = members.get(name).and_then(Value::as_str).and_then(parse_time) {
                members.insert(name.to_owned(), json!(folio_time(at)));
            }
        }
    }
    metadata
}

/// Completes checked records: gives them their hrids and calls `finish` with what was read for them. Records whose id exists already are
/// refused.
async fn complete_all(
    session: &mut Session,
    record: &'static RecordType,
    checked: Vec<Outcome<PreparedRecord>>,
    mut finish: impl FnMut(&mut Value, &ChangeInputs, &ExistingIds) -> Outcome<()>,
) -> Outcome<Vec<Outcome<PreparedRecord>>> {
    let mut needed = read_needed(session, record, &checked).await?;
    let there = already_stored_ids(session, record, &checked).await?;
    let mut seen = HashSet::new();
    let completed = checked.into_iter().map(|ready| {
        let PreparedRecord { id, mut document } = ready?;
        if there.contains(&id) || !seen.insert(id) {
            return Err(Fault::bad_request(format!("a {} with the id {id} is already there", record.name)));
        }
        if is_unnumbered(record, &document) {
            document["hrid"] = json!(needed.hrids.pop());
        }
        let related = needed.for_document(record, &document);
        finish(&mut document, &related, &needed.existing_ids)?;
        Ok(PreparedRecord { id, document })
    });
    Ok(completed.collect())
}

/// A stored record, which the caller has locked, and the body that takes its place.
#[derive(Debug)]
pub struct Replacement {
    pub id: Uuid,
    pub stored: Value,
    pub body: Value,
}

/// Checks and completes records that take the places of stored ones; what is refused says why. The stored ones are the newest: a body's
/// `_version` is not looked at.
pub async fn prepare_replacing(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    all: Vec<Replacement>,
) -> Outcome<Vec<Outcome<(Value, PreparedRecord)>>> {
    let mut checked = Vec::with_capacity(all.len());
    let mut stored = Vec::with_capacity(all.len());
    for Replacement { id, stored: before, body } in all {
        let replaced = async {
            let mut document = check(record, body)?;
            validate_with_snapshot(context, session, record, &document).await?;
            if let Some(transition) = record.hooks.validate_change {
                transition(&before, &document)?;
            }
            document["id"] = json!(id);
            if record.hooks.hrid_setting.is_some() {
                document["hrid"] = before["hrid"].clone();
            }
            Ok(PreparedRecord { id, document })
        };
        checked.push(replaced.await);
        stored.push(before);
    }
    let needed = read_needed(session, record, &checked).await?;
    let completed = checked.into_iter().zip(stored).map(|(ready, before)| {
        let PreparedRecord { id, mut document } = ready?;
        let plain = RecordOperation::Replacing.answers_plain_text(record);
        listed::refuse_absent(record, (&document, Some(&before)), &needed.existing_ids, plain)?;
        let related = needed.for_document(record, &document);
        add_server_members(context, record, &mut document, &related, Some(&before));
        Ok((before, PreparedRecord { id, document }))
    });
    Ok(completed.collect())
}

/// Statements that write prepared records: new ones, and locked ones, each with its stored state. They also compute the dependent records
/// again, which are read and locked here. So this is called in the transaction of the change, and only once for all records on which
/// the same records depend.
pub async fn statements(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    new: &[&PreparedRecord],
    replaced: &[&(Value, PreparedRecord)],
) -> Outcome<Vec<Statement>> {
    let created = new.iter().map(|ready| (&ready.document, None));
    let changed = replaced.iter().map(|(before, ready)| (&ready.document, Some(before)));
    let mut all = listed::lock_statements(record, &created.chain(changed).collect::<Vec<_>>());
    if !new.is_empty() {
        let documents: Vec<(Uuid, &Value)> = new.iter().map(|ready| (ready.id, &ready.document)).collect();
        all.push(statements::insert_all(record, &documents));
    }
    if !replaced.is_empty() {
        let documents: Vec<(Uuid, &Value)> =
            replaced.iter().map(|(_, ready)| (ready.id, &ready.document)).collect();
        all.push(statements::overwrite_all(record, &documents));
        for sql in record.hooks.cascade {
            all.extend(replaced.iter().map(|(_, ready)| Statement::new(*sql).uuid(ready.id)));
        }
        all.extend(dependents(session, record, replaced).await?);
    }
    if !all.is_empty() {
        all.extend(notify_statements(context, record, Uuid::nil()));
    }
    Ok(all)
}

/// The statement that writes what depends on changed records.
async fn dependents(
    session: &mut Session,
    record: &'static RecordType,
    replaced: &[&(Value, PreparedRecord)],
) -> Outcome<Option<Statement>> {
    let Some(dependents) = record.hooks.dependents else { return Ok(None) };
    let concerned =
        replaced.iter().filter(|(before, ready)| (dependents.is_affected)(before, &ready.document));
    let concerned: HashMap<Uuid, &Value> = concerned.map(|(_, ready)| (ready.id, &ready.document)).collect();
    if concerned.is_empty() {
        return Ok(None);
    }
    let of_many = statements::lock_dependents_of_many(dependents.record_type, dependents.field);
    let rows = session.rows(of_many.uuids(concerned.keys().copied().collect())).await?;
    let found = rows.iter().map(Row::read::<(Uuid, Value)>);
    let changed = found.filter_map(|(id, mut document)| {
        let on = concerned.get(&referenced_id(&document, dependents.field)?)?;
        recompute_dependent(&dependents, &mut document, on);
        Some((id, document))
    });
    let changed: Vec<(Uuid, Value)> = changed.collect();
    Ok((!changed.is_empty()).then(|| statements::overwrite_all(dependents.record_type, &changed)))
}

/// Writes records that are ready and, in the same transaction, what goes with them. All or nothing. Members that are derived from other
/// records are derived again: these may have been changed since the records were prepared.
pub async fn copy(
    context: &Context,
    session: &mut Session,
    batches: &[(&'static RecordType, Vec<&PreparedRecord>)],
    also: Vec<Statement>,
) -> Outcome<()> {
    let batches = || batches.iter().filter(|(_, rows)| !rows.is_empty());
    let mut statements: Vec<Statement> =
        batches().flat_map(|(record, _)| notify_statements(context, record, Uuid::nil())).collect();
    statements.extend(also);
    session.begin(Vec::new()).await?;
    for (record, rows) in batches() {
        if let Err(error) = copy_rows(context, session, record, rows).await {
            session.rollback().await?;
            return Err(copy_fault(context, error, record, rows));
        }
    }
    let committed = session.commit(statements).await;
    committed.map_err(|error| match batches().next() {
        Some((record, rows)) => copy_fault(context, error, record, rows),
        None => error.into(),
    })?;
    for (record, _) in batches() {
        invalidate_caches(context, record, Uuid::nil());
    }
    Ok(())
}

fn copy_fault(
    context: &Context,
    error: DbError,
    record: &'static RecordType,
    rows: &[&PreparedRecord],
) -> Fault {
    let document = rows.first().map_or(&Value::Null, |ready| &ready.document);
    fault_from_db_error(context, error, RecordOperation::Creating, record, document)
}

async fn copy_rows(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    rows: &[&PreparedRecord],
) -> Result<(), DbError> {
    let derived = derive_again(context, session, record, rows).await?;
    let mut copy = session.copy_in(&table_name(record), &["id", "doc"]).await?;
    for (place, ready) in rows.iter().enumerate() {
        let document = derived.get(place).unwrap_or(&ready.document);
        copy.write_row(&[Cell::Uuid(ready.id), Cell::Json(&octavo_kernel::json_text(document))]).await?;
    }
    copy.finish().await.map(drop)
}

/// The documents with what is derived from other records, which are locked until the transaction ends. No documents if the record type has
/// nothing that is derived from others.
async fn derive_again(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    rows: &[&PreparedRecord],
) -> Result<Vec<Value>, DbError> {
    let Some(derive) = record.hooks.derive.filter(|_| !record.hooks.derive_references.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut needed =
        NeededRecords { records: HashMap::new(), hrids: Vec::new(), existing_ids: ExistingIds::new() };
    for field in record.hooks.derive_references {
        let Some(target) = record.references.iter().find(|reference| reference.field == *field) else {
            continue;
        };
        let ids: HashSet<Uuid> =
            rows.iter().filter_map(|ready| referenced_id(&ready.document, field)).collect();
        let lock = statements::share_all(target.table).uuids(ids.into_iter().collect());
        for (id, found) in session.rows(lock).await?.iter().map(Row::read::<(Uuid, Value)>) {
            needed.records.insert((*field, id), found);
        }
    }
    let now = context.now_text();
    let derived = rows.iter().map(|ready| {
        let mut document = ready.document.clone();
        let related = Related {
            records: needed.for_document(record, &document).records,
            stored: Some(&ready.document),
            now: &now,
            fresh_id: Some(context.platform.entropy.id),
            in_batch: false,
        };
        derive(&mut document, &related);
        document
    });
    Ok(derived.collect())
}

/// What was read to complete records: the records that they refer to, new human-readable numbers, and which ids in lists exist.
struct NeededRecords {
    records: HashMap<(&'static str, Uuid), Value>,
    hrids: Vec<String>,
    existing_ids: ExistingIds,
}

impl NeededRecords {
    fn for_document(&self, record: &RecordType, document: &Value) -> ChangeInputs {
        let fields = record.hooks.derive_references.iter().filter_map(|field| {
            let found = self.records.get(&(*field, referenced_id(document, field)?))?;
            Some((*field, found.clone()))
        });
        ChangeInputs { records: fields.collect(), ..ChangeInputs::default() }
    }
}

fn referenced_id(document: &Value, field: &str) -> Option<Uuid> {
    document.get(field)?.as_str().and_then(|id| Uuid::parse_str(id).ok())
}

/// In a transaction, the records that members are derived from are locked until its end, so that the derived members are right when the
/// records are written.
async fn read_needed(
    session: &mut Session,
    record: &'static RecordType,
    checked: &[Outcome<PreparedRecord>],
) -> Outcome<NeededRecords> {
    let documents = || checked.iter().flatten().map(|ready| &ready.document);
    let mut fields = Vec::new();
    let mut statements = Vec::new();
    for field in record.hooks.derive_references {
        let Some(target) = record.references.iter().find(|reference| reference.field == *field) else {
            continue;
        };
        let ids: HashSet<Uuid> = documents().filter_map(|document| referenced_id(document, field)).collect();
        fields.push(*field);
        let read = match session.is_in_transaction()? {
            true => statements::share_all(target.table),
            false => {
                Statement::new(format!("select id, doc::text from {:?} where id = any($1)", target.table))
            }
        };
        statements.push(read.uuids(ids.into_iter().collect()));
    }
    let unnumbered = documents().filter(|document| is_unnumbered(record, document)).count();
    if let Some(kind) = record.hooks.hrid_setting {
        statements.push(Statement::new(HRIDS).text(kind).long(i64::try_from(unnumbered).unwrap_or(0)));
    }
    let before = statements.len();
    statements.extend(listed::lookup_statements(record, &documents().collect::<Vec<_>>(), Lookup::Unlocked));
    let mut answers = session.batch(statements).await?;
    let listed = listed::existing_ids(&answers.split_off(before));
    let hrids = record.hooks.hrid_setting.and_then(|_| answers.pop()).unwrap_or_default();
    let mut hrids: Vec<String> = hrids.iter().map(Row::read).collect();
    hrids.reverse();
    let mut records = HashMap::new();
    for (field, rows) in fields.into_iter().zip(answers) {
        for (id, found) in rows.iter().map(Row::read::<(Uuid, Value)>) {
            records.insert((field, id), found);
        }
    }
    Ok(NeededRecords { records, hrids, existing_ids: listed })
}

async fn already_stored_ids(
    session: &mut Session,
    record: &RecordType,
    checked: &[Outcome<PreparedRecord>],
) -> Outcome<HashSet<Uuid>> {
    let ids = checked.iter().flatten().map(|ready| ready.id).collect();
    let sql = format!("select id from {} where id = any($1)", table_name(record));
    let there: Vec<Uuid> = session.read(Statement::new(sql).uuids(ids)).await?;
    Ok(there.into_iter().collect())
}

/// Takes `$2` new hrids of the kind `$1`.
pub const HRIDS: &str = "select next_hrid($1) from generate_series(1, $2::int8)";

octavo_pg::statements!(hot = [HRIDS]);
