//! Items to other holdings, holdings to another instance.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

use super::shelf::{holdings, instance, item, read_record};

#[tokio::test]
async fn moved_items_take_what_their_new_holdings_say() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let from = holdings(&desk, &instance, json!({"callNumber": "A"})).await;
    let to = holdings(&desk, &instance, json!({"callNumber": "B"})).await;
    let moved = item(&desk, &from, json!({})).await;
    let lost = fresh_id();
    let order = json!({"toHoldingsRecordId": to["id"], "itemIds": [moved["id"], lost]});
    let reply = desk.post("/inventory/items/move", &order).await.expect(200);
    assert_eq!((reply.json(), reply.round_trips()), (json!({"nonUpdatedIds": [lost]}), 2), "{reply}");
    let after = read_record(&desk, "/item-storage/items", &moved).await;
    assert_eq!(after["holdingsRecordId"], to["id"]);
    assert_eq!(after["effectiveCallNumberComponents"]["callNumber"], "B");
    assert_eq!(after["_version"], 2);
}

#[tokio::test]
async fn holdings_move_to_another_instance() {
    let desk = Desk::open().await;
    let first = instance(&desk, json!({})).await;
    let second = instance(&desk, json!({})).await;
    let moved = holdings(&desk, &first, json!({})).await;
    let order = json!({"toInstanceId": second["id"], "holdingsRecordIds": [moved["id"]]});
    assert_eq!(
        desk.post("/inventory/holdings/move", &order).await.expect(200).json(),
        json!({"nonUpdatedIds": []})
    );
    assert_eq!(read_record(&desk, "/holdings-storage/holdings", &moved).await["instanceId"], second["id"]);
}

#[tokio::test]
async fn a_move_says_what_and_where_to() {
    let desk = Desk::open().await;
    let nowhere = fresh_id();
    let items = json!({"toHoldingsRecordId": nowhere, "itemIds": [nowhere]});
    let reply = desk.post("/inventory/items/move", &items).await.expect(422);
    assert_eq!(reply.json(), json!({"errors": [format!("Holding with id={nowhere} not found")]}));
    for to in [json!(null), json!(""), json!(" ")] {
        let reply = desk
            .post("/inventory/items/move", &json!({"toHoldingsRecordId": to, "itemIds": [nowhere]}))
            .await;
        let reply = reply.refused("toHoldingsRecordId is a required field");
        let about = json!([{"key": "toHoldingsRecordId", "value": null}]);
        assert_eq!(reply.json()["errors"][0]["parameters"], about);
    }
    let reply = desk.post("/inventory/holdings/move", &json!({"toInstanceId": nowhere})).await;
    reply.refused("Holdings record ids aren't specified");
}
