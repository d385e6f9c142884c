//! A stored decision: its reasons and changes, by which it can be explained and undone later.
//!
//! Of each record only the changed members are stored, with their old and new values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use octavo_kernel::{folio_time, json_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::text;
use crate::facts::Facts;
use crate::plan::{PlaceChange, Plan, RecordKind, Write};
use crate::trace::Step;

/// A stored decision. A new one borrows from facts and plan; one that was read owns its parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredDecision<'a> {
    pub id: Cow<'a, str>,
    /// The name of the operation, such as `check-out`.
    pub decision: Cow<'a, str>,
    pub at: String,
    pub by_user_id: Option<Cow<'a, str>>,
    pub loan_id: Cow<'a, str>,
    pub item_id: Option<Cow<'a, str>>,
    pub steps: Cow<'a, [Step]>,
    pub changes: Vec<Change<'a>>,
    /// How other requests in the queues moved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Cow<'a, PlaceChange>>,
    pub undone: bool,
    /// Whether a timer job made the decision, which then cannot be undone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_clock: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change<'a> {
    pub record: RecordKind,
    pub id: Cow<'a, str>,
    pub made: bool,
    /// The old and new values; a missing one is null. Of a new record, only the members that later actions change.
    pub members: Members<'a>,
}

type Members<'a> = BTreeMap<Cow<'a, str>, [Cow<'a, Value>; 2]>;

/// The members that storage manages.
const BOOKKEEPING: [&str; 2] = ["metadata", "_version"];

/// Every later action on a new record changes one of these members.
const CHANGED_BY_LATER_ACTIONS: [&str; 7] =
    ["status", "paymentStatus", "remaining", "dueDate", "action", "itemStatus", "position"];

/// Adds the decision itself to the plan, if it is about a loan.
pub fn remember(facts: &Facts, decision: &str, plan: &mut Plan) {
    store_decision(facts, decision, false, plan);
}

/// Adds the decision of a timer job to the plan, if it is about a loan.
pub fn remember_by_clock(facts: &Facts, decision: &str, plan: &mut Plan) {
    store_decision(facts, decision, true, plan);
}

fn store_decision(facts: &Facts, decision: &str, by_clock: bool, plan: &mut Plan) {
    let Some((_, loan)) = plan.documents(RecordKind::Loan).next() else { return };
    let loan_id = text(loan, &["id"]).unwrap_or_default();
    let remembered = StoredDecision {
        id: facts.fresh_ids.decision.as_str().into(),
        decision: decision.into(),
        at: folio_time(facts.now()),
        by_user_id: facts.acting_user_id.as_deref().map(Cow::from),
        loan_id: loan_id.into(),
        item_id: text(loan, &["itemId"]).map(Cow::from),
        steps: plan.trace.as_slice().into(),
        changes: changes(facts, plan),
        places: plan.place_changes().map(Cow::Borrowed).collect(),
        undone: false,
        by_clock,
    };
    let id = facts.fresh_ids.decision.clone();
    let write = Write::Remember { id, loan_id: loan_id.to_owned(), text: json_text(&remembered) };
    plan.writes.push(write);
}

fn changes<'a>(facts: &'a Facts, plan: &'a Plan) -> Vec<Change<'a>> {
    let mut changes: Vec<Change<'_>> = Vec::with_capacity(plan.writes.len());
    for write in &plan.writes {
        let Some((record, id, _)) = write.document() else { continue };
        let made = matches!(write, Write::Insert { .. });
        if changes.iter().any(|change| change.record == record && change.id == id) {
            continue;
        }
        let Some(after) = plan.last_written(record, id) else { continue };
        let members = match record_before(facts, record, id).filter(|_| !made) {
            Some(before) => differences(before, after),
            None => new_record_members(after),
        };
        changes.push(Change { record, id: id.into(), made, members });
    }
    changes
}

/// The members of a new record that are stored.
fn new_record_members(record: &Value) -> Members<'_> {
    let members = CHANGED_BY_LATER_ACTIONS.iter().filter_map(|name| Some((*name, record.get(*name)?)));
    members.map(|(name, after)| (name.into(), [&Value::Null, after].map(Cow::Borrowed))).collect()
}

fn differences<'a>(before: &'a Value, after: &'a Value) -> Members<'a> {
    let (Value::Object(before), Value::Object(after)) = (before, after) else { return BTreeMap::new() };
    let names = before.keys().chain(after.keys()).filter(|name| !BOOKKEEPING.contains(&name.as_str()));
    let changed = names.filter_map(|name| {
        let members = [before, after].map(|record| record.get(name).unwrap_or(&Value::Null));
        (members[0] != members[1]).then(|| (name.into(), members.map(Cow::Borrowed)))
    });
    changed.collect()
}

/// A record as the decision found it.
fn record_before<'a>(facts: &'a Facts, record: RecordKind, id: &str) -> Option<&'a Value> {
    let is = |document: &&Value| document["id"].as_str() == Some(id);
    match record {
        RecordKind::Item => facts.item.as_ref().map(|item| &*item.record).filter(is),
        RecordKind::Loan => {
            let loans = facts.loan.iter().chain(&facts.open_loans_of_item);
            loans.map(|loan| &*loan.record).find(is)
        }
        RecordKind::Request => facts.queue.iter().map(|request| &*request.record).find(is),
        RecordKind::Account => facts.lost.accounts.iter().map(|account| &account.record).find(is),
        RecordKind::ActualCostRecord => facts.lost.actual_costs.iter().find(is),
        _ => None,
    }
}
