//! The request that an item fulfils: the first in the queue that it can.

use octavo_kernel::Outcome;

use crate::Undecided;
use crate::facts::{Facts, Item, QueuedRequest};
use crate::governing::apply_rules;

/// The purpose for which a request is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchPurpose<'a> {
    /// Another patron's request stands against a check-out. A title-level recall does so only for the copy that it names.
    CheckOut,
    /// A check-out fills a request of its borrower, whom the id names.
    FillRequestOf(&'a str),
    CheckIn,
}

/// The first request of a queue that the item can fill. If none of the read part fits, the rest of the queue has to be read.
pub(crate) fn first_fulfillable<'a>(
    facts: &'a Facts,
    item: &Item,
    purpose: SearchPurpose<'_>,
) -> Result<Option<&'a QueuedRequest>, Undecided> {
    let mut found = None;
    for request in &facts.queue {
        let has_preference = request.is_for_hold_shelf() || request.is_for_delivery();
        let counts = match purpose {
            SearchPurpose::FillRequestOf(borrower) => request.requester_id() == Some(borrower),
            SearchPurpose::CheckOut | SearchPurpose::CheckIn => true,
        };
        if counts && has_preference && !request.is_skipped() && fulfils(facts, item, request, purpose)? {
            found = Some(request);
            break;
        }
    }
    let place = found.map_or(i64::MAX, |request| request.position().unwrap_or(i64::MAX));
    match facts.queue_part.up_to {
        Some(up_to) if place > up_to => Err(Undecided::ReadMore),
        _ => Ok(found),
    }
}

fn fulfils(facts: &Facts, item: &Item, request: &QueuedRequest, purpose: SearchPurpose<'_>) -> Outcome<bool> {
    let names_item = request.is_for_item(item.id());
    if !request.is_title_level() {
        return Ok(names_item);
    }
    if request.instance_id() != item.instance_id.as_deref() {
        return Ok(false);
    }
    if request.is_recall() && purpose == SearchPurpose::CheckOut {
        return Ok(names_item);
    }
    let is_free = request.is_recall() && request.is_not_yet_filled();
    let bound = is_free || request.item_id().is_none() || names_item;
    Ok(bound && requester_may_have(facts, item, request)?)
}

/// Whether the rules let this requester request and borrow the item.
fn requester_may_have(facts: &Facts, item: &Item, request: &QueuedRequest) -> Outcome<bool> {
    let found = apply_rules(&facts.policies, item, request.requester.as_ref())?;
    let requestable = facts.policies.request_policy(&found)?.allows(request.kind());
    Ok(requestable && facts.policies.governing_loan_policy(&found)?.policy.loanable)
}
