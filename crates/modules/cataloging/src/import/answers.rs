//! Answers the questions of many records: all that are asked at the same time, in one round trip.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_engine::load::HRIDS;
use octavo_import::marc::Link;
use octavo_import::{Answer, Entity, Existing, Lookup, Need, StoredMarc};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use octavo_record::{RecordType, table_name};
use serde_json::Value;
use uuid::Uuid;

use super::{lookups, marc};
use crate::authorities::links;
use crate::authorities::rules::rule_by_id;

/// The answers, in the order of the questions.
pub(super) async fn answer_needs(session: &mut Session, needs: &[&Need]) -> Outcome<Vec<Answer>> {
    let mut asked = GroupedNeeds::default();
    for need in needs {
        asked.add(need);
    }
    let (statements, groups): (Vec<Statement>, Vec<StatementPurpose>) =
        asked.statements().into_iter().unzip();
    let rows = if statements.is_empty() { Vec::new() } else { session.batch(statements).await? };
    let mut found = FoundAnswers::default();
    for (group, rows) in groups.into_iter().zip(rows) {
        found.add(group, &rows);
    }
    needs.iter().enumerate().map(|(at, need)| found.answer(at, need)).collect()
}

/// The questions, grouped by the statement that answers them.
#[derive(Default)]
struct GroupedNeeds<'a> {
    /// Groups of lookups that one statement can answer; each lookup with its position among the questions.
    lookups: Vec<Vec<(usize, &'a Lookup)>>,
    marc_of: HashMap<Entity, Vec<Uuid>>,
    records: HashMap<Entity, Vec<Uuid>>,
    holdings_of: Vec<Uuid>,
    numbers: Vec<String>,
    barcodes: Vec<String>,
    hrids: HashMap<Entity, usize>,
    links_of: Vec<Uuid>,
    count: usize,
}

/// What the rows of a statement answer.
enum StatementPurpose {
    /// Lookups of inventory records, with their positions among the questions.
    Documents(Vec<usize>),
    MarcRecords(Vec<usize>),
    MarcOf(Entity),
    Records(Entity),
    HoldingsOf,
    Numbered,
    Barcodes,
    Hrids(Entity),
    Links,
}

impl<'a> GroupedNeeds<'a> {
    fn add(&mut self, need: &'a Need) {
        let at = self.count;
        self.count += 1;
        match need {
            Need::Lookup(lookup) => {
                let alike = self.lookups.iter_mut().find(|group| lookups::are_alike(group[0].1, lookup));
                match alike {
                    Some(group) => group.push((at, lookup)),
                    None => self.lookups.push(vec![(at, lookup)]),
                }
            }
            Need::MarcOf { entity, id } => self.marc_of.entry(*entity).or_default().push(*id),
            Need::Records { entity, ids } => self.records.entry(*entity).or_default().extend(ids),
            Need::HoldingsOf { instance } => self.holdings_of.push(*instance),
            Need::InstanceNumbered(number) => self.numbers.push(number.clone()),
            Need::Barcodes(barcodes) => {
                self.barcodes.extend(barcodes.iter().map(|(barcode, _)| barcode.to_lowercase()));
            }
            Need::Hrids { entity, count } => *self.hrids.entry(*entity).or_default() += count,
            Need::Links { instance } => self.links_of.push(*instance),
            // Octavo has no orders.
            Need::OrderLines(_) => {}
        }
    }

