//! `POST /remote-storage/accessions`: an item has come into a storage. It gets the location that stands for the storage, and so do its
//! holdings, or it moves to other holdings. One transaction of two round trips, three where holdings are duplicated.

use octavo_engine::{Context, Request, Response, Snapshot, metadata, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::{HOLDINGS, ITEM, apply_holdings};
use octavo_modules_base::remote_storage_records::{CHANGE_PERMANENT_LOCATION, CONFIGURATION, MAPPING};
use octavo_pg::{Session, Statement, read_each};
use octavo_record::{RecordType, Related};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::of_accession;
use super::uuid;
use crate::inventory::touch;

const SCHEMA: &str = include_str!("../../../folio/records/mod-remote-storage/accessionRequest.tsv");

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let body = request.checked(SCHEMA)?;
    let barcode = body["itemBarcode"].as_str().unwrap_or_default();
    let storage = uuid(body["remoteStorageId"].as_str()).unwrap_or_default();
    let context = &request.context;
    let (remote, changes_location) = settings(&*context.snapshot().await?, storage)?;
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
        return Err(of_accession(format!("Item with barcode={barcode} was not found")));
    };
    if items[item]["holdingsRecordId"] != own["id"] {
        session.rollback().await?;
        return Err(Fault::text(409, "The item has moved to other holdings meanwhile"));
    }
    let situation = Situation { remote: remote.to_string(), changes_location, item, own, items, others };
    let plan = match situation.decide() {
        Ok(plan) => plan,
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    };
    let mut writes = situation.writes(context, &mut session, plan).await?;
    let id = uuid(situation.items[item]["id"].as_str()).unwrap_or_default();
    writes.push(Statement::new(NOT_WAITING).uuid(id).uuid(storage));
    let entry = Statement::new(ENTRY).uuid(context.fresh_id()).uuid(id).uuid(remote).uuid(storage);
    writes.push(entry);
    let answers = session.commit(writes).await?;
    let entry: Option<Value> = answers.last().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
    Ok(Response::json(201, &entry.unwrap_or_default()))
}

/// The location that stands for the storage, and whether holdings change their location.
fn settings(snapshot: &Snapshot, storage: Uuid) -> Outcome<(Uuid, bool)> {
    let configuration = snapshot.get(&CONFIGURATION, storage);
    let configuration = configuration
        .ok_or_else(|| of_accession(format!("No configuration was found for remote storage id={storage}")))?;
    let workflow = configuration["accessionWorkflowDetails"].as_str();
    let workflow = workflow
        .ok_or_else(|| of_accession("Remote storage configuration does not contain accession details"))?;
    let of_storage =
        |(_, mapping): &(&Uuid, &Value)| uuid(mapping["configurationId"].as_str()) == Some(storage);
    let location = snapshot.all(&MAPPING).filter(of_storage).map(|(id, _)| *id).min();
    let location = location
        .ok_or_else(|| of_accession(format!("No location was found for remote storage id={storage}")))?;
    Ok((location, workflow == CHANGE_PERMANENT_LOCATION))
}

struct Situation {
    /// The location that stands for the storage.
    remote: String,
    changes_location: bool,
    /// The place of the item among `items`.
    item: usize,
    own: Value,
    /// The items of these holdings.
    items: Vec<Value>,
    /// Holdings of the same title at the remote location.
    others: Vec<Value>,
}

#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// The holdings are there already.
    Stay,
    /// The holdings get the location. Items that have none of their own keep the former one, if that is wanted.
    Relocate { items_keep: bool },
    /// The item moves to holdings that are there.
    Move { to: usize },
    /// The item moves to new holdings, like its own.
    Duplicate,
}

