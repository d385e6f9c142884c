//! Undoes the last operation on a loan: changed members get their old values, and new records are deleted.
//!
//! Later changes stay. If one of the changed members no longer has the value that the decision gave it, undoing is refused.

use jiff::{SignedDuration, Timestamp};
use octavo_kernel::{Fault, Outcome, Refusal, json_text, parse_time};
use serde_json::{Value, json};

use crate::document::{remove, set, set_metadata};
use crate::plan::{PlaceChange, Plan, QueueOf, RecordKind, Write};
use crate::remembered::{Change, StoredDecision};
use crate::trace::Step;

#[derive(Debug, Clone, Default)]
pub struct UndoFacts {
    pub now: Timestamp,
    pub acting_user_id: Option<String>,
    /// The last decision about the loan that was not undone.
    pub decision: Option<StoredDecision<'static>>,
    /// The present state of the records that it changed.
    pub records: Vec<(RecordKind, Value)>,
    /// The lengths of the queues in which other requests moved.
    pub queue_lengths: Vec<(QueueOf, i64)>,
    pub fees: Vec<String>,
}

/// How long an operation can be undone.
const UNDO_WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// `POST /octavo/loans/{id}/undo`
pub fn undo(facts: &UndoFacts) -> Outcome<Plan> {
    let nothing = || Refusal::new("Nothing that was done to this loan can be undone");
    let decision = facts.decision.as_ref().ok_or_else(nothing)?;
    let refusals = refusals(facts, decision);
    if !refusals.is_empty() {
        return Err(Fault::refused(refusals));
    }
    let mut plan = Plan::default();
    for change in decision.places.iter().rev().filter_map(|change| reversed_change(change)) {
        plan.change_places(change);
    }
    for change in decision.changes.iter().filter(|change| !change.made) {
        if let Some(current) = facts.current_record(change) {
            let restored = facts.restored(change, current);
            plan.update(change.record, &change.id, restored);
        }
    }
    let is_there = |change: &&Change<'_>| facts.current_record(change).is_some();
    for change in decision.changes.iter().filter(|change| change.made).filter(is_there) {
        plan.writes.push(Write::Delete { record: change.record, id: change.id.to_string() });
    }
    let undone = StoredDecision { undone: true, ..decision.clone() };
    plan.update(RecordKind::Decision, &decision.id, json!(undone));
    plan.add_step(Step::Undone { decision: decision.decision.to_string(), at: decision.at.clone() });
    let response = json!({
        "undone": {"id": decision.id, "decision": decision.decision, "at": decision.at, "loanId": decision.loan_id},
        "why": plan.sentences(),
    });
    plan.response = json_text(&response);
    Ok(plan)
}

/// The change that undoes a change of places in a queue; `None` for a new order of the whole queue, which is not undone.
fn reversed_change(change: &PlaceChange) -> Option<PlaceChange> {
    match change.clone() {
        PlaceChange::CloseGap { queue, after } => Some(PlaceChange::OpenGap { queue, at: after }),
        PlaceChange::OpenGap { queue, at } => Some(PlaceChange::CloseGap { queue, after: at }),
        PlaceChange::Move { queue, from, to } => Some(PlaceChange::Move { queue, from: to, to: from }),
        PlaceChange::Order { .. } => None,
    }
}

/// All reasons why the decision cannot be undone.
fn refusals(facts: &UndoFacts, decision: &StoredDecision<'_>) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let refuse = |message: String| Refusal::new(message).about("decisionId", &*decision.id);
    let (what, done) = (&decision.decision, parse_time(&decision.at).unwrap_or_default());
    if facts.now.duration_since(done) > UNDO_WINDOW {
        refusals.push(refuse(format!("The {what} was more than 24 hours ago and cannot be undone")));
    }
    if decision.by_clock {
        refusals.push(refuse(format!("The {what} was done by the clock and cannot be undone")));
    }
    for change in &decision.changes {
        let name = change.record.name();
        match facts.current_record(change) {
            None if change.record.may_be_gone() => {}
            None => refusals.push(refuse(format!("The {name} {} is gone", change.id))),
            Some(current) => {
                let changed: Vec<&str> = change
                    .members
                    .iter()
                    .filter(|(member, [_, after])| !is_same_value(current.get(member.as_ref()), after))
                    .map(|(member, _)| member.as_ref())
                    .collect();
                if !changed.is_empty() {
                    let changed = changed.join(", ");
                    refusals.push(refuse(format!("The {name} {} has changed since: {changed}", change.id)));
                }
            }
        }
    }
    for change in &decision.places {
        if let PlaceChange::CloseGap { queue, after } = &**change
            && facts.queue_lengths.iter().any(|(known, length)| known == queue && length + 1 < *after)
        {
            refusals.push(refuse(format!("The queue is shorter now, nobody can stand at place {after}")));
        }
    }
    let makes = |kind: RecordKind, id: &str| {
        decision.changes.iter().any(|change| change.made && change.record == kind && change.id == id)
    };
    if makes(RecordKind::Loan, &decision.loan_id) {
        let others = facts.fees.iter().filter(|fee| !makes(RecordKind::Account, fee));
        refusals.extend(others.map(|fee| refuse(format!("The loan has been charged since: fee/fine {fee}"))));
    }
    refusals
}

/// Numbers are compared as numbers: storage may write them in another way.
fn is_same_value(current: Option<&Value>, expected: &Value) -> bool {
    let current = current.unwrap_or(&Value::Null);
    match (current.as_f64(), expected.as_f64()) {
        (Some(current), Some(expected)) => current.to_bits() == expected.to_bits(),
        _ => current == expected,
    }
}

impl UndoFacts {
    fn current_record(&self, change: &Change<'_>) -> Option<&Value> {
        let is = |(record, document): &&(RecordKind, Value)| {
            *record == change.record && document["id"].as_str() == Some(&*change.id)
        };
        self.records.iter().find(is).map(|(_, document)| document)
    }

    fn restored(&self, change: &Change<'_>, current: &Value) -> Value {
        let mut document = current.clone();
        for (member, [before, _]) in &change.members {
            match &**before {
                Value::Null => remove(&mut document, member),
                before => set(&mut document, member, before.clone()),
            }
        }
        set_metadata(&mut document, self.now, self.acting_user_id.as_deref());
        document
    }
}
