//! Records by the thousand, as a load brings them: each is checked and completed as `create` does it, all are written by
//! one COPY. What is wrong with one record does not stop the others.

use std::collections::{HashMap, HashSet};

use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Cell, DbError, Row, Session, Statement};
use octavo_record::{Reading, RecordType, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change::{Needed, agree, check, check_as, finish, identified, is_unnumbered, with_id};
use super::faults::{Doing, fault_of};
use super::listed::{self, Found, Looking};
use super::statements;
use super::write::{announce, change_dependent, follow_ups};
use crate::Context;

#[derive(Debug, Clone)]
pub struct Ready {
    pub id: Uuid,
    pub document: Value,
}

/// Checks and completes records of one type; what is refused says why.
pub async fn prepare(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
) -> Outcome<Vec<Outcome<Ready>>> {
    let mut all = Vec::with_capacity(bodies.len());
    for body in bodies {
        let identified = identified(context, record, body);
        all.push(agreed(context, session, record, identified).await);
    }
    completed(session, record, all, |document, related, listed| {
        listed::refuse_absent(record, (document, None), listed, Doing::Creating.plain(record))?;
        finish(context, record, document, related, None);
        Ok(())
    })
    .await
}

/// Checks records that another server kept: `_version`, `metadata`, `hrid` and whatever else a server writes are taken as they come. What is
/// derived from other records is computed anew, as if each record took the place of itself.
pub async fn prepare_kept(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
) -> Outcome<Vec<Outcome<Ready>>> {
    let mut all = Vec::with_capacity(bodies.len());
    let mut kept: HashMap<Uuid, Value> = HashMap::new();
    for mut body in bodies {
        // FOLIO holds nobody to what the schema asks of it: scripts write records without a user.
        let metadata = body.as_object_mut().and_then(|members| members.remove("metadata"));
        let checked = check_as(record, body, Reading::FromServer);
        let identified = checked.and_then(|document| with_id(context, record, document));
        if let (Ok((id, _)), Some(metadata)) = (&identified, metadata) {
            kept.insert(*id, in_one_form(metadata));
        }
        all.push(agreed(context, session, record, identified).await);
    }
    completed(session, record, all, |document, related, _| {
        let before = document.clone();
        finish(context, record, document, related, Some(&before));
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
async fn agreed(
    context: &Context,
    session: &mut Session,
    record: &RecordType,
    identified: Outcome<(Uuid, Value)>,
) -> Outcome<Ready> {
    let (id, document) = identified?;
    agree(context, session, record, &document).await?;
    Ok(Ready { id, document })
}

/// `metadata` with its times as Octavo writes them, without members that are null.
fn in_one_form(mut metadata: Value) -> Value {
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

/// Checked records with their numbers and what `finish` makes of them and of the records that they refer to. Those that are there already are
/// refused.
async fn completed(
    session: &mut Session,
    record: &'static RecordType,
    checked: Vec<Outcome<Ready>>,
    mut finish: impl FnMut(&mut Value, &Needed, &Found) -> Outcome<()>,
) -> Outcome<Vec<Outcome<Ready>>> {
    let mut needed = read_needed(session, record, &checked).await?;
    let there = already_there(session, record, &checked).await?;
    let mut seen = HashSet::new();
    let completed = checked.into_iter().map(|ready| {
        let Ready { id, mut document } = ready?;
        if there.contains(&id) || !seen.insert(id) {
            return Err(Fault::bad_request(format!("a {} with the id {id} is already there", record.name)));
        }
        if is_unnumbered(record, &document) {
            document["hrid"] = json!(needed.hrids.pop());
        }
        let related = needed.of(record, &document);
        finish(&mut document, &related, &needed.listed)?;
        Ok(Ready { id, document })
    });
    Ok(completed.collect())
}

/// A stored record, which the caller has locked, and the body that takes its place.
#[derive(Debug)]
pub struct Replacing {
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
    all: Vec<Replacing>,
) -> Outcome<Vec<Outcome<(Value, Ready)>>> {
    let mut checked = Vec::with_capacity(all.len());
    let mut stored = Vec::with_capacity(all.len());
    for Replacing { id, stored: before, body } in all {
        let replaced = async {
            let mut document = check(record, body)?;
            agree(context, session, record, &document).await?;
            if let Some(transition) = record.hooks.transition {
                transition(&before, &document)?;
            }
            document["id"] = json!(id);
            if record.hooks.numbered.is_some() {
                document["hrid"] = before["hrid"].clone();
            }
            Ok(Ready { id, document })
        };
        checked.push(replaced.await);
        stored.push(before);
    }
    let needed = read_needed(session, record, &checked).await?;
    let completed = checked.into_iter().zip(stored).map(|(ready, before)| {
        let Ready { id, mut document } = ready?;
        let plain = Doing::Replacing.plain(record);
        listed::refuse_absent(record, (&document, Some(&before)), &needed.listed, plain)?;
        let related = needed.of(record, &document);
        finish(context, record, &mut document, &related, Some(&before));
        Ok((before, Ready { id, document }))
    });
    Ok(completed.collect())
}

/// Statements that write records that are ready: new ones, and locked ones with what they were before. They compute anew the records that
/// depend on those, which are read here, so this is called in the transaction of the change, and once for records that depend on the same.
pub async fn statements(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    new: &[&Ready],
    replaced: &[&(Value, Ready)],
) -> Outcome<Vec<Statement>> {
    let created = new.iter().map(|ready| (&ready.document, None));
    let changed = replaced.iter().map(|(before, ready)| (&ready.document, Some(before)));
    let mut all = listed::locks(record, &created.chain(changed).collect::<Vec<_>>());
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
        all.extend(follow_ups(context, record, Uuid::nil()));
    }
    Ok(all)
}

/// The statement that writes what depends on changed records.
async fn dependents(
    session: &mut Session,
    record: &'static RecordType,
    replaced: &[&(Value, Ready)],
) -> Outcome<Option<Statement>> {
    let Some(dependents) = record.hooks.dependents else { return Ok(None) };
    let concerned = replaced.iter().filter(|(before, ready)| (dependents.concerned)(before, &ready.document));
    let concerned: HashMap<Uuid, &Value> = concerned.map(|(_, ready)| (ready.id, &ready.document)).collect();
    if concerned.is_empty() {
        return Ok(None);
    }
    let of_many = statements::dependents_of_many(dependents.of, dependents.field);
    let rows = session.rows(of_many.uuids(concerned.keys().copied().collect())).await?;
    let found = rows.iter().map(Row::read::<(Uuid, Value)>);
    let changed = found.filter_map(|(id, mut document)| {
        let on = concerned.get(&reference(&document, dependents.field)?)?;
        change_dependent(&dependents, &mut document, on);
        Some((id, document))
    });
    let changed: Vec<(Uuid, Value)> = changed.collect();
    Ok((!changed.is_empty()).then(|| statements::overwrite_all(dependents.of, &changed)))
}

/// Writes records that are ready and, in the same transaction, what goes with them. All or nothing.
pub async fn copy(
    context: &Context,
    session: &mut Session,
    batches: &[(&'static RecordType, Vec<&Ready>)],
    also: Vec<Statement>,
) -> Outcome<()> {
    let batches = || batches.iter().filter(|(_, rows)| !rows.is_empty());
    let mut statements: Vec<Statement> =
        batches().flat_map(|(record, _)| follow_ups(context, record, Uuid::nil())).collect();
    statements.extend(also);
    session.begin(Vec::new()).await?;
    for (record, rows) in batches() {
        if let Err(error) = copy_rows(session, record, rows).await {
            session.rollback().await?;
            return Err(in_words(context, error, record, rows));
        }
    }
    let committed = session.commit(statements).await;
    committed.map_err(|error| match batches().next() {
        Some((record, rows)) => in_words(context, error, record, rows),
        None => error.into(),
    })?;
    for (record, _) in batches() {
        announce(context, record, Uuid::nil());
    }
    Ok(())
}

fn in_words(context: &Context, error: DbError, record: &'static RecordType, rows: &[&Ready]) -> Fault {
    let document = rows.first().map_or(&Value::Null, |ready| &ready.document);
    fault_of(context, error, Doing::Creating, record, document)
}

async fn copy_rows(session: &mut Session, record: &RecordType, rows: &[&Ready]) -> Result<(), DbError> {
    let mut copy = session.copy_in(&table_name(record), &["id", "doc"]).await?;
    for ready in rows {
        copy.row(&[Cell::Uuid(ready.id), Cell::Json(&octavo_kernel::json_text(&ready.document))]).await?;
    }
    copy.finish().await.map(drop)
}

/// What completing the records takes: those that they refer to, and numbers.
struct Read {
    records: HashMap<(&'static str, Uuid), Value>,
    hrids: Vec<String>,
    listed: Found,
}

impl Read {
    fn of(&self, record: &RecordType, document: &Value) -> Needed {
        let fields = record.hooks.needs.iter().filter_map(|field| {
            let found = self.records.get(&(*field, reference(document, field)?))?;
            Some((*field, found.clone()))
        });
        Needed { records: fields.collect(), ..Needed::default() }
    }
}

fn reference(document: &Value, field: &str) -> Option<Uuid> {
    document.get(field)?.as_str().and_then(|id| Uuid::parse_str(id).ok())
}

async fn read_needed(
    session: &mut Session,
    record: &'static RecordType,
    checked: &[Outcome<Ready>],
) -> Outcome<Read> {
    let documents = || checked.iter().flatten().map(|ready| &ready.document);
    let mut fields = Vec::new();
    let mut statements = Vec::new();
    for field in record.hooks.needs {
        let Some(target) = record.references.iter().find(|reference| reference.field == *field) else {
            continue;
        };
        let ids: HashSet<Uuid> = documents().filter_map(|document| reference(document, field)).collect();
        fields.push(*field);
        statements.push(
            Statement::new(format!("select id, doc::text from {:?} where id = any($1)", target.table))
                .uuids(ids.into_iter().collect()),
        );
    }
    let unnumbered = documents().filter(|document| is_unnumbered(record, document)).count();
    if let Some(kind) = record.hooks.numbered {
        statements.push(Statement::new(HRIDS).text(kind).long(i64::try_from(unnumbered).unwrap_or(0)));
    }
    let before = statements.len();
    statements.extend(listed::lookups(record, &documents().collect::<Vec<_>>(), Looking::Only));
    let mut answers = session.batch(statements).await?;
    let listed = listed::found(&answers.split_off(before));
    let hrids = record.hooks.numbered.and_then(|_| answers.pop()).unwrap_or_default();
    let mut hrids: Vec<String> = hrids.iter().map(Row::read).collect();
    hrids.reverse();
    let mut records = HashMap::new();
    for (field, rows) in fields.into_iter().zip(answers) {
        for (id, found) in rows.iter().map(Row::read::<(Uuid, Value)>) {
            records.insert((field, id), found);
        }
    }
    Ok(Read { records, hrids, listed })
}

async fn already_there(
    session: &mut Session,
    record: &RecordType,
    checked: &[Outcome<Ready>],
) -> Outcome<HashSet<Uuid>> {
    let ids = checked.iter().flatten().map(|ready| ready.id).collect();
    let sql = format!("select id from {} where id = any($1)", table_name(record));
    let there: Vec<Uuid> = session.read(Statement::new(sql).uuids(ids)).await?;
    Ok(there.into_iter().collect())
}

/// Draws so many numbers (`$2`) of a kind.
pub const HRIDS: &str = "select next_hrid($1) from generate_series(1, $2::int8)";

octavo_pg::statements!(hot = [HRIDS]);
