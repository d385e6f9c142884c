//! Writes the results of the plan for all records of a chunk, table by table, in the caller's transaction.

use std::collections::{HashMap, HashSet};

use octavo_engine::load::{self, PreparedRecord, Replacement};
use octavo_engine::{Context, RecordOperation, fault_from_db_error, metadata, statements};
use octavo_import::{Entity, JournalEntry, MarcWrite, Write};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_marc::Record;
use octavo_modules_inventory::inventory_storage::PRECEDING_SUCCEEDING_TITLE;
use octavo_modules_inventory::source_records::delete_matched_statement;
use octavo_modules_inventory::source_records::keep::{NewRecord, insert_generation_statements};
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Change, Incoming, Job, lookups, marc, titles};
use crate::authorities::links::{self, Link};

/// The result of the plan for one record, with its position in the file.
pub(super) struct PlannedRecord {
    pub(super) order: i32,
    pub(super) outcome: octavo_import::Outcome,
}

/// The kinds of records, in the order in which they refer to each other.
const ENTITIES: [Entity; 4] = [Entity::Instance, Entity::Holdings, Entity::Item, Entity::Authority];

/// Writes the results. Returns the journal and the changes. An inventory record that is refused gets an error in the journal, and records
/// that depend on it are left out; an error of the database fails the whole chunk.
pub(super) async fn write(
    context: &Context,
    session: &mut Session,
    job: &Job,
    incoming: &[Incoming],
    made: Vec<PlannedRecord>,
) -> Outcome<(Vec<JournalEntry>, Vec<Change>)> {
    let mut writing = ChunkWriter { is_trial: job.is_trial, ..ChunkWriter::default() };
    for entity in ENTITIES {
        writing.lock_records(session, entity, &made).await?;
    }
    for entity in ENTITIES {
        writing.write_records(context, session, entity, &made).await?;
    }
    let mut last = writing.title_statements(context, session, job, &made).await?;
    last.extend(writing.marc_statements(context, job, incoming, &made));
    last.extend(writing.link_statements(job, &made));
    last.extend(writing.delete_statements(context, session, job, &made).await?);
    if !last.is_empty() {
        session.batch(last).await.map_err(|error| source_record_fault(context, error))?;
    }
    let journal = made.into_iter().flat_map(|one| one.outcome.journal);
    let journal = journal.map(|entry| writing.with_refusal(entry)).collect();
    Ok((journal, writing.changes))
}

#[derive(Default)]
struct ChunkWriter {
    is_trial: bool,
    /// The records that are to be changed, as they are stored, by id.
    stored: HashMap<Uuid, Value>,
    /// The inventory records that are not written, with the reason; and the matched ids of the MARC records that describe them.
    refused: HashMap<Uuid, String>,
    changes: Vec<Change>,
}

/// All writes, each with the position of its record in the file.
fn writes(made: &[PlannedRecord]) -> impl Iterator<Item = (i32, &Write)> {
    made.iter().flat_map(|one| one.outcome.writes.iter().map(|write| (one.order, write)))
}

/// The updates of an entity: the position in the file, the id, the record before the change, and the record after it.
fn updates(made: &[PlannedRecord], entity: Entity) -> impl Iterator<Item = (i32, Uuid, &Value, &Value)> {
    writes(made).filter_map(move |(order, write)| match write {
        Write::Update { entity: of, id, before, document } if *of == entity => {
            Some((order, *id, before, document))
        }
        _ => None,
    })
}

/// Statements that lock the records from which members of the changed records are derived. Whoever changes such a record locks it before
/// what is derived from it.
fn share_references(record: &RecordType, entity: Entity, made: &[PlannedRecord]) -> Vec<Statement> {
    let derived = |field: &str| record.hooks.derive_references.contains(&field);
    let references = record.references.iter().filter(|reference| derived(reference.field));
    let share = references.map(|reference| {
        let documents = updates(made, entity).flat_map(|(_, _, before, after)| [before, after]);
        let named =
            documents.filter_map(|document| Uuid::parse_str(document[reference.field].as_str()?).ok());
        statements::share_all(reference.table).uuids(named.collect())
    });
    share.collect()
}

