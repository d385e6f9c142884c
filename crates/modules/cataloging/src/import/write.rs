//! Writes what the plan makes of records: all of a chunk, table by table, in the caller's transaction.

use std::collections::HashMap;

use octavo_engine::load::{self, Ready, Replacing};
use octavo_engine::{Context, Doing, fault_of, metadata, statements};
use octavo_import::{Entity, JournalEntry, MarcWrite, Write};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_marc::Record;
use octavo_modules_inventory::inventory_storage::PRECEDING_SUCCEEDING_TITLE;
use octavo_modules_inventory::source_records::delete_many;
use octavo_modules_inventory::source_records::keep::{NewRecord, keep};
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Change, Incoming, Job, lookups, marc};
use crate::authorities::links::{self, Link};

/// What the plan makes of one record, with its place in the file.
pub(super) struct Made {
    pub(super) order: i32,
    pub(super) outcome: octavo_import::Outcome,
}

/// In the order in which records refer to each other.
const ENTITIES: [Entity; 4] = [Entity::Instance, Entity::Holdings, Entity::Item, Entity::Authority];

/// Writes it and returns the journal, and what was changed. A record of the inventory that is refused leaves an error in the journal, and what depends on it is
/// left out; what the database refuses is the error of the whole chunk.
pub(super) async fn write(
    context: &Context,
    session: &mut Session,
    job: &Job,
    incoming: &[Incoming],
    made: Vec<Made>,
) -> Outcome<(Vec<JournalEntry>, Vec<Change>)> {
    let mut writing = Writing { is_trial: job.is_trial, ..Writing::default() };
    for entity in ENTITIES {
        writing.lock(session, entity, &made).await?;
    }
    for entity in ENTITIES {
        writing.records(context, session, entity, &made).await?;
    }
    let mut last = writing.titles(context, session, &made).await?;
    last.extend(writing.marc(context, job, incoming, &made));
    last.extend(writing.links(job, &made));
    last.extend(writing.deletes(context, session, &made).await?);
    if !last.is_empty() {
        session.batch(last).await.map_err(|error| refused(context, error))?;
    }
    let journal = made.into_iter().flat_map(|one| one.outcome.journal);
    let journal = journal.map(|entry| writing.told(entry)).collect();
    Ok((journal, writing.changes))
}

#[derive(Default)]
struct Writing {
    is_trial: bool,
    /// The records that are to be changed, as they are stored.
    stored: HashMap<Uuid, Value>,
    /// Records of the inventory that are not written, with the reason.
    refused: HashMap<Uuid, String>,
    changes: Vec<Change>,
}

/// All writes, each with the place of its record in the file.
fn writes(made: &[Made]) -> impl Iterator<Item = (i32, &Write)> {
    made.iter().flat_map(|one| one.outcome.writes.iter().map(|write| (one.order, write)))
}

/// The records of a type that are to be changed: the place in the file, the id, what the change was made from, and what it makes.
fn updates(made: &[Made], entity: Entity) -> impl Iterator<Item = (i32, Uuid, &Value, &Value)> {
    writes(made).filter_map(move |(order, write)| match write {
        Write::Update { entity: of, id, before, document } if *of == entity => {
            Some((order, *id, before, document))
        }
        _ => None,
    })
}

impl Writing {
    /// Locks the records of a type that are to be changed. What somebody has changed since it was read is a conflict: another attempt reads it
    /// anew.
    async fn lock(&mut self, session: &mut Session, entity: Entity, made: &[Made]) -> Outcome<()> {
        let Some(record) = lookups::record_type(entity) else { return Ok(()) };
        let changed: Vec<(Uuid, &Value)> =
            updates(made, entity).map(|(_, id, before, _)| (id, before)).collect();
        self.read(session, record, changed.iter().map(|(id, _)| *id).collect()).await?;
        let is_as_read = |(id, before): &(Uuid, &Value)| {
            self.stored.get(id).is_some_and(|stored| stored["_version"] == before["_version"])
        };
        match changed.iter().all(is_as_read) {
            true => Ok(()),
            false => Err(DbError::changed(record.name).into()),
        }
    }

    async fn read(&mut self, session: &mut Session, record: &RecordType, ids: Vec<Uuid>) -> Outcome<()> {
        if !ids.is_empty() {
            let rows = session.rows(statements::lock_all(record).uuids(ids)).await?;
            self.stored.extend(rows.iter().map(Row::read::<(Uuid, Value)>));
        }
        Ok(())
    }

