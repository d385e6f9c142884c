//! Create, replace and delete. What clients may rely on: a record that was acknowledged satisfies its schema, its hooks and
//! its constraints; a replaced record was the one that the client had read, where the declaration asks for it.

use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_pg::{Row, Session, Statement};
use octavo_record::{Page, Reading, RecordType, Related, ReplaceOfUnknown, Sql, search};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::faults::{RecordOperation, fault_from_db_error};
use super::list::read_query;
use super::listed::{self, ExistingIds, Lookup};
use super::statements;
use super::write::{
    DocumentChange, delete_and_notify, invalidate_caches, invalidate_caches_with, notify_statements,
    notify_statements_with,
};
use super::{lock, refused_id};
use crate::Context;

/// Stores a new record and returns it as stored.
pub async fn create(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    body: Value,
) -> Outcome<Value> {
    create_with(context, session, record, body, |_| Vec::new()).await
}

/// Stores a new record and, in the same transaction, runs the statements that `with` returns for it.
pub async fn create_with(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    body: Value,
    with: impl FnOnce(&Value) -> Vec<Statement>,
) -> Outcome<Value> {
    create_as(context, session, record, body, RecordOperation::Creating, with).await
}

/// Stores a new record. What is refused is answered as for the given operation.
async fn create_as(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    body: Value,
    operation: RecordOperation,
    with: impl FnOnce(&Value) -> Vec<Statement>,
) -> Outcome<Value> {
    let (id, mut document) = check_with_id(context, record, body)?;
    validate_with_snapshot(context, session, record, &document).await?;
    let related = read_inputs(session, record, &document, None).await?;
    if let Some(hrid) = &related.hrid {
        document["hrid"] = json!(hrid);
    }
    let checked = listed::refuse_absent(
        record,
        (&document, None),
        &related.existing_ids,
        operation.answers_plain_text(record),
    );
    related.unlock_if_refused(session, checked).await?;
    add_server_members(context, record, &mut document, &related, None);
    let mut changes: Vec<Statement> =
        lock::lock_patrons_of_documents(record, &[&document]).into_iter().collect();
    changes.extend(listed::lock_statements(record, &[(&document, None)]));
    changes.push(statements::insert(record, id, &document));
    changes.extend(with(&document));
    let in_snapshot = record.is_in_snapshot(&document);
    let is_begun = related.are_locked;
    let change = DocumentChange { operation, record, id, document: &document, in_snapshot, is_begun };
    change.write(context, session, changes, None).await?;
    Ok(document)
}

/// Replaces a stored record. If there is none, and its type declares so, the record is created with the id in the path. Returns the record
/// if the answer shows it.
pub async fn replace_or_create(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    body: Value,
) -> Outcome<Option<Value>> {
    let operation = match record.replace_of_unknown {
        ReplaceOfUnknown::Refused => return replace(context, session, record, id, body).await.map(|_| None),
        ReplaceOfUnknown::Creates => RecordOperation::Replacing,
        ReplaceOfUnknown::CreatesCheckedAsNew | ReplaceOfUnknown::CreatesAndShows => {
            RecordOperation::Creating
        }
    };
    match replace(context, session, record, id, body.clone()).await {
        Err(fault) if fault.status == 404 => {
            let mut body = body;
            body["id"] = json!(id);
            let created = create_as(context, session, record, body, operation, |_| Vec::new()).await?;
            Ok(Some(created).filter(|_| record.replace_of_unknown == ReplaceOfUnknown::CreatesAndShows))
        }
        replaced => replaced.map(|_| None),
    }
}

/// Replaces a stored record; 404 where there is none.
pub async fn replace(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    body: Value,
) -> Outcome<Value> {
    replace_with(context, session, record, id, body, &[]).await
}

