//! `/feefine-reports/...`: what was refunded, what a cash drawer took in, everything that happened to the fees of an owner.
//!
//! Days are the library's own, in its time zone, and dates are written as its locale does. Each report is one query,
//! however long it is. What a report says follows mod-feesfines 19.1.0.

mod days;
mod drawer;
mod line;
mod refunds;
mod totals;
mod transactions;

use std::sync::Arc;

use octavo_engine::{Request, Snapshot};
use octavo_kernel::Outcome;
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

pub(super) use drawer::{drawer, drawer_sources};
pub(super) use refunds::refunds;
pub(super) use transactions::transactions;

async fn snapshot(request: &Request) -> Outcome<Arc<Snapshot>> {
    request.context.snapshot().await
}

/// What a list in the body names; without one, nothing is left out.
fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn ids(list: &Value) -> Vec<Uuid> {
    texts(list).iter().filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

/// A member of the record of the snapshot that has this id.
fn named<'a>(snapshot: &'a Snapshot, kind: &RecordType, id: &Value, member: &str) -> Option<&'a str> {
    let id = Uuid::parse_str(id.as_str()?).ok()?;
    snapshot.get(kind, id)?[member].as_str()
}

octavo_pg::statements!(within = [drawer, refunds, transactions]);
