//! What an import job did with the records of its file, and the reasons why some of it cannot be undone.

use std::collections::{BTreeMap, HashMap, HashSet};

use octavo_import::Entity;
use octavo_pg::{Row, Statement};
use octavo_record::table_name;
use serde_json::Value;
use uuid::Uuid;

use crate::import::record_type;

/// The kinds of inventory records, in the order in which they are undone: records that refer to others come first.
pub(super) const ENTITIES: [Entity; 4] =
    [Entity::Item, Entity::Holdings, Entity::Instance, Entity::Authority];

/// What a job did with one record of its file.
#[derive(Default)]
pub(super) struct RecordChanges {
    /// The inventory records that it created.
    pub made: HashMap<Entity, Vec<Uuid>>,
    /// The records that it changed or deleted: their state before, and their version after the change. Of MARC records only those that it
    /// marked as deleted.
    pub changed: Vec<(Entity, Uuid, Value, Option<i64>)>,
    /// The matched ids of the MARC records, and the generations that the job has stored: several if a client has sent several records with
    /// the same position.
    pub marc: Vec<Uuid>,
    pub generations: Vec<Uuid>,
}

/// Statements that read what a job did with the records from position `from` up to, but not including, `to`.
pub(super) fn changes_statements(job: Uuid, from: i64, to: i64) -> [Statement; 2] {
    [MADE, CHANGED].map(|sql| Statement::new(sql).uuid(job).long(from).long(to))
}

/// The changes by the positions of the records. Records with which the job did nothing are left out.
pub(super) fn read_changes(made: &[Row], changed: &[Row]) -> BTreeMap<i64, RecordChanges> {
    let mut all: BTreeMap<i64, RecordChanges> = BTreeMap::new();
    for (place, name, id, source) in made.iter().map(Row::read::<(i64, String, Uuid, Uuid)>) {
        let done = all.entry(place).or_default();
        done.generations.push(source);
        match Entity::from_name(&name) {
            Some(entity) if record_type(entity).is_some() => done.made.entry(entity).or_default().push(id),
            Some(_) => done.marc.push(id),
            None => {}
        }
    }
    type Changed = (i64, String, Uuid, Value, Option<i64>);
    for (place, name, id, before, version) in changed.iter().map(Row::read::<Changed>) {
        let done = all.entry(place).or_default();
        done.changed.extend(Entity::from_name(&name).map(|entity| (entity, id, before, version)));
    }
    for done in all.values_mut() {
        for ids in [&mut done.marc, &mut done.generations] {
            ids.sort_unstable();
            ids.dedup();
        }
        // A record that the job created and then changed counts as created only.
        let made: HashSet<Uuid> = done.made.values().flatten().copied().collect();
        done.changed.retain(|(_, id, ..)| !made.contains(id));
    }
    all
}

impl RecordChanges {
    /// The records of an entity that must still have the version that the job left, with that version.
    fn expected(&self, entity: Entity) -> impl Iterator<Item = (Uuid, Option<i64>)> {
        let made = self.made.get(&entity).into_iter().flatten().map(|id| (*id, Some(1)));
        let changed = self.changed.iter().filter(move |(of, ..)| *of == entity);
        made.chain(changed.map(|(_, id, _, version)| (*id, *version)))
    }

    /// The MARC records that must still be the newest generations: those that the job has stored, and those that it marked as deleted.
    fn marc_records(&self) -> impl Iterator<Item = Uuid> {
        let deleted = self.changed.iter().filter(|(entity, ..)| record_type(*entity).is_none());
        deleted.map(|(_, id, ..)| *id).chain(self.generations.iter().copied())
    }

    pub(super) fn made_ids(&self, entity: Entity) -> Vec<Uuid> {
        self.made.get(&entity).cloned().unwrap_or_default()
    }
}

