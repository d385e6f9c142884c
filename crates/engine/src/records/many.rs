//! Many records of one type in one request, all or nothing: two round trips for any number of them.
//!
//! A record with the id of a stored one is refused, or replaces it; then its `_version` must be the stored one's, unless the
//! client says that it does not care. As in FOLIO, records that depend on replaced ones keep their computed fields until they are written themselves.

use std::collections::{HashMap, HashSet};

use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::change::{ChangeInputs, add_server_members, check_version, check_with_id, is_unnumbered};
use super::faults::{RecordOperation, culprit, fault_from_db_error};
use super::listed::{self, Lookup};
use super::load::HRIDS;
use super::statements;
use super::write::{invalidate_caches, notify_statements};
use crate::Context;

/// The most records in one request, as in RAML Module Builder.
const MAX_RECORDS: usize = 10_000;

/// What happens to a record whose id exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfStored {
    Refuse,
    /// The stored record is replaced if `_version` is the same.
    Replace,
    Overwrite,
}

pub async fn create_many(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
    present: IfStored,
) -> Outcome<()> {
    if bodies.len() > MAX_RECORDS {
        let message = format!(
            "Expected a maximum of {MAX_RECORDS} records to prevent out of memory but got {}",
            bodies.len()
        );
        return Err(Fault::text(413, message));
    }
    let mut documents = Vec::with_capacity(bodies.len());
    let mut instants = HashMap::new();
    for body in bodies {
        let sent = sent_instant(record, &body);
        let (id, document) = check_with_id(context, record, body)?;
        instants.extend(sent.map(|instant| (id, instant)));
        documents.push((id, document));
    }
    if documents.is_empty() {
        return Ok(());
    }
    let documents = each_once(documents, present)?;
    let Completed { mut new, replacing } = complete(context, session, record, documents, present).await?;
    for (id, document) in &mut new {
        if let (Some(pointer), Some(sent)) = (record.hooks.batch_instant, instants.get(&*id))
            && let Some(member) = document.pointer_mut(pointer)
        {
            *member = json!(sent);
        }
    }
    let all: Vec<Value> = new.iter().chain(&replacing).map(|(_, document)| document.clone()).collect();
    let mut changes = Vec::new();
    if !replacing.is_empty() {
        changes.push(statements::overwrite_all(record, &replacing));
    }
    if !new.is_empty() {
        changes.push(statements::insert_all(record, &new));
    }
    changes.extend(notify_statements(context, record, Uuid::nil()));
    // The stored records were locked when they were read.
    match session.commit(changes).await {
        Ok(_) => {
            invalidate_caches(context, record, Uuid::nil());
            Ok(())
        }
        Err(error) if error.is_conflict() => Err(Fault::text(409, error.to_string())),
        Err(error) => {
            let document = culprit(&error, &all).cloned().unwrap_or_default();
            Err(fault_from_db_error(context, error, RecordOperation::CreatingMany, record, &document))
        }
    }
}

/// The instant that a client sets in a new record of a batch, if the record type lets it.
fn sent_instant(record: &RecordType, body: &Value) -> Option<String> {
    body.pointer(record.hooks.batch_instant?)?.as_str().and_then(parse_time).map(folio_time)
}

/// The same id twice in a request: the last record overwrites those before, and none replaces another. Where stored
/// records are refused, the database refuses the second.
fn each_once(documents: Vec<(Uuid, Value)>, present: IfStored) -> Outcome<Vec<(Uuid, Value)>> {
    match present {
        IfStored::Refuse => Ok(documents),
        IfStored::Replace => {
            let mut seen = HashSet::new();
            let twice = documents.iter().map(|(id, _)| *id).find(|id| !seen.insert(*id));
            twice.map_or(Ok(documents), |id| {
                let message = "because it is in the request twice (optimistic locking)";
                Err(Fault::text(409, format!("Cannot update record {id} {message}")))
            })
        }
        IfStored::Overwrite => {
            let places = documents.iter().enumerate().map(|(place, (id, _))| (*id, place));
            let last: HashMap<Uuid, usize> = places.collect();
            let kept = documents.into_iter().enumerate();
            let kept = kept.filter(|(place, (id, _))| last.get(id) == Some(place));
            Ok(kept.map(|(_, document)| document).collect())
        }
    }
}

