//! Changes the instances of one batch.

use std::collections::HashMap;

use octavo_engine::{Context, load, statements};
use octavo_kernel::Outcome;
use octavo_marc::{Field, Kind, Record, Subfield};
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::{Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::{BatchOutcome, HeadingChange};
use crate::authorities::control::{Heading, number_with_base_url, update_linked_fields};
use crate::authorities::rules::rule_by_id;
use crate::current::{self, CurrentRecord, NextGeneration};
use crate::described::merge_mapped;
use crate::mapping::Mappers;
use crate::words::fault_message;

/// The data of the authority for the linked fields, or the reason why they cannot be changed.
pub(super) struct Authority {
    id: String,
    record: Result<Option<Record>, String>,
    number: Option<String>,
    is_deleted: bool,
}

impl Authority {
    pub(super) fn from_change(
        change: &HeadingChange,
        stored: Option<(Value, Option<String>)>,
        marc: Option<CurrentRecord>,
        mappers: &Mappers,
    ) -> Authority {
        let id = change.authority.to_string();
        if change.unlinks {
            return Authority { id, record: Ok(None), number: None, is_deleted: true };
        }
        let Some((document, base_url)) = stored else {
            let reason = format!("Authority with ID [{id}] was not found");
            return Authority { id, record: Err(reason), number: None, is_deleted: false };
        };
        let number = document["naturalId"].as_str().filter(|_| change.renumbers);
        let number = number.map(|number| number_with_base_url(number, base_url.as_deref()));
        let record = match change.renames {
            false => Ok(None),
            true => heading_record(&document, marc, mappers)
                .map(Some)
                .ok_or_else(|| format!("Source record not found for [authorityId: {id}]")),
        };
        Authority { id, record, number, is_deleted: false }
    }
}

/// The MARC record of an authority. If it has none, or one with another heading, a record with the heading in one subfield.
fn heading_record(document: &Value, marc: Option<CurrentRecord>, mappers: &Mappers) -> Option<Record> {
    let (member, tag) = HEADINGS.into_iter().find(|(member, _)| document[*member].is_string())?;
    if let Some(marc) = marc {
        let mapped = mappers.for_kind(Kind::Authority).map(&marc.record);
        if mapped.is_ok_and(|mapped| mapped.record[member] == document[member]) {
            return Some(marc.record);
        }
    }
    let value = document[member].as_str()?.to_owned();
    let subfields = vec![Subfield { code: 'a', value }];
    let field = Field::Data { tag: tag.to_owned(), indicators: [' ', ' '], subfields };
    Some(Record { fields: vec![field], ..Record::default() })
}

const HEADINGS: [(&str, &str); 10] = [
    ("personalName", "100"),
    ("personalNameTitle", "100"),
    ("corporateName", "110"),
    ("corporateNameTitle", "110"),
    ("meetingName", "111"),
    ("meetingNameTitle", "111"),
    ("uniformTitle", "130"),
    ("topicalTerm", "150"),
    ("geographicName", "151"),
    ("genreTerm", "155"),
];

/// Instances that are changed in one transaction.
pub(super) struct Batch<'a> {
    pub(super) context: &'a Context,
    /// The id of the change; new MARC records have it as the id of their snapshot.
    pub(super) change: Uuid,
    pub(super) authority: &'a Authority,
    /// The rules by which each instance is linked.
    pub(super) rules: &'a HashMap<Uuid, Vec<i64>>,
    pub(super) mappers: &'a Mappers,
}

