//! Create, replace and delete. What clients may rely on: a record that was acknowledged satisfies its schema, its hooks and
//! its constraints; a replaced record was the one that the client had read, where the declaration asks for it.

use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_pg::{Row, Session, Statement};
use octavo_record::{Page, Reading, RecordType, Related, Sql, search};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::faults::{Doing, fault_of};
use super::list::read_query;
use super::listed::{self, Found, Looking};
use super::statements;
use super::write::{Change, announce, delete_from_some, follow, follow_ups, tell};
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

/// Stores a new record, and in the same transaction what goes `with` it.
pub async fn create_with(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    body: Value,
    with: impl FnOnce(&Value) -> Vec<Statement>,
) -> Outcome<Value> {
    let (id, mut document) = identified(context, record, body)?;
    agree(context, session, record, &document).await?;
    let related = related(session, record, &document, None).await?;
    if let Some(hrid) = &related.hrid {
        document["hrid"] = json!(hrid);
    }
    listed::refuse_absent(record, (&document, None), &related.listed, Doing::Creating.plain(record))?;
    finish(context, record, &mut document, &related, None);
    let mut changes: Vec<Statement> = lock::of_documents(record, &[&document]).into_iter().collect();
    changes.extend(listed::locks(record, &[(&document, None)]));
    changes.push(statements::insert(record, id, &document));
    changes.extend(with(&document));
    let in_snapshot = record.is_in_snapshot(&document);
    let change = Change { doing: Doing::Creating, record, id, document: &document, in_snapshot };
    change.write(context, session, changes, None).await?;
    Ok(document)
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

/// Replaces a stored record, and in the same transaction runs what goes `with` it.
pub async fn replace_with(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    body: Value,
    with: &[Statement],
) -> Outcome<Value> {
    let mut document = of_the_shape(record, body, Reading::FromClient)?;
    refuse_another_id(record, id, &document)?;
    refuse_conditions(record, &document)?;
    agree(context, session, record, &document).await?;
    document["id"] = json!(id);
    for _ in 1..ATTEMPTS {
        match replace_once(context, session, record, id, document.clone(), Insist::No, with).await {
            // Without optimistic locking the last word counts: this one, made from what is there now.
            Err(fault) if fault.status == 409 && !record.locking => {}
            other => return other,
        }
    }
    let insist = if record.locking { Insist::No } else { Insist::Yes };
    replace_once(context, session, record, id, document, insist, with).await
}

/// Refuses a body with another id than the path's, where the record type is particular about it.
fn refuse_another_id(record: &RecordType, id: Uuid, document: &Value) -> Outcome<()> {
    let Some((kind, text)) = record.words.another_id else { return Ok(()) };
    let sent = document["id"].as_str();
    if sent.map_or(!record.words.id_required, |sent| Uuid::parse_str(sent) == Ok(id)) {
        return Ok(());
    }
    Err(match kind {
        Kind::Refused => refused_id(text, sent),
        _ => Fault::new(kind, text),
    })
}

/// How often a record without optimistic locking is read anew because others change it at the same time.
const ATTEMPTS: usize = 3;

/// Whether to write over what others have written since the record was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Insist {
    No,
    Yes,
}

