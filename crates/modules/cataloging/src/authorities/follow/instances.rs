//! What becomes of the instances of one batch.

use std::collections::HashMap;

use octavo_engine::{Context, load, statements};
use octavo_kernel::Outcome;
use octavo_marc::{Field, Kind, Record, Subfield};
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::{Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::{Came, Change};
use crate::authorities::control::{Heading, follow, number_of};
use crate::authorities::rules::rule;
use crate::current::{self, Current, Next};
use crate::described::merged;
use crate::mapping::Mappers;
use crate::words::said;

/// The authority as linked fields are to show it, or why they cannot.
pub(super) struct Authority {
    id: String,
    record: Result<Option<Record>, String>,
    number: Option<String>,
    gone: bool,
}

impl Authority {
    pub(super) fn of(
        change: &Change,
        stored: Option<(Value, Option<String>)>,
        marc: Option<Current>,
        mappers: &Mappers,
    ) -> Authority {
        let id = change.authority.to_string();
        if change.unlinks {
            return Authority { id, record: Ok(None), number: None, gone: true };
        }
        let Some((document, base_url)) = stored else {
            let reason = format!("Authority with ID [{id}] was not found");
            return Authority { id, record: Err(reason), number: None, gone: false };
        };
        let number = document["naturalId"].as_str().filter(|_| change.renumbers);
        let number = number.map(|number| number_of(number, base_url.as_deref()));
        let record = match change.renames {
            false => Ok(None),
            true => heading(&document, marc, mappers)
                .map(Some)
                .ok_or_else(|| format!("Source record not found for [authorityId: {id}]")),
        };
        Authority { id, record, number, gone: false }
    }
}

/// The MARC record of an authority; where it has none, or one that says another heading, the heading as one subfield.
fn heading(document: &Value, marc: Option<Current>, mappers: &Mappers) -> Option<Record> {
    let (member, tag) = HEADINGS.into_iter().find(|(member, _)| document[*member].is_string())?;
    if let Some(marc) = marc {
        let mapped = mappers.of(Kind::Authority).map(&marc.record);
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
    /// The id of the change, which is that of the snapshot of new MARC records too.
    pub(super) change: Uuid,
    pub(super) authority: &'a Authority,
    /// The rules by which each instance is linked.
    pub(super) rules: &'a HashMap<Uuid, Vec<i64>>,
    pub(super) mappers: &'a Mappers,
}

impl Batch<'_> {
    /// Locks the instances and changes them and their MARC records: the statements that write them, and what came of each.
    pub(super) async fn written(
        &self,
        session: &mut Session,
        ids: Vec<Uuid>,
    ) -> Outcome<(Vec<Statement>, Came)> {
        let context = self.context;

        let mut came = Came::default();
        let locks = vec![statements::lock_all(&INSTANCE).uuids(ids.clone()), current::lock(ids.clone())];
        let answers = session.batch(locks).await?;
        let mut stored: HashMap<Uuid, Value> = answers[0]
            .iter()
            .map(Row::read::<(Uuid, Option<Value>)>)
            .filter_map(|(id, document)| Some((id, document?)))
            .collect();
        let current = current::of_rows(&answers[1]);
        let mut current: HashMap<Uuid, Current> = current
            .into_iter()
            .filter(|one| one.kind == Kind::Bibliographic && !one.deleted)
            .map(|one| (one.described, one))
            .collect();
        let mut replacing = Vec::new();
        let mut kept = Vec::new();
        for id in ids {
            let changed = match (stored.remove(&id), current.remove(&id)) {
                (Some(stored), Some(before)) => changed(context, self.authority, &self.rules[&id], &before)
                    .and_then(|record| {
                        let mapped = self.mappers.of(Kind::Bibliographic).map(&record)?.record;
                        Ok((stored, before, record, mapped))
                    }),
                (None, _) => Err("The instance is not there".to_owned()),
                (_, None) => Err("The instance has no MARC record".to_owned()),
            };
            match changed {
                Err(reason) => came.failed.push((id, reason)),
                Ok((stored, before, record, mapped)) => {
                    let body = merged(Kind::Bibliographic, &stored, mapped);
                    replacing.push(load::Replacing { id, stored, body });
                    kept.push((before, record));
                }
            }
        }
        let prepared = load::prepare_replacing(context, session, &INSTANCE, replacing).await?;
        let mut ready = Vec::new();
        for (prepared, (before, record)) in prepared.into_iter().zip(kept) {
            match prepared {
                Ok(prepared) => ready.push((prepared, before, record)),
                Err(fault) => came.failed.push((before.described, said(&fault.body))),
            }
        }
        came.updated = ready.iter().map(|(_, before, _)| before.described).collect();
        if ready.is_empty() {
            return Ok((Vec::new(), came));
        }
        let pairs: Vec<_> = ready.iter().map(|(pair, _, _)| pair).collect();
        let mut written = load::statements(context, session, &INSTANCE, &[], &pairs).await?;
        let next: Vec<Next<'_>> = ready
            .iter()
            .map(|((_, instance), before, record)| Next {
                id: context.fresh_id(),
                before,
                record,
                hrid: instance.document["hrid"].as_str().unwrap_or_default(),
                suppressed: before.suppressed,
            })
            .collect();
        written.extend(current::keep_next(context, self.change, &next));
        Ok((written, came))
    }
}

/// A bibliographic record with its linked fields changed.
fn changed(
    context: &Context,
    authority: &Authority,
    rules: &[i64],
    before: &Current,
) -> Result<Record, String> {
    let record = authority.record.as_ref().map_err(Clone::clone)?;
    let heading = match authority.gone {
        true => Heading::Gone,
        false => Heading::Now { record: record.as_ref(), number: authority.number.as_deref() },
    };
    let mut changed = before.record.clone();
    let (mut found, mut why) = (false, None);
    // A link whose rule the heading no longer fits leaves its field as it is, and the other fields follow.
    for rule in rules.iter().filter_map(|id| rule(*id)) {
        match follow(&mut changed, rule, &authority.id, &heading) {
            Ok(changed) => found |= changed,
            Err(reason) => why = Some(reason),
        }
    }
    if !found && !authority.gone {
        let nothing = || format!("The MARC record has no field with subfield 9 {}", authority.id);
        return Err(why.unwrap_or_else(nothing));
    }
    current::stamp(&mut changed, context.now);
    Ok(changed)
}
