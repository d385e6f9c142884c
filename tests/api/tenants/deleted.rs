//! A tenant that is deleted while people work in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use octavo_testkit::{Client, Octavo, fresh_id};
use serde_json::json;

#[tokio::test]
async fn requests_to_a_tenant_that_is_deleted_meanwhile_are_told_so() {
    let octavo = Octavo::start_another().await;
    let okapi = octavo.operator().await;
    for _ in 0..3 {
        let id = format!("t{}", fresh_id().simple());
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
        let wanted = json!([{"id": "mod-circulation-24.2.5", "action": "enable"}]);
        okapi.post(&format!("/_/proxy/tenants/{id}/install"), &wanted).await.expect(200);
        let gone = Arc::new(AtomicBool::new(false));
        let workers: Vec<_> = (0..12)
            .map(|worker| {
                let (library, gone, id) =
                    (Client::new(octavo.address).with("x-okapi-tenant", &id), Arc::clone(&gone), id.clone());
                tokio::spawn(async move {
                    let one = format!("/groups/{}", fresh_id());
                    for turn in 0.. {
                        let reply = match (worker + turn) % 5 {
                            0 => library.post("/groups", &json!({"group": format!("{worker} {turn}")})).await,
                            1 => library.get("/users?query=active==true").await,
                            2 => library.get(&one).await,
                            3 => library.get("/circulation/loans").await,
                            _ => library.delete(&one).await,
                        };
                        assert!(reply.status < 500, "{reply}");
                        if reply.status == 400 {
                            reply.says(400, &format!("No such Tenant {id}"));
                            return;
                        }
                        assert!(!gone.load(Ordering::Relaxed) || turn < 100_000, "it is still there");
                    }
                })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
        gone.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.await.unwrap();
        }
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
        okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
    }
}
