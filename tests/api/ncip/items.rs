//! `AcceptItem`, `CheckOutItem` and `CheckInItem`: a book of another library comes, is lent, and goes back.

use std::sync::Arc;

use octavo_testkit::encode;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{AGENCY, Answer, NcipPartner, item, request_xml, text, user};

const ACCEPT: &str = "Problem performing AcceptItem";
const CHECK_OUT: &str = "Problem performing checkout";
const CHECK_IN: &str = "Problem performing check in";
const DESCRIPTION_XML: &str = "<ItemOptionalFields><BibliographicDescription><Author>A</Author><Title>Friday</Title></BibliographicDescription>\
    <ItemDescription><CallNumber>QA 1</CallNumber></ItemDescription></ItemOptionalFields>";

async fn accept_item(partner: &NcipPartner, patron: &Value, barcode: &str, pickup: &str) -> Answer {
    let who = user(&text(patron, "barcode"));
    let inside = format!(
        "{}<RequestedActionType>Hold For Pickup</RequestedActionType>{who}{}{DESCRIPTION_XML}<PickupLocation>{pickup}</PickupLocation>",
        request_xml("LEH-1"),
        item(barcode)
    );
    partner.send_message("AcceptItem", &inside).await
}

async fn check_out_item(partner: &NcipPartner, patron: &Value, barcode: &str) -> Answer {
    partner
        .send_message("CheckOutItem", &format!("{}{}", user(&text(patron, "barcode")), item(barcode)))
        .await
}

async fn check_in_item(partner: &NcipPartner, barcode: &str) -> Answer {
    let wished = "<ItemElementType>Bibliographic Description</ItemElementType>";
    partner.send_message("CheckInItem", &format!("{}{wished}", item(barcode))).await
}

async fn desk_code(partner: &NcipPartner) -> String {
    text(&partner.desk.get(&format!("/service-points/{CIRC_DESK}")).await.json(), "code")
}

async fn by_barcode(partner: &NcipPartner, barcode: &str) -> Value {
    let query = encode(&format!("barcode=={barcode}"));
    partner.desk.get(&format!("/inventory/items?query={query}")).await.expect(200).json()["items"][0].take()
}

async fn count_records(partner: &NcipPartner, path: &str) -> i64 {
    partner.desk.get(&format!("{path}?limit=0")).await.expect(200).total()
}

#[tokio::test]
async fn a_book_comes_is_lent_and_goes_back() {
    let partner = NcipPartner::open().await;
    let (patron, point) = (partner.desk.patron().await, desk_code(&partner).await);
    let accepted = accept_item(&partner, &patron, "LEH-201", &point).await;
    let accepted = accepted.assert_no_problem();
    assert_eq!(accepted.text_at(&["ItemId", "ItemIdentifierValue"]), "LEH-201");
    assert_eq!(accepted.text_at(&["RequestId", "AgencyId"]), AGENCY);
    assert_eq!(accepted.text_at(&["RequestId", "RequestIdentifierType"]), "Request Id");
    let id = accepted.text_at(&["RequestId", "RequestIdentifierValue"]);

    let request = partner.desk.get(&format!("/circulation/requests/{id}")).await.expect(200).json();
    let told = ["requestType", "requestLevel", "status", "fulfillmentPreference", "pickupServicePointId"];
    assert_eq!(
        told.map(|name| text(&request, name)),
        ["Page", "Item", "Open - Not yet filled", "Hold Shelf", CIRC_DESK]
    );
    assert_eq!(request["requesterId"], patron["id"]);
    let copy = by_barcode(&partner, "LEH-201").await;
    assert_eq!((&copy["title"], &copy["itemLevelCallNumber"]), (&json!("Friday"), &json!("QA 1")));
    assert_eq!((&copy["status"]["name"], &copy["discoverySuppress"]), (&json!("Paged"), &json!(true)));
    let title = format!("/inventory/instances/{}", text(&request, "instanceId"));
    let title = partner.desk.get(&title).await.expect(200).json();
    assert_eq!((&title["source"], &title["discoverySuppress"]), (&json!("Relais"), &json!(true)));
    assert_eq!(title["identifiers"][0]["value"], "LEH-1");

    // At the desk it is put on the hold shelf, and lent.
    let arrived = check_in_item(&partner, "LEH-201").await;
    assert_eq!(
        arrived.assert_no_problem().text_at(&["ItemOptionalFields", "BibliographicDescription", "Title"]),
        "Friday"
    );
    assert!(arrived.texts_inside(&["UserId"]).is_empty(), "nobody had it");
    let lent = check_out_item(&partner, &patron, "LEH-201").await;
    let lent = lent.assert_no_problem();
    assert_eq!(lent.text_at(&["UserId", "UserIdentifierValue"]), text(&patron, "barcode"));
    assert_eq!(lent.text_at(&["ItemOptionalFields", "ItemDescription", "CallNumber"]), "QA 1");
    let loan = partner.desk.get("/circulation/loans?query=status.name==Open").await.json()["loans"][0].take();
    let due = lent.text_at(&["DateDue"]);
    assert_eq!((due.len(), due.ends_with('Z')), (24, true), "{due}");
    assert_eq!(due[..19], text(&loan, "dueDate")[..19]);

    let back = check_in_item(&partner, "LEH-201").await;
    assert_eq!(
        back.assert_no_problem().text_at(&["UserId", "UserIdentifierValue"]),
        text(&patron, "barcode")
    );
    assert_eq!(by_barcode(&partner, "LEH-201").await["status"]["name"], "Available");
}

