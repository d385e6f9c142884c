//! The same by API key.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use octavo_testkit::{Client, Library, encode, fresh_id};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::texts;

#[tokio::test]
async fn a_harvester_asks_with_a_key_in_the_query_or_in_the_path_and_by_post() {
    let library = Library::furnished().await;
    let text = json!({"s": "kPSTjCmJHR", "t": library.tenant.as_str(), "u": "harvester"}).to_string();
    let key = URL_SAFE.encode(text);
    let sum: String = Sha256::digest(&key).iter().map(|byte| format!("{byte:02x}")).collect();
    let id = fresh_id();
    library.post("/users", &json!({"id": id, "username": "harvester", "active": true})).await.expect(201);
    let granted = json!({"userId": id, "permissions": ["oai-pmh.records.collection.get"]});
    library.post("/perms/users", &granted).await.expect(201);
    let denied = "The access to repository is denied. Please contact administrator(s).";
    let stranger = Client::new(library.octavo.address);
    let (path, query) = (
        format!("/oai/{}?verb=Identify", encode(&key)),
        format!("/oai?verb=Identify&apikey={}", encode(&key)),
    );
    stranger.get(&query).await.says(401, denied);
    let value = format!("{sum} edge-oai-pmh");
    let entry = json!({"module": "edge", "configName": "api-keys", "code": "harvester", "value": value});
    library.post("/configurations/entries", &entry).await.expect(201);
    for one in [&query, &path] {
        let reply = stranger.get(one).await.expect(200);
        assert_eq!(reply.header("content-type"), Some("text/xml"));
        assert_eq!(texts(&reply, "protocolVersion"), ["2.0"], "{reply}");
    }
    let form = stranger.with("content-type", "application/x-www-form-urlencoded");
    let posted = form.send("POST", &format!("/oai/{}", encode(&key)), "verb=ListSets").await.expect(200);
    assert_eq!(texts(&posted, "setSpec"), ["all"]);
    stranger.get("/oai?verb=Identify").await.says(401, denied);
    stranger.with("accept", "application/json").get(&query).await.expect(406);
    library.get("/oai/records?verb=Identify").await.expect(200);
}
