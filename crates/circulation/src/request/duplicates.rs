//! Refuses a second open request of a patron for the same item or title.

use octavo_kernel::Refusal;

use super::RequestFacts;
use super::body::Body;
use crate::facts::QueuedRequest;
use crate::status::RefusalCode;

pub(super) fn refuse_already_requested(facts: &RequestFacts, body: &Body) -> Option<Refusal> {
    let own = facts.open_requests_of(body.text("requesterId"));
    let others = own.filter(|request| Some(request.id()) != body.text("id"));
    others.filter_map(|request| refusal(facts, body, request)).next()
}

fn refusal(facts: &RequestFacts, body: &Body, existing: &QueuedRequest) -> Option<Refusal> {
    let requester = body.sent_text("requesterId");
    if body.is_title_level() {
        let (what, code) = match existing.is_title_level() {
            true => ("this instance", RefusalCode::InstanceAlreadyRequested),
            false => ("one of the instance's items", RefusalCode::ItemOfThisInstanceAlreadyRequested),
        };
        let refusal = Refusal::new(format!("This requester already has an open request for {what}"));
        let refusal =
            refusal.about("requesterId", requester).about("instanceId", body.sent_text("instanceId"));
        return Some(refusal.code(code));
    }
    let of_title = facts.title_level.enabled && existing.is_title_level();
    (of_title || existing.item_id() == body.text("itemId")).then(|| {
        Refusal::new("This requester already has an open request for this item")
            .about("itemId", body.sent_text("itemId"))
            .about("requesterId", requester)
            // As in FOLIO, this is the id of the new request, if the client has sent one, and not of the existing one.
            .about("requestId", body.sent_text("id"))
            .code(RefusalCode::ItemAlreadyRequested)
    })
}
