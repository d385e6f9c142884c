//! Whether the server is well, as load balancers and FOLIO's clients ask.

use octavo_testkit::Octavo;

#[tokio::test]
async fn health_is_told_to_strangers_in_the_shapes_that_clients_know() {
    let stranger = Octavo::start_another().await.client();
    for path in ["/admin/health", "/admin/health/ready", "/admin/health/live"] {
        assert_eq!(stranger.get(path).await.says(200, "OK").header("content-type"), Some("text/plain"));
    }
    let spring = stranger.with("accept", "application/json").get("/admin/health").await.expect(200).json();
    assert_eq!(
        (&spring["status"], &spring["components"]["database"]["status"]),
        (&"UP".into(), &"UP".into())
    );
    stranger.get("/_/proxy/health").await.says(200, "[ ]");
    stranger.send("POST", "/admin/health", "").await.expect(404);
}
