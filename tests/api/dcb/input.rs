//! What a hub may not say.

use octavo_pg::Statement;
use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::{Partner, refusal, transaction_body};
use crate::circulation::waiting::LockHolder;

const NOT_FOUND: &str = "NOT_FOUND_ERROR";
const DUPLICATE: &str = "DUPLICATE_ERROR";
const INVALID: &str = "VALIDATION_ERROR";

#[tokio::test]
async fn a_transaction_needs_what_its_role_needs() {
    let library = Partner::open().await;
    let (own, patron) = (library.desk.item().await, library.desk.patron().await);
    let (far, visitor) = library.parties("PICKUP").await;
    let lender = transaction_body("LENDER", &own, &visitor);
    let borrower = transaction_body("BORROWER", &far, &patron);
    let mut in_process = library.desk.item().await;
    in_process["status"]["name"] = json!("Missing");
    library
        .desk
        .put(&format!("/item-storage/items/{}", in_process["id"].as_str().unwrap()), &in_process)
        .await
        .expect(204);
    let with = |body: &Value, pointer: &str, value: Value| {
        let mut changed = body.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let cases = [
        (
            with(&lender, "/item/barcode", json!("nowhere")),
            404,
            format!("Unable to find existing item with id {} and barcode nowhere.", text(&own["id"])),
            NOT_FOUND,
        ),
        (
            with(&lender, "/patron/group", json!("pirates")),
            404,
            "Patron group not found with name pirates ".into(),
            NOT_FOUND,
        ),
        (
            transaction_body("LENDER", &own, &patron),
            400,
            "User with type patron is retrieved. so unable to create transaction".into(),
            INVALID,
        ),
        (
            transaction_body("PICKUP", &far, &patron),
            400,
            "User with type patron is retrieved. so unable to create transaction".into(),
            INVALID,
        ),
        (
            transaction_body("LENDER", &in_process, &visitor),
            400,
            format!(
                "Request will not be created for item barcode {} as it is Missing",
                text(&in_process["barcode"])
            ),
            INVALID,
        ),
        (
            transaction_body("BORROWER", &far, &json!({"id": visitor["id"], "barcode": "b"})),
            404,
            format!("Unable to find existing user with barcode b and id {}.", text(&visitor["id"])),
            NOT_FOUND,
        ),
        (
            transaction_body("BORROWER", &own, &patron),
            409,
            format!(
                "Unable to create item with barcode {} as it exists in inventory ",
                text(&own["barcode"])
            ),
            DUPLICATE,
        ),
        (
            with(&borrower, "/item/materialType", json!("vellum")),
            404,
            "MaterialType not found with name vellum ".into(),
            NOT_FOUND,
        ),
    ];
    for (body, status, message, code) in cases {
        let reply = library.post_transaction("case", &body).await.expect(status);
        assert_eq!(reply.json(), refusal(&message, code), "{body}");
    }
    library.desk.get("/transactions/case/status").await.expect(404);
}

#[tokio::test]
async fn what_cannot_be_read_is_400() {
    let library = Partner::open().await;
    let (item, patron) = library.parties("PICKUP").await;
    let good = transaction_body("PICKUP", &item, &patron);
    let without = |key: &str| {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(key);
        body
    };
    let mut odd =
        vec![json!([]), json!("x"), without("role"), without("item"), without("patron"), without("pickup")];
    for (pointer, value) in [("/role", json!("THIEF")), ("/item/id", json!("1")), ("/patron/id", json!("1"))]
    {
        let mut body = good.clone();
        *body.pointer_mut(pointer).unwrap() = value;
        odd.push(body);
    }
    for body in odd {
        let reply = library.post_transaction("odd", &body).await.expect(400);
        assert_eq!(reply.json()["errors"][0]["code"], INVALID, "{body}: {reply}");
    }
    library.desk.send("POST", "/transactions/odd", "{").await.expect(400);
    let made = library.create_transaction("PICKUP").await;
    for said in [json!({}), json!({"status": "LOST"}), json!({"status": null}), json!([])] {
        let reply = library.desk.put(&format!("/transactions/{}/status", made.id), &said).await.expect(400);
        assert_eq!(reply.json()["errors"][0]["code"], INVALID, "{said}: {reply}");
    }
    assert_eq!(library.status(&made).await, "CREATED");
    for body in [json!({}), json!({"item": {"barcode": "b"}})] {
        library.desk.put(&format!("/transactions/{}", made.id), &body).await.expect(400);
    }
}

#[tokio::test]
async fn an_id_and_an_item_have_one_open_transaction() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWING-PICKUP").await;
    let again = transaction_body("BORROWING-PICKUP", &made.item, &library.desk.patron().await);
    let reply = library.post_transaction(&made.id, &again).await.expect(409);
    let message = format!("unable to create transaction with id {} as it already exists", made.id);
    assert_eq!(reply.json(), refusal(&message, DUPLICATE));
    let reply = library.post_transaction("another", &again).await.expect(409);
    let message =
        format!("Item with id {} already has an open DCB transaction ", made.item["id"].as_str().unwrap());
    assert_eq!(reply.json(), refusal(&message, DUPLICATE));
    library.put_statuses(&made, &["CANCELLED"]).await;
    let reply = library.post_transaction("another", &again).await.expect(201);
    assert_eq!(reply.json()["item"]["id"], made.item["id"]);
}

