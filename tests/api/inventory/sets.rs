//! Other views of the same records: sets of instances, items with what they name, locations as shelves, the older view of
//! harvesters.

use octavo_testkit::{Desk, encode, fresh_id, reference};
use serde_json::{Deserializer, Value, json};

use super::shelf::{holdings, instance, item, location, put_record, read_record, with_members};

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

#[tokio::test]
async fn a_set_has_what_is_asked_for_and_no_more() {
    let desk = Desk::open().await;
    let (first, second) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    let copy = holdings(&desk, &first, json!({})).await;
    let thing = item(&desk, &copy, json!({})).await;
    let title = json!({"precedingInstanceId": first["id"], "succeedingInstanceId": second["id"]});
    let title = desk.post("/preceding-succeeding-titles", &title).await.expect(201).json();
    let kind = "758f13db-ffb4-440e-bb10-8a364aa6cb4a";
    let above = json!({"superInstanceId": second["id"], "subInstanceId": first["id"], "instanceRelationshipTypeId": kind});
    let above = desk.post("/instance-storage/instance-relationships", &above).await.expect(201).json();
    let query = encode(&format!("id=={}", id(&first)));
    let path = format!("/inventory-view/instance-set?limit=10&query={query}");
    let bare = desk.get(&path).await.expect(200).json();
    assert_eq!(bare, json!({"instanceSets": [{"id": first["id"]}]}));
    let parts = [
        "instance",
        "holdingsRecords",
        "items",
        "precedingTitles",
        "succeedingTitles",
        "superInstanceRelationships",
        "subInstanceRelationships",
    ];
    let all = parts.map(|part| format!("&{part}=true")).concat();
    let whole = desk.get(&format!("{path}{all}")).await.expect(200).json();
    let expected = json!({
        "id": first["id"], "instance": first, "holdingsRecords": [copy], "items": [thing], "precedingTitles": [],
        "succeedingTitles": [title], "superInstanceRelationships": [above], "subInstanceRelationships": [],
    });
    assert_eq!(whole, json!({"instanceSets": [expected]}));
}

#[tokio::test]
async fn sets_are_small() {
    let desk = Desk::open().await;
    desk.get("/inventory-view/instance-set").await.expect(400);
    desk.get("/inventory-view/instance-set?limit=0").await.expect(400);
    desk.get("/inventory-view/instance-set?limit=11").await.expect(400);
}

#[tokio::test]
async fn an_item_is_shown_with_what_it_names() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    let thing = item(&desk, &copy, json!({"barcode": "7"})).await;
    item(&desk, &copy, json!({"barcode": "8"})).await;
    let path = "/item-storage-dereferenced/items";
    let shown = desk.get(&format!("{path}/{}", id(&thing))).await.expect(200).json();
    assert_eq!((&shown["instanceRecord"], &shown["holdingsRecord"]), (&title, &copy));
    assert_eq!(shown["materialType"]["name"], "book");
    assert_eq!(shown["permanentLoanType"]["id"], reference::CAN_CIRCULATE);
    assert_eq!(shown["effectiveLocation"]["id"], json!(desk.location));
    assert_eq!((&shown["temporaryLoanType"], &shown["materialTypeId"]), (&Value::Null, &Value::Null));
    let found = desk.find(path, "barcode==7").await.expect(200);
    assert_eq!((found.total(), &found.json()["dereferencedItems"][0]), (1, &shown));
    let nobody = format!("{path}/{}", fresh_id());
    desk.get(&nobody).await.says(404, "No item records found matching provided UUID.");
    desk.get(&format!("{path}/x")).await.says(400, "Invalid UUID");
}

#[tokio::test]
async fn locations_are_shown_as_shelves_and_not_changed_as_such() {
    let desk = Desk::open().await;
    let shelf = json!({"id": desk.location, "name": "x"});
    let known = read_record(&desk, "/locations", &shelf).await;
    let expected = json!({"id": desk.location, "name": known["name"]});
    assert_eq!(read_record(&desk, "/shelf-locations", &shelf).await, expected);
    let found = desk.find("/shelf-locations", &format!("id=={}", desk.location)).await.expect(200);
    assert_eq!(found.json(), json!({"shelflocations": [expected], "totalRecords": 1}));
    desk.get(&format!("/shelf-locations/{}", fresh_id())).await.expect(404);
    put_record(&desk, "/shelf-locations", &shelf).await.expect(501);
}

async fn get_updated_view(desk: &Desk, path: &str) -> Vec<Value> {
    let reply = desk.get(&format!("/oai-pmh-view/{path}")).await.expect(200);
    let objects = Deserializer::from_slice(&reply.body).into_iter::<Value>();
    objects.map(|object| object.expect("JSON objects one after another")).collect()
}

async fn get_enriched_items(desk: &Desk, ids: &[&Value], skip: bool) -> Vec<Value> {
    let body = json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": skip});
    let reply = desk.post("/oai-pmh-view/enrichedInstances", &body).await.expect(200);
    let objects = Deserializer::from_slice(&reply.body).into_iter::<Value>();
    objects.map(|object| object.expect("JSON objects one after another")).collect()
}

