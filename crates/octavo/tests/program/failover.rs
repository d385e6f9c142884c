//! The primary PostgreSQL is killed under load and its standby is promoted: Octavo goes on by itself, and has everything that it
//! acknowledged.

use std::time::Duration;

use octavo_testkit::{Desk, eventually, fresh_id};
use serde_json::json;
use tokio::time::timeout;

use crate::killed::{assert_loans_agree, check_out_until_kill};
use crate::octavo::{Folder, Octavo};
use crate::pair::Pair;

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0"];
/// How long there is no server that accepts changes.
const PAUSE_WITHOUT_PRIMARY: Duration = Duration::from_secs(2);
/// The longest time that a request may take, which is far less than Octavo would wait.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_the_primary_and_nobody_has_to_start_anything() {
    let folder = Folder::new();
    let mut pair = Pair::start().await;
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &pair.url()]);
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let acknowledged = check_out_until_kill(&desk, || {
        pair.kill_first();
        std::thread::sleep(PAUSE_WITHOUT_PRIMARY);
        pair.promote_second();
    })
    .await;
    timeout(LONGEST_WAIT, desk.check_out(&item, &patron)).await.expect("it goes on soon").expect(201);
    assert_loans_agree(&desk, &acknowledged).await;
    let listens = async || desk.get("/metrics").await.text().contains("\noctavo_listening 1");
    eventually("changes of other processes are heard of again", listens).await;
    octavo.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_wait_for_the_standby_and_what_only_reads_or_was_not_sent_succeeds() {
    let folder = Folder::new();
    let mut pair = Pair::start().await;
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &pair.url()]);
    let library = octavo.tenant(&["mod-users-19.3.1"]).await;
    let id = fresh_id();
    library.post("/groups", &json!({"id": id, "group": "readers"})).await.expect(201);
    pair.end_first().await;
    let asked: Vec<_> = (0..12)
        .map(|number| {
            let library = library.clone();
            tokio::spawn(async move {
                match number % 3 {
                    0 => library.get(&format!("/groups/{id}")).await.expect(200),
                    1 => library.get("/groups?query=group==readers").await.expect(200),
                    _ => library.post("/groups", &json!({"group": format!("g{number}")})).await.expect(201),
                }
            })
        })
        .collect();
    let client = octavo.tenantless_client();
    let away = async || client.get("/admin/health/ready").await.status == 503;
    eventually("it is not ready", away).await;
    client.get("/admin/health/live").await.expect(200);
    assert!(asked.iter().all(|one| !one.is_finished()));
    pair.promote_second();
    for one in asked {
        one.await.unwrap();
    }
    let back = async || client.get("/admin/health/ready").await.status == 200;
    eventually("it is ready again", back).await;
    octavo.stop();
}