impl Batch<'_> {
    /// Locks the instances and prepares their changes. Returns the statements that write them, and the result of each instance.
    pub(super) async fn change_instances(
        &self,
        session: &mut Session,
        ids: Vec<Uuid>,
    ) -> Outcome<(Vec<Statement>, BatchOutcome)> {
        let context = self.context;

        let mut came = BatchOutcome::default();
        let locks =
            vec![statements::lock_all(&INSTANCE).uuids(ids.clone()), current::lock_statement(ids.clone())];
        let answers = session.batch(locks).await?;
        let mut stored: HashMap<Uuid, Value> = answers[0]
            .iter()
            .map(Row::read::<(Uuid, Option<Value>)>)
            .filter_map(|(id, document)| Some((id, document?)))
            .collect();
        let current = current::from_rows(&answers[1]);
        let mut current: HashMap<Uuid, CurrentRecord> = current
            .into_iter()
            .filter(|one| one.kind == Kind::Bibliographic && !one.deleted)
            .map(|one| (one.described, one))
            .collect();
        let mut replacing = Vec::new();
        let mut kept = Vec::new();
        for id in ids {
            let changed = match (stored.remove(&id), current.remove(&id)) {
                (Some(stored), Some(before)) => {
                    change_record(context, self.authority, &self.rules[&id], &before).and_then(|record| {
                        // The number in 001 is the instance's own hrid, which is none of its identifiers.
                        let mapper = self.mappers.for_kind(Kind::Bibliographic);
                        let mapped = mapper.map_with_own_number(&record)?.record;
                        Ok((stored, before, record, mapped))
                    })
                }
                (None, _) => Err("The instance is not there".to_owned()),
                (_, None) => Err("The instance has no MARC record".to_owned()),
            };
            match changed {
                Err(reason) => came.failed.push((id, reason)),
                Ok((stored, before, record, mapped)) => {
                    let body = merge_mapped(Kind::Bibliographic, &stored, mapped);
                    replacing.push(load::Replacement { id, stored, body });
                    kept.push((before, record));
                }
            }
        }
        let prepared = load::prepare_replacing(context, session, &INSTANCE, replacing).await?;
        let mut ready = Vec::new();
        for (prepared, (before, record)) in prepared.into_iter().zip(kept) {
            match prepared {
                Ok(prepared) => ready.push((prepared, before, record)),
                Err(fault) => came.failed.push((before.described, fault_message(&fault.body))),
            }
        }
        came.updated = ready.iter().map(|(_, before, _)| before.described).collect();
        if ready.is_empty() {
            return Ok((Vec::new(), came));
        }
        let pairs: Vec<_> = ready.iter().map(|(pair, _, _)| pair).collect();
        let mut written = load::statements(context, session, &INSTANCE, &[], &pairs).await?;
        let next: Vec<NextGeneration<'_>> = ready
            .iter()
            .map(|((_, instance), before, record)| NextGeneration {
                id: context.fresh_id(),
                before,
                record,
                hrid: instance.document["hrid"].as_str().unwrap_or_default(),
                suppressed: before.suppressed,
            })
            .collect();
        written.extend(current::insert_next_statements(context, self.change, &next));
        Ok((written, came))
    }
}

/// A bibliographic record with its linked fields changed.
fn change_record(
    context: &Context,
    authority: &Authority,
    rules: &[i64],
    before: &CurrentRecord,
) -> Result<Record, String> {
    let record = authority.record.as_ref().map_err(Clone::clone)?;
    let heading = match authority.is_deleted {
        true => Heading::Deleted,
        false => Heading::Current { record: record.as_ref(), number: authority.number.as_deref() },
    };
    let mut changed = before.record.clone();
    let (mut found, mut why) = (false, None);
    // If the heading no longer fits the rule of one link, that field stays as it is and the other fields are changed.
    for rule in rules.iter().filter_map(|id| rule_by_id(*id)) {
        match update_linked_fields(&mut changed, rule, &authority.id, &heading) {
            Ok(changed) => found |= changed,
            Err(reason) => why = Some(reason),
        }
    }
    if !found && !authority.is_deleted {
        let nothing = || format!("The MARC record has no field with subfield 9 {}", authority.id);
        return Err(why.unwrap_or_else(nothing));
    }
    current::set_change_time(&mut changed, context.now);
    Ok(changed)
}