#[tokio::test]
async fn of_an_item_that_is_not_accepted_nothing_is_left() {
    let partner = NcipPartner::open().await;
    let (patron, point) = (partner.desk.patron().await, desk_code(&partner).await);
    let own = partner.desk.item().await;
    let own = text(&own, "barcode");
    let kept = ["/instance-storage/instances", "/holdings-storage/holdings", "/item-storage/items"];
    let mut before = Vec::new();
    for path in kept {
        before.push(count_records(&partner, path).await);
    }
    // The barcode is another item's: the third of the four records is refused.
    let taken = format!("Barcode must be unique, {own} is already assigned to another item");
    accept_item(&partner, &patron, &own, &point).await.assert_problem([ACCEPT, "--", ACCEPT, &taken]);
    // Requests of whoever is blocked are refused: the fourth.
    let blocked = partner.desk.patron().await;
    let block = json!({
        "type": "Manual", "desc": "no", "userId": blocked["id"], "borrowing": false, "renewals": false, "requests": true,
    });
    partner.desk.post("/manualblocks", &block).await.expect(201);
    let refused = accept_item(&partner, &blocked, "LEH-2", &point).await;
    assert!(refused.text_at(&["Problem", "ProblemDetail"]).contains("blocked"), "{}", refused.0);
    for (path, before) in kept.into_iter().zip(before) {
        assert_eq!(count_records(&partner, path).await, before, "{path}");
    }
}

#[tokio::test]
async fn an_item_that_is_announced_again_is_accepted_once() {
    let partner = NcipPartner::open().await;
    let (patron, point) = (partner.desk.patron().await, desk_code(&partner).await);
    let number =
        |answer: &Answer| answer.assert_no_problem().text_at(&["RequestId", "RequestIdentifierValue"]);
    let first = number(&accept_item(&partner, &patron, "LEH-1", &point).await);
    assert_eq!(number(&accept_item(&partner, &patron, "LEH-1", &point).await), first);
    assert_eq!(count_records(&partner, "/item-storage/items").await, 1);

    // As a server leaves it that is killed before the request is placed.
    partner.desk.delete(&format!("/circulation/requests/{first}")).await.expect(204);
    let second = number(&accept_item(&partner, &patron, "LEH-1", &point).await);
    assert_ne!(second, first);
    assert_eq!(count_records(&partner, "/item-storage/items").await, 1);
    let request = partner.desk.get(&format!("/circulation/requests/{second}")).await.expect(200).json();
    assert_eq!(request["itemId"], by_barcode(&partner, "LEH-1").await["id"]);
}

#[tokio::test]
async fn an_item_that_is_announced_several_times_at_once_is_accepted_once() {
    let partner = Arc::new(NcipPartner::open().await);
    let (patron, point) = (partner.desk.patron().await, desk_code(&partner).await);
    let mut messages = JoinSet::new();
    for _ in 0..8 {
        let (partner, patron, point) = (Arc::clone(&partner), patron.clone(), point.clone());
        messages.spawn(async move { accept_item(&partner, &patron, "LEH-1", &point).await });
    }
    let answers = messages.join_all().await;
    let number =
        |answer: &Answer| answer.assert_no_problem().text_at(&["RequestId", "RequestIdentifierValue"]);
    let mut told: Vec<String> = answers.iter().map(number).collect();
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    let request = partner.desk.get(&format!("/circulation/requests/{}", told[0])).await.expect(200).json();
    assert_eq!(request["itemId"], by_barcode(&partner, "LEH-1").await["id"]);
    for path in ["/instance-storage/instances", "/item-storage/items", "/circulation/requests"] {
        assert_eq!(count_records(&partner, path).await, 1, "{path}");
    }
}

