//! Marking items as missing, withdrawn, restricted and so on. A request that was being fulfilled goes back into the queue. Facts:
//! mod-inventory 20.2.6, also for the statuses from which each mark is allowed.

use jiff::Timestamp;
use octavo_kernel::{Outcome, Refusal, folio_time};
use serde_json::{Value, json};

use crate::document::{Document, set, set_metadata, text};
use crate::facts::{ItemStatus, ItemStatus::*};
use crate::plan::{Plan, RecordKind};
use crate::status::RequestStatus;
use crate::trace::Step;

#[derive(Debug, Clone, Default)]
pub struct MarkFacts {
    pub now: Timestamp,
    pub acting_user_id: Option<String>,
    pub item: Document,
    pub requests: Vec<Value>,
}

#[derive(Debug)]
pub struct Mark {
    status: ItemStatus,
    from: AllowedFrom,
}

#[derive(Debug)]
enum AllowedFrom {
    /// All statuses except these and the new one.
    AllBut(&'static [ItemStatus]),
    /// [`ON_HAND`] and these.
    OnHandOr(&'static [ItemStatus]),
}

/// The statuses of items that nobody has borrowed, lost or only ordered.
const ON_HAND: [ItemStatus; 12] = [
    Available,
    AwaitingDelivery,
    AwaitingPickup,
    IntellectualItem,
    InTransit,
    InProcess,
    InProcessNonRequestable,
    LongMissing,
    Paged,
    Restricted,
    Unavailable,
    Unknown,
];

const fn mark_as(status: ItemStatus, from: AllowedFrom) -> Mark {
    Mark { status, from }
}

impl Mark {
    pub const IN_PROCESS: Mark = mark_as(InProcess, AllowedFrom::AllBut(&[]));
    pub const IN_PROCESS_NON_REQUESTABLE: Mark =
        mark_as(InProcessNonRequestable, AllowedFrom::AllBut(&[InProcess]));
    pub const INTELLECTUAL_ITEM: Mark = mark_as(IntellectualItem, AllowedFrom::AllBut(&[InProcess]));
    pub const LONG_MISSING: Mark = mark_as(LongMissing, AllowedFrom::AllBut(&[InProcess]));
    pub const RESTRICTED: Mark = mark_as(Restricted, AllowedFrom::AllBut(&[InProcess]));
    pub const UNAVAILABLE: Mark = mark_as(Unavailable, AllowedFrom::AllBut(&[InProcess]));
    pub const UNKNOWN: Mark = mark_as(Unknown, AllowedFrom::AllBut(&[InProcess]));
    pub const MISSING: Mark = mark_as(Missing, AllowedFrom::OnHandOr(&[Withdrawn]));
    pub const WITHDRAWN: Mark = mark_as(Withdrawn, AllowedFrom::OnHandOr(&[LostAndPaid, Missing]));

    fn allowed_from(&self, status: &str) -> bool {
        let is = |other: &ItemStatus| other.name() == status;
        match self.from {
            AllowedFrom::AllBut(others) => !is(&self.status) && !others.iter().any(is),
            AllowedFrom::OnHandOr(others) => ON_HAND.iter().chain(others).any(is),
        }
    }
}

/// `POST /inventory/items/{id}/mark-...`
pub fn mark_item(facts: &MarkFacts, mark: &Mark) -> Outcome<Plan> {
    let mut item = facts.item.clone();
    let status = text(&facts.item, &["status", "name"]).unwrap_or_default();
    let name = mark.status.name();
    if !mark.allowed_from(status) {
        let message = format!("Item is not allowed to be marked as {name}");
        return Err(Refusal::new(message).about("status.name", status).into());
    }
    let now = folio_time(facts.now);
    let mut plan = Plan::default();
    set(&mut item, "status", json!({"name": name, "date": now}));
    set_metadata(&mut item, facts.now, facts.acting_user_id.as_deref());
    plan.update(RecordKind::Item, text(&facts.item, &["id"]).unwrap_or_default(), item);
    plan.add_step(Step::ItemStatusChanged { from: status.to_owned(), to: name.to_owned() });
    for request in facts.requests.iter().filter(|request| is_being_fulfilled(request, &now)) {
        let id = text(request, &["id"]).unwrap_or_default();
        let from = text(request, &["status"]).unwrap_or_default().to_owned();
        let mut waiting = request.clone();
        set(&mut waiting, "status", RequestStatus::NotYetFilled.name());
        plan.update(RecordKind::Request, id, waiting);
        let to = RequestStatus::NotYetFilled.name().to_owned();
        plan.add_step(Step::RequestChanged { request_id: id.to_owned(), from, to });
    }
    Ok(plan)
}

/// Whether the request is being fulfilled and its time on the hold shelf is not over.
fn is_being_fulfilled(request: &Value, now: &str) -> bool {
    let status = text(request, &["status"]).and_then(RequestStatus::read);
    status.is_some_and(RequestStatus::is_being_fulfilled)
        && text(request, &["holdShelfExpirationDate"]).is_none_or(|end| end >= now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{messages, written_document};

    #[test]
    fn a_mark_is_allowed_from_some_statuses() {
        let cases = [
            (&Mark::IN_PROCESS, "Checked out", true),
            (&Mark::IN_PROCESS, "In process", false),
            (&Mark::RESTRICTED, "In process", false),
            (&Mark::RESTRICTED, "Checked out", true),
            (&Mark::MISSING, "Claimed returned", false),
            (&Mark::MISSING, "In process", true),
            (&Mark::WITHDRAWN, "Lost and paid", true),
            (&Mark::WITHDRAWN, "Checked out", false),
        ];
        for (mark, from, allowed) in cases {
            assert_eq!(mark.allowed_from(from), allowed, "{:?} from {from}", mark.status);
        }
    }

    fn marking(status: &str, requests: Vec<Value>) -> MarkFacts {
        let item = json!({"id": "book-1", "status": {"name": status}}).into();
        MarkFacts { now: crate::desk::NOW.parse().unwrap(), acting_user_id: None, item, requests }
    }

    #[test]
    fn who_waited_at_the_hold_shelf_waits_in_the_queue_again() {
        let request = |status: &str, until: &str| json!({"id": "r1", "status": status, "position": 1, "holdShelfExpirationDate": until});
        for (status, until, back) in [
            ("Open - Awaiting pickup", "2026-03-09T10:00:00.000+00:00", true),
            ("Open - Awaiting pickup", "2026-03-01T10:00:00.000+00:00", false),
            ("Open - Not yet filled", "2026-03-09T10:00:00.000+00:00", false),
        ] {
            let facts = marking("Awaiting pickup", vec![request(status, until)]);
            let plan = mark_item(&facts, &Mark::MISSING).unwrap();
            let status = json!({"name": "Missing", "date": folio_time(facts.now)});
            assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"], status);
            let request = written_document(&plan, RecordKind::Request);
            let waits = request.map(|request| (request["status"].as_str(), request["position"].as_i64()));
            assert_eq!(waits, back.then_some((Some("Open - Not yet filled"), Some(1))), "{status} {until}");
        }
    }

    #[test]
    fn what_may_not_be_marked_keeps_its_status() {
        let fault = mark_item(&marking("Checked out", Vec::new()), &Mark::WITHDRAWN).unwrap_err();
        assert_eq!(messages(&fault), ["Item is not allowed to be marked as Withdrawn"]);
    }
}
