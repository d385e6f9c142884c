//! What keeps Octavo from starting is said in one message that tells the operator what to do; nothing is changed.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Statement};
use serde_json::json;

use crate::octavo::{Folder, Octavo, program_path, refusal, serve};

#[test]
fn a_port_that_is_taken() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = Command::new(program_path());
    command.args(["serve", "--listen", &address, "--data-dir"]).arg(folder.data_dir());
    let said = refusal(command);
    let expected = format!(
        "octavo: {address} is taken by another program; stop it, or choose another address with --listen\n"
    );
    assert_eq!(said, expected);
    assert!(!folder.data_dir().exists());
}

#[test]
fn no_postgresql_where_it_was_said_to_be() {
    let folder = Folder::new();
    let said = refusal(serve(&folder.data_dir(), &["--postgres-bin", "/nonexistent"]));
    assert!(said.contains("holds no working PostgreSQL programs"), "{said}");
}

#[test]
fn a_database_that_does_not_answer() {
    let folder = Folder::new();
    let said =
        refusal(serve(&folder.data_dir(), &["--database-url", "postgresql://octavo@127.0.0.1:1/octavo"]));
    assert!(said.contains("the database can't be used") && said.contains("refused"), "{said}");
    let said = refusal(serve(&folder.data_dir(), &["--database-url", "nonsense"]));
    assert!(said.contains("database-url must be a PostgreSQL address"), "{said}");
}

#[test]
fn a_data_folder_that_cannot_be_made() {
    let folder = Folder::new();
    let file = folder.data_dir();
    fs::write(&file, "").unwrap();
    let said = refusal(serve(&file.join("data"), &[]));
    assert!(said.contains("cannot write to the data folder"), "{said}");
}

#[test]
fn a_folder_of_something_else() {
    let folder = Folder::new();
    fs::create_dir(folder.data_dir()).unwrap();
    fs::write(folder.data_dir().join("thesis.txt"), "mine").unwrap();
    let said = refusal(serve(&folder.data_dir(), &[]));
    assert!(said.contains("holds something else than Octavo's data"), "{said}");
    assert_eq!(fs::read_dir(folder.data_dir()).unwrap().count(), 1);
}

#[test]
fn a_demo_library_that_strangers_could_reach() {
    let folder = Folder::new();
    let mut command = Command::new(program_path());
    command.args(["serve", "--demo", "--listen", "0.0.0.0:0", "--data-dir"]).arg(folder.data_dir());
    let said = refusal(command);
    assert!(said.contains("is served on the loopback address only"), "{said}");
}

/// One folder for all that needs a database: making one takes a second.
#[tokio::test]
async fn a_data_folder_that_is_in_use_or_of_a_newer_version() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    let said = refusal(serve(&folder.data_dir(), &[]));
    assert!(said.contains("is in use by another Octavo"), "{said}");
    octavo.operator().post("/_/proxy/tenants", &json!({"id": "mine"})).await.expect(201);
    octavo.stop();

    let said = refusal(serve(&folder.data_dir(), &["--demo"]));
    assert!(said.contains("the data folder holds other tenants (mine)"), "{said}");

    set_version(&folder, 1_000_000).await;
    let said = refusal(serve(&folder.data_dir(), &[]));
    assert!(said.contains("brought to schema version 1000000 by a newer Octavo"), "{said}");
}

async fn set_version(folder: &Folder, version: i64) {
    let options =
        EmbeddedOptions { data_dir: folder.data_dir(), binaries: None, durable: true, settings: Vec::new() };
    let server = Embedded::start(options).await.unwrap();
    let options = octavo_pg::Options::unlimited(1);
    let database = Database::from_url(&server.url(), options).unwrap();
    let mut session = database.system_session(std::sync::Arc::default()).await.unwrap();
    session
        .rows(Statement::new("update octavo.schema_version set version = $1").long(version))
        .await
        .unwrap();
    drop(session);
    server.stop().await;
}
