//! Blocks that staff put on a patron.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

#[tokio::test]
async fn staff_block_a_patron_until_they_lift_the_block() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let block =
        json!({"userId": patron["id"], "desc": "Lost three umbrellas", "borrowing": true, "type": "Manual"});
    let stored = desk.post("/manualblocks", &block).await.expect(201).json();
    let reply = desk.check_out(&item, &patron).await.expect(422);
    assert_eq!(reply.refusals(), ["Patron blocked from borrowing"]);
    assert_eq!(reply.json()["errors"][0]["parameters"][0]["value"], "Lost three umbrellas");

    let path = format!("/manualblocks/{}", stored["id"].as_str().unwrap());
    let mut over = stored;
    over["expirationDate"] = json!("2020-01-01T00:00:00Z");
    desk.put(&path, &over).await.expect(204);
    desk.check_out(&item, &patron).await.expect(201);
    let found = desk.find("/manualblocks", &format!("userId=={}", patron["id"].as_str().unwrap())).await;
    assert_eq!(found.expect(200).total(), 1);
    desk.delete(&path).await.expect(204);
}

#[tokio::test]
async fn a_manual_block_has_a_patron_and_a_description() {
    let desk = Desk::open().await;
    let reply = desk.post("/manualblocks", &json!({"borrowing": true})).await.expect(422);
    assert_eq!(reply.refused_keys(), ["desc", "userId"]);
    desk.put(&format!("/manualblocks/{}", fresh_id()), &json!({"desc": "d", "userId": fresh_id()}))
        .await
        .expect(404);
}

#[tokio::test]
async fn a_block_with_an_empty_date_of_expiry_has_none() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let block = json!({"userId": patron["id"], "desc": "d", "borrowing": true, "expirationDate": ""});
    let stored = desk.post("/manualblocks", &block).await.expect(201).json();
    assert!(stored.get("expirationDate").is_none(), "{stored}");
    desk.put(&format!("/manualblocks/{}", stored["id"].as_str().unwrap()), &block).await.expect(204);
    desk.check_out(&item, &patron).await.refused("Patron blocked from borrowing");
}
