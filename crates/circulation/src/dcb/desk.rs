//! The events in a plan of the desk that concern transactions with other libraries.

use crate::document::text;
use crate::plan::{DcbEvent, DcbSubject, DeskEvent as Event, Plan, RecordKind, Write};
use crate::status::RequestStatus;

/// The events in a plan that concern transactions with other libraries, in the order of its writes.
pub fn dcb_events(plan: &Plan) -> Vec<DcbEvent> {
    let of_write = |write: &Write| match write.document()? {
        (RecordKind::Loan, _, loan) => {
            // As mod-dcb 1.1 hears of loans: by these two actions and not by `checkedOutThroughOverride`.
            let event = match text(loan, &["action"])? {
                "checkedout" => Event::CheckedOut,
                "checkedin" => Event::CheckedIn,
                _ => return None,
            };
            Some(DcbEvent { event, subject: DcbSubject::Item(text(loan, &["itemId"])?.to_owned()) })
        }
        (RecordKind::Request, id, request) if matches!(write, Write::Update { .. }) => {
            let is = |status: RequestStatus| status.is_of(request);
            let event = if is(RequestStatus::InTransit) {
                Event::RequestInTransit
            } else if is(RequestStatus::AwaitingPickup) {
                Event::RequestAwaitingPickup
            } else if is(RequestStatus::Cancelled) {
                Event::RequestCancelled
            } else {
                return None;
            };
            Some(DcbEvent { event, subject: DcbSubject::Request(id.to_owned()) })
        }
        _ => None,
    };
    plan.writes.iter().filter_map(of_write).collect()
}