/// The present state of the records that a job has created or changed.
#[derive(Default)]
pub(super) struct Facts {
    versions: HashMap<Uuid, i64>,
    /// Holdings that have items, and instances that have holdings, which the job did not create.
    with_more: HashSet<Uuid>,
    /// Generations of MARC records that are followed by a newer one.
    superseded: HashSet<Uuid>,
}

/// Whether the records are locked to be undone; a preview instead ignores later changes of the same job.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Undoing,
    Preview(Uuid),
}

impl Facts {
    pub(super) fn statements(all: &[&RecordChanges], purpose: Purpose) -> Vec<Statement> {
        let (lock, job) = match purpose {
            Purpose::Undoing => (" order by id for update", None),
            Purpose::Preview(job) => ("", Some(job)),
        };
        let mut statements = Vec::new();
        for entity in ENTITIES {
            let Some(record) = record_type(entity) else { continue };
            let ids = all.iter().flat_map(|done| done.expected(entity)).map(|(id, _)| id).collect();
            let table = table_name(record);
            let sql = format!(
                "select id, coalesce((doc ->> '_version')::int8, 0) from {table} where id = any($1){lock}"
            );
            statements.push(Statement::new(sql).uuids(ids));
        }
        let made = |entity| all.iter().flat_map(|done| done.made_ids(entity)).collect::<Vec<Uuid>>();
        let more = [
            (MORE_ITEMS, Entity::Holdings, Entity::Item),
            (MORE_HOLDINGS, Entity::Instance, Entity::Holdings),
        ];
        for (sql, above, below) in more {
            statements.push(Statement::new(sql).uuids(made(above)).uuids(made(below)).maybe_uuid(job));
        }
        let generations = all.iter().flat_map(|done| done.marc_records()).collect();
        let matched = all.iter().flat_map(|done| done.marc.iter().copied()).collect();
        statements.push(Statement::new(NEWER_MARC).uuids(generations).uuids(matched).maybe_uuid(job));
        statements
    }

    pub(super) fn from_rows(answers: &[Vec<Row>]) -> Facts {
        let mut facts = Facts::default();
        let versions = ENTITIES.iter().filter(|entity| record_type(**entity).is_some()).count();
        let (with_version, others) = answers.split_at(versions.min(answers.len()));
        facts.versions.extend(with_version.iter().flatten().map(Row::read::<(Uuid, i64)>));
        let ids = |at: usize| others.get(at).into_iter().flatten().map(Row::read::<Uuid>);
        facts.with_more.extend(ids(0).chain(ids(1)));
        facts.superseded.extend(ids(2));
        facts
    }

    /// The reason why a record cannot be undone: its data were changed since, or others were added. `restored`: versions that undoing has
    /// set.
    pub(super) fn obstacle(&self, done: &RecordChanges, restored: &HashMap<Uuid, i64>) -> Option<String> {
        for entity in ENTITIES {
            let as_left = |(id, version): (Uuid, Option<i64>)| {
                let version = restored.get(&id).copied().or(version);
                self.versions.get(&id).copied() == version
            };
            if !done.expected(entity).all(as_left) {
                let name = record_type(entity).map_or("record", |record| record.name);
                return Some(format!("the {name} was changed since, or deleted"));
            }
        }
        let has_more = |entity| done.made_ids(entity).iter().any(|id| self.with_more.contains(id));
        let reason = match () {
            () if has_more(Entity::Holdings) => "its holdings have got more items",
            () if has_more(Entity::Instance) => "its instance has got more holdings",
            () if done.marc_records().any(|id| self.superseded.contains(&id)) => {
                "its MARC record was changed since"
            }
            () => return None,
        };
        Some(reason.to_owned())
    }
}

/// Reads the entities that a job created, each once; of MARC records also those that it changed.
const MADE: &str = "\
select distinct place, entity, entity_id, source
from journal_record
where job = $1
and place >= $2::int8
and place < $3::int8
and error is null
and entity_id is not null
and (action = 'CREATE' or (entity like 'MARC%' and action in ('UPDATE', 'MODIFY', 'DELETE')))";

