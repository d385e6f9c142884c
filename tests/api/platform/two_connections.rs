//! A pool of two connections is enough for everything: no request has one and waits for another.

use std::sync::Arc;
use std::time::Duration;

use octavo_pg::Limits;
use octavo_testkit::{Desk, Octavo, Reply, fresh_id};
use serde_json::{Value, json};
use tokio::time::timeout;

/// A request that waits for itself would be refused after 30 seconds.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn requests_that_find_nothing_remembered_do_not_wait_for_themselves() {
    let octavo = Octavo::with_connections(2, Limits::default(), None).await;
    let desk = Desk::open().await.through(&octavo);
    let (patron, items) = (desk.patron().await, desk.items(8).await);
    let user = patron["id"].as_str().unwrap();
    let credentials = json!({"userId": user, "password": "Old-Password-1"});
    desk.post("/authn/credentials", &credentials).await.expect(201);
    let item = items[0]["id"].as_str().unwrap();
    // Somebody else's: after five of these within ten minutes a user is inactive.
    let forgetful = desk.patron().await;
    let theirs = json!({"userId": forgetful["id"], "password": "Old-Password-1"});
    desk.post("/authn/credentials", &theirs).await.expect(201);
    let wrong = json!({"username": forgetful["username"], "password": "wrong"});
    let change = json!({"userId": user, "password": "Old-Password-1", "newPassword": "Old-Password-1"});
    let holdings = items[0]["holdingsRecordId"].clone();
    let new = |at: usize| {
        json!({"status": {"name": "Available"}, "holdingsRecordId": holdings, "barcode": format!("new-{at}-{}", fresh_id()),
               "materialTypeId": octavo_testkit::reference::BOOK, "materialType": {"id": octavo_testkit::reference::BOOK},
               "permanentLoanTypeId": octavo_testkit::reference::CAN_CIRCULATE,
               "permanentLoanType": {"id": octavo_testkit::reference::CAN_CIRCULATE}})
    };
    for round in 0..4 {
        let mut requests = Vec::new();
        let mut ask = |method: &'static str, path: String, body: Value, expected: &'static [u16]| {
            requests.push((method, path, body, expected));
        };
        for (at, lent) in items.iter().enumerate().take(4) {
            ask("GET", format!("/inventory/items/{item}"), Value::Null, &[200]);
            ask("POST", "/inventory/items".into(), new(round * 4 + at), &[201]);
            ask("POST", "/authn/login".into(), wrong.clone(), &[422, 429]);
            ask("POST", "/authn/update".into(), change.clone(), &[204, 401, 429]);
            ask("GET", "/bl-users?include=groups".into(), Value::Null, &[200]);
            ask("GET", format!("/automated-patron-blocks/{user}"), Value::Null, &[200]);
            ask("GET", "/circulation/loans".into(), Value::Null, &[200]);
            let lent = Desk::check_out_body(lent, &patron);
            ask("POST", "/circulation/check-out-by-barcode".into(), lent, &[201, 422]);
        }
        octavo.platform.snapshots.invalidate_all();
        octavo.platform.tenants.invalidate_all();
        let asked = requests.into_iter().map(|(method, path, body, expected)| {
            let client = Arc::new(desk.with("content-type", "application/json"));
            tokio::spawn(async move {
                let reply: Reply =
                    timeout(LONG, client.send(method, &path, body.to_string())).await.expect("an answer");
                assert!(expected.contains(&reply.status), "{reply}");
            })
        });
        for one in asked.collect::<Vec<_>>() {
            one.await.unwrap();
        }
    }
    assert_eq!(octavo.platform.database.refusals().map(|(.., count)| count).sum::<u64>(), 0);
}
