//! `RequestItem` and `CancelRequestItem`.

use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::{Answer, Partner, request, text, user};

const REQUEST: &str = "Problem performing RequestItem";
const CANCEL: &str = "Problem performing CancelRequestItem";

/// A message about a record by its human-readable number.
async fn ask_for(partner: &Partner, patron: &Value, hrid: &str, more: &str) -> Answer {
    let record = format!(
        "<BibliographicId><BibliographicRecordId><BibliographicRecordIdentifier>{hrid}</BibliographicRecordIdentifier>\
         <AgencyId>A</AgencyId></BibliographicRecordId></BibliographicId>"
    );
    let inside = format!("{}{record}{}{more}", user(&text(patron, "barcode")), request("R-1"));
    partner.ask("RequestItem", &inside).await
}

async fn placed(partner: &Partner, answer: &Answer) -> Value {
    let id = answer.is_no_problem().one(&["RequestId", "RequestIdentifierValue"]);
    partner.desk.get(&format!("/circulation/requests/{id}")).await.expect(200).json()
}

#[tokio::test]
async fn an_item_is_asked_for_and_no_longer() {
    let partner = Partner::open().await;
    let (patron, book) = (partner.desk.patron().await, partner.desk.item().await);
    let answer = ask_for(&partner, &patron, &text(&book, "hrid"), "<RequestType>page</RequestType>").await;
    let stored = placed(&partner, &answer).await;
    assert_eq!((&stored["itemId"], &stored["requesterId"]), (&book["id"], &patron["id"]));
    let told =
        ["requestType", "requestLevel", "status", "pickupServicePointId"].map(|name| text(&stored, name));
    assert_eq!(told, ["Page", "Item", "Open - Not yet filled", CIRC_DESK]);
    assert_eq!(answer.one(&["ItemId", "ItemIdentifierValue"]), text(&book, "barcode"));
    assert_eq!(
        (answer.one(&["RequestType"]), answer.one(&["RequestScopeType"])),
        ("Page".into(), "Item".into())
    );
    let names =
        ["ItemOptionalFields", "Location", "LocationName", "LocationNameInstance", "LocationNameValue"];
    assert_eq!(answer.inside(&names)[0], "Harbour");

    let id = text(&stored, "id");
    let inside = format!("{}{}", user(&text(&patron, "barcode")), request(&id));
    let cancelled = partner.ask("CancelRequestItem", &inside).await;
    assert_eq!(cancelled.is_no_problem().one(&["RequestId", "RequestIdentifierValue"]), id);
    assert_eq!(cancelled.one(&["ItemId", "ItemIdentifierValue"]), text(&book, "barcode"));
    let stored = partner.desk.get(&format!("/circulation/requests/{id}")).await.json();
    let told = ["status", "cancellationAdditionalInformation"].map(|name| text(&stored, name));
    assert_eq!(told, ["Closed - Cancelled", "NCIP cancel"]);
    assert_eq!(stored["cancelledByUserId"], patron["id"]);
    assert_eq!(partner.desk.status(&book).await, "Available");
}

#[tokio::test]
async fn a_title_is_asked_for_where_the_library_takes_such_requests() {
    let partner = Partner::open().await;
    let (patron, book) = (partner.desk.patron().await, partner.desk.item().await);
    let holdings = format!("/holdings-storage/holdings/{}", text(&book, "holdingsRecordId"));
    let instance = text(&partner.desk.get(&holdings).await.json(), "instanceId");
    let hrid = text(&partner.desk.get(&format!("/inventory/instances/{instance}")).await.json(), "hrid");
    let more = "<RequestType>Hold</RequestType><RequestScopeType>Title</RequestScopeType>";
    let refused = ask_for(&partner, &patron, &hrid, more).await;
    assert_eq!(refused.one(&["Problem", "ProblemType"]), REQUEST, "{}", refused.0);
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let setting = json!({"module": "SETTINGS", "configName": "TLR", "value": value});
    partner.desk.post("/configurations/entries", &setting).await.expect(201);
    let answer = ask_for(&partner, &patron, &hrid, &more.replace("Hold", "Page")).await;
    let stored = placed(&partner, &answer).await;
    assert_eq!((&stored["requestLevel"], &stored["instanceId"]), (&json!("Title"), &json!(instance)));
    assert_eq!(answer.one(&["RequestScopeType"]), "Title");
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_told() {
    let partner = Partner::open().await;
    let patron = partner.desk.patron().await;
    let page = "<RequestType>Page</RequestType>";
    let unknown = ask_for(&partner, &patron, "it0", page).await;
    unknown.is_a_problem([REQUEST, "--", REQUEST, "Problem occurred while fetching item"]);
    let elsewhere = format!("{page}<PickupLocation>moon</PickupLocation>");
    let book = partner.desk.item().await;
    let moon = ask_for(&partner, &patron, &text(&book, "hrid"), &elsewhere).await;
    moon.is_a_problem([REQUEST, "--", REQUEST, "pickup location code note found: moon"]);
    let input = "Problem occurred validating input (user id or item id)";
    let who = user(&text(&patron, "barcode"));
    let nothing = partner.ask("RequestItem", &who).await;
    nothing.is_a_problem([REQUEST, input, "Item id missing", "Item id missing"]);

    let unasked = partner.ask("CancelRequestItem", &who).await;
    unasked.is_a_problem([CANCEL, CANCEL, "Request ID Missing", "Request ID Missing"]);
    for id in ["../users", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"] {
        let answer = partner.ask("CancelRequestItem", &format!("{who}{}", request(id))).await;
        assert_eq!(answer.one(&["Problem", "ProblemType"]), CANCEL, "{}", answer.0);
        assert!(answer.one(&["Problem", "ProblemDetail"]).contains("found"), "{}", answer.0);
    }
}
