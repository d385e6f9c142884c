//! `octavo tenant move`, interrupted at the terminal.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Options, Statement};
use octavo_testkit::eventually;
use rustix::process::{Pid, Signal, kill_process};

use crate::backups::stderr_of_failure;
use crate::octavo::{Folder, Octavo, program_path};

/// What logical replication needs.
const SETTINGS: &[(&str, &str)] = &[
    ("wal_level", "logical"),
    ("max_wal_senders", "4"),
    ("max_replication_slots", "2"),
    ("max_logical_replication_workers", "2"),
];

async fn database(folder: &Folder, name: &str) -> Embedded {
    let settings = SETTINGS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options =
        EmbeddedOptions { data_dir: folder.path_of(name), binaries: None, durable: false, settings };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn count_slots(postgres: &Embedded) -> Option<i64> {
    let url = postgres.running_server().superuser_address();
    let database = Database::from_url(&url, Options::unlimited(1)).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let count = session.read(Statement::new("select count(*) from pg_replication_slots")).await.unwrap();
    drop(session);
    database.close().await;
    count
}

#[tokio::test]
async fn a_move_that_is_interrupted_leaves_no_replication_slot() {
    for signal in [Signal::INT, Signal::TERM] {
        interrupt_move(signal).await;
    }
}

async fn interrupt_move(signal: Signal) {
    let folder = Folder::new();
    let (first, east) = (database(&folder, "first").await, database(&folder, "east").await);
    let databases = folder.path_of("databases");
    fs::write(&databases, format!("east = {}\n", east.url())).unwrap();
    let url = first.url();
    let settings = ["--database-url", url.as_str(), "--further-databases", databases.to_str().unwrap()];
    let octavo = Octavo::start_with(&folder.data_dir(), &settings);
    let (library, tenant) = octavo.named_tenant(&["mod-users-19.3.1"]).await;

    let mut moving = Command::new(program_path());
    moving.args(["tenant", "move", &tenant, "--to", "east", "--data-dir"]).arg(folder.data_dir());
    moving.args(settings);
    moving.args(["--from-url", &first.running_server().superuser_address()]);
    moving.args(["--to-url", &east.running_server().superuser_address()]);
    let moving = moving.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    eventually("the move copies tables", async || count_slots(&first).await == Some(1)).await;
    kill_process(Pid::from_child(&moving), signal).unwrap();
    let said = stderr_of_failure(&moving.wait_with_output().unwrap());
    assert!(said.contains("interrupted"), "{said}");
    assert_eq!(count_slots(&first).await, Some(0));
    library.get("/groups").await.expect(200);
    octavo.stop();
    first.stop().await;
    east.stop().await;
}