    fn statements(self) -> Vec<(Statement, StatementPurpose)> {
        let mut all = Vec::new();
        for group in self.lookups {
            let (places, lookups): (Vec<usize>, Vec<&Lookup>) = group.into_iter().unzip();
            let of_marc = lookups.first().is_some_and(|one| is_marc_lookup(one));
            let group = if of_marc {
                StatementPurpose::MarcRecords(places)
            } else {
                StatementPurpose::Documents(places)
            };
            all.extend(lookups::lookup_statement(&lookups).map(|statement| (statement, group)));
        }
        for (entity, ids) in self.marc_of {
            let statement = marc::kind_of_entity(entity).map(|kind| marc::by_described_statement(kind, ids));
            all.extend(statement.map(|statement| (statement, StatementPurpose::MarcOf(entity))));
        }
        for (entity, ids) in self.records {
            let statement = lookups::record_type(entity).map(|record| by_ids_statement(record).uuids(ids));
            all.extend(statement.map(|statement| (statement, StatementPurpose::Records(entity))));
        }
        if !self.holdings_of.is_empty() {
            all.push((Statement::new(TWO_HOLDINGS).uuids(self.holdings_of), StatementPurpose::HoldingsOf));
        }
        if !self.numbers.is_empty() {
            all.push((Statement::new(NUMBERED).texts(self.numbers), StatementPurpose::Numbered));
        }
        if !self.barcodes.is_empty() {
            all.push((Statement::new(BARCODES).texts(self.barcodes), StatementPurpose::Barcodes));
        }
        if !self.links_of.is_empty() {
            all.push((links::by_instances_statement(self.links_of), StatementPurpose::Links));
        }
        for (entity, count) in self.hrids {
            let numbered = lookups::record_type(entity).and_then(|record| record.hooks.hrid_setting);
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            let statement = numbered.map(|kind| Statement::new(HRIDS).text(kind).long(count));
            all.extend(statement.map(|statement| (statement, StatementPurpose::Hrids(entity))));
        }
        all
    }
}

fn is_marc_lookup(lookup: &Lookup) -> bool {
    matches!(lookup.shape.existing, Existing::Field { .. })
}

fn by_ids_statement(record: &RecordType) -> Statement {
    Statement::new(format!("select id, doc::text from {} where id = any($1)", table_name(record)))
}

/// The rows that were found, by the questions that they answer.
#[derive(Default)]
struct FoundAnswers {
    /// Candidates for lookups, by the positions of the lookups among the questions.
    documents: HashMap<usize, Vec<(Uuid, Arc<Value>)>>,
    marc: HashMap<usize, Vec<Arc<StoredMarc>>>,
    marc_of: HashMap<(Entity, Uuid), Arc<StoredMarc>>,
    records: HashMap<(Entity, Uuid), Arc<Value>>,
    holdings_of: HashMap<Uuid, Vec<Arc<Value>>>,
    numbered: HashMap<String, Arc<Value>>,
    barcodes: HashMap<String, Uuid>,
    hrids: HashMap<Entity, Vec<String>>,
    links_of: HashMap<Uuid, Vec<Link>>,
}

impl FoundAnswers {
    fn add(&mut self, group: StatementPurpose, rows: &[Row]) {
        match group {
            StatementPurpose::Documents(places) => {
                for (at, document) in rows.iter().map(Row::read::<(i64, Value)>) {
                    let Some(place) = usize::try_from(at).ok().and_then(|at| places.get(at)) else {
                        continue;
                    };
                    let Some(id) = id(&document) else { continue };
                    let found = self.documents.entry(*place).or_default();
                    if !found.iter().any(|(there, _)| *there == id) {
                        found.push((id, Arc::new(document)));
                    }
                }
            }
            StatementPurpose::MarcRecords(places) => {
                for (at, row) in rows.iter().map(Row::read::<(i64, marc::MarcRow)>) {
                    let Some(place) = usize::try_from(at).ok().and_then(|at| places.get(at)) else {
                        continue;
                    };
                    let found = self.marc.entry(*place).or_default();
                    if let Some(stored) = marc::stored_from_row(row)
                        && !found.iter().any(|there| there.id == stored.id)
                    {
                        found.push(stored);
                    }
                }
            }
            StatementPurpose::MarcOf(entity) => {
                let stored = rows.iter().map(Row::read::<marc::MarcRow>).filter_map(marc::stored_from_row);
                let stored = stored.filter_map(|stored| Some(((entity, stored.describes?), stored)));
                self.marc_of.extend(stored);
            }
            StatementPurpose::Records(entity) => {
                let documents = rows.iter().map(Row::read::<(Uuid, Value)>);
                self.records.extend(documents.map(|(id, document)| ((entity, id), Arc::new(document))));
            }
            StatementPurpose::HoldingsOf => {
                for (instance, document) in rows.iter().map(Row::read::<(Uuid, Value)>) {
                    self.holdings_of.entry(instance).or_default().push(Arc::new(document));
                }
            }
            StatementPurpose::Numbered => {
                let documents = rows.iter().map(Row::read::<(String, Value)>);
                self.numbered.extend(documents.map(|(number, document)| (number, Arc::new(document))));
            }
            StatementPurpose::Barcodes => self.barcodes.extend(rows.iter().map(Row::read::<(String, Uuid)>)),
            StatementPurpose::Links => {
                for (instance, authority, natural_id, by) in
                    rows.iter().map(Row::read::<links::InstanceLinkRow>)
                {
                    let Some(rule) = rule_by_id(by) else { continue };
                    self.links_of.entry(instance).or_default().push(Link {
                        rule: rule.id,
                        tag: rule.bib_field.to_owned(),
                        authority: authority.to_string(),
                        natural_id: natural_id.unwrap_or_default(),
                        controlled: rule.controlled_codes(),
                    });
                }
            }
            StatementPurpose::Hrids(entity) => {
                let mut drawn: Vec<String> = rows.iter().map(Row::read).collect();
                drawn.reverse();
                self.hrids.insert(entity, drawn);
            }
        }
    }

