//! The id of a request: what PostgreSQL is told of it, and clients whose request failed.

use octavo_pg::Statement;
use octavo_testkit::{Library, Octavo, eventually, on_runtime};
use serde_json::json;

/// The names of connections that work or worked for this request.
async fn count_connections_named(library: &Library, name: &'static str) -> i64 {
    let context = library.context().await;
    on_runtime(async move {
        let asked = "select count(*) from pg_stat_activity where application_name = $1";
        let mut session = context.session().await.expect("a connection");
        session.rows(Statement::new(asked).text(name)).await.expect("connections")[0].long(0)
    })
    .await
}

#[tokio::test]
async fn connections_are_called_after_their_request_without_a_further_round_trip() {
    let naming = Octavo::naming_requests().await;
    let usual = Library::open().await;
    let library = usual.through(&naming);
    let mut counts = Vec::new();
    for (through, name) in [(&usual, "usual"), (&library, "named")] {
        let client = through.with("x-okapi-request-id", "4711/a b");
        // The first request of a kind may read what is remembered afterwards.
        for number in 0..3 {
            let reply =
                client.post("/groups", &json!({"group": format!("{name} {number}")})).await.expect(201);
            counts.push((reply.round_trips(), reply.statements()));
        }
    }
    assert_eq!(counts[2], counts[5], "{counts:?}");
    assert_eq!(count_connections_named(&usual, "octavo 4711/ab").await, 1);
    // Another request takes the connection over, and its name goes.
    eventually("the connection has the name of another request", async || {
        library.with("x-okapi-request-id", "4712").post("/groups", &json!({"group": "x"})).await;
        count_connections_named(&usual, "octavo 4712").await == 1
            && count_connections_named(&usual, "octavo 4711/ab").await == 0
    })
    .await;
}

#[tokio::test]
async fn a_request_that_failed_is_named_to_its_client() {
    let library = Library::open().await;
    // A route that nothing is built for answers 501.
    let path = "/saml/validate";
    let reply = library.get(path).await.expect(501);
    let id = reply.header("x-okapi-request-id").expect("an id");
    assert!(id.len() == "123456/saml".len() && id.ends_with("/saml"), "{id}");
    let named = library.with("x-okapi-request-id", "mine").get(path).await;
    assert_eq!(named.header("x-okapi-request-id"), Some("mine"));
    assert_eq!(library.get("/groups").await.expect(200).header("x-okapi-request-id"), None);
}
