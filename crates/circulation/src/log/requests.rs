//! Records about requests.

use serde_json::Value;

use super::describe::{self, StatusChange};
use super::loans::is_at_desk;
use crate::document::{text, value_at};
use crate::notice::DecisionFacts;
use crate::plan::{Logged, PlaceChange, Plan, RecordKind, Source};
use crate::status::{LogAction, LogObject, RequestStatus};
use crate::trace::Step;

impl<'a> DecisionFacts<'a> {
    pub(super) fn log_requests(self, plan: &Plan, found: &mut Vec<Logged>) {
        let (at_desk, mut told) = (is_at_desk(plan), false);
        for step in &plan.trace {
            match step {
                Step::RequestMade { request_id, .. } => {
                    let Some(made) = plan.last_written(RecordKind::Request, request_id) else { continue };
                    let overridden = plan.trace.iter().any(|step| matches!(step, Step::Overridden { .. }));
                    let action =
                        if overridden { LogAction::CreatedThroughOverride } else { LogAction::Created };
                    found.push(self.about_request(action, made, describe::request_made(made), plan));
                }
                Step::RequestChanged { request_id, from, to } if at_desk => {
                    if let Some(changed) = plan.last_written(RecordKind::Request, request_id) {
                        found.push(self.status_changed(changed, from, to, plan, found.last()));
                    }
                }
                Step::RequestChanged { request_id, to, .. } => {
                    found.extend(self.changed(request_id, to, plan));
                }
                Step::RequestMoved { request_id, .. } => found.extend(self.moved_to(request_id, plan)),
                _ => continue,
            }
            told = true;
        }
        if !told {
            self.reordered(plan, found);
        }
    }

    fn stored_request(self, id: &str) -> Option<&'a Value> {
        self.facts.queue.iter().find(|queued| queued.id() == id).map(|queued| &*queued.record)
    }

    /// Staff have edited or cancelled the request, or it has expired.
    fn changed(self, id: &str, to: &str, plan: &Plan) -> Option<Logged> {
        let updated = plan.last_written(RecordKind::Request, id)?;
        let original = self.stored_request(id).unwrap_or(updated);
        let about = |action, description| self.about_request(action, updated, description, plan);
        Some(match RequestStatus::spelled(to) {
            Some(RequestStatus::Cancelled) => Logged {
                reason_id: text(updated, &["cancellationReasonId"]).map(str::to_owned),
                ..about(LogAction::Cancelled, describe::request_cancelled(original))
            },
            Some(status @ (RequestStatus::Unfilled | RequestStatus::PickupExpired)) => {
                let action = match status {
                    RequestStatus::PickupExpired => LogAction::PickupExpired,
                    _ => LogAction::Expired,
                };
                let description = describe::request_expired(original, updated);
                Logged { source: Source::system(), ..about(action, description) }
            }
            _ => about(LogAction::Edited, describe::request_edited(original, updated)),
        })
    }

    fn moved_to(self, id: &str, plan: &Plan) -> Option<Logged> {
        let updated = plan.last_written(RecordKind::Request, id)?;
        let original = self.stored_request(id).unwrap_or(updated);
        let [new, old] = [&**updated, original].map(|request| text(request, &["item", "barcode"]));
        let description = describe::request_moved(original, new, old);
        let mut moved = self.about_request(LogAction::Moved, updated, description, plan);
        self.set_item(&mut moved, plan, text(original, &["itemId"]));
        Some(moved)
    }

    fn reordered(self, plan: &Plan, found: &mut Vec<Logged>) {
        for change in plan.place_changes() {
            let PlaceChange::Order { places } = change else { continue };
            for (id, position) in places {
                let Some(request) = self.stored_request(id) else { continue };
                let previous = value_at(request, &["position"]).and_then(Value::as_i64);
                let description = describe::request_reordered(request, Some(*position), previous);
                found.push(self.about_request(LogAction::QueuePositionReordered, request, description, plan));
            }
        }
    }

    /// FOLIO names the borrower and the loan of the check-out or check-in, not the requester.
    fn status_changed(
        self,
        request: &Value,
        old: &str,
        new: &str,
        plan: &Plan,
        desk: Option<&Logged>,
    ) -> Logged {
        let address = text(request, &["deliveryAddressTypeId"]);
        let names = &self.facts.person_names.address_types;
        let description = describe::request_status(&StatusChange {
            kind: text(request, &["requestType"]),
            pickup: self.point_name(text(request, &["pickupServicePointId"])),
            address_type: address.and_then(|id| names.get(id)).map(String::as_str),
            old: Some(old),
            new: Some(new),
        });
        let mut changed = match desk {
            Some(desk) => desk.clone(),
            None => self.about_request(LogAction::RequestStatusChanged, request, String::new(), plan),
        };
        (changed.object, changed.action) = (LogObject::Request, LogAction::RequestStatusChanged);
        changed.about_id = text(request, &["id"]).map(str::to_owned);
        changed.description = description;
        changed
    }

    fn about_request(self, action: LogAction, request: &Value, description: String, plan: &Plan) -> Logged {
        let own = |path: &[&str]| text(request, path).map(str::to_owned);
        let mut logged = Logged { description, ..Logged::new(LogObject::Request, action) };
        self.set_item(&mut logged, plan, text(request, &["itemId"]));
        logged.item_barcode = logged.item_barcode.or_else(|| own(&["item", "barcode"]));
        self.set_user(&mut logged, text(request, &["requesterId"]));
        logged.user_barcode = logged.user_barcode.or_else(|| own(&["requester", "barcode"]));
        logged.about_id = own(&["id"]);
        logged.service_point_id = own(&["pickupServicePointId"]);
        logged
    }
}