    fn answer(&mut self, at: usize, need: &Need) -> Outcome<Answer> {
        Ok(match need {
            Need::Lookup(lookup) if is_marc_lookup(lookup) => {
                let found = self.marc.remove(&at).unwrap_or_default().into_iter();
                let taken = found.filter(|stored| lookup.matches_marc(stored)).take(lookup.limit + 1);
                Answer::Marc(taken.collect())
            }
            Need::Lookup(lookup) => {
                let found = self.documents.remove(&at).unwrap_or_default().into_iter();
                let taken =
                    found.map(|(_, document)| document).filter(|document| lookup.matches_document(document));
                Answer::Documents(taken.take(lookup.limit + 1).collect())
            }
            Need::OrderLines(_) => Answer::Documents(Vec::new()),
            Need::MarcOf { entity, id } => {
                Answer::Marc(self.marc_of.get(&(*entity, *id)).cloned().into_iter().collect())
            }
            Need::Records { entity, ids } => {
                let found = ids.iter().filter_map(|id| self.records.get(&(*entity, *id)).cloned());
                Answer::Documents(found.collect())
            }
            Need::HoldingsOf { instance } => {
                Answer::Documents(self.holdings_of.get(instance).cloned().unwrap_or_default())
            }
            Need::InstanceNumbered(number) => {
                Answer::Documents(self.numbered.get(&number.to_lowercase()).cloned().into_iter().collect())
            }
            Need::Barcodes(barcodes) => {
                let taken = barcodes.iter().filter(|(barcode, own)| {
                    self.barcodes.get(&barcode.to_lowercase()).is_some_and(|item| Some(*item) != *own)
                });
                Answer::Texts(taken.map(|(barcode, _)| barcode.clone()).collect())
            }
            Need::Hrids { entity, count } => {
                let drawn = self.hrids.entry(*entity).or_default();
                if drawn.len() < *count {
                    return Err(Fault::internal("fewer numbers were drawn than asked for"));
                }
                Answer::Texts(drawn.split_off(drawn.len() - count).into_iter().rev().collect())
            }
            Need::Links { instance } => {
                Answer::Links(Arc::new(self.links_of.get(instance).cloned().unwrap_or_default()))
            }
        })
    }
}

fn id(document: &Value) -> Option<Uuid> {
    Uuid::parse_str(document["id"].as_str()?).ok()
}

const TWO_HOLDINGS: &str = "\
select i.id, h.doc::text
from unnest($1::uuid[]) i (id)
cross join lateral (
  select doc
  from holdings_record
  where \"instanceId\" = i.id
  order by id
  limit 2) h";

const NUMBERED: &str = "\
select hrid, doc::text
from instance
where hrid in (select octavo.fold(number) from unnest($1::text[]) number)";

const BARCODES: &str = "select barcode, id from item where barcode = any($1)";

octavo_pg::statements!(other = [TWO_HOLDINGS, NUMBERED, BARCODES]);