impl ChunkWriter {
    /// Locks the records of an entity that are to be changed. If one has changed since it was read, that is a conflict: the caller tries
    /// again with the new state.
    async fn lock_records(
        &mut self,
        session: &mut Session,
        entity: Entity,
        made: &[PlannedRecord],
    ) -> Outcome<()> {
        let Some(record) = lookups::record_type(entity) else { return Ok(()) };
        let changed: Vec<(Uuid, &Value)> =
            updates(made, entity).map(|(_, id, before, _)| (id, before)).collect();
        let shared = share_references(record, entity, made);
        if !changed.is_empty() && !shared.is_empty() {
            session.batch(shared).await?;
        }
        self.read_stored(session, record, changed.iter().map(|(id, _)| *id).collect()).await?;
        let is_as_read = |(id, before): &(Uuid, &Value)| {
            self.stored.get(id).is_some_and(|stored| stored["_version"] == before["_version"])
        };
        match changed.iter().all(is_as_read) {
            true => Ok(()),
            false => Err(DbError::conflict(record.name).into()),
        }
    }

    async fn read_stored(
        &mut self,
        session: &mut Session,
        record: &RecordType,
        ids: Vec<Uuid>,
    ) -> Outcome<()> {
        if !ids.is_empty() {
            let rows = session.rows(statements::lock_all(record).uuids(ids)).await?;
            self.stored.extend(rows.iter().map(Row::read::<(Uuid, Value)>));
        }
        Ok(())
    }

