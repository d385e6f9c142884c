//! Holds (15): placed, changed and cancelled.

use octavo_cql::quote_term;
use octavo_engine::Method;
use octavo_kernel::Outcome;
use octavo_sip2::Message;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use uuid::{Builder, Uuid};

use super::item;
use super::yes_or_no;
use crate::desk::{Desk, refused};
use crate::patron::{self, Patron};
use crate::times;

pub(super) async fn hold(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let patron = patron::admit(desk, asked.text("AA"), asked.text("AD")).await?;
    let (mode, target) = (asked.fixed("mode"), find_target(desk, asked).await?);
    let (request, available) = match mode {
        "+" => (place_hold(desk, asked, &patron, &target).await?, target.is_available()),
        "-" => (cancel_hold(desk, &patron, &target).await?, false),
        "*" => (change_hold(desk, asked, &patron, &target).await?, false),
        _ => {
            return Err(refused(format!("A hold is placed (+), changed (*) or cancelled (-), not {mode:?}")));
        }
    };
    let zone = &desk.settings().zone;
    let position = request["position"].as_u64().map(|position| position.to_string());
    let expires = times::format_record_time(&request["requestExpirationDate"], zone);
    let answer = Message::new("16", &["1", yes_or_no(available), &desk.date()])
        .with_some("BW", expires.as_deref())
        .with_some("BR", position.as_deref())
        .with_some("BS", request["pickupServicePoint"]["name"].as_str())
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with("AB", asked.text("AB"))
        .with_some("AJ", request["instance"]["title"].as_str());
    Ok(answer)
}

/// The target of a hold: an item, or a title.
struct HoldTarget {
    item: Option<Value>,
    instance: String,
}

impl HoldTarget {
    fn is_available(&self) -> bool {
        self.item.as_ref().is_some_and(|item| item["status"]["name"] == "Available")
    }
}

/// Finds the target by the item's barcode, or by the title's id or HRID. Hold type 2 asks for any copy of the title.
async fn find_target(desk: &Desk<'_>, asked: &Message) -> Outcome<HoldTarget> {
    let (barcode, named) = (asked.text("AB"), asked.text("AJ"));
    if barcode.is_empty() {
        let field = if Uuid::parse_str(named).is_ok() { "id" } else { "hrid" };
        let query = format!("{field}=={}", quote_term(named));
        let found = match named.is_empty() {
            true => None,
            false => desk.first("/inventory/instances", "instances", &query).await?,
        };
        let found = found.ok_or_else(|| refused("The title does not exist"))?;
        return Ok(HoldTarget { item: None, instance: found["id"].as_str().unwrap_or_default().to_owned() });
    }
    let item = item::find(desk, barcode).await?.ok_or_else(|| refused("Item does not exist"))?;
    let holdings = item["holdingsRecordId"].as_str().unwrap_or_default();
    let holdings = desk.call(Method::Get, &format!("/holdings-storage/holdings/{holdings}"), None).await?;
    let instance = holdings["instanceId"].as_str().unwrap_or_default().to_owned();
    let any_copy = asked.text("BY") == "2";
    Ok(HoldTarget { item: Some(item).filter(|_| !any_copy), instance })
}

async fn place_hold(
    desk: &Desk<'_>,
    asked: &Message,
    patron: &Patron,
    target: &HoldTarget,
) -> Outcome<Value> {
    let id = request_id(&desk.signed_in.tenant, patron.id(), asked);
    let placed_before = find_by_id(desk, id).await?;
    if let Some(open) = placed_before.as_ref().filter(|request| is_open(request)) {
        return Ok(open.clone());
    }
    let mut request = json!({
        "requestDate": desk.now.to_string(), "requesterId": patron.id(), "instanceId": target.instance,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": pickup_point_id(desk, asked).await?,
    });
    match &target.item {
        Some(item) => {
            request["requestLevel"] = json!("Item");
            request["itemId"] = item["id"].clone();
            request["holdingsRecordId"] = item["holdingsRecordId"].clone();
        }
        None => request["requestLevel"] = json!("Title"),
    }
    if let Some(expires) = times::parse_time(asked.text("BW"), &desk.settings().zone) {
        request["requestExpirationDate"] = json!(expires.to_string());
    }
    // The id of a request that was closed meanwhile is taken. The patron asks anew.
    if placed_before.is_none() && id.is_some() {
        request["id"] = json!(id);
    }
    // An available item is requested as a page, another item as a hold. For a title, a page is tried first, then a hold. FOLIO's rules say
    // which of these is allowed.
    let kinds = match (target.is_available(), &target.item) {
        (true, _) => &["Page"][..],
        (false, Some(_)) => &["Hold"],
        (false, None) => &["Page", "Hold"],
    };
    let mut refusal = refused("The hold cannot be placed");
    for kind in kinds {
        request["requestType"] = json!(kind);
        match desk.post("/circulation/requests", &request).await {
            Ok(placed) => return Ok(placed),
            Err(fault) => refusal = fault,
        }
        // After a failure, as opposed to a refusal, it is not known whether the request was placed.
        if refusal.status >= 500 {
            break;
        }
    }
    let placed = find_by_id(desk, id).await.ok().flatten();
    placed.filter(is_open).ok_or(refusal)
}

