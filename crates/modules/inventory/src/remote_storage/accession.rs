//! `POST /remote-storage/accessions`: an item has arrived in a remote storage. The item, and perhaps its holdings record, gets the location
//! that stands for the storage, or the item moves to another holdings record. One transaction of two round trips, or three if the holdings
//! record is duplicated.

use octavo_engine::{Context, Request, Response, Snapshot, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::{HOLDINGS, ITEM, set_effective_values};
use octavo_modules_base::remote_storage_records::{CHANGE_PERMANENT_LOCATION, CONFIGURATION, MAPPING};
use octavo_pg::{Session, Statement, read_each};
use octavo_record::{RecordType, Related};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::accession_fault;
use super::uuid;
use crate::inventory::mark_updated;

const SCHEMA: &str = include_str!("../../../folio/records/mod-remote-storage/accessionRequest.tsv");

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let body = request.checked_json(SCHEMA)?;
    let barcode = body["itemBarcode"].as_str().unwrap_or_default();
    let storage = uuid(body["remoteStorageId"].as_str()).unwrap_or_default();
    let context = &request.context;
    let (remote, changes_location) = storage_settings(&*context.snapshot().await?, storage)?;
    let mut session = context.session().await?;
    let of = |sql: &'static str| Statement::new(sql).text(barcode).uuid(remote);
    let read = vec![of(OWN_HOLDINGS), of(OTHER_HOLDINGS), of(ITEMS)];
    let answers = session.begin(read).await?;
    let (own, others, items): (Option<Value>, Vec<Value>, Vec<Value>) = read_each(&answers);
    let wanted = barcode.to_lowercase();
    let named = |item: &Value| item["barcode"].as_str().is_some_and(|own| own.to_lowercase() == wanted);
    let item = items.iter().position(named);
    let (Some(own), Some(item)) = (own, item) else {
        session.rollback().await?;
        return Err(accession_fault(format!("Item with barcode={barcode} was not found")));
    };
    if items[item]["holdingsRecordId"] != own["id"] {
        session.rollback().await?;
        return Err(Fault::text(409, "The item has moved to other holdings meanwhile"));
    }
    let situation =
        Situation { remote_location: remote.to_string(), changes_location, item, own, items, others };
    let plan = match situation.decide() {
        Ok(plan) => plan,
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    };
    let mut writes = situation.write_statements(context, &mut session, plan).await?;
    let id = uuid(situation.items[item]["id"].as_str()).unwrap_or_default();
    writes.push(Statement::new(NOT_WAITING).uuid(id).uuid(storage));
    let entry = Statement::new(ENTRY).uuid(context.fresh_id()).uuid(id).uuid(remote).uuid(storage);
    writes.push(entry);
    let answers = session.commit(writes).await?;
    let entry: Option<Value> = answers.last().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
    Ok(Response::json(201, &entry.unwrap_or_default()))
}

/// The location that stands for the storage, and whether holdings change their location.
fn storage_settings(snapshot: &Snapshot, storage: Uuid) -> Outcome<(Uuid, bool)> {
    let configuration = snapshot.get(&CONFIGURATION, storage);
    let configuration = configuration.ok_or_else(|| {
        accession_fault(format!("No configuration was found for remote storage id={storage}"))
    })?;
    let workflow = configuration["accessionWorkflowDetails"].as_str();
    let workflow = workflow
        .ok_or_else(|| accession_fault("Remote storage configuration does not contain accession details"))?;
    let of_storage =
        |(_, mapping): &(&Uuid, &Value)| uuid(mapping["configurationId"].as_str()) == Some(storage);
    let location = snapshot.all(&MAPPING).filter(of_storage).map(|(id, _)| *id).min();
    let location = location
        .ok_or_else(|| accession_fault(format!("No location was found for remote storage id={storage}")))?;
    Ok((location, workflow == CHANGE_PERMANENT_LOCATION))
}

struct Situation {
    /// The location that stands for the storage.
    remote_location: String,
    changes_location: bool,
    /// The place of the item among `items`.
    item: usize,
    own: Value,
    /// The items of the item's own holdings record.
    items: Vec<Value>,
    /// Other holdings records of the same instance at the location of the storage.
    others: Vec<Value>,
}

#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// The holdings record is already at the location of the storage.
    Stay,
    /// The holdings record gets the location. With `items_keep`, items without a location of their own keep the former location.
    Relocate { items_keep: bool },
    /// The item moves to the other holdings record with this index.
    Move { to: usize },
    /// The item moves to a new holdings record, a copy of its own.
    Duplicate,
}

impl Situation {
    fn decide(&self) -> Outcome<Plan> {
        if self.own["permanentLocationId"] == *self.remote_location {
            return Ok(Plan::Stay);
        }
        if self.changes_location {
            return Ok(Plan::Relocate { items_keep: true });
        }
        let mut siblings = self.items.iter().enumerate().filter(|(at, _)| *at != self.item);
        if siblings.all(|(_, sibling)| sibling["permanentLocationId"] == *self.remote_location) {
            return Ok(Plan::Relocate { items_keep: false });
        }
        match self.others.len() {
            0 => Ok(Plan::Duplicate),
            1 => Ok(Plan::Move { to: 0 }),
            _ => Err(accession_fault(format!(
                "More than one holdings record exist with permanent location id={}",
                self.remote_location
            ))),
        }
    }