    /// Writes all records of a type.
    async fn write_records(
        &mut self,
        context: &Context,
        session: &mut Session,
        entity: Entity,
        made: &[PlannedRecord],
    ) -> Outcome<()> {
        let Some(record) = lookups::record_type(entity) else { return Ok(()) };
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        let mut orders = HashMap::new();
        for (order, write) in writes(made) {
            match write {
                Write::Create { entity: of, id, document }
                    if *of == entity && !self.lacks_what_it_refers_to(*id, document) =>
                {
                    orders.insert(*id, order);
                    new.push((*id, document.clone()));
                }
                _ => {}
            }
        }
        for (order, id, _, document) in updates(made, entity) {
            orders.insert(id, order);
            changed.push((id, document.clone()));
        }
        if new.is_empty() && changed.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = new.iter().map(|(id, _)| *id).collect();
        let bodies = new.into_iter().map(|(_, document)| document).collect();
        let new = self.collect_accepted(ids, load::prepare(context, session, record, bodies).await?);
        let ids: Vec<Uuid> = changed.iter().map(|(id, _)| *id).collect();
        if entity == Entity::Item && updates(made, Entity::Holdings).next().is_some() {
            // Writing the holdings has also changed the values that their items inherit, so the items are read again.
            self.read_stored(session, record, ids.clone()).await?;
        }
        let replacing = changed.into_iter().map(|(id, mut body)| {
            let stored = self.stored.remove(&id).ok_or_else(|| DbError::conflict(record.name))?;
            body["_version"] = stored["_version"].clone();
            Ok(Replacement { id, stored, body })
        });
        let replacing = replacing.collect::<Outcome<Vec<Replacement>>>()?;
        let changed =
            self.collect_accepted(ids, load::prepare_replacing(context, session, record, replacing).await?);
        let order = |id: &Uuid| orders.get(id).copied().unwrap_or_default();
        for ready in new.iter().filter(|_| self.is_trial) {
            self.changes.push(new_change(order(&ready.id), entity, None, ready, true));
        }
        for (before, ready) in &changed {
            self.changes.push(new_change(order(&ready.id), entity, Some(before), ready, self.is_trial));
        }
        let (new, changed): (Vec<&PreparedRecord>, Vec<&(Value, PreparedRecord)>) =
            (new.iter().collect(), changed.iter().collect());
        let statements = load::statements(context, session, record, &new, &changed).await?;
        let document = new.first().map(|ready| &ready.document);
        let document = document.or(changed.first().map(|(_, ready)| &ready.document));
        match session.batch(statements).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_conflict() => Err(error.into()),
            Err(error) => Err(fault_from_db_error(
                context,
                error,
                RecordOperation::Creating,
                record,
                document.unwrap_or(&Value::Null),
            )),
        }
    }

    /// Returns whether the record that this one belongs to was refused; then this one counts as refused too.
    fn lacks_what_it_refers_to(&mut self, id: Uuid, document: &Value) -> bool {
        let mut refers = ["instanceId", "holdingsRecordId"].iter().filter_map(|name| {
            let id = Uuid::parse_str(document[*name].as_str()?).ok()?;
            self.refused.get(&id).cloned()
        });
        let why = refers.next_back();
        let lacks = why.is_some();
        self.refused.extend(why.map(|why| (id, why)));
        lacks
    }

    fn collect_accepted<T>(&mut self, ids: Vec<Uuid>, outcomes: Vec<Outcome<T>>) -> Vec<T> {
        let mut accepted = Vec::with_capacity(outcomes.len());
        for (id, outcome) in ids.into_iter().zip(outcomes) {
            match outcome {
                Ok(ready) => accepted.push(ready),
                Err(fault) => drop(self.refused.insert(id, fault_text(&fault))),
            }
        }
        accepted
    }

    /// Statements that replace the preceding and succeeding titles of instances.
    async fn title_statements(
        &self,
        context: &Context,
        session: &mut Session,
        job: &Job,
        made: &[PlannedRecord],
    ) -> Outcome<Vec<Statement>> {
        let changed: HashSet<Uuid> = updates(made, Entity::Instance).map(|(_, id, ..)| id).collect();
        let (mut instances, mut replaced, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        for (order, write) in writes(made) {
            let Write::Titles { instance, preceding, succeeding } = write else { continue };
            if self.refused.contains_key(instance) {
                continue;
            }
            instances.push(*instance);
            if changed.contains(instance) {
                replaced.push((*instance, order));
            }
            for (titles, side) in [(preceding, "succeedingInstanceId"), (succeeding, "precedingInstanceId")] {
                for title in titles {
                    let mut body = title.clone();
                    body[side] = json!(instance);
                    bodies.push(body);
                }
            }
        }
        if instances.is_empty() {
            return Ok(Vec::new());
        }
        let ready = load::prepare(context, session, &PRECEDING_SUCCEEDING_TITLE, bodies).await?;
        // A title without text or instance is left out, as in FOLIO.
        let ready: Vec<PreparedRecord> = ready.into_iter().flatten().collect();
        let new: Vec<&PreparedRecord> = ready.iter().collect();
        let mut statements = Vec::new();
        if !replaced.is_empty() {
            statements.push(titles::note_removed_statement(job.id, &replaced));
        }
        statements.push(Statement::new(REMOVE_TITLES).uuids(instances));
        statements.extend(load::statements(context, session, &PRECEDING_SUCCEEDING_TITLE, &new, &[]).await?);
        if !replaced.is_empty() {
            statements.push(titles::note_made_statement(job.id, &replaced));
        }
        Ok(statements)
    }

    fn marc_statements(
        &mut self,
        context: &Context,
        job: &Job,
        incoming: &[Incoming],
        made: &[PlannedRecord],
    ) -> Vec<Statement> {
        let raw: HashMap<Uuid, &Incoming> = incoming.iter().map(|one| (one.id, one)).collect();
        let now = context.now_text();
        let mut kept: Vec<(i32, &MarcWrite)> = Vec::new();
        let mut left_out = Vec::new();
        for (order, write) in writes(made) {
            let Write::Marc(marc) = write else { continue };
            match marc.describes.and_then(|id| self.refused.get(&id)) {
                Some(why) => left_out.push((marc.matched, why.clone())),
                None => kept.push((order, &**marc)),
            }
        }
        // The log has the reason for the MARC record, too.
        self.refused.extend(left_out);
        if self.is_trial {
            self.changes.extend(kept.iter().map(|(order, marc)| Change {
                order: *order,
                entity: marc.entity,
                id: marc.matched,
                before: marc.before.as_ref().map(Record::to_json),
                after: Some(marc.record.to_json()),
                version: None,
            }));
        }
        let new = kept.into_iter().filter_map(|(_, marc)| {
            let MarcWrite { entity, id, matched, generation, describes, number, suppressed, record, .. } =
                marc;
            let incoming = raw.get(id)?;
            Some(NewRecord {
                id: *id,
                snapshot: job.id,
                kind: marc::kind_of_entity(*entity)?,
                matched_id: *matched,
                generation: i64::from(*generation),
                raw: &incoming.raw,
                parsed: record,
                described_id: *describes,
                hrid: number.as_deref(),
                suppressed: *suppressed,
                order: Some(incoming.order),
                metadata: metadata(context, None, &now),
            })
        });
        insert_generation_statements(&new.collect::<Vec<_>>())
    }

    /// Statements that keep the links of instances that remain, and remove the others.
    fn link_statements(&self, job: &Job, made: &[PlannedRecord]) -> Vec<Statement> {
        let kept = writes(made).filter_map(|(order, write)| match write {
            Write::KeepLinks { instance, links } if !self.refused.contains_key(instance) => {
                Some((order, instance, links))
            }
            _ => None,
        });
        let statements = kept.flat_map(|(order, instance, kept)| {
            let kept =
                kept.iter().filter_map(|link| Some((Uuid::parse_str(&link.authority).ok()?, link.rule)));
            let kept: Vec<Link> = kept.collect();
            let mut statements = vec![links::note_ended_statement((job.id, order), *instance, &kept)];
            statements.extend(links::replace_statements(*instance, &kept));
            statements
        });
        statements.collect()
    }

    async fn delete_statements(
        &mut self,
        context: &Context,
        session: &mut Session,
        job: &Job,
        made: &[PlannedRecord],
    ) -> Outcome<Vec<Statement>> {
        let mut statements = Vec::new();
        let mut marc: HashMap<Uuid, (i32, Entity)> = HashMap::new();
        for (order, write) in writes(made) {
            let Write::Delete { entity, id } = write else { continue };
            if *entity == Entity::Authority {
                statements.push(links::note_ended_of_authority_statement((job.id, order), *id));
            }
            match lookups::record_type(*entity) {
                Some(record) => {
                    let stored = session.rows(statements::lock_all(record).uuids(vec![*id])).await?;
                    let before = stored.first().map(|row| row.read::<(Uuid, Value)>().1);
                    self.changes.push(Change {
                        order,
                        entity: *entity,
                        id: *id,
                        before,
                        after: None,
                        version: None,
                    });
                    statements.push(statements::delete(record, *id));
                }
                None => {
                    marc.insert(*id, (order, *entity));
                }
            }
        }
        if !marc.is_empty() {
            let matched: Vec<Uuid> = marc.keys().copied().collect();
            let stored = session.rows(Statement::new(CURRENT_MARC).uuids(matched.clone())).await?;
            for (id, matched, before) in stored.iter().map(Row::read::<(Uuid, Uuid, Value)>) {
                let Some((order, entity)) = marc.get(&matched).copied() else { continue };
                let before = Some(before);
                self.changes.push(Change { order, entity, id, before, after: None, version: None });
            }
            let changed = json!({
                "updatedDate": context.now_text(),
                "updatedByUserId": context.caller.user_id,
            });
            statements.push(delete_matched_statement(matched, changed.to_string()));
        }
        Ok(statements)
    }

    /// Adds the reason to a journal entry whose record was refused.
    fn with_refusal(&self, mut entry: JournalEntry) -> JournalEntry {
        let about = [entry.entity_id, entry.holdings, entry.instance].into_iter().flatten();
        let why = about.filter_map(|id| self.refused.get(&id)).next();
        if let Some(why) = why
            && entry.error.is_none()
        {
            entry.error = Some(why.clone());
            (entry.entity_id, entry.entity_hrid) = (None, None);
        }
        entry
    }
}

