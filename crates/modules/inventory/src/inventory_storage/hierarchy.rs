//! `POST /inventory-hierarchy/items-and-holdings`: all holdings and items of many instances, with names instead of ids, as
//! discovery systems and OAI-PMH harvest them.
//!
//! Three reads by key in one round trip cover 250 instances; several round trips run at the same time. Names and locations come from the
//! snapshot. Documents are parsed only as far as to find the shown members, which are copied as text when a document arrives from the
//! database. As in FOLIO, the answer is one JSON object for each instance, with nothing between them. Facts: mod-inventory-storage 27.1.3.

mod document;
mod jsonb_order;
mod lookups;
pub(super) mod oai;
mod shape;
mod writer;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement};
use octavo_record::{Reading, Schema};
use serde_json::Value;
use tokio::task::JoinSet;
use uuid::Uuid;

use lookups::Lookups;
use shape::Instance;

static BODY: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("../../../folio/records/mod-inventory-storage/inventory-instance-ids.tsv"))
});

pub(super) async fn items_and_holdings(request: Request) -> Outcome<Response> {
    let body = BODY.check(request.json()?, Reading::FromClient).map_err(Fault::refused)?.0;
    let listed = body["instanceIds"].as_array().map_or(&[][..], Vec::as_slice);
    let mut ids: Vec<Uuid> = Vec::with_capacity(listed.len());
    let mut seen = std::collections::HashSet::new();
    for id in listed.iter().filter_map(|id| Uuid::parse_str(id.as_str()?).ok()) {
        if seen.insert(id) {
            ids.push(id);
        }
    }
    let skip_suppressed = body["skipSuppressedFromDiscoveryRecords"] == Value::Bool(true);
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let lookups = snapshot.derive_once(Lookups::new);
    context.usage.allow_tasks(LANES);
    let mut lanes = JoinSet::new();
    for (at, ids) in split_into_lanes(ids).enumerate() {
        let text = lane_json(context.clone(), ids, Arc::clone(&lookups), skip_suppressed);
        lanes.spawn(async move { (at, text.await) });
    }
    // If the client disconnects, the reads are dropped and so end.
    let mut texts = vec![String::new(); lanes.len()];
    while let Some(done) = lanes.join_next().await {
        let (at, text) = done.map_err(Fault::internal)?;
        texts[at] = text?;
    }
    let mut texts = texts.into_iter();
    let mut out = texts.next().unwrap_or_default();
    texts.for_each(|text| out.push_str(&text));
    Ok(Response::json_text(200, out))
}

/// A request for more instances than this uses several connections at the same time, so that the processors of the server and of PostgreSQL
/// work in parallel.
const INSTANCES_OF_A_LANE: usize = 250;
const LANES: usize = 4;
/// How many instances one read has in memory.
const INSTANCES_OF_A_READ: usize = 250;

fn split_into_lanes(ids: Vec<Uuid>) -> impl Iterator<Item = Vec<Uuid>> {
    let lanes = ids.len().div_ceil(INSTANCES_OF_A_LANE).clamp(1, LANES);
    let each = ids.len().div_ceil(lanes).max(1);
    let mut ids = ids.into_iter();
    std::iter::from_fn(move || {
        let lane: Vec<Uuid> = ids.by_ref().take(each).collect();
        (!lane.is_empty()).then_some(lane)
    })
}

async fn lane_json(
    context: Context,
    ids: Vec<Uuid>,
    lookups: Arc<Lookups>,
    skip_suppressed: bool,
) -> Outcome<String> {
    let mut out = String::new();
    for ids in ids.chunks(INSTANCES_OF_A_READ) {
        let statements = [INSTANCES, HOLDINGS, ITEMS].map(|sql| Statement::new(sql).uuids(ids.to_vec()));
        let mut found: HashMap<Uuid, Instance> = HashMap::with_capacity(ids.len());
        // Each document is written while PostgreSQL reads the next one.
        let take = |statement, row: Row| match statement {
            0 => {
                let (id, text): (Uuid, &str) = row.read();
                found.insert(id, Instance::new(id, text, &lookups));
            }
            1 => {
                let (instance, id, text): (Uuid, Uuid, &str) = row.read();
                if let Some(known) = found.get_mut(&instance) {
                    known.add_holdings(id, text, skip_suppressed, &lookups);
                }
            }
            _ => {
                let (instance, holdings, id, text): (Uuid, Uuid, Uuid, &str) = row.read();
                if let Some(known) = found.get_mut(&instance) {
                    known.add_item(id, holdings, text, skip_suppressed, &lookups);
                }
            }
        };
        context.session().await?.for_each_row(statements.to_vec(), take).await?;
        // The instances are answered in the order of the request.
        ids.iter().filter_map(|id| found.remove(id)).for_each(|instance| instance.write(&mut out));
    }
    Ok(out)
}

const INSTANCES: &str = "\
select i.id, i.doc
from instance i
where i.id = any($1)";

/// The SQL that reads the holdings of instances.
pub(crate) const HOLDINGS: &str = "\
select h.\"instanceId\", h.id, h.doc
from holdings_record h
where h.\"instanceId\" = any($1)";

/// The SQL that reads the items of instances, including items of another instance's holdings record that are bound with them.
pub(crate) const ITEMS: &str = "\
select h.\"instanceId\", h.id, t.id, t.doc
from holdings_record h
join item t on t.\"holdingsRecordId\" = h.id
where h.\"instanceId\" = any($1)
union all
select h.\"instanceId\", h.id, t.id, t.doc
from holdings_record h
join bound_with_part b on b.\"holdingsRecordId\" = h.id
join item t on t.id = b.\"itemId\"
where h.\"instanceId\" = any($1)
and t.\"holdingsRecordId\" <> h.id";

octavo_pg::statements!(hot = [INSTANCES, HOLDINGS, ITEMS], within = [oai]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_hold_all_instances_in_their_order() {
        for (count, lanes) in [(0, 0), (1, 1), (250, 1), (251, 2), (5325, 4)] {
            let ids: Vec<Uuid> = (0..count).map(Uuid::from_u128).collect();
            let shared: Vec<Vec<Uuid>> = split_into_lanes(ids.clone()).collect();
            assert_eq!((shared.len(), shared.concat()), (lanes, ids));
        }
    }
}
