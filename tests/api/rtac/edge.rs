//! Availability by API key: edge-rtac 2.7.2.

use octavo_testkit::{ApiKey, Desk, Library, encode, fresh_id};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

/// A library whose discovery system may ask, with one item on the shelf.
async fn library_with_discovery() -> (Library, Desk, Value) {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({})).await;
    item(&desk, &copy, json!({"barcode": "a<1", "itemLevelCallNumber": "QA & 1"})).await;
    (library, desk, title)
}

fn discovery_key(library: &Library) -> ApiKey {
    ApiKey::for_user(library, "discovery")
}

const NO_INSTANCES_XML: &str = "<?xml version='1.0' encoding='UTF-8'?>\n<instances/>";

#[tokio::test]
async fn a_key_that_the_library_accepts_opens_availability_in_xml_and_json() {
    let (library, _, title) = library_with_discovery().await;
    let ApiKey { key, sha256, .. } = &discovery_key(&library);
    discovery_key(&library).make_user(&library, &["rtac.batch.post"]).await;
    let id = title["id"].as_str().unwrap();
    let stranger = octavo_testkit::Client::new(library.octavo.address);
    let one = format!("/rtac/{id}?apikey={}&fullPeriodicals=true", encode(key));
    stranger.get(&one).await.says(200, NO_INSTANCES_XML);
    let entry = discovery_key(&library).accept(&library, sha256).await;

    let reply = stranger.get(&one).await.expect(200);
    assert_eq!(reply.header("content-type"), Some("application/xml"));
    let text = reply.text();
    assert!(text.contains(&format!("<holdings><instanceId>{id}</instanceId><holding>")), "{text}");
    assert!(
        text.contains("<barcode>a&lt;1</barcode>") && text.contains("<callNumber>QA &amp; 1</callNumber>"),
        "{text}"
    );
    let json = stranger.with("accept", "application/json").get(&one).await.expect(200);
    assert_eq!(
        (&json.json()["instanceId"], &json.json()["holdings"][0]["barcode"]),
        (&title["id"], &json!("a<1"))
    );

    let unknown = fresh_id();
    let none = format!("/rtac/{unknown}?apikey={}", encode(key));
    let json = stranger.with("accept", "application/json").get(&none).await.expect(200).json();
    assert_eq!(json, json!({"instanceId": unknown, "holdings": []}));
    let many = format!("/rtac?instanceIds={id},{unknown}&apikey={}", encode(key));
    let text = stranger.get(&many).await.expect(200).text();
    assert!(text.contains("<instances><holdings><instanceId>"), "{text}");
    assert!(
        text.contains(&format!("<error><code>404</code><message>Instance {unknown} can not be retrieved")),
        "{text}"
    );
    let old = stranger.with("authorization", format!("apikey {key}"));
    let text = old.get(&format!("/prod/rtac/folioRTAC?mms_id={id}")).await.expect(200).text();
    assert!(text.contains("<status>Available</status>"), "{text}");
    let whole = format!("/rtac?instanceIds={id}&apikey={}", encode(key));
    let json = stranger.with("accept", "application/json").get(&whole).await.expect(200).json();
    assert_eq!((&json["holdings"][0]["instanceId"], json.get("errors")), (&title["id"], Some(&Value::Null)));
    let refused = stranger.with("accept", "text/html").get(&one).await;
    let refused = refused.says(406, "Unsupported media type: text/html");
    assert_eq!(refused.header("content-type"), Some("text/xml"));
    stranger.get(&format!("/rtac?instanceIds=x&apikey={}", encode(key))).await.says(200, NO_INSTANCES_XML);

    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    library.delete(&path).await.expect(204);
    stranger.get(&one).await.says(200, NO_INSTANCES_XML);
}

#[tokio::test]
async fn a_key_is_worth_no_more_than_its_user() {
    let (library, _, title) = library_with_discovery().await;
    let ApiKey { key, sha256, .. } = &discovery_key(&library);
    discovery_key(&library).accept(&library, sha256).await;
    let stranger = octavo_testkit::Client::new(library.octavo.address);
    let one = format!("/rtac/{}?apikey={}", title["id"].as_str().unwrap(), encode(key));
    stranger.get(&one).await.says(200, NO_INSTANCES_XML);
    discovery_key(&library).make_user(&library, &["users.item.get"]).await;
    stranger.get(&one).await.says(200, NO_INSTANCES_XML);
    for wrong in ["", "x", "eyJzIjoiYSIsInQiOiJub3doZXJlIiwidSI6ImEifQ"] {
        stranger
            .get(&format!("/rtac?instanceIds={}&apikey={wrong}", fresh_id()))
            .await
            .says(200, NO_INSTANCES_XML);
    }
}

#[tokio::test]
async fn a_key_opens_the_edge_modules_that_its_entry_names() {
    let (library, _, title) = library_with_discovery().await;
    let ApiKey { key, sha256, .. } = &discovery_key(&library);
    discovery_key(&library).make_user(&library, &["rtac.all"]).await;
    let stranger = octavo_testkit::Client::new(library.octavo.address);
    let one = format!("/rtac/{}?apikey={}", title["id"].as_str().unwrap(), encode(key));
    let none = json!({"module": "edge", "configName": "api-keys", "value": format!("{sha256} edge-x")});
    library
        .post("/configurations/entries", &none)
        .await
        .refused("An API key opens edge modules that there are");
    let value = format!("{} edge-rtac", sha256.to_uppercase());
    let entry = discovery_key(&library).accept(&library, &value).await;
    let text = stranger.get(&one).await.expect(200).text();
    assert!(text.contains("<barcode>a&lt;1</barcode>"), "{text}");
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    let mut off = entry.clone();
    off["enabled"] = json!(false);
    library.put(&path, &off).await.expect(204);
    stranger.get(&one).await.says(200, NO_INSTANCES_XML);
}