/// Replaces a stored record and, in the same transaction, runs the statements in `with`.
pub async fn replace_with(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    body: Value,
    with: &[Statement],
) -> Outcome<Value> {
    let mut document = check_schema(record, body, Reading::FromClient)?;
    check_id_mismatch(record, id, &document)?;
    refuse_conditions(record, &document)?;
    validate_with_snapshot(context, session, record, &document).await?;
    document["id"] = json!(id);
    for _ in 1..ATTEMPTS {
        match replace_once(context, session, record, id, document.clone(), Overwrite::No, with).await {
            // Without optimistic locking the last write wins: the record is replaced again, based on what is stored now.
            Err(fault) if fault.status == 409 && !record.locking => {}
            other => return other,
        }
    }
    let insist = if record.locking { Overwrite::No } else { Overwrite::Yes };
    replace_once(context, session, record, id, document, insist, with).await
}

/// Refuses a body whose id differs from the id in the path, if the record type declares a message for that.
fn check_id_mismatch(record: &RecordType, id: Uuid, document: &Value) -> Outcome<()> {
    let Some((kind, text)) = record.messages.id_mismatch else { return Ok(()) };
    let sent = document["id"].as_str();
    if sent.map_or(!record.messages.id_required, |sent| Uuid::parse_str(sent) == Ok(id)) {
        return Ok(());
    }
    Err(match kind {
        Kind::Refused => refused_id(text, sent),
        _ => Fault::new(kind, text),
    })
}

/// How often a record without optimistic locking is read anew because others change it at the same time.
const ATTEMPTS: usize = 3;

/// Whether to overwrite what others have written since the record was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overwrite {
    No,
    Yes,
}

async fn replace_once(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    mut document: Value,
    insist: Overwrite,
    with: &[Statement],
) -> Outcome<Value> {
    let related = read_inputs(session, record, &document, Some(id)).await?;
    let checked = check_replacement(record, id, &document, &related);
    let (stored, version) = related.unlock_if_refused(session, checked).await?;
    if is_unnumbered(record, &document) {
        document["hrid"] = stored["hrid"].clone();
    }
    add_server_members(context, record, &mut document, &related, Some(stored));
    let mut changes: Vec<Statement> =
        lock::lock_patrons_of_documents(record, &[stored, &document]).into_iter().collect();
    changes.extend(listed::lock_statements(record, &[(&document, Some(stored))]));
    changes.push(match insist {
        Overwrite::No => statements::update(record, id, &document, version),
        Overwrite::Yes => statements::overwrite(record, id, &document),
    });
    changes.extend(record.hooks.cascade.iter().map(|sql| Statement::new(*sql).uuid(id)));
    changes.extend_from_slice(with);
    // The record that is overwritten without being read may have been in the snapshot.
    let unseen = record.snapshot && insist == Overwrite::Yes;
    let in_snapshot = unseen || record.is_in_snapshot(stored) || record.is_in_snapshot(&document);
    let change = DocumentChange {
        operation: RecordOperation::Replacing,
        record,
        id,
        document: &document,
        in_snapshot,
        is_begun: related.are_locked,
    };
    let dependents = record.hooks.dependents.filter(|found| (found.is_affected)(stored, &document));
    match change.write(context, session, changes, dependents).await {
        Err(fault) if fault.status == 409 && record.locking => {
            // Another client was quicker between our read and our write.
            let now = super::find(session, record, id).await?.unwrap_or_default();
            Err(conflict(record, id, &now, &document))
        }
        other => other.map(|()| document),
    }
}

/// The record that a document may replace, and its row version.
fn check_replacement<'r>(
    record: &RecordType,
    id: Uuid,
    document: &Value,
    related: &'r ChangeInputs,
) -> Outcome<&'r (Value, String)> {
    let Some(found) = &related.stored else {
        return Err(super::not_found(record.messages.not_found_on_replace, id));
    };
    let stored = &found.0;
    if let Some(transition) = record.hooks.validate_change {
        transition(stored, document)?;
    }
    if record.locking {
        check_version(record, id, stored, document)?;
    }
    let plain = RecordOperation::Replacing.answers_plain_text(record);
    listed::refuse_absent(record, (document, Some(stored)), &related.existing_ids, plain)?;
    Ok(found)
}

