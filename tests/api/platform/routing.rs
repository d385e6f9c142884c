//! Which module answers, and what is said when none does (Okapi 5.3.0).

use octavo_testkit::{Client, Desk, Library, fresh_id};
use serde_json::json;

const NO_MODULE: &str = "No suitable module found for path and tenant";

#[tokio::test]
async fn an_unknown_path_is_answered_as_okapi_words_it() {
    let library = Library::open().await;
    library.get("/no/such/path").await.says(404, NO_MODULE);
    library.get("/").await.says(404, NO_MODULE);
    let reply = library.send("PATCH", "/users", "").await.says(404, NO_MODULE);
    assert_eq!(reply.header("content-type"), Some("text/plain"));
    library.send("BREW", "/users", "").await.says(404, NO_MODULE);
}

#[tokio::test]
async fn a_module_that_is_not_enabled_does_not_answer() {
    let library = Library::bare().await;
    library.get("/users").await.says(404, NO_MODULE);
}

#[tokio::test]
async fn a_route_that_is_not_built_says_so() {
    let library = Library::open().await;
    let reply = library.get("/eholdings/packages").await;
    assert_eq!(reply.status, 404, "a module outside the release is no route at all\n{reply}");
    let reply = library.get("/saml/regenerate").await.expect(501);
    let said =
        "GET /saml/regenerate of mod-login-saml is part of FOLIO's interface, but is not built in Octavo yet";
    assert_eq!(reply.refusals(), [said]);
    assert_eq!(reply.json()["errors"][0]["code"], "NOT_BUILT");
}

#[tokio::test]
async fn an_unknown_tenant_is_refused() {
    let client = Client::new(Library::bare().await.address);
    client.with("x-okapi-tenant", "nobody").get("/users").await.says(400, "No such Tenant nobody");
    client.with("x-okapi-tenant", "No Body").get("/users").await.says(400, "No such Tenant No Body");
    client.with("x-okapi-tenant", "").get("/users").await.expect(400);
    client.with("x-okapi-tenant", "x".repeat(4000)).get("/users").await.expect(400);
}

#[tokio::test]
async fn without_tenant_and_token_okapis_own_tenant_is_meant() {
    let client = Client::new(Library::bare().await.address);
    client.get("/_/proxy/tenants/supertenant/modules").await.expect(200);
    client.get("/users").await.says(404, NO_MODULE);
}

#[tokio::test]
async fn the_tenant_may_be_named_in_the_path() {
    let library = Library::open().await;
    library.post("/groups", &json!({"group": "staff"})).await.expect(201);
    let client = Client::new(library.address);
    let invoked = format!("/_/invoke/tenant/{}/groups?query=group==staff", library.tenant);
    assert_eq!(client.get(&invoked).await.expect(200).total(), 1);
    client.get("/_/invoke/tenant/nobody/groups").await.says(400, "No such Tenant nobody");
    client.get("/_/invoke/tenant/").await.expect(404);
    client.get(&format!("/_/invoke/tenant/{}", library.tenant)).await.expect(404);
}

#[tokio::test]
async fn a_path_is_taken_as_written_but_for_its_escapes_and_last_slash() {
    let library = Library::open().await;
    let id = fresh_id();
    library.post("/groups", &json!({"id": id, "group": "staff"})).await.expect(201);
    library.get(&format!("/groups/{id}/")).await.expect(200);
    let escaped: String = id.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect();
    library.get(&format!("/groups/{escaped}")).await.expect(200);
    for other in ["/Groups", "//groups", "/groups/./"] {
        let reply = library.get(other).await;
        assert!([400, 404].contains(&reply.status), "{reply}");
    }
}

#[tokio::test]
async fn a_browser_may_ask_from_a_listed_origin() {
    let library = Library::open().await;
    let browser = library.with("origin", "https://folio.example.org");
    let asked =
        browser.with("access-control-request-method", "POST").send("OPTIONS", "/users", "").await.expect(204);
    assert_eq!(asked.header("access-control-allow-methods"), Some("PUT,PATCH,DELETE,GET,POST"));
    assert_eq!(asked.header("access-control-max-age"), Some("7200"));
    assert_eq!(asked.header("access-control-allow-origin"), Some("https://folio.example.org"));
    let reply = browser.get("/groups").await.expect(200);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://folio.example.org"));
    assert_eq!(reply.header("access-control-allow-credentials"), Some("true"));
}

#[tokio::test]
async fn a_connection_serves_one_request_after_the_other() {
    let library = Library::open().await;
    let one = |path: &str, more: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: a\r\nx-okapi-tenant: {}\r\n{more}\r\n", library.tenant)
    };
    let answers = library
        .send_raw(
            format!("{}{}{}", one("/groups", ""), one("/none", ""), one("/groups", "connection: close\r\n"))
                .as_bytes(),
        )
        .await;
    let statuses: Vec<&str> = answers.lines().filter(|line| line.contains("HTTP/1.1 ")).collect();
    assert_eq!(statuses.len(), 3, "{answers}");
    assert!(
        statuses[0].contains("200") && statuses[1].contains("404") && statuses[2].contains("200"),
        "{answers}"
    );
}

#[tokio::test]
async fn nobody_deletes_all_records_by_an_empty_id() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    for path in ["/circulation/loans/", "/loan-types/", "/service-points/", "/instance-storage/instances/"] {
        desk.delete(path).await.says(404, NO_MODULE);
    }
    assert_eq!(desk.get("/circulation/loans/").await.expect(200).total(), 1);
}
