//! Records from the `LOG_RECORD` events of modules outside of the program, as mod-audit makes them.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::describe::{self, Return, StatusChange};
use crate::document::{object, text, time, value_at};
use crate::plan::{Logged, Source};
use crate::status::{LogAction, LogObject};

/// The records of an event; the error says why FOLIO makes none.
pub fn records_of_event(event: &Value) -> Result<Vec<Logged>, String> {
    let kind = text(event, &["logEventType"]).unwrap_or_default();
    let payload = || value_at(event, &["payload"]).ok_or_else(|| "The event has no payload".to_owned());
    match kind {
        "CHECK_IN_EVENT" => Ok(checked_in(event)),
        "CHECK_OUT_EVENT" => Ok(checked_out(LogAction::CheckedOut, event)),
        "CHECK_OUT_THROUGH_OVERRIDE_EVENT" => Ok(checked_out(LogAction::CheckedOutThroughOverride, event)),
        "MANUAL_BLOCK_CREATED_EVENT" => Ok(vec![manual_block(LogAction::Created, payload()?)]),
        "MANUAL_BLOCK_MODIFIED_EVENT" => Ok(vec![manual_block(LogAction::Modified, payload()?)]),
        "MANUAL_BLOCK_DELETED_EVENT" => Ok(vec![manual_block(LogAction::Deleted, payload()?)]),
        "LOAN" => Ok(vec![loan(payload()?)?]),
        "NOTICE" => Ok(vec![notice(LogAction::Send, payload()?)]),
        "NOTICE_ERROR" => Ok(vec![notice(LogAction::SendError, payload()?)]),
        "FEE_FINE" => Ok(vec![fee(payload()?)?]),
        _ => requests(kind, event),
    }
}

fn owned_text(record: &Value, key: &str) -> Option<String> {
    text(record, &[key]).map(str::to_owned)
}

/// The item as the record shows it, under the names of the log; the program may not know it.
fn item_of(payload: &Value) -> Value {
    object([
        ("itemBarcode", Some(owned_text(payload, "itemBarcode").unwrap_or_default().into())),
        ("itemId", owned_text(payload, "itemId").map(Value::from)),
        ("instanceId", owned_text(payload, "instanceId").map(Value::from)),
        ("holdingId", owned_text(payload, "holdingsRecordId").map(Value::from)),
        (
            "loanId",
            owned_text(payload, "loanId").filter(|id| uuid::Uuid::parse_str(id).is_ok()).map(Value::from),
        ),
    ])
}

/// A record with patron, item, loan and service point of a payload.
fn record_about(object: LogObject, action: LogAction, payload: &Value) -> Logged {
    Logged {
        user_id: owned_text(payload, "userId"),
        user_barcode: owned_text(payload, "userBarcode"),
        item_id: owned_text(payload, "itemId"),
        item_barcode: owned_text(payload, "itemBarcode"),
        loan_id: owned_text(payload, "loanId"),
        service_point_id: owned_text(payload, "servicePointId"),
        source: Source::Named(owned_text(payload, "source")),
        more: payload.get("instanceId").map(|_| json!({"items": [item_of(payload)]})),
        ..Logged::new(object, action)
    }
}

fn checked_out(action: LogAction, event: &Value) -> Vec<Logged> {
    let mut lent = record_about(LogObject::Loan, action, event);
    lent.description = describe::check_out(text(event, &["proxyBarcode"]));
    std::iter::once(lent).chain(changed_requests(event)).collect()
}

fn checked_in(event: &Value) -> Vec<Logged> {
    let status = text(event, &["itemStatusName"]).unwrap_or_default();
    let mut arrived = record_about(LogObject::NA, LogAction::CheckedIn, event);
    arrived.description = describe::item_checked_in(status, text(event, &["destinationServicePoint"]));
    let mut all = vec![arrived];
    if event["isLoanClosed"] == true {
        let zone = text(event, &["zoneId"]).and_then(|name| TimeZone::get(name).ok());
        let mut ended = record_about(LogObject::Loan, LogAction::ClosedLoan, event);
        ended.description = describe::loan_closed(&Return {
            item_status: status,
            resolution: text(event, &["claimedReturnedResolution"]),
            returned: time(event, &["returnDate"]),
            noted: time(event, &["systemReturnDate"]),
            due: time(event, &["dueDate"]),
            zone: &zone.unwrap_or(TimeZone::UTC),
        });
        all.push(ended);
    }
    all.extend(changed_requests(event));
    all
}

fn changed_requests(event: &Value) -> impl Iterator<Item = Logged> {
    let requests = event["requests"].as_array().into_iter().flatten();
    requests.map(|request| {
        let mut changed = record_about(LogObject::Request, LogAction::RequestStatusChanged, event);
        changed.about_id = owned_text(request, "id");
        changed.description = describe::request_status(&StatusChange {
            kind: text(request, &["requestType"]),
            pickup: text(request, &["pickUpServicePoint"]),
            address_type: text(request, &["addressType"]),
            old: text(request, &["oldRequestStatus"]),
            new: text(request, &["newRequestStatus"]),
        });
        changed
    })
}

fn manual_block(action: LogAction, block: &Value) -> Logged {
    let by = text(block, &["metadata", "updatedByUserId"]);
    Logged {
        user_id: owned_text(block, "userId"),
        source: by.map_or(Source::Named(None), |id| Source::User(id.to_owned())),
        description: describe::manual_block(block),
        ..Logged::new(LogObject::ManualBlock, action)
    }
}

