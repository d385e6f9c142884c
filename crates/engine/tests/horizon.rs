//! How far events can be read while transactions are open, asked of a PostgreSQL on which nothing else happens.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use octavo_engine::events::{Horizon, look};
use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Batch, Database, Options, Session, Statement};

const APPEND: &str = "insert into event (payload) values ('{}')";

async fn known(session: &mut Session, horizon: &mut Horizon) -> i64 {
    let mut batch = Batch::default();
    let [taken, open] = look(horizon);
    let (taken, open) = (batch.ask::<i64>(taken), batch.ask::<(String, Option<String>)>(open));
    let answers = batch.send(session).await.unwrap();
    let (oldest, begun) = answers.one(open).unwrap();
    let begun = begun.map(|number| number.parse().unwrap());
    horizon.saw(answers.one(taken).unwrap(), oldest.parse().unwrap(), begun)
}

/// No transaction that began later has ended when the look comes: PostgreSQL's snapshot does not list the one that is open.
#[tokio::test]
async fn the_events_of_the_youngest_transaction_are_not_known_before_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let data_dir = folder.path().join("data");
    let options = EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    let server = Embedded::start(options).await.unwrap();
    let database = Database::new(server.config(), Options::unlimited(3));
    let mut reader = database.system(Arc::default()).await.unwrap();
    reader
        .script(
            "create schema one; set search_path to one; create table event (
               transaction xid8 not null default pg_current_xact_id(),
               position bigint generated always as identity primary key, payload json not null)",
        )
        .await
        .unwrap();
    let mut horizon = Horizon::default();
    assert_eq!(known(&mut reader, &mut horizon).await, 0);

    let mut writers = Vec::new();
    for position in 1..=2 {
        let mut writer = database.system(Arc::default()).await.unwrap();
        writer.script("set search_path to one").await.unwrap();
        writer.begin(vec![Statement::new(APPEND)]).await.unwrap();
        assert_eq!(known(&mut reader, &mut horizon).await, 0, "{position} may come");
        writers.push(writer);
    }
    let mut later = writers.pop().unwrap();
    later.commit(Vec::new()).await.unwrap();
    assert_eq!(known(&mut reader, &mut horizon).await, 0, "1 may come");
    let mut first = writers.pop().unwrap();
    first.commit(Vec::new()).await.unwrap();
    assert_eq!(known(&mut reader, &mut horizon).await, 2);
    assert_eq!(known(&mut reader, &mut Horizon::default()).await, 2);
    drop((reader, later, first));
    server.stop().await;
}