fn new_change(
    order: i32,
    entity: Entity,
    before: Option<&Value>,
    ready: &PreparedRecord,
    with_after: bool,
) -> Change {
    Change {
        order,
        entity,
        id: ready.id,
        before: before.cloned(),
        after: with_after.then(|| ready.document.clone()),
        version: ready.document["_version"].as_i64(),
    }
}

fn source_record_fault(context: &Context, error: DbError) -> Fault {
    use octavo_modules_inventory::source_records::SOURCE_RECORD;
    match error.is_conflict() {
        true => error.into(),
        false => fault_from_db_error(context, error, RecordOperation::Creating, &SOURCE_RECORD, &Value::Null),
    }
}

fn fault_text(fault: &Fault) -> String {
    match &fault.body {
        Body::Refusals(refusals) => {
            let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
            messages.join("; ")
        }
        Body::Text(_) | Body::Json(_) => fault.body.render(),
    }
}

const REMOVE_TITLES: &str = "\
delete from preceding_succeeding_title
where \"precedingInstanceId\" = any($1)
or \"succeedingInstanceId\" = any($1)";

/// Reads and locks the MARC records that [`delete_matched_statement`] marks as deleted.
const CURRENT_MARC: &str = "\
select r.id, r.\"matchedId\", r.doc::text
from records_lb r
where r.\"matchedId\" = any($1)
and r.state = 'ACTUAL'
order by r.id
for update";

octavo_pg::statements!(other = [REMOVE_TITLES, CURRENT_MARC]);
