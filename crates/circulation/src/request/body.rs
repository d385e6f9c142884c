//! A request as clients send it, converted for the checks.

use octavo_kernel::{Fault, Outcome, Refusal, folio_time, parse_time};
use serde_json::{Value, json};

use super::RequestFacts;
use crate::command::OverrideBlocks;
use crate::document::{remove, set, text, value_at};
use crate::moment::end_of_day;
use crate::status::{FulfillmentPreference, RefusalCode, RequestLevel, RequestStatus, RequestType};

/// The members of answers that storage does not take from the client.
const COMPUTED: &str = "\
    item instance requester proxy loan pickupServicePoint deliveryAddress requestProcessingParameters \
    searchIndex queueEstimate awaitingPickupRequestClosedDate";

const DATES: [&str; 4] = ["requestDate", "requestExpirationDate", "holdShelfExpirationDate", "cancelledDate"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Create,
    Edit,
    Move,
}

#[derive(Debug, Clone)]
pub(super) struct Body {
    /// The record without computed members.
    pub record: Value,
    pub override_blocks: OverrideBlocks,
}

impl Body {
    /// Reads the body, and refuses errors that make all further checks meaningless.
    pub(super) fn read(facts: &RequestFacts, body: &Value, purpose: Purpose) -> Outcome<Body> {
        let mut record = body.clone();
        let blocks = value_at(body, &["requestProcessingParameters", "overrideBlocks"]).cloned();
        let override_blocks =
            blocks.and_then(|blocks| serde_json::from_value(blocks).ok()).unwrap_or_default();
        COMPUTED.split(' ').for_each(|key| remove(&mut record, key));
        if purpose == Purpose::Create {
            fill_for_old_clients(facts, &mut record);
        }
        set(&mut record, "status", status(body)?);
        let read = Body { record, override_blocks };
        read.refuse_unknown_values(facts)?;
        Ok(read.with_dates(facts))
    }

    fn refuse_unknown_values(&self, facts: &RequestFacts) -> Outcome<()> {
        let levels = if facts.title_level.enabled { RequestLevel::ALL } else { &[RequestLevel::Item] };
        let level = self.sent_text("requestLevel");
        if !level.and_then(RequestLevel::spelled).is_some_and(|level| levels.contains(&level)) {
            let message = format!(
                "Request level must be one of the following: {}",
                quoted_names(levels, RequestLevel::name)
            );
            let refusal = Refusal::new(message).about("requestLevel", level);
            return Err(refusal.code(RefusalCode::RequestLevelNotAllowed).into());
        }
        let preference = self.sent_text("fulfillmentPreference");
        if preference.and_then(FulfillmentPreference::spelled).is_none() {
            let message = "Fulfillment preference must be one of the following: Hold Shelf, Delivery";
            let refusal = Refusal::new(message).about("fulfillmentPreference", preference);
            return Err(refusal.code(RefusalCode::FulfillmentPreferenceNotAllowed).into());
        }
        Ok(())
    }

    /// Writes instants in FOLIO's form; the expiration is at the end of its day.
    fn with_dates(mut self, facts: &RequestFacts) -> Body {
        for key in DATES {
            if let Some(at) = self.text(key).and_then(parse_time) {
                let at =
                    if key == "requestExpirationDate" { end_of_day(at, &facts.desk.time_zone) } else { at };
                set(&mut self.record, key, folio_time(at));
            }
        }
        self
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        text(&self.record, &[key])
    }

    /// The text of a member as the client sent it, even if it is empty.
    pub(super) fn sent_text(&self, key: &str) -> Option<&str> {
        value_at(&self.record, &[key])?.as_str()
    }

    /// The text of a member, empty if the client left it out.
    pub(super) fn text_or_empty(&self, key: &str) -> &str {
        self.text(key).unwrap_or_default()
    }

    pub(super) fn is_title_level(&self) -> bool {
        self.text("requestLevel") == Some(RequestLevel::Title.name())
    }

    pub(super) fn request_type(&self) -> &str {
        self.text_or_empty("requestType")
    }

    pub(super) fn kind(&self) -> Option<RequestType> {
        RequestType::spelled(self.request_type())
    }
}

fn quoted_names<T: Copy>(words: &[T], name: impl Fn(T) -> &'static str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{}\"", name(*word))).collect();
    quoted.join(", ")
}

/// A body without a status is for a request that is not yet filled; an empty or unknown status is refused.
fn status(body: &Value) -> Outcome<RequestStatus> {
    let sent = match body.get("status") {
        None if body.is_object() => return Ok(RequestStatus::NotYetFilled),
        sent => sent.and_then(Value::as_str).unwrap_or_default(),
    };
    RequestStatus::read(sent).ok_or_else(|| {
        let known = quoted_names(RequestStatus::ALL, RequestStatus::name);
        Fault::bad_request(format!("Request status must be one of the following: {known}"))
    })
}

/// Adds the members that clients from before title-level requests do not send: these name only an item.
fn fill_for_old_clients(facts: &RequestFacts, record: &mut Value) {
    let new = ["requestLevel", "holdingsRecordId", "instanceId"];
    if new.iter().any(|key| record.get(key).is_some()) {
        return;
    }
    set(record, "requestLevel", "Item");
    if let Some(item) = &facts.desk.item {
        set(record, "holdingsRecordId", json!(item.holdings_record_id()));
        set(record, "instanceId", json!(item.instance_id));
    }
}