    /// Writes all records of a type.
    async fn records(
        &mut self,
        context: &Context,
        session: &mut Session,
        entity: Entity,
        made: &[Made],
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
        let new = self.accepted(ids, load::prepare(context, session, record, bodies).await?);
        let ids: Vec<Uuid> = changed.iter().map(|(id, _)| *id).collect();
        if entity == Entity::Item && updates(made, Entity::Holdings).next().is_some() {
            // Items change with their holdings, which have just been written.
            self.read(session, record, ids.clone()).await?;
        }
        let replacing = changed.into_iter().map(|(id, mut body)| {
            let stored = self.stored.remove(&id).ok_or_else(|| DbError::changed(record.name))?;
            body["_version"] = stored["_version"].clone();
            Ok(Replacing { id, stored, body })
        });
        let replacing = replacing.collect::<Outcome<Vec<Replacing>>>()?;
        let changed = self.accepted(ids, load::prepare_replacing(context, session, record, replacing).await?);
        let order = |id: &Uuid| orders.get(id).copied().unwrap_or_default();
        for ready in new.iter().filter(|_| self.is_trial) {
            self.changes.push(change(order(&ready.id), entity, None, ready, true));
        }
        for (before, ready) in &changed {
            self.changes.push(change(order(&ready.id), entity, Some(before), ready, self.is_trial));
        }
        let (new, changed): (Vec<&Ready>, Vec<&(Value, Ready)>) =
            (new.iter().collect(), changed.iter().collect());
        let statements = load::statements(context, session, record, &new, &changed).await?;
        let document = new.first().map(|ready| &ready.document);
        let document = document.or(changed.first().map(|(_, ready)| &ready.document));
        match session.batch(statements).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_conflict() => Err(error.into()),
            Err(error) => {
                Err(fault_of(context, error, Doing::Creating, record, document.unwrap_or(&Value::Null)))
            }
        }
    }

    /// Notes it if the record that this one belongs to was refused.
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

    fn accepted<T>(&mut self, ids: Vec<Uuid>, outcomes: Vec<Outcome<T>>) -> Vec<T> {
        let mut accepted = Vec::with_capacity(outcomes.len());
        for (id, outcome) in ids.into_iter().zip(outcomes) {
            match outcome {
                Ok(ready) => accepted.push(ready),
                Err(fault) => drop(self.refused.insert(id, in_words(&fault))),
            }
        }
        accepted
    }

    /// Statements that put titles before and after instances in place of those that are there.
    async fn titles(
        &self,
        context: &Context,
        session: &mut Session,
        made: &[Made],
    ) -> Outcome<Vec<Statement>> {
        let (mut instances, mut bodies) = (Vec::new(), Vec::new());
        for (_, write) in writes(made) {
            let Write::Titles { instance, preceding, succeeding } = write else { continue };
            if self.refused.contains_key(instance) {
                continue;
            }
            instances.push(*instance);
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
        // A title without a text or an instance is no title; FOLIO leaves it out as well.
        let ready: Vec<Ready> = ready.into_iter().flatten().collect();
        let new: Vec<&Ready> = ready.iter().collect();
        let mut statements = vec![Statement::new(REMOVE_TITLES).uuids(instances)];
        statements.extend(load::statements(context, session, &PRECEDING_SUCCEEDING_TITLE, &new, &[]).await?);
        Ok(statements)
    }

    fn marc(&mut self, context: &Context, job: &Job, incoming: &[Incoming], made: &[Made]) -> Vec<Statement> {
        let raw: HashMap<Uuid, &Incoming> = incoming.iter().map(|one| (one.id, one)).collect();
        let now = context.now_text();
        let marc = writes(made).filter_map(|(order, write)| match write {
            Write::Marc(marc) => Some((order, &**marc)),
            _ => None,
        });
        let kept = marc.filter(|(_, marc)| !marc.describes.is_some_and(|id| self.refused.contains_key(&id)));
        let kept: Vec<(i32, &MarcWrite)> = kept.collect();
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
                kind: marc::kind(*entity)?,
                matched: *matched,
                generation: i64::from(*generation),
                raw: &incoming.raw,
                parsed: record,
                describes: *describes,
                hrid: number.as_deref(),
                suppressed: *suppressed,
                order: Some(incoming.order),
                metadata: metadata(context, None, &now),
            })
        });
        keep(&new.collect::<Vec<_>>())
    }

    /// Links of instances that stay.
    fn links(&self, job: &Job, made: &[Made]) -> Vec<Statement> {
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
            let mut statements = vec![links::note_ended((job.id, order), *instance, &kept)];
            statements.extend(links::put(*instance, &kept));
            statements
        });
        statements.collect()
    }

    async fn deletes(
        &mut self,
        context: &Context,
        session: &mut Session,
        made: &[Made],
    ) -> Outcome<Vec<Statement>> {
        let (mut statements, mut marc) = (Vec::new(), Vec::new());
        for (order, write) in writes(made) {
            let Write::Delete { entity, id } = write else { continue };
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
                None => marc.push(*id),
            }
        }
        if !marc.is_empty() {
            let changed = json!({
                "updatedDate": context.now_text(),
                "updatedByUserId": context.caller.user_id,
            });
            statements.push(delete_many(marc, changed.to_string()));
        }
        Ok(statements)
    }

    /// An entry about a record that was refused tells why.
    fn told(&self, mut entry: JournalEntry) -> JournalEntry {
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

fn change(order: i32, entity: Entity, before: Option<&Value>, ready: &Ready, with_after: bool) -> Change {
    Change {
        order,
        entity,
        id: ready.id,
        before: before.cloned(),
        after: with_after.then(|| ready.document.clone()),
        version: ready.document["_version"].as_i64(),
    }
}

fn refused(context: &Context, error: DbError) -> Fault {
    use octavo_modules_inventory::source_records::SOURCE_RECORD;
    match error.is_conflict() {
        true => error.into(),
        false => fault_of(context, error, Doing::Creating, &SOURCE_RECORD, &Value::Null),
    }
}

fn in_words(fault: &Fault) -> String {
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

octavo_pg::statements!(other = [REMOVE_TITLES]);
