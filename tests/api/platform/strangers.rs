//! Pages of other origins, host names that are not ours, and clients that a proxy sent.

use octavo_testkit::{Client, Library, Octavo};
use serde_json::json;

const FOREIGN: &str =
    "Pages of this origin may not use this server: the setting allowed-origins lists those that may";

#[tokio::test]
async fn a_page_of_another_origin_changes_nothing() {
    let library = Library::open().await;
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let page = library.with(name, value).with("content-type", "text/plain");
        page.send("POST", "/groups", "{\"group\":\"a\"}").await.says(403, FOREIGN);
    }
    let page = library.with("origin", "https://evil.example");
    let asked = page.with("access-control-request-method", "POST").send("OPTIONS", "/groups", "").await;
    assert_eq!(asked.header("access-control-allow-origin"), None);
    asked.says(403, FOREIGN);
    page.get("/groups").await.says(403, FOREIGN);
    assert_eq!(library.get("/groups").await.total(), 0);
}

#[tokio::test]
async fn own_pages_and_listed_ones_work() {
    let library = Library::open().await;
    for (number, origin) in
        [format!("http://{}", library.address), "http://localhost:3000".to_owned()].iter().enumerate()
    {
        let page = library.with("origin", origin).with("sec-fetch-site", "same-site");
        let asked = page
            .with("access-control-request-method", "PUT")
            .send("OPTIONS", "/groups", "")
            .await
            .expect(204);
        assert!(asked.header("access-control-allow-methods").is_some_and(|methods| methods.contains("PUT")));
        let made = page.post("/groups", &json!({"group": format!("group {number}")})).await.expect(201);
        assert_eq!(made.header("access-control-allow-origin"), Some(origin.as_str()));
    }
    library.with("sec-fetch-site", "same-origin").post("/groups", &json!({"group": "own"})).await.expect(201);
}

#[tokio::test]
async fn a_host_name_that_is_not_ours_is_refused_everywhere() {
    let library = Library::open().await;
    let said = "No such host here: the names that this server answers to are in the setting allowed-hosts";
    for path in ["/groups", "/desk", "/metrics", "/octavo/openapi.json", "/_/proxy/tenants"] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: evil.example:9130\r\nconnection: close\r\n\r\n");
        let answer = library.send_raw(request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 421") && answer.ends_with(said), "{answer}");
    }
}

#[tokio::test]
async fn whom_a_proxy_sends_is_no_program_on_this_machine() {
    let (open, guarded) = (Library::open().await, Library::guarded().await);
    let said = format!(
        "Tenant {} has no mod-authtoken: only programs on this machine are let in, and only if the setting open-tenants is on",
        open.tenant
    );
    for (name, value) in [
        ("x-forwarded-for", "127.0.0.1"),
        ("x-forwarded-for", ""),
        ("x-forwarded-proto", "https"),
        ("forwarded", "for=127.0.0.1"),
        ("via", "1.1 proxy"),
        ("x-real-ip", "127.0.0.1"),
    ] {
        open.with(name, value).get("/groups").await.says(403, &said);
        let stranger = Client::new(open.address).with(name, value);
        let made = stranger.post("/_/proxy/tenants", &json!({"id": "strangers"})).await;
        assert!([400, 403].contains(&made.status), "{made}");
        let user = guarded.as_user(&["usergroups.collection.get"]).await;
        user.with(name, value).get("/groups").await.expect(200);
    }
}

#[tokio::test]
async fn a_tenant_without_tokens_is_open_only_where_a_setting_says_so() {
    let closed = Octavo::with_limits(|limits| limits.trust.open_tenants = false).await;
    let library = Library::open().await;
    library.get("/groups").await.expect(200);
    library.through(&closed).get("/groups").await.expect(403);
}

#[tokio::test]
async fn a_trusted_proxy_names_its_clients() {
    let octavo =
        Octavo::with_limits(|limits| limits.trust.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    let library = Library::open().await.through(&octavo);
    let both = library.with("x-forwarded-for", "203.0.113.1").with("forwarded", "for=198.51.100.4");
    both.get("/groups").await.expect(400);
    library.with("x-forwarded-for", "127.0.0.1").get("/groups").await.expect(403);
    let origin = format!("https://{}", octavo.address);
    let encrypted = library.with("x-forwarded-proto", "https").with("x-forwarded-for", "203.0.113.1");
    let reply = encrypted.with("origin", &origin).get("/groups").await.expect(403);
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some(origin.as_str()),
        "it lacks a token, its page is ours"
    );
    let plain = encrypted.with("origin", format!("http://{}", octavo.address)).get("/groups").await;
    plain.says(403, FOREIGN);
}
