//! The same by API key.

use octavo_testkit::{ApiKey, Client, Library, encode};

use super::texts;

#[tokio::test]
async fn a_harvester_asks_with_a_key_in_the_query_or_in_the_path_and_by_post() {
    let library = Library::furnished().await;
    let harvester = ApiKey::for_user(&library, "harvester");
    harvester.make_user(&library, &["oai-pmh.records.collection.get"]).await;
    let key = &harvester.key;
    let denied = "The access to repository is denied. Please contact administrator(s).";
    let stranger = Client::new(library.octavo.address);
    let (path, query) =
        (format!("/oai/{}?verb=Identify", encode(key)), format!("/oai?verb=Identify&apikey={}", encode(key)));
    stranger.get(&query).await.says(401, denied);
    harvester.accept(&library, &format!("{} edge-oai-pmh", harvester.sha256)).await;
    for one in [&query, &path] {
        let reply = stranger.get(one).await.expect(200);
        assert_eq!(reply.header("content-type"), Some("text/xml"));
        assert_eq!(texts(&reply, "protocolVersion"), ["2.0"], "{reply}");
    }
    let form = stranger.with("content-type", "application/x-www-form-urlencoded");
    let posted = form.send("POST", &format!("/oai/{}", encode(key)), "verb=ListSets").await.expect(200);
    assert_eq!(texts(&posted, "setSpec"), ["all"]);
    stranger.get("/oai?verb=Identify").await.says(401, denied);
    for asked in [query.as_str(), "/oai?verb=Identify"] {
        let refused = stranger.with("accept", "application/json").get(asked).await.expect(406);
        assert_eq!(refused.header("content-type"), Some("text/xml"), "{asked}");
    }
    library.get("/oai/records?verb=Identify").await.expect(200);
}
