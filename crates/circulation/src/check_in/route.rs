//! The destination of a returned item: the hold shelf, another service point, or its own place.

use octavo_kernel::{Outcome, folio_time};
use serde_json::json;

use super::Desk;
use crate::document::set;
use crate::facts::{Item, ItemStatus, QueuedRequest};
use crate::plan::Plan;
use crate::refusals::missing_parameter;
use crate::trace::Step;

impl Desk<'_> {
    pub(super) fn receive(
        &self,
        stored: &Item,
        request: Option<&QueuedRequest>,
        plan: &mut Plan,
    ) -> Outcome<Item> {
        let mut item = stored.clone();
        match request {
            Some(request) => self.route_to_request(&mut item, request)?,
            None => self.route_home(&mut item),
        }
        let last_check_in = json!({
            "dateTime": folio_time(self.facts.now()),
            "servicePointId": self.service_point_id,
            "staffMemberId": self.staff_id,
        });
        set(&mut item.record, "lastCheckIn", last_check_in);
        self.facts.write_item(stored.status().to_owned(), &mut item, plan);
        if item.is(ItemStatus::InTransit) {
            let service_point_id = item.in_transit_destination().map(str::to_owned);
            plan.add_step(Step::SentInTransit { service_point_id });
        }
        Ok(item)
    }

    fn route_to_request(&self, item: &mut Item, request: &QueuedRequest) -> Outcome<()> {
        let now = self.facts.now();
        if request.is_for_delivery() {
            item.change_status(ItemStatus::AwaitingDelivery, now);
            return Ok(());
        }
        let pickup = request.pickup_service_point_id().ok_or_else(|| {
            missing_parameter(
                "Failed to check in item due to the highest priority request missing a pickup service point",
                "pickupServicePointId",
            )
        })?;
        if pickup == self.service_point_id {
            item.change_status(ItemStatus::AwaitingPickup, now);
        } else {
            item.send_to(Some(pickup), now);
        }
        Ok(())
    }

    fn route_home(&self, item: &mut Item) {
        let now = self.facts.now();
        let home = item.location.clone().unwrap_or_default();
        if home.is_served_by(self.service_point_id) {
            item.change_status(ItemStatus::Available, now);
        } else {
            item.send_to(home.primary_service_point_id.as_deref(), now);
        }
    }
}
