//! Check-in: an item comes back, on loan or not.
//!
//! Only the first reason to refuse is reported.
//!
//! Fees for a lost item that turns up are refunded, also when the loan had ended because they were paid.

mod loan;
mod request;
mod response;
mod route;

use jiff::Timestamp;
use octavo_kernel::{Outcome, Refusal, parse_time};
use serde_json::json;

use crate::Undecided;
use crate::command::CheckIn;
use crate::document::set;
use crate::facts::{Facts, Item, Loan, QueuedRequest};
use crate::fees::{RefundReason, refund_lost_fees};
use crate::loan_in_question::loan_of_item;
use crate::moment::to_millisecond;
use crate::plan::{Plan, RecordKind};
use crate::queue::{SearchPurpose, first_fulfillable};
use crate::refusals::item_status::refuse_check_in_of_status;
use crate::refusals::missing_parameter;
use crate::remote::announce_return;
use crate::status::ItemStatus;
use crate::trace::Step;

#[cfg(test)]
mod tests;

/// The complete command, with the service point of the check-in.
struct Desk<'a> {
    facts: &'a Facts,
    staff_id: &'a str,
    service_point_id: &'a str,
    check_in_date: Timestamp,
    resolution: Option<Resolution>,
    session_id: Option<&'a str>,
}

/// Fulfils a request as a check-in does, when a loan is closed as a record.
pub(crate) fn fulfil_at(
    facts: &Facts,
    service_point_id: &str,
    request: &QueuedRequest,
    item: &Item,
    plan: &mut Plan,
) -> Outcome<QueuedRequest> {
    let (staff_id, check_in_date) = (facts.acting_user_id.as_deref().unwrap_or_default(), facts.now());
    Desk { facts, staff_id, service_point_id, check_in_date, resolution: None, session_id: None }
        .fulfil(request, item, plan)
}

/// How the claim that an item was returned is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resolution {
    FoundByLibrary,
    ReturnedByPatron,
}

pub fn check_in(facts: &Facts, command: &CheckIn) -> Result<Plan, Undecided> {
    let desk = desk(facts, command)?;
    let item = facts.item.as_ref().ok_or_else(|| item_not_found(command))?;
    refuse_check_in_of_status(item).map_or(Ok(()), Err)?;
    if item.is(ItemStatus::ClaimedReturned) && desk.resolution.is_none() {
        let message = "Item is claimed returned, a resolution is required to check in";
        return Err(missing_parameter(message, "claimedReturnedResolution").into());
    }
    let request = first_fulfillable(facts, item, SearchPurpose::CheckIn)?;
    let loan = loan_of_item(facts, item)?;

    let mut plan = Plan::default();
    let in_house_use = is_in_house_use(item, &desk);
    if in_house_use {
        plan.add_step(Step::InHouseUse);
    }
    desk.log(item, &mut plan);
    let request = request.map(|request| desk.fulfil(request, item, &mut plan)).transpose()?;
    let item_after = desk.receive(item, request.as_ref(), &mut plan)?;
    let lost = desk.lost_loan(item, loan)?;
    let closed = loan.map(|loan| desk.close_loan(loan, item, &item_after, &mut plan));
    if let Some(lost) = lost {
        let at = Some(desk.service_point_id);
        refund_lost_fees(facts, lost, at, RefundReason::Returned, &mut plan)?;
    }
    if let (Some(loan), Some(closed)) = (loan, &closed) {
        desk.charge_for_delay(loan, closed, item, &mut plan);
    }
    announce_return(facts, item, &mut plan);
    plan.response = desk.response(
        closed.as_ref().map(|closed| &*closed.record),
        &item_after,
        request.as_ref(),
        in_house_use,
    );
    Ok(plan)
}

fn desk<'a>(facts: &'a Facts, command: &'a CheckIn) -> Result<Desk<'a>, Refusal> {
    let present = |text: &'a Option<String>| text.as_deref().filter(|text| !text.trim().is_empty());
    let staff_id = present(&facts.acting_user_id)
        .ok_or_else(|| missing_parameter("No logged-in user present", "userId"))?;
    present(&command.item_barcode)
        .ok_or_else(|| missing_parameter("Checkin request must have an item barcode", "itemBarcode"))?;
    let service_point_id = present(&command.service_point_id)
        .ok_or_else(|| missing_parameter("Checkin request must have a service point id", "servicePointId"))?;
    let check_in_date = present(&command.check_in_date)
        .and_then(parse_time)
        .map(to_millisecond)
        .ok_or_else(|| missing_parameter("Checkin request must have an check in date", "checkInDate"))?;
    let resolution = match command.claimed_returned_resolution.as_deref() {
        None => None,
        Some("Found by library") => Some(Resolution::FoundByLibrary),
        Some("Returned by patron") => Some(Resolution::ReturnedByPatron),
        Some(other) => {
            let refusal = Refusal::new("Unrecognized value provided for property");
            return Err(refusal.about("claimedReturnedResolution", other));
        }
    };
    let session_id = present(&command.session_id);
    Ok(Desk { facts, staff_id, service_point_id, check_in_date, resolution, session_id })
}

fn item_not_found(command: &CheckIn) -> Refusal {
    let barcode = command.item_barcode.as_deref().unwrap_or_default();
    Refusal::new(format!("No item with barcode {barcode} exists")).about("itemBarcode", barcode)
}

/// Whether this is in-house use: the item was not checked out, nobody requests it, and it is in its own library.
fn is_in_house_use(item: &Item, desk: &Desk<'_>) -> bool {
    let at_home = item.location.as_ref().is_some_and(|location| location.is_served_by(desk.service_point_id));
    item.is(ItemStatus::Available) && desk.facts.queue_length() == 0 && at_home
}

impl<'a> Desk<'a> {
    /// The loan in which the item was lost, if it was: its open one, or else its last.
    fn lost_loan(&self, item: &Item, open: Option<&'a Loan>) -> Result<Option<&'a Loan>, Refusal> {
        if !item.is_one_of(ItemStatus::LOST_OR_PAID) {
            return Ok(None);
        }
        if open.is_some() {
            return Ok(open);
        }
        let none = || {
            let message = "Item is lost however there is no aged to lost nor declared lost loan found";
            Refusal::new(message).about("itemId", item.id())
        };
        let last = self.facts.lost.loan.as_ref().ok_or_else(none)?;
        let message = "Last loan for lost item is neither aged to lost nor declared lost";
        let not_lost = || Refusal::new(message).about("loanId", last.id());
        last.lost_date().map(|_| Some(last)).ok_or_else(not_lost)
    }

    fn log(&self, item: &Item, plan: &mut Plan) {
        let id = self.facts.fresh_ids.check_in.as_str();
        let mut record = json!({
            "id": id,
            "occurredDateTime": octavo_kernel::folio_time(self.facts.now()),
            "itemId": item.id(),
            "itemStatusPriorToCheckIn": item.status(),
            "requestQueueSize": self.facts.queue_length(),
            "servicePointId": self.service_point_id,
            "performedByUserId": self.staff_id,
        });
        if let Some(location) = item.effective_location_id() {
            set(&mut record, "itemLocationId", location);
        }
        plan.insert(RecordKind::CheckIn, id, record);
    }
}
