//! Each call asks for a permission of its own.

use octavo_testkit::Library;
use serde_json::json;

#[tokio::test]
async fn every_call_has_its_permission() {
    let library = Library::guarded().await;
    let nobody = library.as_user(&["circulation.all"]).await;
    let list = "/transactions/status?fromDate=2026-01-01T00:00:00Z&toDate=2026-01-02T00:00:00Z";
    let said = json!({"status": "OPEN"});
    let item = json!({"item": {"barcode": "b", "materialType": "book", "lendingLibraryCode": "KU"}});
    let calls = [
        ("POST", "/transactions/t", json!({}), "dcb.transactions.post", 400),
        ("GET", "/transactions/t/status", json!(null), "dcb.transactions.get", 404),
        ("PUT", "/transactions/t/status", said, "dcb.transactions.put", 404),
        ("PUT", "/transactions/t", item, "dcb.transactions.item.put", 404),
        ("PUT", "/transactions/t/renew", json!({}), "dcb.transactions.renew.put", 404),
        ("GET", list, json!(null), "dcb.transactions.collection.get", 200),
    ];
    for (method, path, body, permission, answer) in calls {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        nobody.send(method, path, body.clone()).await.expect(403);
        library.as_user(&[permission]).await.send(method, path, body).await.expect(answer);
    }
}
