//! A database as one transaction: what sessions begin, commit and undo in it, and what is left of it.

use std::sync::Arc;

use octavo_pg::embedded::{self, Embedded};
use octavo_pg::{Database, Options, Session, Statement};
use tempfile::TempDir;

async fn library() -> (Database, Embedded, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let options =
        embedded::EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    let server = Embedded::start(options).await.unwrap();
    let database = Database::from_url(&server.url(), Options::unlimited(2)).unwrap();
    let script = "create schema octavo; create table octavo.book (id int8 primary key)";
    session(&database).await.script(script).await.unwrap();
    (database, server, folder)
}

async fn session(database: &Database) -> Session {
    database.system_session(Arc::default()).await.unwrap()
}

async fn books(database: &Database) -> Vec<i64> {
    session(database).await.read(Statement::new("select id from book order by id")).await.unwrap()
}

fn book(id: i64) -> Statement {
    Statement::new("insert into book values ($1)").long(id)
}

#[tokio::test]
async fn everything_is_kept_together_or_not_at_all() {
    let (database, server, _folder) = library().await;
    let inside = database.enclosed();
    session(&inside).await.rows(book(1)).await.unwrap();
    session(&inside).await.transaction(vec![book(2), book(3)]).await.unwrap();
    let mut begun = session(&inside).await;
    begun.begin(vec![book(4)]).await.unwrap();
    begun.commit(vec![book(5)]).await.unwrap();
    drop(begun);

    // What is refused or undone takes nothing else with it.
    assert!(session(&inside).await.rows(book(1)).await.is_err());
    assert!(session(&inside).await.transaction(vec![book(6), book(1)]).await.is_err());
    assert!(session(&inside).await.batch(vec![book(6), book(2)]).await.is_err());
    let mut undone = session(&inside).await;
    undone.begin(vec![book(7)]).await.unwrap();
    undone.rollback().await.unwrap();
    undone.rollback().await.unwrap();
    drop(undone);

    // A savepoint of the caller's around several sessions.
    session(&inside).await.script("savepoint attempt").await.unwrap();
    session(&inside).await.transaction(vec![book(8)]).await.unwrap();
    session(&inside).await.script("rollback to savepoint attempt").await.unwrap();
    assert_eq!(books(&inside).await, [1, 2, 3, 4, 5]);
    assert!(books(&database).await.is_empty());
    session(&inside).await.script("commit").await.unwrap();
    assert_eq!(books(&database).await, [1, 2, 3, 4, 5]);

    let given_up = database.enclosed();
    session(&given_up).await.rows(book(9)).await.unwrap();
    drop(given_up);
    assert_eq!(books(&database).await, [1, 2, 3, 4, 5]);
    database.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_transaction_that_lost_its_connection_does_not_go_on_over_another() {
    let (database, server, _folder) = library().await;
    let inside = database.enclosed();
    session(&inside).await.rows(book(1)).await.unwrap();
    let end = "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'";
    session(&database).await.rows(Statement::new(end)).await.unwrap();
    assert!(session(&inside).await.rows(book(2)).await.is_err());
    assert!(inside.system_session(Arc::default()).await.is_err());
    assert!(books(&database).await.is_empty());
    database.close().await;
    server.stop().await;
}
