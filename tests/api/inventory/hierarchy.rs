//! `/inventory-hierarchy/items-and-holdings`.

use octavo_testkit::{Desk, Reply, fresh_id};
use serde_json::{Deserializer, Value, json};

use super::shelf::{holdings, instance, item};

async fn hierarchy(desk: &Desk, instances: &[&Value], skip: bool) -> (Vec<Value>, Reply) {
    let ids: Vec<&Value> = instances.iter().map(|instance| &instance["id"]).collect();
    let body = json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": skip});
    let reply = desk.post("/inventory-hierarchy/items-and-holdings", &body).await.expect(200);
    let objects = Deserializer::from_slice(&reply.body).into_iter::<Value>();
    (objects.map(|object| object.expect("JSON objects one after another")).collect(), reply)
}

#[tokio::test]
async fn holdings_and_items_of_many_instances_come_in_one_round_trip() {
    let desk = Desk::open().await;
    let first = instance(&desk, json!({})).await;
    let second = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &first, json!({"callNumber": "A"})).await;
    item(&desk, &copy, json!({"barcode": "1"})).await;
    item(&desk, &copy, json!({"barcode": "2"})).await;
    let nobody = json!({"id": fresh_id()});
    hierarchy(&desk, &[&first], false).await;
    let (answer, reply) = hierarchy(&desk, &[&second, &first, &nobody, &first], false).await;
    assert_eq!(reply.round_trips(), 1, "{reply}");
    assert_eq!(answer.len(), 2, "each that is there, once: {reply}");
    assert_eq!((&answer[0]["instanceId"], &answer[0]["holdings"]), (&second["id"], &json!([])));
    let shown = &answer[1];
    assert_eq!((&shown["source"], &shown["modeOfIssuance"]), (&json!("FOLIO"), &json!("")));
    assert_eq!(shown["holdings"][0]["callNumber"], json!({"callNumber": "A"}));
    assert!(shown["holdings"][0]["location"]["effectiveLocation"]["libraryName"].is_string(), "{shown}");
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&shown["items"][0]["status"], &shown["items"][0]["materialType"]),
        (&json!("Available"), &json!("book"))
    );
}

#[tokio::test]
async fn what_is_suppressed_is_left_out_when_asked() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let open = holdings(&desk, &instance, json!({})).await;
    let hidden = holdings(&desk, &instance, json!({"discoverySuppress": true})).await;
    item(&desk, &open, json!({"discoverySuppress": true})).await;
    item(&desk, &open, json!({})).await;
    item(&desk, &hidden, json!({})).await;
    let count = |answer: &[Value], name: &str| answer[0][name].as_array().map_or(0, Vec::len);
    let (all, _) = hierarchy(&desk, &[&instance], false).await;
    assert_eq!((count(&all, "holdings"), count(&all, "items")), (2, 3));
    let (shown, _) = hierarchy(&desk, &[&instance], true).await;
    assert_eq!((count(&shown, "holdings"), count(&shown, "items")), (1, 1));
}

#[tokio::test]
async fn an_item_that_is_bound_with_a_title_is_one_of_its_items() {
    let desk = Desk::open().await;
    let (first, second) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    let (main, other) = (holdings(&desk, &first, json!({})).await, holdings(&desk, &second, json!({})).await);
    let volume = item(&desk, &main, json!({})).await;
    for part in [&main, &other] {
        let body = json!({"itemId": volume["id"], "holdingsRecordId": part["id"]});
        desk.post("/inventory-storage/bound-with-parts", &body).await.expect(201);
    }
    let (answer, _) = hierarchy(&desk, &[&first, &second], true).await;
    for shown in &answer {
        assert_eq!(shown["items"].as_array().map(Vec::len), Some(1), "{shown}");
        assert_eq!(shown["items"][0]["holdingsRecordId"], main["id"]);
    }
    let shown =
        desk.get(&format!("/inventory/items/{}", volume["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(
        (&shown["isBoundWith"], shown["boundWithTitles"].as_array().map(Vec::len)),
        (&json!(true), Some(2))
    );
}

#[tokio::test]
async fn ids_that_are_none_are_refused() {
    let desk = Desk::open().await;
    let body = json!({"instanceIds": ["x"], "skipSuppressedFromDiscoveryRecords": true});
    let reply = desk.post("/inventory-hierarchy/items-and-holdings", &body).await.expect(422);
    assert_eq!(reply.refused_keys(), ["instanceIds[0]"]);
}
