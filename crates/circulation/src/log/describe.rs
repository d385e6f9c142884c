//! The descriptions of the records, letter by letter as mod-audit writes them, also where it prints `null`.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_kernel::parse_time;
use serde_json::Value;

use crate::document::{computed_time, text};

pub(super) fn check_out(proxy_barcode: Option<&str>) -> String {
    format!("Checked out to proxy: {}.", proxy_barcode.unwrap_or("no"))
}

/// `destination` is the name of the service point to which an item in transit goes.
pub(super) fn item_checked_in(status: &str, destination: Option<&str>) -> String {
    match status.eq_ignore_ascii_case("In transit") {
        true => format!("Item status: In transit to {}.", destination.unwrap_or("null")),
        false => format!("Item status: {status}."),
    }
}

/// The end of a loan by a check-in.
pub(super) struct Return<'a> {
    pub(super) item_status: &'a str,
    pub(super) resolution: Option<&'a str>,
    pub(super) returned: Option<Timestamp>,
    pub(super) noted: Option<Timestamp>,
    pub(super) due: Option<Timestamp>,
    pub(super) zone: &'a TimeZone,
}

/// FOLIO compares the return, in the library's time, with the due date in UTC, and names the due date of items that are not late.
pub(super) fn loan_closed(end: &Return<'_>) -> String {
    let mut description = format!("Item status: {}", end.item_status);
    if end.item_status.eq_ignore_ascii_case("Claimed returned") {
        description += " . Claimed returned item: ";
        description += end.resolution.unwrap_or("null");
    }
    let local = |at: Timestamp| at.to_zoned(end.zone.clone()).datetime();
    let minute = |at: Timestamp| local(at).strftime("%Y-%m-%d %H:%M").to_string();
    if let (Some(returned), Some(noted)) = (end.returned, end.noted)
        && minute(returned) != minute(noted)
    {
        description += &format!(". Backdated to: {}", local(returned).strftime("%Y-%m-%d %H:%M:%S"));
    }
    if let (Some(returned), Some(due)) = (end.returned, end.due) {
        let due = due.to_zoned(TimeZone::UTC).datetime();
        if due > local(returned) {
            description += &format!(". Overdue due date: {}", due.strftime("%Y-%m-%d %H:%M:%S"));
        }
    }
    description + "."
}

pub(super) fn due_date(now: Option<Timestamp>, before: Option<Timestamp>) -> String {
    format!("New due date: {} (from {})", instant(now), instant(before))
}

pub(super) fn aged_to_lost(at: Option<Timestamp>) -> String {
    format!("Due date: {}", instant(at))
}

fn instant(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "null".to_owned(), computed_time)
}

pub(super) fn additional(comment: Option<&str>) -> String {
    format!("Additional information: {}", comment.unwrap_or("null"))
}

pub(super) fn request_made(request: &Value) -> String {
    request_summary(request).trim().to_owned()
}

pub(super) fn request_edited(original: &Value, updated: &Value) -> String {
    let mut description = request_summary(original);
    let [old, new] = [original, updated].map(|request| text(request, &["requestType"]));
    if old != new {
        description += &new.map(|new| format!("New request type: {new} ")).unwrap_or_default();
        description += &old.map(|old| format!("(from: {old}).")).unwrap_or_default();
    }
    let expires = |request| text(request, &["requestExpirationDate"]).and_then(parse_time);
    let [old, new] = [original, updated].map(expires);
    if old != new {
        description += &format!("New expiration date: {} (from: {}). ", local_date(new), local_date(old));
    }
    for (name, key) in [
        // FOLIO's requests have none of the three under these names.
        ("fulfilment preference", "fulfilmentPreference"),
        ("pickup service point", "pickupServicePoint"),
        ("address type", "addressType"),
    ] {
        let [old, new] = [original, updated].map(|request| text(request, &[key]));
        if old != new {
            let [new, old] = [new, old].map(|value| value.unwrap_or("null"));
            description += &format!("New {name}: {new} (from: {old}). ");
        }
    }
    description.trim().to_owned()
}

fn local_date(at: Option<Timestamp>) -> String {
    let written = |at: Timestamp| at.strftime("%Y-%m-%d %H:%M:%S").to_string();
    at.map_or_else(|| "not set".to_owned(), written)
}

/// The reason's own description follows.
pub(super) fn request_cancelled(original: &Value) -> String {
    request_summary(original) + "Reason for cancellation: "
}

pub(super) fn request_moved(
    original: &Value,
    new_barcode: Option<&str>,
    old_barcode: Option<&str>,
) -> String {
    let mut description = request_summary(original);
    description += &new_barcode.map(|barcode| format!("New item barcode: {barcode} ")).unwrap_or_default();
    description += &old_barcode.map(|barcode| format!("(from: {barcode}).")).unwrap_or_default();
    description.trim().to_owned()
}

