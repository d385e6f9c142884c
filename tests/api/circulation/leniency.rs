//! What desks and clients send in another form than the schema says, and how they are told what is wrong.

use octavo_testkit::{Desk, Library, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

/// The same barcode as a JSON number.
fn barcode_as_number(barcode: &Value) -> Value {
    json!(barcode.as_str().unwrap().parse::<u64>().unwrap())
}

#[tokio::test]
async fn barcodes_may_be_numbers() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let (patron, item) = (barcode_as_number(&patron["barcode"]), barcode_as_number(&item["barcode"]));
    let check_out = json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": CIRC_DESK});
    let loan = desk.post("/circulation/check-out-by-barcode", &check_out).await.expect(201).json();
    let renew = json!({"itemBarcode": item, "userBarcode": patron});
    desk.post("/circulation/renew-by-barcode", &renew).await.expect(200);
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-23T10:00:00Z", "comment": 7});
    let path = format!("/circulation/loans/{}/claim-item-returned", loan["id"].as_str().unwrap());
    desk.post(&path, &claim).await.expect(204);
    let loan =
        desk.get(&format!("/circulation/loans/{}", loan["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!((&loan["action"], &loan["actionComment"]), (&json!("claimedReturned"), &json!("7")));
    let check_in = json!({"itemBarcode": item, "servicePointId": CIRC_DESK, "checkInDate": "2026-11-23T10:00:00Z",
        "claimedReturnedResolution": "Found by library"});
    desk.post("/circulation/check-in-by-barcode", &check_in).await.expect(200);
}

#[tokio::test]
async fn a_name_and_a_password_may_be_numbers() {
    let library = Library::open().await;
    let user = json!({"id": fresh_id(), "username": "4711", "active": true});
    library.post("/users", &user).await.expect(201);
    let credentials = json!({"userId": user["id"], "password": "20261123"});
    library.post("/authn/credentials", &credentials).await.expect(201);
    library.post("/authn/login", &json!({"username": 4711, "password": 20_261_123})).await.expect(201);
    library
        .post("/authn/login-with-expiry", &json!({"username": 4711, "password": 20_261_123}))
        .await
        .expect(201);
}

/// FOLIO's check-out shows the first parameter to its user.
#[tokio::test]
async fn the_name_of_a_loan_policy_comes_before_its_id() {
    let desk = Desk::with_policy(|policy| {
        policy["loanable"] = json!(false);
        policy["loansPolicy"] = json!(null);
    })
    .await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let reply = desk.check_out(&item, &patron).await.expect(422);
    let keys = reply.refused_keys();
    let at = |key: &str| keys.iter().position(|known| known == key);
    assert!(keys.len() > 1 && at("loanPolicyName") == Some(0), "{reply}");
}