    async fn write_statements(
        &self,
        context: &Context,
        session: &mut Session,
        plan: Plan,
    ) -> Outcome<Vec<Statement>> {
        let mut writes = Vec::new();
        let mut item = self.items[self.item].clone();
        let mut changed = Vec::new();
        match plan {
            Plan::Stay => place_item(&mut item, &self.remote_location, &self.own),
            Plan::Relocate { items_keep } => {
                let holdings = self.relocated_holdings();
                changed = self.changed_siblings(&holdings, items_keep);
                place_item(&mut item, &self.remote_location, &holdings);
                writes.push(overwrite_statement(context, &HOLDINGS, vec![holdings]));
            }
            Plan::Move { to } => place_item(&mut item, &self.remote_location, &self.others[to]),
            Plan::Duplicate => {
                let hrid: Option<String> = session.read(Statement::new(HRID)).await?;
                let mut holdings = self.relocated_holdings();
                let id = context.fresh_id();
                holdings["id"] = json!(id);
                holdings["hrid"] = json!(hrid);
                holdings["_version"] = json!(1);
                holdings["metadata"] = metadata(context, None, &context.now_text());
                place_item(&mut item, &self.remote_location, &holdings);
                writes.push(statements::insert(&HOLDINGS, id, &holdings));
            }
        }
        changed.push(item);
        writes.push(overwrite_statement(context, &ITEM, changed));
        Ok(writes)
    }

    /// The holdings record with the location of the storage.
    fn relocated_holdings(&self) -> Value {
        let mut holdings = self.own.clone();
        holdings["permanentLocationId"] = json!(self.remote_location);
        if let Some(derive) = HOLDINGS.hooks.derive {
            derive(&mut holdings, &Related::default());
        }
        holdings
    }

    /// The other items of the holdings record that change with it.
    fn changed_siblings(&self, holdings: &Value, keep: bool) -> Vec<Value> {
        let others = self.items.iter().enumerate().filter(|(at, _)| *at != self.item);
        let changed = others.filter_map(|(_, before)| {
            let mut item = before.clone();
            let own =
                ["permanentLocationId", "temporaryLocationId"].iter().any(|name| item[*name].is_string());
            if keep && !own {
                item["permanentLocationId"] = self.own["permanentLocationId"].clone();
            }
            set_effective_values(&mut item, holdings);
            (item != *before).then_some(item)
        });
        changed.collect()
    }
}

/// Puts the item at the location of the storage, in this holdings record.
fn place_item(item: &mut Value, remote: &str, holdings: &Value) {
    item["permanentLocationId"] = json!(remote);
    item["holdingsRecordId"] = holdings["id"].clone();
    set_effective_values(item, holdings);
}

fn overwrite_statement(context: &Context, record: &'static RecordType, documents: Vec<Value>) -> Statement {
    let documents = documents.into_iter().filter_map(|mut document| {
        mark_updated(context, &mut document);
        Some((uuid(document["id"].as_str())?, document))
    });
    statements::overwrite_all(record, &documents.collect::<Vec<_>>())
}

/// The holdings record of the item with this barcode; `$2` is the location that stands for the storage.
const OWN_HOLDINGS: &str = "\
select h.doc::text
from holdings_record h
where h.id = (select i.\"holdingsRecordId\" from item i where i.barcode = lower($1))
and $2::uuid is not null
for update";

/// Two records are enough to know that the holdings record is ambiguous.
const OTHER_HOLDINGS: &str = "\
select h.doc::text
from holdings_record h
where h.\"instanceId\" = (
  select o.\"instanceId\"
  from item i
  join holdings_record o on o.id = i.\"holdingsRecordId\"
  where i.barcode = lower($1) and o.\"permanentLocationId\" is distinct from $2
)
and h.\"permanentLocationId\" = $2
order by h.id
limit 2
for update";

/// All items of the holdings record. If the record is already at the location of the storage, only the item itself.
const ITEMS: &str = "\
select t.doc::text
from item t
where t.\"holdingsRecordId\" = (select i.\"holdingsRecordId\" from item i where i.barcode = lower($1))
and (
  t.barcode = lower($1)
  or exists (
    select from holdings_record h
    where h.id = t.\"holdingsRecordId\" and h.\"permanentLocationId\" is distinct from $2
  )
)
order by t.id
for update";

const HRID: &str = "select next_hrid('holdings')";

/// Changing the item's location has added it to the queue of items to come, but it has arrived already.
const NOT_WAITING: &str = "\
delete from accession_queue q
using item i
where i.id = $1
and q.\"itemBarcode\" = i.doc ->> 'barcode'
and q.\"remoteStorageId\" = $2
and q.\"accessionedDateTime\" is null
and q.\"createdDateTime\" = time_of_entry()";

const ENTRY: &str = "\
insert into accession_queue (id, doc)
select $1, (
  accession_entry($1, i.doc, i.\"holdingsRecordId\", $3, $4)
  || jsonb_build_object('accessionedDateTime', time_of_entry())
)::json
from item i
where i.id = $2
returning doc::text";

octavo_pg::statements!(hot = [OWN_HOLDINGS, OTHER_HOLDINGS, ITEMS, NOT_WAITING, ENTRY], other = [HRID]);

#[cfg(test)]
mod tests;
