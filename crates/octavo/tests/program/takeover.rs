//! Two processes on one database: what is done by the clock is done by one of them, and by the other when that one is killed. And a
//! process that is told to stop lets others take its place first.

use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_testkit::{ModuleAnswer, OutsideModule, eventually};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::octavo::{Folder, Octavo};

/// The longest time until another process does a dead process's work. It takes 10 s; a busy test machine has twice that.
const LONGEST_TAKEOVER: Duration = Duration::from_secs(20);
/// A time in which a second process has renewed its claims at least twice.
const TWO_CLAIM_RENEWALS: Duration = Duration::from_secs(12);

async fn database(folder: &Folder) -> Embedded {
    let options = EmbeddedOptions {
        data_dir: folder.path_of("database"),
        binaries: None,
        durable: false,
        settings: Vec::new(),
    };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_job_of_a_process_that_is_killed_is_run_by_another() {
    let folder = Folder::new();
    let postgres = database(&folder).await;
    let url = postgres.url();
    let [first, second] = ["first", "second"].map(|name| folder.path_of(name));
    let first = Octavo::start_with(&first, &["--database-url", &url]);
    let (_, tenant) = first.named_tenant(&["mod-users-19.3.1"]).await;
    // The job never ends.
    let there = OutsideModule::start(async |_| {
        std::future::pending::<()>().await;
        ModuleAnswer::text(200, "")
    })
    .await;
    let descriptor = json!({
        "id": "mod-tidy-1.0.0",
        "name": "tidy",
        "provides": [{"id": "_timer", "version": "1.0", "interfaceType": "system", "handlers": [
            {"methods": ["POST"], "pathPattern": "/tidy", "unit": "second", "delay": "1"},
        ]}],
    });
    let operator = first.operator();
    operator.post("/_/proxy/modules", &descriptor).await.expect(201);
    let place = json!({"srvcId": "mod-tidy-1.0.0", "instId": "tidy", "url": there.url()});
    operator.post("/_/discovery/modules", &place).await.expect(201);
    let enable = json!([{"id": "mod-tidy-1.0.0", "action": "enable"}]);
    operator.post(&format!("/_/proxy/tenants/{tenant}/install"), &enable).await.expect(200);
    let runs = || there.seen_at("/tidy").len();
    eventually("the job runs", async || runs() == 1).await;

    let second = Octavo::start_with(&second, &["--database-url", &url]);
    tokio::time::sleep(TWO_CLAIM_RENEWALS).await;
    assert_eq!(runs(), 1, "a job is run by one process");
    first.kill();
    let taken_over = eventually("another process runs it", async || runs() == 2);
    timeout(LONGEST_TAKEOVER, taken_over).await.expect("it is taken over soon");
    second.kill();
    postgres.stop().await;
}

#[tokio::test]
async fn a_process_that_is_told_to_stop_says_so_before_it_refuses_anybody() {
    let folder = Folder::new();
    let mut octavo = Octavo::start_with(&folder.data_dir(), &["--drain-seconds", "10"]);
    let client = octavo.tenantless_client();
    client.get("/admin/health/ready").await.says(200, "OK");
    let mut kept = TcpStream::connect(octavo.address).await.unwrap();
    octavo.terminate();
    let told = async || client.get("/admin/health/ready").await.status == 503;
    eventually("it is about to stop", told).await;
    client.get("/admin/health/ready").await.says(503, "server: it is about to stop");
    client.get("/admin/health/live").await.says(200, "OK");
    // Whoever comes is answered, for the last time.
    let answered = client.get("/_/version").await;
    assert_eq!((answered.status, answered.header("connection")), (200, Some("close")));
    kept.write_all(b"GET /_/version HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    kept.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("onnection: close"), "{answer}");
    assert!(octavo.wait().success());
}