#[tokio::test]
async fn harvesters_of_the_older_view_get_items_with_names() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let bare = instance(&desk, json!({})).await;
    let uri = json!({"uri": "https://example.org", "relationshipId": "f5d0068e-6272-458e-8a81-b85e7b9a14aa"});
    let bare_uri = json!({"uri": "https://example.net"});
    let links =
        json!([uri, {"uri": "https://example.net", "linkText": "More", "publicNote": "Free"}, bare_uri]);
    let copy = holdings(&desk, &title, json!({"callNumber": "A 1", "electronicAccess": links})).await;
    let notes = json!([
        {"note": "torn", "itemNoteTypeId": "8d0a5eca-25de-4391-81a9-236eeefdd20b", "staffOnly": false},
        {"note": "blue", "itemNoteTypeId": "8d0a5eca-25de-4391-81a9-236eeefdd20b", "staffOnly": false},
        {"note": "hush", "itemNoteTypeId": "8d0a5eca-25de-4391-81a9-236eeefdd20b", "staffOnly": true},
    ]);
    let thing = item(&desk, &copy, json!({"barcode": "7", "notes": notes, "electronicAccess": [uri]})).await;
    item(&desk, &copy, json!({"discoverySuppress": true})).await;
    let found = get_enriched_items(&desk, &[&bare["id"], &title["id"]], true).await;
    assert_eq!(found[0], json!({"instanceid": bare["id"], "itemsandholdingsfields": ""}));
    let items = &found[1]["itemsandholdingsfields"]["items"];
    assert_eq!(items.as_array().map(Vec::len), Some(1), "{items}");
    let shown = &items[0];
    assert_eq!((&shown["id"], &shown["barcode"]), (&thing["id"], &json!("7")));
    assert_eq!((&shown["materialType"], &shown["holdingsRecordId"]), (&json!("book"), &copy["id"]));
    assert_eq!(shown["callNumber"], json!({"callNumber": "A 1", "typeName": null}));
    assert!(shown["location"]["location"]["institutionName"].is_string(), "{shown}");
    // Those with fewer members first.
    let named = |link: &Value, name: Value| with_members(link.clone(), json!({"name": name}));
    let expected =
        [named(&bare_uri, json!(null)), named(&uri, json!("Resource")), named(&links[1], json!(null))];
    assert_eq!(shown["electronicAccess"], json!(expected));
    let notes = ["blue", "torn"].map(|note| json!({"note": note, "itemNoteTypeName": "Note"}));
    assert_eq!(shown["notes"], json!(notes));
    let both = &get_enriched_items(&desk, &[&title["id"]], false).await[0]["itemsandholdingsfields"]["items"];
    assert_eq!(both.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn the_older_view_leaves_out_items_in_locations_that_are_closed() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let cellar = location(&desk, "Cellar").await;
    put_record(&desk, "/locations", &with_members(cellar.clone(), json!({"isActive": false})))
        .await
        .expect(204);
    let copy = holdings(&desk, &title, json!({"permanentLocationId": cellar["id"]})).await;
    item(&desk, &copy, json!({})).await;
    assert_eq!(get_enriched_items(&desk, &[&title["id"]], true).await[0]["itemsandholdingsfields"], "");
}

#[tokio::test]
async fn the_older_view_tells_of_changed_and_deleted_instances() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let gone = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    let thing = item(&desk, &copy, json!({})).await;
    desk.delete(&format!("/instance-storage/instances/{}", id(&gone))).await.expect(204);
    let ids =
        |found: &[Value]| -> Vec<Value> { found.iter().map(|found| found["instanceid"].clone()).collect() };
    let told = get_updated_view(&desk, "updatedInstanceIds").await;
    assert_eq!(ids(&told), [title["id"].clone(), gone["id"].clone()]);
    let date = thing["metadata"]["updatedDate"].as_str().unwrap().replace("+00:00", "Z");
    assert_eq!((&told[0]["updateddate"], &told[0]["deleted"]), (&json!(date), &json!("false")));
    assert_eq!(told[1]["deleted"], "true");
    let whole = get_updated_view(&desk, "instances?deletedRecordSupport=false").await;
    assert_eq!(ids(&whole), [title["id"].clone()]);
    assert_eq!(whole[0]["itemsandholdingsfields"]["items"][0]["id"], thing["id"]);
    let whole = get_updated_view(&desk, "instances").await;
    assert_eq!((&whole[1]["deleted"], &whole[1]["itemsandholdingsfields"]), (&json!("true"), &json!("")));
    assert_eq!(
        get_updated_view(&desk, "instances?startDate=2999-01-01T00:00:00Z").await,
        Vec::<Value>::new()
    );
    desk.get("/oai-pmh-view/instances?startDate=x").await.expect(400);
}
