//! What runs by the clock, and when a server stops doing so.

use std::sync::Arc;
use std::time::Duration;

use octavo_pg::Statement;
use octavo_testkit::{Elsewhere, Octavo, eventually, on_runtime};
use serde_json::json;

/// A tenant whose timers are all due.
async fn tenant(octavo: &Octavo) {
    let operator = octavo.operator().await;
    operator.post("/_/proxy/tenants", &json!({"id": "due"})).await.expect(201);
    let modules = ["mod-circulation", "mod-calendar", "mod-feesfines", "mod-login"];
    let modules: Vec<_> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
    operator.post("/_/proxy/tenants/due/install", &json!(modules)).await.expect(200);
    numbers(octavo, "with changed as (update octavo.timers set next_run = now() returning 1) select count(*) from changed").await;
}

async fn numbers(octavo: &Octavo, sql: &'static str) -> i64 {
    let platform = octavo.platform.clone();
    on_runtime(async move {
        let mut session = platform.database.system(Arc::default()).await.unwrap();
        session.read::<Option<i64>>(Statement::new(sql)).await.unwrap().unwrap()
    })
    .await
}

const DUE: &str = "select count(*) from octavo.timers where next_run <= now()";

#[tokio::test]
async fn a_server_that_is_told_to_stop_begins_no_job_however_many_are_due() {
    let elsewhere = Elsewhere::start().await;
    let octavo = &elsewhere.servers[0];
    tenant(octavo).await;
    let due = numbers(octavo, DUE).await;
    assert!(due > 8, "{due} are due");
    octavo.run_timers(std::future::ready(())).await;
    assert_eq!(numbers(octavo, DUE).await, due);

    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = octavo.clone();
    let run = tokio::spawn(async move { running.run_timers(async move { drop(stopped.await) }).await });
    eventually("all that is due is done", async || numbers(octavo, DUE).await == 0).await;
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(30), run).await.expect("it stops").unwrap();
}