/// Records with all members that the server computes.
#[derive(Default)]
struct Completed {
    new: Vec<(Uuid, Value)>,
    /// Records whose ids are stored already.
    replacing: Vec<(Uuid, Value)>,
}

/// Reads what the records need, in a transaction that stays open, and adds what the server adds.
async fn complete(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    documents: Vec<(Uuid, Value)>,
    present: IfStored,
) -> Outcome<Completed> {
    let ids = match present {
        IfStored::Refuse => Vec::new(),
        IfStored::Replace | IfStored::Overwrite => documents.iter().map(|(id, _)| *id).collect(),
    };
    let references: Vec<_> = record
        .references
        .iter()
        .filter(|reference| record.hooks.derive_references.contains(&reference.field))
        .collect();
    let mut reads = Vec::new();
    for reference in &references {
        let named = documents
            .iter()
            .filter_map(|(_, document)| Uuid::parse_str(document[reference.field].as_str()?).ok());
        reads.push(statements::share_all(reference.table).uuids(named.collect()));
    }
    reads.push(statements::lock_all(record).uuids(ids));
    if let Some(kind) = record.hooks.hrid_setting {
        let unnumbered = documents.iter().filter(|(_, document)| is_unnumbered(record, document)).count();
        reads.push(Statement::new(HRIDS).text(kind).long(unnumbered as i64));
    }
    let before = reads.len();
    let named: Vec<&Value> = documents.iter().map(|(_, document)| document).collect();
    reads.extend(listed::lookup_statements(record, &named, Lookup::Locked));
    let mut answers = session.begin(reads).await?;
    let listed = listed::existing_ids(&answers.split_off(before));
    let mut answers = answers.into_iter();
    let mut read = || -> HashMap<Uuid, Value> {
        let rows = answers.next().unwrap_or_default();
        rows.iter().map(Row::read::<(Uuid, Value)>).collect()
    };
    let related: Vec<_> = references.iter().map(|reference| (reference.field, read())).collect();
    let stored = read();
    let rows = answers.next().unwrap_or_default();
    let mut hrids = rows.iter().map(Row::read::<String>);
    let mut completed = Completed::default();
    for (id, mut document) in documents {
        let before = stored.get(&id);
        let checked = record.locking && present == IfStored::Replace;
        let of_version =
            before.filter(|_| checked).map(|before| check_version(record, id, before, &document));
        let plain = RecordOperation::CreatingMany.answers_plain_text(record);
        let outcome = of_version.unwrap_or(Ok(()));
        if let Err(fault) =
            outcome.and_then(|()| listed::refuse_absent(record, (&document, before), &listed, plain))
        {
            session.rollback().await?;
            return Err(fault);
        }
        if is_unnumbered(record, &document) {
            let drawn = hrids.next();
            document["hrid"] = before.map_or_else(|| json!(drawn), |before| before["hrid"].clone());
        }
        let of = |(field, records): &(&'static str, HashMap<Uuid, Value>)| {
            let id = Uuid::parse_str(document[*field].as_str()?).ok()?;
            Some((*field, records.get(&id)?.clone()))
        };
        let records = related.iter().filter_map(of).collect();
        let needed = ChangeInputs { records, in_batch: true, ..ChangeInputs::default() };
        add_server_members(context, record, &mut document, &needed, before);
        let list = if before.is_some() { &mut completed.replacing } else { &mut completed.new };
        list.push((id, document));
    }
    Ok(completed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_written_once() {
        let [first, second] = [1, 2].map(Uuid::from_u128);
        let sent = || vec![(first, json!("a")), (second, json!("b")), (first, json!("c"))];
        let kept = each_once(sent(), IfStored::Overwrite).unwrap();
        assert_eq!(kept, [(second, json!("b")), (first, json!("c"))]);
        assert_eq!(each_once(sent(), IfStored::Replace).unwrap_err().status, 409);
        let apart = sent()[..2].to_vec();
        assert_eq!(each_once(apart.clone(), IfStored::Replace).unwrap(), apart);
        assert_eq!(each_once(sent(), IfStored::Refuse).unwrap().len(), 3);
    }
}
