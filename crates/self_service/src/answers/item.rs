//! Item information (17) and item status update (19).

use octavo_cql::quote_term;
use octavo_kernel::Outcome;
use octavo_sip2::Message;
use serde_json::Value;

use super::loans::media_type;
use super::refusal::refusal;
use crate::desk::{Desk, refused};
use crate::times;

/// The item with a barcode.
pub(super) async fn find(desk: &Desk<'_>, barcode: &str) -> Outcome<Option<Value>> {
    if barcode.is_empty() {
        return Ok(None);
    }
    desk.first("/inventory/items", "items", &format!("barcode=={}", quote_term(barcode))).await
}

pub(super) async fn information(desk: &Desk<'_>, asked: &Message) -> Outcome<Message> {
    let item = find(desk, asked.text("AB")).await?.ok_or_else(|| refused("Item does not exist"))?;
    let id = quote_term(item["id"].as_str().unwrap_or_default());
    let status = item["status"]["name"].as_str().unwrap_or_default();
    let loan =
        desk.first("/circulation/loans", "loans", &format!("itemId=={id} and status.name==Open")).await?;
    let queue = format!("itemId=={id} and status==\"Open*\" sortby position");
    let queue = desk.find("/circulation/requests", "requests", &queue, 10).await?;
    let recalled = loan.is_some() && queue.records.iter().any(|request| request["requestType"] == "Recall");
    let zone = &desk.settings().zone;
    let due = loan.as_ref().and_then(|loan| times::format_record_time(&loan["dueDate"], zone));
    let waiting = queue.records.iter().find(|request| request["status"] == "Open - Awaiting pickup");
    let kept =
        waiting.and_then(|request| times::format_record_time(&request["holdShelfExpirationDate"], zone));
    let place = |name: &str| item[name]["name"].as_str().map(str::to_owned);
    let effective = place("effectiveLocation");
    let permanent = place("permanentLocation").or_else(|| effective.clone());
    let call_number = item["effectiveCallNumberComponents"]["callNumber"].as_str();
    let answer = Message::new("18", &[circulation_status(status, recalled), "00", "01", &desk.date()])
        .with("CF", &queue.total.to_string())
        .with_some("AH", due.as_deref())
        .with_some("CJ", due.as_deref().filter(|_| recalled))
        .with_some("CM", kept.as_deref())
        .with("AB", asked.text("AB"))
        .with("AJ", item["title"].as_str().unwrap_or_default())
        .with_some("CK", media_type(item["materialType"]["name"].as_str()))
        .with_some("AQ", permanent.as_deref())
        .with_some("AP", effective.as_deref())
        .with("AF", status)
        .with_some("CS", call_number);
    Ok(answer)
}

/// SIP2's status for FOLIO's, as edge-sip2 has it; the missing are missing, and what is recalled says so.
fn circulation_status(status: &str, recalled: bool) -> &'static str {
    match status {
        "On order" => "02",
        "Available" => "03",
        "Checked out" if recalled => "07",
        "Checked out" => "04",
        "In process" | "In process (non-requestable)" => "06",
        "Paged" => "07",
        "Awaiting pickup" => "08",
        "In transit" | "Awaiting delivery" => "10",
        "Claimed returned" => "11",
        "Aged to lost" | "Declared lost" | "Lost and paid" => "12",
        "Missing" | "Long missing" => "13",
        _ => "01",
    }
}

/// FOLIO has no place for the properties that a machine writes to an item, so the answer is that they were not kept.
pub(super) fn update(desk: &Desk<'_>, asked: &Message) -> Message {
    let words = "Item properties are not kept".to_owned();
    refusal(asked, &desk.date(), &[words]).unwrap_or_else(|| Message::new("20", &["0", &desk.date()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_number() {
        let known = ["Available", "Checked out", "Aged to lost", "Missing", "Intellectual item"];
        assert_eq!(known.map(|status| circulation_status(status, false)), ["03", "04", "12", "13", "01"]);
        assert_eq!(circulation_status("Checked out", true), "07");
    }
}