/// Removes a record; 404 where there is none. Returns what it was.
pub async fn delete(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
) -> Outcome<Value> {
    let mut all: Vec<Statement> = lock::lock_patron_of_stored(record, id).into_iter().collect();
    let at = all.len();
    let some = !record.snapshot_only.is_empty();
    all.push(if some { delete_and_notify(context, record, id) } else { statements::delete(record, id) });
    let mut more: Vec<Statement> =
        record.hooks.cascade.iter().map(|sql| Statement::new(*sql).uuid(id)).collect();
    more.extend(notify_statements_with(context, record, id, record.snapshot && !some));
    let naming = listed::referring_lists(context, record);
    let answer = if !naming.is_empty() {
        let locked = session.begin(vec![statements::lock_all(record).uuids(vec![id])]).await?;
        let refusal = match locked[0].is_empty() {
            true => Some(super::not_found(record.messages.not_found_on_delete, id)),
            false => listed::refusal_to_delete(session, &naming, id).await?,
        };
        if let Some(fault) = refusal {
            session.rollback().await?;
            return Err(fault);
        }
        all.extend(more);
        session.commit(all).await
    } else if more.is_empty() {
        session.batch(all).await
    } else {
        all.extend(more);
        session.transaction(all).await
    };
    let document = json!({"id": id});
    let answer = answer
        .map_err(|error| fault_from_db_error(context, error, RecordOperation::Deleting, record, &document))?;
    let gone: Option<Value> = answer[at].first().map(Row::read);
    invalidate_caches_with(
        context,
        record,
        id,
        gone.as_ref().is_some_and(|gone| record.is_in_snapshot(gone)),
    );
    gone.ok_or_else(|| super::not_found(record.messages.not_found_on_delete, id))
}

/// The ids of all records that a query finds, for a deletion, which must have a query.
pub async fn ids_where(
    session: &mut Session,
    record: &'static RecordType,
    query: Option<&str>,
) -> Outcome<Vec<Uuid>> {
    let found = matching_ids_sql(record, query)?;
    Ok(session.read_once(&found).await?)
}

fn matching_ids_sql(record: &'static RecordType, query: Option<&str>) -> Outcome<Sql> {
    let Some(query) = read_query(query)? else {
        return Err(Fault::bad_request(record.messages.missing_query));
    };
    Ok(search(record, Some(&query), Page { offset: 0, limit: 0 })?.estimate)
}

/// Removes every record that a query matches.
pub async fn delete_where(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    query: Option<&str>,
) -> Outcome<()> {
    let mut sql = matching_ids_sql(record, query)?;
    sql.text = format!("delete from {:?} where id in ({})", record.table, sql.text);
    let fault =
        |error| fault_from_db_error(context, error, RecordOperation::DeletingMany, record, &Value::Null);
    let follow = notify_statements(context, record, Uuid::nil());
    if follow.is_empty() {
        return session.rows_once(&sql).await.map(drop).map_err(fault);
    }
    // One transaction: otherwise decisions could be made by records that are already deleted.
    session.begin(Vec::new()).await?;
    if let Err(error) = session.rows_once(&sql).await {
        session.rollback().await?;
        return Err(fault(error));
    }
    session.commit(follow).await?;
    invalidate_caches(context, record, Uuid::nil());
    Ok(())
}

/// Returns a body with its defaults, after checking it against the schema and the module's own conditions.
pub fn check(record: &RecordType, body: Value) -> Outcome<Value> {
    check_as(record, body, Reading::FromClient)
}

pub(super) fn check_as(record: &RecordType, body: Value, reading: Reading) -> Outcome<Value> {
    let document = check_schema(record, body, reading)?;
    refuse_conditions(record, &document)?;
    Ok(document)
}

/// Returns a body with its defaults, after checking it against the schema.
fn check_schema(record: &RecordType, mut body: Value, reading: Reading) -> Outcome<Value> {
    if let Some(default) = record.hooks.default {
        default(&mut body);
    }
    Ok(record.schema().check(body, reading).map_err(Fault::refused)?.0)
}