const CHANGED: &str = "\
select place, entity, id, before, version
from import_change
where job = $1
and place >= $2::int8
and place < $3::int8
and before is not null
order by number desc";

/// Leaves out the records that the job $3 has created, if $3 is given.
const MORE_ITEMS: &str = "\
select distinct i.\"holdingsRecordId\"
from item i
where i.\"holdingsRecordId\" = any($1)
and i.id <> all($2)
and ($3::uuid is null or not exists (
  select from journal_record j
  where j.job = $3 and j.entity = 'ITEM' and j.action = 'CREATE' and j.entity_id = i.id))";

const MORE_HOLDINGS: &str = "\
select distinct h.\"instanceId\"
from holdings_record h
where h.\"instanceId\" = any($1)
and h.id <> all($2)
and ($3::uuid is null or not exists (
  select from journal_record j
  where j.job = $3 and j.entity = 'HOLDINGS' and j.action = 'CREATE' and j.entity_id = h.id))";

const NEWER_MARC: &str = "\
select distinct g.id
from records_lb g
join records_lb n on n.\"matchedId\" = g.\"matchedId\" and n.generation > g.generation
where g.id = any($1)
and g.\"matchedId\" = any($2)
and n.id <> all($1)
and ($3::uuid is null or n.\"snapshotId\" is distinct from $3)";

octavo_pg::statements!(other = [MADE, CHANGED, MORE_ITEMS, MORE_HOLDINGS, NEWER_MARC]);

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    /// The job created an instance (1), holdings (2) and an item (3), and changed the instance 4, which has the version 7 since.
    fn done() -> RecordChanges {
        let made = [(Entity::Instance, 1), (Entity::Holdings, 2), (Entity::Item, 3)];
        RecordChanges {
            made: made.map(|(entity, number)| (entity, vec![id(number)])).into(),
            changed: vec![(Entity::Instance, id(4), Value::Null, Some(7))],
            marc: vec![id(5)],
            generations: vec![id(6)],
        }
    }

    #[test]
    fn what_nobody_has_touched_since_is_undone() {
        let as_left = || vec![(1, 1), (2, 1), (3, 1), (4, 7)];
        type Case = (Vec<(u128, i64)>, Vec<u128>, Vec<u128>, Vec<(u128, i64)>, Option<&'static str>);
        let cases: Vec<Case> = vec![
            (as_left(), vec![], vec![], vec![], None),
            (
                vec![(1, 1), (2, 1), (4, 7)],
                vec![],
                vec![],
                vec![],
                Some("the item was changed since, or deleted"),
            ),
            (
                vec![(1, 1), (2, 2), (3, 1), (4, 7)],
                vec![],
                vec![],
                vec![],
                Some("the holdings record was changed since, or deleted"),
            ),
            (
                vec![(1, 1), (2, 1), (3, 1), (4, 8)],
                vec![],
                vec![],
                vec![],
                Some("the instance was changed since, or deleted"),
            ),
            (vec![(1, 1), (2, 1), (3, 1), (4, 8)], vec![], vec![], vec![(4, 8)], None),
            (as_left(), vec![2], vec![], vec![], Some("its holdings have got more items")),
            (as_left(), vec![1], vec![], vec![], Some("its instance has got more holdings")),
            (as_left(), vec![], vec![6], vec![], Some("its MARC record was changed since")),
            (as_left(), vec![9], vec![9], vec![], None),
        ];
        for (versions, with_more, followed, restored, expected) in cases {
            let by_id = |pairs: &[(u128, i64)]| {
                pairs.iter().map(|(number, version)| (id(*number), *version)).collect()
            };
            let facts = Facts {
                versions: by_id(&versions),
                with_more: with_more.iter().copied().map(id).collect(),
                superseded: followed.iter().copied().map(id).collect(),
            };
            let reason = facts.obstacle(&done(), &by_id(&restored));
            assert_eq!(reason.as_deref(), expected, "{versions:?} {with_more:?} {followed:?} {restored:?}");
        }
    }
}