async fn replace_once(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
    mut document: Value,
    insist: Insist,
    with: &[Statement],
) -> Outcome<Value> {
    let related = related(session, record, &document, Some(id)).await?;
    let Some((stored, version)) = &related.stored else {
        return Err(super::not_found(record.words.replaced, id));
    };
    if record.locking {
        check_version(record, id, stored, &document)?;
    }
    if let Some(transition) = record.hooks.transition {
        transition(stored, &document)?;
    }
    if is_unnumbered(record, &document) {
        document["hrid"] = stored["hrid"].clone();
    }
    let written = (&document, Some(stored));
    listed::refuse_absent(record, written, &related.listed, Doing::Replacing.plain(record))?;
    finish(context, record, &mut document, &related, Some(stored));
    let mut changes: Vec<Statement> = lock::of_documents(record, &[stored, &document]).into_iter().collect();
    changes.extend(listed::locks(record, &[(&document, Some(stored))]));
    changes.push(match insist {
        Insist::No => statements::update(record, id, &document, version),
        Insist::Yes => statements::overwrite(record, id, &document),
    });
    changes.extend(record.hooks.cascade.iter().map(|sql| Statement::new(*sql).uuid(id)));
    changes.extend_from_slice(with);
    // The record that is overwritten without being read may have been in the snapshot.
    let unseen = record.snapshot && insist == Insist::Yes;
    let in_snapshot = unseen || record.is_in_snapshot(stored) || record.is_in_snapshot(&document);
    let change = Change { doing: Doing::Replacing, record, id, document: &document, in_snapshot };
    let dependents = record.hooks.dependents.filter(|found| (found.concerned)(stored, &document));
    match change.write(context, session, changes, dependents).await {
        Err(fault) if fault.status == 409 && record.locking => {
            // Another client was quicker between our read and our write.
            let now = super::find(session, record, id).await?.unwrap_or_default();
            Err(conflict(id, &now, &document))
        }
        other => other.map(|()| document),
    }
}