fn loan_action(action: Option<&str>) -> Result<LogAction, String> {
    match action.unwrap_or_default() {
        "" => Err("Action is empty".to_owned()),
        name => LogAction::spelled(name).ok_or_else(|| format!("Builder isn't implemented yet for: {name}")),
    }
}

fn loan(payload: &Value) -> Result<Logged, String> {
    let action = loan_action(text(payload, &["action"]))?;
    let mut logged = record_about(LogObject::Loan, action, payload);
    logged.description = owned_text(payload, "description").unwrap_or_default();
    logged.source = match text(payload, &["updatedByUserId"]) {
        _ if matches!(action, LogAction::Anonymize | LogAction::AgeToLost) => Source::system(),
        Some(id) => Source::User(id.to_owned()),
        None => Source::Named(None),
    };
    match action {
        LogAction::Anonymize => (logged.user_id, logged.user_barcode) = (None, None),
        LogAction::AgeToLost => logged.service_point_id = None,
        _ => {}
    }
    Ok(logged)
}

fn notice(action: LogAction, payload: &Value) -> Logged {
    let items = payload["items"].as_array().map_or(&[][..], Vec::as_slice);
    let none = Value::Null;
    let first = items.first().unwrap_or(&none);
    let mut description = describe::notice(text(first, &["templateName"]), text(first, &["triggeringEvent"]));
    if action == LogAction::SendError {
        let message = text(payload, &["errorMessage"]).unwrap_or("unknown");
        description += &format!(" Error message: {message}");
    }
    Logged {
        user_id: owned_text(payload, "userId"),
        user_barcode: owned_text(payload, "userBarcode"),
        item_id: owned_text(first, "itemId"),
        item_barcode: owned_text(first, "itemBarcode"),
        loan_id: owned_text(first, "loanId"),
        about_id: owned_text(payload, "requestId").or_else(|| owned_text(payload, "accountId")),
        service_point_id: owned_text(first, "servicePointId"),
        source: Source::system(),
        description,
        more: Some(json!({
            "items": items.iter().map(item_of).collect::<Vec<_>>(),
            "requestId": payload["requestId"],
            "feeFineId": payload["accountId"],
            "templateId": first["templateId"],
            "noticePolicyId": first["noticePolicyId"],
        })),
        ..Logged::new(LogObject::Notice, action)
    }
}

fn fee(payload: &Value) -> Result<Logged, String> {
    let action = loan_action(text(payload, &["action"]))?;
    let mut logged = record_about(LogObject::FeeFine, action, payload);
    logged.about_id = owned_text(payload, "accountId");
    logged.at = owned_text(payload, "date");
    logged.description = describe::fee(action.name(), payload);
    // The barcode of the item may be missing: it is looked up with the item.
    logged.more = None;
    Ok(logged)
}

fn requests(kind: &str, event: &Value) -> Result<Vec<Logged>, String> {
    let requests = value_at(event, &["payload", "requests"]).unwrap_or(&Value::Null);
    let [created, original, updated] = ["created", "original", "updated"].map(|key| &requests[key]);
    let by = |record| text(record, &["metadata", "updatedByUserId"]).map(str::to_owned);
    let about = |action, shown: &Value, item: &Value, by: Option<String>, description| Logged {
        user_id: owned_text(shown, "requesterId"),
        item_id: owned_text(item, "itemId"),
        about_id: owned_text(shown, "id"),
        service_point_id: owned_text(shown, "pickupServicePointId"),
        source: by.map_or(Source::Named(None), Source::User),
        description,
        ..Logged::new(LogObject::Request, action)
    };
    Ok(match kind {
        "REQUEST_CREATED_EVENT" | "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT" => {
            let action = match kind {
                "REQUEST_CREATED_EVENT" => LogAction::Created,
                _ => LogAction::CreatedThroughOverride,
            };
            vec![about(action, created, created, by(created), describe::request_made(created))]
        }
        "REQUEST_UPDATED_EVENT" if text(updated, &["status"]) == Some("Closed - Cancelled") => vec![Logged {
            reason_id: owned_text(updated, "cancellationReasonId"),
            ..about(
                LogAction::Cancelled,
                updated,
                original,
                by(updated),
                describe::request_cancelled(original),
            )
        }],
        "REQUEST_UPDATED_EVENT" => {
            let description = describe::request_edited(original, updated);
            vec![about(LogAction::Edited, updated, original, by(updated), description)]
        }
        "REQUEST_MOVED_EVENT" => {
            let barcode = |request| text(request, &["item", "barcode"]);
            let description = describe::request_moved(original, barcode(updated), barcode(original));
            vec![about(LogAction::Moved, updated, original, by(updated), description)]
        }
        "REQUEST_REORDERED_EVENT" => {
            let reordered = requests["reordered"].as_array().into_iter().flatten();
            let place = |request: &Value, key: &str| request[key].as_i64();
            let each = reordered.map(|request| {
                let [position, previous] = ["position", "previousPosition"].map(|key| place(request, key));
                let description = describe::request_reordered(request, position, previous);
                Logged {
                    user_barcode: text(request, &["requester", "barcode"]).map(str::to_owned),
                    ..about(LogAction::QueuePositionReordered, request, request, by(request), description)
                }
            });
            each.collect()
        }
        "REQUEST_EXPIRED_EVENT" => {
            let action = match text(updated, &["status"]) {
                Some("Closed - Pickup expired") => LogAction::PickupExpired,
                _ => LogAction::Expired,
            };
            let description = describe::request_expired(original, updated);
            let expired = about(action, original, original, None, description);
            vec![Logged { source: Source::system(), ..expired }]
        }
        other => return Err(format!("Builder isn't implemented yet for: {other}")),
    })
}
