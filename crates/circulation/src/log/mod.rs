//! The circulation log: what a finished plan does to loans, items, requests and fees, as records for staff to read. Behaviour, words and
//! descriptions are those of mod-audit 2.9.0 and of what mod-circulation 24.2 and mod-feesfines 19.1 send it.
//!
//! A record says only what cannot be looked up later. Barcodes that the facts do not have are looked up when it is stored.

mod announced;
mod describe;
mod fees;
mod loans;
mod requests;

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::Value;

use crate::document::{Document, text};
use crate::facts::{Facts, Item};
use crate::notice::World;
use crate::plan::{Plan, RecordKind};

pub use crate::status::{LogAction, LogObject};
pub use announced::announced;
pub use describe::notice as describe_notice;
pub use fees::{log_fees, logged_fee};

/// A record of the circulation log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Logged {
    pub object: LogObject,
    pub action: LogAction,
    pub source: Source,
    pub user_id: Option<String>,
    pub user_barcode: Option<String>,
    pub item_id: Option<String>,
    pub item_barcode: Option<String>,
    pub loan_id: Option<String>,
    /// The request or the fee/fine.
    pub about_id: Option<String>,
    pub service_point_id: Option<String>,
    pub description: String,
    /// A cancellation reason, whose description ends this one.
    pub reason_id: Option<String>,
    /// What few records have: `items`, if there are several, and further ids for `linkToIds`.
    pub more: Option<Value>,
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// The user who asked for the change.
    Caller,
    User(String),
    Named(Option<String>),
}

impl Source {
    pub fn system() -> Source {
        Source::Named(Some("System".to_owned()))
    }
}

impl Logged {
    pub fn new(object: LogObject, action: LogAction) -> Logged {
        Logged {
            object,
            action,
            source: Source::Caller,
            user_id: None,
            user_barcode: None,
            item_id: None,
            item_barcode: None,
            loan_id: None,
            about_id: None,
            service_point_id: None,
            description: String::new(),
            reason_id: None,
            more: None,
        }
    }
}

/// Adds the records to a finished plan.
pub fn log(world: World<'_>, plan: &mut Plan) {
    let mut found = Vec::new();
    world.log_loans(plan, &mut found);
    world.log_requests(plan, &mut found);
    fees::of_plan(&world.facts.charging, plan, &mut found);
    plan.logged.extend(found);
}

/// Adds the records about requests that have changed; a new order of a queue, by which a job closes gaps, is none.
pub fn log_requests(world: World<'_>, plan: &mut Plan) {
    if !plan.trace.is_empty() {
        log(world, plan);
    }
}

impl<'a> World<'a> {
    fn known_item(self, id: Option<&str>) -> Option<&'a Item> {
        let items = self.facts.item.iter().chain(self.items);
        items.into_iter().find(|item| Some(item.id()) == id)
    }

    /// The item as the plan leaves it, if plan or facts have it.
    fn item_after(self, plan: &'a Plan, id: Option<&str>) -> Option<&'a Document> {
        let written = id.and_then(|id| plan.last_written(RecordKind::Item, id));
        written.or_else(|| self.known_item(id).map(|item| &item.record))
    }

    fn set_item(self, logged: &mut Logged, plan: &Plan, id: Option<&str>) {
        let item = self.item_after(plan, id);
        logged.item_id = id.map(str::to_owned);
        logged.item_barcode = item.and_then(|item| text(item, &["barcode"])).map(str::to_owned);
    }

    fn set_user(self, logged: &mut Logged, id: Option<&str>) {
        let patron = self.facts.patron.as_ref().filter(|patron| Some(patron.id()) == id);
        logged.user_id = id.map(str::to_owned);
        logged.user_barcode = patron.and_then(|patron| patron.barcode()).map(str::to_owned);
    }
}

fn service_point_name<'a>(facts: &'a Facts, id: Option<&str>) -> Option<&'a str> {
    text(facts.service_point(id)?, &["name"])
}
