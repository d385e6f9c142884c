//! `/feefine-reports/...`: refunds, payments by service point, and all transactions of a fee owner.
//!
//! Days are those of the library's time zone, and dates have the form of its locale. Each report is one query. The contents are those of
//! mod-feesfines 19.1.0.

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

/// The texts of a list in the body; without a list, none.
fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn ids(list: &Value) -> Vec<Uuid> {
    texts(list).iter().filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

/// A member of the record of the snapshot that has this id.
fn member_by_id<'a>(snapshot: &'a Snapshot, kind: &RecordType, id: &Value, member: &str) -> Option<&'a str> {
    let id = Uuid::parse_str(id.as_str()?).ok()?;
    snapshot.get(kind, id)?[member].as_str()
}

octavo_pg::statements!(within = [drawer, refunds, transactions]);
