//! What the program tells of its health while its database is stopped, is frozen, and comes back.

use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_testkit::eventually;

use crate::octavo::{Folder, Octavo};

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
async fn a_process_without_its_database_is_alive_and_not_ready() {
    let folder = Folder::new();
    let postgres = database(&folder).await;
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &postgres.url()]);
    let client = octavo.tenantless_client();
    client.get("/admin/health").await.says(200, "OK");
    postgres.stop().await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    client.get("/admin/health").await.says(503, "database: it does not answer");
    client.get("/admin/health/ready").await.says(503, "database: it does not answer");
    client.get("/admin/health/live").await.says(200, "OK");
    let okapis = client.get("/_/proxy/health").await.expect(503).json();
    assert_eq!(okapis[0]["id"], "database");
    let spring = client.with("accept", "application/json").get("/admin/health").await.expect(503).json();
    assert_eq!(spring["status"], "DOWN");

    let postgres = database(&folder).await;
    let well = async || client.get("/admin/health").await.status == 200;
    eventually("it is well again", well).await;
    octavo.stop();
    postgres.stop().await;
}
