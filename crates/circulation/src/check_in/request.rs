//! Changes the request that the item fulfils to its next status.

use jiff::Timestamp;
use octavo_kernel::Outcome;
use serde_json::Value;

use super::Desk;
use crate::closed_library::{Circumstances, apply_closed_library};
use crate::document::{remove, set, set_time, text, value_at};
use crate::facts::{Item, QueuedRequest};
use crate::moment::end_of_day;
use crate::plan::{PlaceChange, Plan, QueueOf};
use crate::policy::{ClosedLibraryStrategy, Period};
use crate::queue::place_before_unfilled;
use crate::status::RequestStatus;

impl Desk<'_> {
    /// Writes the request before those that are not being fulfilled, and returns it.
    pub(super) fn fulfil(
        &self,
        stored: &QueuedRequest,
        item: &Item,
        plan: &mut Plan,
    ) -> Outcome<QueuedRequest> {
        let mut request = stored.clone();
        if !request.is_for_item(item.id()) {
            set(&mut request.record, "itemId", item.id());
            set(&mut request.record, "holdingsRecordId", item.holdings_record_id());
        }
        self.change_status(&mut request)?;
        let to = place_before_unfilled(&self.facts.queue, stored);
        let queue = QueueOf::from_request(stored, self.facts.queue_part.of_title);
        if let (Some(queue), Some(from), Some(to)) = (queue, stored.position(), to) {
            plan.change_places(PlaceChange::Move { queue, from, to });
            set(&mut request.record, "position", to);
        }
        self.facts.write_request(&stored.record, &mut request.record, plan);
        Ok(request)
    }

    fn change_status(&self, request: &mut QueuedRequest) -> Outcome<()> {
        if request.is_for_delivery() {
            set(&mut request.record, "status", RequestStatus::AwaitingDelivery);
            remove(&mut request.record, "holdShelfExpirationDate");
        } else if request.pickup_service_point_id() == Some(self.service_point_id) {
            set(&mut request.record, "status", RequestStatus::AwaitingPickup);
            if text(&request.record, &["holdShelfExpirationDate"]).is_none() {
                self.set_hold_shelf_expiration(request)?;
            }
        } else {
            set(&mut request.record, "status", RequestStatus::InTransit);
            remove(&mut request.record, "holdShelfExpirationDate");
        }
        Ok(())
    }

    /// Sets the end of the time on the hold shelf; without an expiry period of the service point there is none.
    fn set_hold_shelf_expiration(&self, request: &mut QueuedRequest) -> Outcome<()> {
        let Some(record) = self.facts.service_point(Some(self.service_point_id)) else { return Ok(()) };
        let period = value_at(record, &["holdShelfExpiryPeriod"]).cloned().unwrap_or_default();
        let period: Period = serde_json::from_value(period).unwrap_or_default();
        if let Some(expires) = self.hold_shelf_expiration(record, &period)? {
            set_time(&mut request.record, "holdShelfExpirationDate", expires);
        }
        Ok(())
    }

    fn hold_shelf_expiration(&self, service_point: &Value, period: &Period) -> Outcome<Option<Timestamp>> {
        let zone = &self.facts.time_zone;
        let Ok(expires) = period.add_to(&self.facts.now().to_zoned(zone.clone())) else { return Ok(None) };
        let short = period.is_short_term();
        let expires = if short { expires.timestamp() } else { end_of_day(expires.timestamp(), zone) };
        let day = expires.to_zoned(zone.clone()).date();
        let openings = self.facts.service_point_hours(Some(self.service_point_id)).openings(day);
        let circumstances = Circumstances { zone, current_time: expires, opening_time_offset: period };
        let strategy = strategy(service_point, short);
        Ok(Some(apply_closed_library(strategy, expires, &circumstances, openings.as_ref())?))
    }
}

fn strategy(service_point: &Value, short_term: bool) -> ClosedLibraryStrategy {
    use ClosedLibraryStrategy as Strategy;
    let name = text(service_point, &["holdShelfClosedLibraryDateManagement"]).unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "move_to_the_end_of_the_previous_open_day" => Strategy::EndOfThePreviousOpenDay,
        "move_to_the_end_of_the_next_open_day" => Strategy::EndOfTheNextOpenDay,
        "keep_the_current_due_date_time" => Strategy::CurrentDueDateTime,
        "move_to_end_of_current_service_point_hours" => Strategy::EndOfTheCurrentServicePointHours,
        "move_to_beginning_of_next_open_service_point_hours" => {
            Strategy::BeginningOfTheNextOpenServicePointHours
        }
        _ if short_term => Strategy::CurrentDueDateTime,
        _ => Strategy::CurrentDueDate,
    }
}