#[tokio::test]
async fn what_a_message_or_the_library_lacks_is_told() {
    let partner = NcipPartner::without_settings().await;
    let patron = partner.desk.patron().await;
    let lacking = "configuration value missing for relais.";
    let out = check_out_item(&partner, &patron, "1").await;
    out.assert_problem([CHECK_OUT, "--", CHECK_OUT, &format!("{lacking}checkout.service.point.code")]);
    let back = check_in_item(&partner, "1").await;
    back.assert_problem([CHECK_IN, "--", CHECK_IN, &format!("{lacking}checkin.service.point.code")]);
    partner.put_setting("checkin.service.point.code", "nowhere").await;
    let nowhere = "The lookup of nowhere could not be found for relais.checkin.service.point.code";
    check_in_item(&partner, "1").await.assert_problem([CHECK_IN, "--", CHECK_IN, nowhere]);
    let point = desk_code(&partner).await;
    let accepted = accept_item(&partner, &patron, "1", &point).await;
    accepted.assert_problem([ACCEPT, "--", ACCEPT, &format!("{lacking}instance.source")]);
    let elsewhere = accept_item(&partner, &patron, "1", "elsewhere").await;
    elsewhere.assert_problem([ACCEPT, "--", ACCEPT, "pickup location code note found: elsewhere"]);
    let office = json!({"name": "Office", "code": "office", "discoveryDisplayName": "Office", "pickupLocation": false});
    partner.desk.post("/service-points", &office).await.expect(201);
    let nobody_comes_here = accept_item(&partner, &patron, "1", "office").await;
    nobody_comes_here.assert_problem([ACCEPT, "--", ACCEPT, "pickup location code note found: office"]);

    let (who, what) = (user(&text(&patron, "barcode")), item("1"));
    let input = "Problem occurred validating input (user id, item id or pickup location)";
    for (service, inside, problem) in [
        ("AcceptItem", what.clone(), [ACCEPT, input, "User id missing", "User id missing"]),
        ("AcceptItem", who.clone(), [ACCEPT, input, "Item id missing", "Item id missing"]),
        (
            "AcceptItem",
            format!("{who}{what}"),
            [ACCEPT, input, "Pickup location is missing", "Pickup location is missing"],
        ),
        ("CheckOutItem", what.clone(), [CHECK_OUT, CHECK_OUT, "User id missing", "User id missing"]),
        (
            "CheckOutItem",
            format!("{who}{}", item("a/b")),
            [CHECK_OUT, CHECK_OUT, "Item id is invalid", "Item id is invalid"],
        ),
        (
            "CheckOutItem",
            format!("{}{what}", user("x")),
            [CHECK_OUT, "--", CHECK_OUT, "Did not find a user with that id"],
        ),
        ("CheckInItem", who.clone(), [CHECK_IN, CHECK_IN, "Item id missing", CHECK_IN]),
    ] {
        partner.send_message(service, &inside).await.assert_problem(problem);
    }
    let anonymous = partner.send_without_header("CheckInItem", &what).await;
    anonymous.assert_problem([CHECK_IN, "Agency ID", "Could not determine FromAgency", ""]);
}

#[tokio::test]
async fn what_may_not_be_lent_is_refused_with_the_librarys_reason() {
    let partner = NcipPartner::open().await;
    let (patron, book) = (partner.desk.patron().await, partner.desk.item().await);
    let barcode = text(&book, "barcode");
    let unknown = check_out_item(&partner, &patron, "unknown").await;
    let reason = "ERROR: No item with barcode unknown could be found";
    unknown.assert_problem([CHECK_OUT, "--", CHECK_OUT, reason]);
    let back = check_in_item(&partner, "unknown").await;
    back.assert_problem([CHECK_IN, "--", CHECK_IN, "ERROR: No item with barcode unknown exists"]);
    // The agency may be named by the request alone.
    let of_request = format!("{}{}{}", request_xml("1"), user(&text(&patron, "barcode")), item(&barcode));
    let lent = partner.send_without_header("CheckOutItem", &of_request).await;
    lent.assert_problem([
        CHECK_OUT,
        "--",
        CHECK_OUT,
        "configuration value missing for a.checkout.service.point.code",
    ]);
    check_out_item(&partner, &patron, &barcode).await.assert_no_problem();
    let again = check_out_item(&partner, &patron, &barcode).await;
    again.assert_problem([
        CHECK_OUT,
        "--",
        CHECK_OUT,
        "ERROR: Item is already checked out; Cannot check out item that already has an open loan",
    ]);

    let block = json!({
        "type": "Manual", "desc": "no", "userId": patron["id"], "borrowing": true, "renewals": false, "requests": false,
    });
    partner.desk.post("/manualblocks", &block).await.expect(201);
    let other = partner.desk.item().await;
    let blocked = check_out_item(&partner, &patron, &text(&other, "barcode")).await;
    blocked.assert_problem([CHECK_OUT, "--", CHECK_OUT, "BLOCKED"]);
}
