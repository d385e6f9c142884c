//! What a browser opens by itself, beside the desk, runs nothing.

use octavo_modules::users::USER;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn whatever_is_no_json_is_what_it_says_and_runs_nothing() {
    let library = Library::open().await;
    let id = fresh_id();
    library.store(&USER, json!({"id": id, "username": "<script>alert(1)</script>", "active": true})).await;
    for (path, status, kind) in [
        (format!("/octavo/patrons/{id}/data?format=html"), 200, "text/html; charset=utf-8"),
        ("/users/%3Cscript%3E".to_owned(), 404, "text/plain"),
        ("/users?query=%3Cscript%3E".to_owned(), 400, "text/plain"),
        ("/oai/records?verb=Identify".to_owned(), 200, "text/xml"),
    ] {
        let reply = library.get(&path).await;
        assert_eq!(reply.header("content-type"), Some(kind), "{path}: {reply}");
        let reply = reply.expect(status);
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}: {reply}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert!(kind == "text/plain" || !reply.text().contains("<script"), "{path}: {reply}");
    }
}
