//! The way of a browser to the desk. Whether the desk is built into the program under test or not, the way is the same;
//! the pages themselves are tried in a browser, by `ui/test`.

use octavo_testkit::Library;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[tokio::test]
async fn a_browser_that_knows_no_path_is_led_to_the_desk() {
    let library = Library::open().await;
    let led = library.with("accept", BROWSER).get("/").await.expect(303);
    assert_eq!(led.header("location"), Some("/desk"));
    library.with("accept", "application/json").get("/").await.expect(404);
    library.with("accept", "text/html;q=0").get("/").await.expect(404);
}

#[tokio::test]
async fn the_desk_needs_neither_tenant_nor_token_and_runs_nothing_from_elsewhere() {
    let library = Library::guarded().await;
    let anybody = library.without("x-okapi-tenant").without("x-okapi-token").with("accept", BROWSER);
    for path in ["/desk", "/desk/", "/desk/check-out", "/desk/patrons?query=freya"] {
        let page = anybody.get(path).await;
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{page}");
        let policy = page.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{page}");
    }
}

#[tokio::test]
async fn a_path_that_only_begins_like_the_desks_is_not_the_desks() {
    let library = Library::open().await;
    library.with("accept", BROWSER).get("/desks").await.expect(404);
    library.post("/desk", &serde_json::json!({})).await.expect(404);
    library.with("accept", BROWSER).get("/desk/assets/of-another-build.js").await.expect(404);
}

#[tokio::test]
async fn anybody_may_read_what_the_interface_is() {
    let library = Library::guarded().await;
    let anybody = library.without("x-okapi-tenant").without("x-okapi-token");
    let page = anybody.get("/octavo/openapi.json").await.expect(200).json();
    assert_eq!(page["openapi"], "3.1.0");
    assert!(page["paths"]["/circulation/loans/{id}/explain"]["get"].is_object(), "{page}");
}
