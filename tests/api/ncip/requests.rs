//! `RequestItem` and `CancelRequestItem`.

use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::{Answer, NcipPartner, request_xml, text, user};

const REQUEST: &str = "Problem performing RequestItem";
const CANCEL: &str = "Problem performing CancelRequestItem";

/// A message about a record by its human-readable number.
async fn request_by_hrid(partner: &NcipPartner, patron: &Value, hrid: &str, more: &str) -> Answer {
    let record = format!(
        "<BibliographicId><BibliographicRecordId><BibliographicRecordIdentifier>{hrid}</BibliographicRecordIdentifier>\
         <AgencyId>A</AgencyId></BibliographicRecordId></BibliographicId>"
    );
    let inside = format!("{}{record}{}{more}", user(&text(patron, "barcode")), request_xml("R-1"));
    partner.send_message("RequestItem", &inside).await
}

async fn placed_request(partner: &NcipPartner, answer: &Answer) -> Value {
    let id = answer.assert_no_problem().text_at(&["RequestId", "RequestIdentifierValue"]);
    partner.desk.get(&format!("/circulation/requests/{id}")).await.expect(200).json()
}

#[tokio::test]
async fn an_item_is_asked_for_and_no_longer() {
    let partner = NcipPartner::open().await;
    let (patron, book) = (partner.desk.patron().await, partner.desk.item().await);
    let answer =
        request_by_hrid(&partner, &patron, &text(&book, "hrid"), "<RequestType>page</RequestType>").await;
    let stored = placed_request(&partner, &answer).await;
    assert_eq!((&stored["itemId"], &stored["requesterId"]), (&book["id"], &patron["id"]));
    let told =
        ["requestType", "requestLevel", "status", "pickupServicePointId"].map(|name| text(&stored, name));
    assert_eq!(told, ["Page", "Item", "Open - Not yet filled", CIRC_DESK]);
    assert_eq!(answer.text_at(&["ItemId", "ItemIdentifierValue"]), text(&book, "barcode"));
    assert_eq!(
        (answer.text_at(&["RequestType"]), answer.text_at(&["RequestScopeType"])),
        ("Page".into(), "Item".into())
    );
    let names =
        ["ItemOptionalFields", "Location", "LocationName", "LocationNameInstance", "LocationNameValue"];
    assert_eq!(answer.texts_inside(&names)[0], "Harbour");

    let id = text(&stored, "id");
    let inside = format!("{}{}", user(&text(&patron, "barcode")), request_xml(&id));
    let cancelled = partner.send_message("CancelRequestItem", &inside).await;
    assert_eq!(cancelled.assert_no_problem().text_at(&["RequestId", "RequestIdentifierValue"]), id);
    assert_eq!(cancelled.text_at(&["ItemId", "ItemIdentifierValue"]), text(&book, "barcode"));
    let stored = partner.desk.get(&format!("/circulation/requests/{id}")).await.json();
    let told = ["status", "cancellationAdditionalInformation"].map(|name| text(&stored, name));
    assert_eq!(told, ["Closed - Cancelled", "NCIP cancel"]);
    assert_eq!(stored["cancelledByUserId"], patron["id"]);
    assert_eq!(partner.desk.status(&book).await, "Available");
}

#[tokio::test]
async fn a_title_is_asked_for_where_the_library_takes_such_requests() {
    let partner = NcipPartner::open().await;
    let (patron, book) = (partner.desk.patron().await, partner.desk.item().await);
    let holdings = format!("/holdings-storage/holdings/{}", text(&book, "holdingsRecordId"));
    let instance = text(&partner.desk.get(&holdings).await.json(), "instanceId");
    let hrid = text(&partner.desk.get(&format!("/inventory/instances/{instance}")).await.json(), "hrid");
    let more = "<RequestType>Hold</RequestType><RequestScopeType>Title</RequestScopeType>";
    let refused = request_by_hrid(&partner, &patron, &hrid, more).await;
    assert_eq!(refused.text_at(&["Problem", "ProblemType"]), REQUEST, "{}", refused.0);
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let setting = json!({"module": "SETTINGS", "configName": "TLR", "value": value});
    partner.desk.post("/configurations/entries", &setting).await.expect(201);
    let answer = request_by_hrid(&partner, &patron, &hrid, &more.replace("Hold", "Page")).await;
    let stored = placed_request(&partner, &answer).await;
    assert_eq!((&stored["requestLevel"], &stored["instanceId"]), (&json!("Title"), &json!(instance)));
    assert_eq!(answer.text_at(&["RequestScopeType"]), "Title");
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_told() {
    let partner = NcipPartner::open().await;
    let patron = partner.desk.patron().await;
    let page = "<RequestType>Page</RequestType>";
    let unknown = request_by_hrid(&partner, &patron, "it0", page).await;
    unknown.assert_problem([REQUEST, "--", REQUEST, "Problem occurred while fetching item"]);
    let elsewhere = format!("{page}<PickupLocation>moon</PickupLocation>");
    let book = partner.desk.item().await;
    let moon = request_by_hrid(&partner, &patron, &text(&book, "hrid"), &elsewhere).await;
    moon.assert_problem([REQUEST, "--", REQUEST, "pickup location code note found: moon"]);
    let input = "Problem occurred validating input (user id or item id)";
    let who = user(&text(&patron, "barcode"));
    let nothing = partner.send_message("RequestItem", &who).await;
    nothing.assert_problem([REQUEST, input, "Item id missing", "Item id missing"]);

    let unasked = partner.send_message("CancelRequestItem", &who).await;
    unasked.assert_problem([CANCEL, CANCEL, "Request ID Missing", "Request ID Missing"]);
    for id in ["../users", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"] {
        let answer = partner.send_message("CancelRequestItem", &format!("{who}{}", request_xml(id))).await;
        assert_eq!(answer.text_at(&["Problem", "ProblemType"]), CANCEL, "{}", answer.0);
        assert!(answer.text_at(&["Problem", "ProblemDetail"]).contains("found"), "{}", answer.0);
    }
}