/// Refuses what the schema cannot say: texts that are no ids, and what the module's own conditions do not allow.
fn refuse_conditions(record: &RecordType, document: &Value) -> Outcome<()> {
    let mut refusals: Vec<_> = record
        .fields
        .iter()
        .filter(|field| field.kind == octavo_record::Kind::Uuid && field.expression.is_none())
        .filter_map(|field| {
            let text = field.path.split('.').try_fold(document, |value, name| value.get(name))?.as_str()?;
            Uuid::parse_str(text).is_err().then(|| {
                Refusal::new(format!("invalid input syntax for type uuid: \"{text}\""))
                    .kind("1")
                    .code("-1")
                    .about(field.path, text)
            })
        })
        .collect();
    if let Some(validate) = record.hooks.validate {
        refusals.extend(validate(document));
    }
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    match record.hooks.refuse_as_text.and_then(|refuse| refuse(document)) {
        Some(text) => Err(Fault::bad_request(text)),
        None => Ok(()),
    }
}

pub(super) async fn validate_with_snapshot(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    document: &Value,
) -> Outcome<()> {
    let Some(agree) = record.hooks.validate_with_snapshot else { return Ok(()) };
    let snapshot = context.platform.snapshots.get_over(&context.tenant.id, session).await?;
    let refusals = agree(document, &*snapshot);
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

/// A new record that has passed [`check`], with its id: the one that was sent, otherwise a fresh one.
pub(super) fn check_with_id(context: &Context, record: &RecordType, body: Value) -> Outcome<(Uuid, Value)> {
    ensure_id(context, record, check(record, body)?)
}

/// The id of a document, which gets a fresh one if it has none.
pub(super) fn ensure_id(
    context: &Context,
    record: &RecordType,
    mut document: Value,
) -> Outcome<(Uuid, Value)> {
    let id = match document.get("id").and_then(Value::as_str) {
        Some(id) => Uuid::parse_str(id).map_err(|_| {
            let refusal = Refusal::new(format!("Invalid UUID format of id: {id}"));
            refusal.kind("1").code("-1").about(format!("{}.id", record.table), id)
        })?,
        None => context.fresh_id(),
    };
    document["id"] = json!(id);
    Ok((id, document))
}

/// Whether the server has to number a record: it has no number, or a blank one.
pub(super) fn is_unnumbered(record: &RecordType, document: &Value) -> bool {
    let is_blank = |hrid: &str| hrid.trim().is_empty();
    record.hooks.hrid_setting.is_some() && document["hrid"].as_str().is_none_or(is_blank)
}

/// What has to be read before a record is written: in one round trip to the database, or none if nothing is needed.
#[derive(Default)]
pub(super) struct ChangeInputs {
    pub(super) records: Vec<(&'static str, Value)>,
    pub(super) stored: Option<(Value, String)>,
    pub(super) hrid: Option<String>,
    pub(super) existing_ids: ExistingIds,
    pub(super) in_batch: bool,
    /// Whether `records` are locked, by the transaction that is to write the record.
    pub(super) are_locked: bool,
}

impl ChangeInputs {
    /// Ends the transaction that holds the locks, if the record is refused.
    async fn unlock_if_refused<T>(&self, session: &mut Session, checked: Outcome<T>) -> Outcome<T> {
        if checked.is_err() && self.are_locked {
            session.rollback().await?;
        }
        checked
    }
}

/// Locks the records that members are derived from, so that they are the same when the record is written.
async fn read_inputs(
    session: &mut Session,
    record: &'static RecordType,
    document: &Value,
    replaced: Option<Uuid>,
) -> Outcome<ChangeInputs> {
    let mut statements = Vec::new();
    let mut fields = Vec::new();
    for name in record.hooks.derive_references {
        let target = record.references.iter().find(|reference| reference.field == *name);
        let id = document.get(name).and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
        if let (Some(target), Some(id)) = (target, id) {
            fields.push(*name);
            let sql = format!("select doc::text from {:?} where id = $1 for share", target.table);
            statements.push(Statement::new(sql).uuid(id));
        }
    }
    if let Some(id) = replaced {
        statements.push(Statement::new(statements::select_for_change_sql(record)).uuid(id));
    }
    let numbered =
        record.hooks.hrid_setting.filter(|_| replaced.is_none() && is_unnumbered(record, document));
    if let Some(kind) = numbered {
        statements.push(Statement::new(HRID).text(kind));
    }
    let before = statements.len();
    statements.extend(listed::lookup_statements(record, &[document], Lookup::Unlocked));
    if statements.is_empty() {
        return Ok(ChangeInputs::default());
    }
    let are_locked = !fields.is_empty();
    let mut answers =
        if are_locked { session.begin(statements).await? } else { session.batch(statements).await? };
    let listed = listed::existing_ids(&answers.split_off(before));
    let hrid = numbered.and_then(|_| answers.pop()).and_then(|rows| Some(rows.first()?.read()));
    let stored = replaced.and_then(|_| answers.pop()).and_then(|rows| Some(rows.first()?.read()));
    let records =
        fields.into_iter().zip(answers).filter_map(|(name, rows)| Some((name, rows.first()?.read())));
    let records = records.collect();
    Ok(ChangeInputs { records, stored, hrid, existing_ids: listed, in_batch: false, are_locked })
}

/// Adds the members that the server computes: derived members, `_version`, `metadata`.
pub(super) fn add_server_members(
    context: &Context,
    record: &RecordType,
    document: &mut Value,
    needed: &ChangeInputs,
    stored: Option<&Value>,
) {
    let now = context.now_text();
    record.restore_secrets(document, stored);
    if let Some(derive) = record.hooks.derive {
        derive(
            document,
            &Related {
                records: needed.records.clone(),
                stored,
                now: &now,
                fresh_id: Some(context.platform.entropy.id),
                in_batch: needed.in_batch,
            },
        );
    }
    if record.locking {
        let before = stored.and_then(|stored| stored["_version"].as_i64()).unwrap_or(0);
        document["_version"] = json!(before + 1);
    }
    if record.schema().metadata {
        document["metadata"] = metadata(context, stored, &now);
    }
}

/// Who made a record, who changed it last, and when; `stored` is the record before the change.
pub fn metadata(context: &Context, stored: Option<&Value>, now: &str) -> Value {
    let mut metadata = Map::new();
    let before = stored.and_then(|stored| stored["metadata"].as_object());
    match before {
        Some(before) => {
            for name in ["createdDate", "createdByUserId", "createdByUsername"] {
                if let Some(value) = before.get(name) {
                    metadata.insert(name.into(), value.clone());
                }
            }
        }
        None => {
            metadata.insert("createdDate".into(), json!(now));
        }
    }
    metadata.insert("updatedDate".into(), json!(now));
    if let Some(user) = context.caller.user_id {
        if before.is_none() {
            metadata.insert("createdByUserId".into(), json!(user));
        }
        metadata.insert("updatedByUserId".into(), json!(user));
    }
    Value::Object(metadata)
}

pub(super) fn check_version(record: &RecordType, id: Uuid, stored: &Value, document: &Value) -> Outcome<()> {
    debug_assert!(record.locking);
    match document["_version"].as_i64() {
        Some(version) if Some(version) == stored["_version"].as_i64() => Ok(()),
        _ => Err(conflict(record, id, stored, document)),
    }
}

fn conflict(record: &RecordType, id: Uuid, stored: &Value, document: &Value) -> Fault {
    let of_database = record.messages.conflict_of_database;
    // RAML Module Builder drops the version -1, and the database writes a missing version as `<NULL>`.
    let sent = document["_version"].as_i64().filter(|version| !of_database || *version != -1);
    let missing = if of_database { "<NULL>" } else { "0" };
    let sent = sent.map_or(missing.to_owned(), |version| version.to_string());
    let message = format!(
        "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is {}, _version of request is {sent}",
        stored["_version"]
    );
    Fault::text(409, if of_database { format!("ERROR: {message} (23F09)") } else { message })
}

const HRID: &str = "select next_hrid($1)";

octavo_pg::statements!(hot = [HRID]);