/// Removes a record; 404 where there is none. Returns what it was.
pub async fn delete(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    id: Uuid,
) -> Outcome<Value> {
    let mut all: Vec<Statement> = lock::of_stored(record, id).into_iter().collect();
    let at = all.len();
    let some = !record.snapshot_only.is_empty();
    all.push(if some { delete_from_some(context, record, id) } else { statements::delete(record, id) });
    let mut more: Vec<Statement> =
        record.hooks.cascade.iter().map(|sql| Statement::new(*sql).uuid(id)).collect();
    more.extend(follow(context, record, id, record.snapshot && !some));
    let naming = listed::naming(context, record);
    let answer = if !naming.is_empty() {
        let locked = session.begin(vec![statements::lock_all(record).uuids(vec![id])]).await?;
        let refusal = match locked[0].is_empty() {
            true => Some(super::not_found(record.words.deleted, id)),
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
    let answer = answer.map_err(|error| fault_of(context, error, Doing::Deleting, record, &document))?;
    let gone: Option<Value> = answer[at].first().map(Row::read);
    tell(context, record, id, gone.as_ref().is_some_and(|gone| record.is_in_snapshot(gone)));
    gone.ok_or_else(|| super::not_found(record.words.deleted, id))
}

/// The ids of all records that a query matches, which a deletion has to have.
pub async fn ids_where(
    session: &mut Session,
    record: &'static RecordType,
    query: Option<&str>,
) -> Outcome<Vec<Uuid>> {
    let found = matching(record, query)?;
    Ok(session.read_once(&found).await?)
}

fn matching(record: &'static RecordType, query: Option<&str>) -> Outcome<Sql> {
    let Some(query) = read_query(query)? else {
        return Err(Fault::bad_request(record.words.no_query));
    };
    Ok(search(record, Some(&query), Page { offset: 0, limit: 0 })?.all)
}

/// Removes every record that a query matches.
pub async fn delete_where(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    query: Option<&str>,
) -> Outcome<()> {
    let mut sql = matching(record, query)?;
    sql.text = format!("delete from {:?} where id in ({})", record.table, sql.text);
    let fault = |error| fault_of(context, error, Doing::DeletingMany, record, &Value::Null);
    let follow = follow_ups(context, record, Uuid::nil());
    if follow.is_empty() {
        return session.once(&sql).await.map(drop).map_err(fault);
    }
    // One transaction: otherwise decisions could be made by records that are already deleted.
    session.begin(Vec::new()).await?;
    if let Err(error) = session.once(&sql).await {
        session.rollback().await?;
        return Err(fault(error));
    }
    session.commit(follow).await?;
    announce(context, record, Uuid::nil());
    Ok(())
}

/// Defaults, schema, the module's own conditions.
pub fn check(record: &RecordType, body: Value) -> Outcome<Value> {
    check_as(record, body, Reading::FromClient)
}

pub(super) fn check_as(record: &RecordType, body: Value, reading: Reading) -> Outcome<Value> {
    let document = of_the_shape(record, body, reading)?;
    refuse_conditions(record, &document)?;
    Ok(document)
}

/// A body with its defaults, once it agrees with the schema.
fn of_the_shape(record: &RecordType, mut body: Value, reading: Reading) -> Outcome<Value> {
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
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

pub(super) async fn agree(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    document: &Value,
) -> Outcome<()> {
    let Some(agree) = record.hooks.agree else { return Ok(()) };
    let snapshot = context.platform.snapshots.with(&context.tenant.id, session).await?;
    let refusals = agree(document, &*snapshot);
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

/// A new record that has passed [`check`], with its id: the one that was sent, otherwise a fresh one.
pub(super) fn identified(context: &Context, record: &RecordType, body: Value) -> Outcome<(Uuid, Value)> {
    with_id(context, record, check(record, body)?)
}

/// The id of a document, which gets a fresh one if it has none.
pub(super) fn with_id(context: &Context, record: &RecordType, mut document: Value) -> Outcome<(Uuid, Value)> {
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
    record.hooks.numbered.is_some() && document["hrid"].as_str().is_none_or(is_blank)
}

/// What a change has to know before it is written: one round trip, none where nothing is needed.
#[derive(Default)]
pub(super) struct Needed {
    pub(super) records: Vec<(&'static str, Value)>,
    pub(super) stored: Option<(Value, String)>,
    pub(super) hrid: Option<String>,
    pub(super) listed: Found,
}

async fn related(
    session: &mut Session,
    record: &'static RecordType,
    document: &Value,
    replaced: Option<Uuid>,
) -> Outcome<Needed> {
    let mut statements = Vec::new();
    let mut fields = Vec::new();
    for name in record.hooks.needs {
        let target = record.references.iter().find(|reference| reference.field == *name);
        let id = document.get(name).and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
        if let (Some(target), Some(id)) = (target, id) {
            fields.push(*name);
            statements.push(
                Statement::new(format!("select doc::text from {:?} where id = $1", target.table)).uuid(id),
            );
        }
    }
    if let Some(id) = replaced {
        statements.push(Statement::new(statements::get_for_change(record)).uuid(id));
    }
    let numbered = record.hooks.numbered.filter(|_| replaced.is_none() && is_unnumbered(record, document));
    if let Some(kind) = numbered {
        statements.push(Statement::new(HRID).text(kind));
    }
    let before = statements.len();
    statements.extend(listed::lookups(record, &[document], Looking::Only));
    if statements.is_empty() {
        return Ok(Needed::default());
    }
    let mut answers = session.batch(statements).await?;
    let listed = listed::found(&answers.split_off(before));
    let hrid = numbered.and_then(|_| answers.pop()).and_then(|rows| Some(rows.first()?.read()));
    let stored = replaced.and_then(|_| answers.pop()).and_then(|rows| Some(rows.first()?.read()));
    let records =
        fields.into_iter().zip(answers).filter_map(|(name, rows)| Some((name, rows.first()?.read())));
    Ok(Needed { records: records.collect(), stored, hrid, listed })
}

/// What the server adds: derived fields, `_version`, `metadata`.
pub(super) fn finish(
    context: &Context,
    record: &RecordType,
    document: &mut Value,
    needed: &Needed,
    stored: Option<&Value>,
) {
    let now = context.now_text();
    record.keep_secrets(document, stored);
    if let Some(derive) = record.hooks.derive {
        derive(
            document,
            &Related {
                records: needed.records.clone(),
                stored,
                now: &now,
                fresh_id: Some(context.platform.entropy.id),
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
        _ => Err(conflict(id, stored, document)),
    }
}

fn conflict(id: Uuid, stored: &Value, document: &Value) -> Fault {
    let sent = document["_version"].as_i64().map_or("null".to_owned(), |version| version.to_string());
    Fault::text(
        409,
        format!(
            "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is {}, _version of request is {sent}",
            stored["_version"]
        ),
    )
}

const HRID: &str = "select next_hrid($1)";

octavo_pg::statements!(hot = [HRID]);