/// The id of the request that a message places. A machine that got no answer sends its message again, over another connection; by the id it is
/// recognised and not carried out twice. `None` if the message has no time, so that it cannot be told from others.
fn request_id(tenant: &str, patron: &str, asked: &Message) -> Option<Uuid> {
    let date = asked.fixed("date");
    if date.trim().is_empty() {
        return None;
    }
    let fields = ["AB", "AJ", "BY", "BW", "BS"].map(|code| asked.text(code));
    let text = [&["hold", tenant, patron, date][..], &fields].concat().join("|");
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest(&SHA256, text.as_bytes()).as_ref()[..16]);
    Some(Builder::from_random_bytes(bytes).into_uuid())
}

async fn find_by_id(desk: &Desk<'_>, id: Option<Uuid>) -> Outcome<Option<Value>> {
    let Some(id) = id else { return Ok(None) };
    let query = format!("id=={}", quote_term(&id.to_string()));
    let found = desk.find_unshown("/circulation/requests", "requests", &query, 2).await?;
    Ok(found.records.into_iter().next())
}

fn is_open(request: &Value) -> bool {
    request["status"].as_str().is_some_and(|status| status.starts_with("Open"))
}

/// The patron's open request for the item or title.
async fn find_open_request(desk: &Desk<'_>, patron: &Patron, target: &HoldTarget) -> Outcome<Value> {
    let about = match &target.item {
        Some(item) => format!("itemId=={}", quote_term(item["id"].as_str().unwrap_or_default())),
        None => format!("instanceId=={}", quote_term(&target.instance)),
    };
    let query = format!("requesterId=={} and status==\"Open*\" and {about}", quote_term(patron.id()));
    let found = desk.first("/circulation/requests", "requests", &query).await?;
    found.ok_or_else(|| refused("The patron has no hold on this"))
}

async fn cancel_hold(desk: &Desk<'_>, patron: &Patron, target: &HoldTarget) -> Outcome<Value> {
    let mut request = find_open_request(desk, patron, target).await?;
    let reasons = "/cancellation-reason-storage/cancellation-reasons";
    let by_patron = desk.first(reasons, "cancellationReasons", "name==\"Patron*\"").await?;
    let reason = match by_patron {
        Some(reason) => Some(reason),
        None => desk.first(reasons, "cancellationReasons", "cql.allRecords=1").await?,
    };
    let reason = reason.ok_or_else(|| refused("The library has no reason for a cancellation"))?;
    request["status"] = json!("Closed - Cancelled");
    request["cancellationReasonId"] = reason["id"].clone();
    request["cancelledByUserId"] = json!(patron.id());
    request["cancelledDate"] = json!(desk.now.to_string());
    replace_request(desk, &request).await
}

async fn change_hold(
    desk: &Desk<'_>,
    asked: &Message,
    patron: &Patron,
    target: &HoldTarget,
) -> Outcome<Value> {
    let mut request = find_open_request(desk, patron, target).await?;
    if let Some(expires) = times::parse_time(asked.text("BW"), &desk.settings().zone) {
        request["requestExpirationDate"] = json!(expires.to_string());
    }
    if !asked.text("BS").is_empty() {
        request["pickupServicePointId"] = json!(pickup_point_id(desk, asked).await?);
        if let Some(request) = request.as_object_mut() {
            request.remove("pickupServicePoint");
        }
    }
    replace_request(desk, &request).await
}

async fn replace_request(desk: &Desk<'_>, request: &Value) -> Outcome<Value> {
    let path = format!("/circulation/requests/{}", request["id"].as_str().unwrap_or_default());
    desk.call(Method::Put, &path, Some(request)).await?;
    desk.call(Method::Get, &path, None).await
}

/// The pickup point that is named by id, code or name; the machine's own if none is.
async fn pickup_point_id(desk: &Desk<'_>, asked: &Message) -> Outcome<String> {
    let named = asked.text("BS");
    if named.is_empty() {
        return desk.service_point().map(str::to_owned);
    }
    let query = match Uuid::parse_str(named) {
        Ok(id) => format!("id=={}", quote_term(&id.to_string())),
        Err(_) => format!("code=={0} or name=={0}", quote_term(named)),
    };
    let found = desk.first("/service-points", "servicepoints", &query).await?;
    let id = found.and_then(|point| point["id"].as_str().map(str::to_owned));
    id.ok_or_else(|| refused(format!("There is no pickup point {named}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_comes_again_places_the_same_request() {
        const NOW: &str = "20260101    120000";
        let message = |date: &str, fields: &[(&str, &str)]| {
            let empty = Message::new("15", &["+", date]);
            fields.iter().fold(empty, |message, (code, value)| message.with(code, value))
        };
        let title = [("AO", "o"), ("AA", "1"), ("AJ", "in1")];
        let first = request_id("diku", "ada", &message(NOW, &title)).unwrap();
        assert_eq!(first.get_version_num(), 4);
        let with = |field| [title.as_slice(), &[field]].concat();
        for (tenant, patron, asked, is_same) in [
            ("diku", "ada", message(NOW, &title), true),
            ("diku", "ada", message(NOW, &with(("AD", "secret"))), true),
            ("diku", "ada", message("20260101    120001", &title), false),
            ("diku", "ada", message(NOW, &with(("BY", "2"))), false),
            ("diku", "ada", message(NOW, &with(("BS", "cd2"))), false),
            ("diku", "ada", message(NOW, &with(("AB", "in1"))), false),
            ("diku", "bob", message(NOW, &title), false),
            ("other", "ada", message(NOW, &title), false),
        ] {
            assert_eq!(
                request_id(tenant, patron, &asked) == Some(first),
                is_same,
                "{tenant} {patron} {asked:?}"
            );
        }
        assert_eq!(request_id("diku", "ada", &message("", &title)), None);
    }
}