pub(super) fn request_reordered(request: &Value, position: Option<i64>, previous: Option<i64>) -> String {
    let mut description = request_summary(request);
    description += &position.map(|position| format!("New queue position: {position} ")).unwrap_or_default();
    description += &previous.map(|position| format!("(from: {position}).")).unwrap_or_default();
    description.trim().to_owned()
}

pub(super) fn request_expired(original: &Value, updated: &Value) -> String {
    (request_summary(original) + &statuses(text(original, &["status"]), text(updated, &["status"])))
        .trim()
        .to_owned()
}

fn statuses(old: Option<&str>, new: Option<&str>) -> String {
    let new = new.map(|new| format!("New request status: {new} ")).unwrap_or_default();
    new + &old.map(|old| format!("(from: {old}).")).unwrap_or_default()
}

/// A request whose status a check-out or check-in has changed.
pub(super) struct StatusChange<'a> {
    pub(super) kind: Option<&'a str>,
    pub(super) pickup: Option<&'a str>,
    pub(super) address_type: Option<&'a str>,
    pub(super) old: Option<&'a str>,
    pub(super) new: Option<&'a str>,
}

pub(super) fn request_status(change: &StatusChange<'_>) -> String {
    let parts = [
        ("Type", change.kind),
        ("Pickup service point", change.pickup),
        ("Address type", change.address_type),
    ];
    labelled_values(&parts) + &statuses(change.old, change.new)
}

fn request_summary(request: &Value) -> String {
    labelled_values(&[
        ("Type", text(request, &["requestType"])),
        ("Service point", text(request, &["servicePoint"])),
        ("Address type", text(request, &["addressType"])),
    ])
}

fn labelled_values(parts: &[(&str, Option<&str>)]) -> String {
    parts.iter().filter_map(|(name, value)| Some(format!("{name}: {}. ", (*value)?))).collect()
}

pub fn notice(template: Option<&str>, event: Option<&str>) -> String {
    let [template, event] = [template, event].map(|text| text.unwrap_or("unknown"));
    format!("Template: {template}. Triggering event: {event}.")
}

/// The members of a manual block.
pub(super) fn manual_block(block: &Value) -> String {
    let actions: Vec<&str> =
        ["borrowing", "renewals", "requests"].into_iter().filter(|name| block[*name] == true).collect();
    let mut description = String::new();
    if !actions.is_empty() {
        description += &format!("Block actions: {}. ", actions.join(", "));
    }
    let expires = text(block, &["expirationDate"]).and_then(parse_time);
    let expires = expires.map(|at| at.strftime("%Y-%m-%d").to_string());
    for (name, value) in [
        ("Description", text(block, &["desc"])),
        ("Staff only information", text(block, &["staffInformation"])),
        ("Message to patron", text(block, &["patronMessage"])),
        ("Expiration date", expires.as_deref()),
    ] {
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            description += &format!("{name}: {value}. ");
        }
    }
    description.trim().to_owned()
}

/// A charge or an action on a fee/fine, by FOLIO's names of the payload's members.
pub(super) fn fee(action: &str, payload: &Value) -> String {
    let word = |key: &str| text(payload, &[key]).unwrap_or("null");
    let money = |key: &str| match payload[key].as_f64() {
        Some(amount) => format!("{amount:.2}"),
        None => "null".to_owned(),
    };
    let comments = text(payload, &["comments"]);
    let for_whom = |whom| comment_part(comments, whom);
    let method = match action {
        "Billed" => {
            let how = if payload["automated"] == true { "automated" } else { "manual" };
            return format!(
                "Fee/Fine type: {}. Fee/Fine owner: {}. Amount: {}. {how}. Additional information to staff: {}",
                word("type"),
                word("feeFineOwner"),
                money("amount"),
                word("comments"),
            );
        }
        "Cancelled as error" => {
            return format!(
                "Amount: {}. Cancellation reason: {}. Additional information to patron: {}.",
                money("amount"),
                for_whom(STAFF),
                for_whom(PATRON),
            );
        }
        "Staff information only added" => return for_whom(STAFF),
        "Paid fully" | "Paid partially" => "Payment method",
        "Waived fully" | "Waived partially" => "Waive reason",
        "Refunded fully" | "Refunded partially" => "Refund reason",
        "Transferred fully" | "Transferred partially" => "Transfer account",
        _ => return String::new(),
    };
    format!(
        "Fee/Fine type: {}. Amount: {}. Balance: {}. {method}: {}. Additional information to staff: {}. \
         Additional information to patron: {}.",
        word("type"),
        money("amount"),
        money("balance"),
        word("paymentMethod"),
        for_whom(STAFF),
        for_whom(PATRON),
    )
}

const STAFF: &str = "STAFF : ";
const PATRON: &str = "PATRON : ";

/// The lines of a comment that are for somebody.
fn comment_part(comments: Option<&str>, whom: &str) -> String {
    let lines = comments.unwrap_or_default().split('\n').map(str::trim);
    lines.filter(|line| line.contains(whom)).map(|line| line.replace(whom, "")).collect()
}