#[tokio::test]
async fn of_two_transactions_of_one_id_at_once_one_is_made() {
    let library = Partner::open().await;
    let (item, patron) = library.parties("BORROWER").await;
    library.create_transaction("BORROWER").await;
    let body = transaction_body("BORROWER", &item, &patron);
    let (one, other) =
        tokio::join!(library.post_transaction("twin", &body), library.post_transaction("twin", &body));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{one} {other}");
}

#[tokio::test]
async fn of_two_transactions_with_one_new_pickup_place_both_are_made() {
    let library = Partner::open().await;
    let (item, patron) = library.parties("BORROWER").await;
    let body = transaction_body("BORROWER", &item, &patron);
    let make = "insert into service_point (id, doc) \
                select $1::text::uuid, json_build_object('id', $1::text, 'name', 'DCB_NORTH_Main desk', \
                  'code', 'DCB_NORTH_MAINDESK', 'discoveryDisplayName', 'DCB_NORTH_Main desk', 'pickupLocation', true, \
                  'holdShelfExpiryPeriod', json_build_object('duration', 10, 'intervalId', 'Days'))";
    let holder = LockHolder::lock(&library.library, make, &fresh_id().to_string()).await;
    let waits = tokio::spawn({
        let desk = library.desk.clone();
        async move { desk.post("/transactions/second", &body).await }
    });
    let heard = Statement::new("update snapshot_version set version = version + 1");
    holder.change_and_release(&library.library, vec![heard]).await;
    waits.await.unwrap().expect(201);
    let query = "name==\"DCB_NORTH_Main desk\"";
    assert_eq!(library.desk.find("/service-points", query).await.expect(200).total(), 1);
}

#[tokio::test]
async fn unknown_transactions_are_404() {
    let library = Partner::open().await;
    let message = refusal("DCB Transaction was not found by id= 123 ", NOT_FOUND);
    assert_eq!(library.desk.get("/transactions/123/status").await.expect(404).json(), message);
    for (path, body) in [
        ("/transactions/123/status", json!({"status": "OPEN"})),
        ("/transactions/123/renew", json!({})),
        (
            "/transactions/123",
            json!({"item": {"barcode": "b", "materialType": "book", "lendingLibraryCode": "KU"}}),
        ),
    ] {
        assert_eq!(library.desk.put(path, &body).await.expect(404).json(), message, "{path}");
    }
}
