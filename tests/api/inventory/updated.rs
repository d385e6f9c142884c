//! What harvesters follow: changed and deleted instances, ids in bulk, instances with all that is held of them.

use octavo_testkit::{Desk, encode};
use serde_json::{Deserializer, Value, json};

use super::shelf::{holdings, instance, item};

async fn get_updated_instances(desk: &Desk, query: &str) -> Vec<Value> {
    let reply = desk.get(&format!("/inventory-hierarchy/updated-instance-ids?{query}")).await.expect(200);
    let objects = Deserializer::from_slice(&reply.body).into_iter::<Value>();
    objects.map(|object| object.expect("JSON objects one after another")).collect()
}

fn ids(objects: &[Value]) -> Vec<&Value> {
    objects.iter().map(|object| &object["instanceId"]).collect()
}

#[tokio::test]
async fn changed_and_deleted_instances_are_told() {
    let desk = Desk::open().await;
    let open = instance(&desk, json!({"source": "MARC"})).await;
    let hidden = instance(&desk, json!({"discoverySuppress": true})).await;
    let gone = instance(&desk, json!({})).await;
    desk.delete(&format!("/instance-storage/instances/{}", gone["id"].as_str().unwrap())).await.expect(204);
    let found = get_updated_instances(&desk, "").await;
    assert_eq!(ids(&found), [&open["id"], &gone["id"]]);
    let date = open["metadata"]["updatedDate"].as_str().unwrap().replace("+00:00", "Z");
    let expected = json!({
        "instanceId": open["id"], "source": "MARC", "updatedDate": date, "suppressFromDiscovery": "false", "deleted": "false",
    });
    assert!(found[0] == expected || found[0]["suppressFromDiscovery"] == "", "{}", found[0]);
    assert_eq!(found[1]["deleted"], "true");
    let all =
        get_updated_instances(&desk, "skipSuppressedFromDiscoveryRecords=false&deletedRecordSupport=false")
            .await;
    assert_eq!(all.len(), 2);
    assert!(ids(&all).contains(&&hidden["id"]));
    assert_eq!(ids(&get_updated_instances(&desk, "source=MARC").await), [&open["id"]]);
    assert_eq!(get_updated_instances(&desk, "startDate=2999-01-01T00:00:00Z").await, Vec::<Value>::new());
    let wrong = desk.get("/inventory-hierarchy/updated-instance-ids?startDate=x").await;
    wrong.says(400, "java.time.format.DateTimeParseException: Text 'x' could not be parsed at index 0");
}

#[tokio::test]
async fn an_instance_changes_with_its_holdings_and_items_when_asked() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    let thing = item(&desk, &copy, json!({})).await;
    let after = thing["metadata"]["updatedDate"].as_str().unwrap();
    let since = format!("startDate={}&onlyInstanceUpdateDate=", encode(after));
    assert_eq!(ids(&get_updated_instances(&desk, &format!("{since}false")).await), [&title["id"]]);
    desk.delete(&format!("/item-storage/items/{}", thing["id"].as_str().unwrap())).await.expect(204);
    desk.delete(&format!("/holdings-storage/holdings/{}", copy["id"].as_str().unwrap())).await.expect(204);
    let told = get_updated_instances(&desk, &format!("{since}false")).await;
    assert_eq!(ids(&told), [&title["id"]]);
    assert!(told[0]["updatedDate"].as_str() >= Some(&after.replace("+00:00", "Z")), "{told:?}");
}

#[tokio::test]
async fn ids_come_in_bulk() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copies = [holdings(&desk, &title, json!({})).await, holdings(&desk, &title, json!({})).await];
    item(&desk, &copies[1], json!({})).await;
    let found = desk.get("/record-bulk/ids").await.expect(200);
    assert_eq!(
        (found.field_values("ids", "id"), found.total()),
        (vec![title["id"].as_str().unwrap().to_owned()], 1)
    );
    let query = encode(&format!("instanceId=={} sortBy id", title["id"].as_str().unwrap()));
    let found = desk.get(&format!("/record-bulk/ids?recordType=HOLDING&query={query}")).await.expect(200);
    assert_eq!(found.field_values("ids", "id").len(), 2);
    let query = encode(&format!("items.effectiveLocationId=={}", desk.location));
    let found = desk.get(&format!("/record-bulk/ids?recordType=HOLDING&query={query}")).await.expect(200);
    assert_eq!(found.field_values("ids", "id"), [copies[1]["id"].as_str().unwrap()]);
    desk.get("/record-bulk/ids?recordType=ITEM").await.expect(400);
}

#[tokio::test]
async fn an_instance_is_viewed_with_its_holdings_and_items() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    let thing = item(&desk, &copy, json!({})).await;
    let query = encode(&format!("id=={}", title["id"].as_str().unwrap()));
    let view = desk.get(&format!("/inventory-view/instances?query={query}")).await.expect(200).json();
    let expected = json!({
        "instanceId": title["id"], "isBoundWith": false, "instance": title, "holdingsRecords": [copy], "items": [thing],
    });
    assert_eq!(view["instances"], json!([expected]));
}