impl Situation {
    fn decide(&self) -> Outcome<Plan> {
        if self.own["permanentLocationId"] == *self.remote {
            return Ok(Plan::Stay);
        }
        if self.changes_location {
            return Ok(Plan::Relocate { items_keep: true });
        }
        let mut siblings = self.items.iter().enumerate().filter(|(at, _)| *at != self.item);
        if siblings.all(|(_, sibling)| sibling["permanentLocationId"] == *self.remote) {
            return Ok(Plan::Relocate { items_keep: false });
        }
        match self.others.len() {
            0 => Ok(Plan::Duplicate),
            1 => Ok(Plan::Move { to: 0 }),
            _ => Err(of_accession(format!(
                "More than one holdings record exist with permanent location id={}",
                self.remote
            ))),
        }
    }

    async fn writes(&self, context: &Context, session: &mut Session, plan: Plan) -> Outcome<Vec<Statement>> {
        let mut writes = Vec::new();
        let mut item = self.items[self.item].clone();
        let mut changed = Vec::new();
        match plan {
            Plan::Stay => apply(&mut item, &self.remote, &self.own),
            Plan::Relocate { items_keep } => {
                let holdings = self.relocated();
                changed = self.siblings(&holdings, items_keep);
                apply(&mut item, &self.remote, &holdings);
                writes.push(written(context, &HOLDINGS, vec![holdings]));
            }
            Plan::Move { to } => apply(&mut item, &self.remote, &self.others[to]),
            Plan::Duplicate => {
                let hrid: Option<String> = session.read(Statement::new(HRID)).await?;
                let mut holdings = self.relocated();
                let id = context.fresh_id();
                holdings["id"] = json!(id);
                holdings["hrid"] = json!(hrid);
                holdings["_version"] = json!(1);
                holdings["metadata"] = metadata(context, None, &context.now_text());
                apply(&mut item, &self.remote, &holdings);
                writes.push(statements::insert(&HOLDINGS, id, &holdings));
            }
        }
        changed.push(item);
        writes.push(written(context, &ITEM, changed));
        Ok(writes)
    }

    /// The holdings at the remote location.
    fn relocated(&self) -> Value {
        let mut holdings = self.own.clone();
        holdings["permanentLocationId"] = json!(self.remote);
        if let Some(derive) = HOLDINGS.hooks.derive {
            derive(&mut holdings, &Related::default());
        }
        holdings
    }

    /// The other items of the holdings, as far as these change them.
    fn siblings(&self, holdings: &Value, keep: bool) -> Vec<Value> {
        let others = self.items.iter().enumerate().filter(|(at, _)| *at != self.item);
        let changed = others.filter_map(|(_, before)| {
            let mut item = before.clone();
            let own =
                ["permanentLocationId", "temporaryLocationId"].iter().any(|name| item[*name].is_string());
            if keep && !own {
                item["permanentLocationId"] = self.own["permanentLocationId"].clone();
            }
            apply_holdings(&mut item, holdings);
            (item != *before).then_some(item)
        });
        changed.collect()
    }
}

/// Puts the item at the remote location, in these holdings.
fn apply(item: &mut Value, remote: &str, holdings: &Value) {
    item["permanentLocationId"] = json!(remote);
    item["holdingsRecordId"] = holdings["id"].clone();
    apply_holdings(item, holdings);
}

fn written(context: &Context, record: &'static RecordType, documents: Vec<Value>) -> Statement {
    let documents = documents.into_iter().filter_map(|mut document| {
        touch(context, &mut document);
        Some((uuid(document["id"].as_str())?, document))
    });
    statements::overwrite_all(record, &documents.collect::<Vec<_>>())
}

/// Of an item by its barcode; `$2` is the location that stands for the storage.
const OWN_HOLDINGS: &str = "\
select h.doc::text
from holdings_record h
where h.id = (select i.\"holdingsRecordId\" from item i where i.barcode = lower($1))
and $2::uuid is not null
for update";

/// Two are as good as more: which is meant is not known.
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

/// All items of the holdings, unless these are at the remote location already: then the item alone.
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

/// The change of the item has queued it, but it is in the storage already.
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
