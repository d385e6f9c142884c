//! A server that accepts changes no longer, and one that does again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, DbError, Notification, Options, Statement, Usage};
use tempfile::TempDir;
use tokio_postgres::{Config, NoTls};

const TABLE: &str = "create table octavo.counted (number bigint)";
const COUNT: &str = "insert into octavo.counted values (1)";

async fn server() -> (Embedded, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let options = EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    (Embedded::start(options).await.unwrap(), folder)
}

/// Only a server that accepts changes will do; a request waits for one as long as is said.
fn database(server: &Embedded, patience: Duration) -> Database {
    let url = format!("{}&target_session_attrs=read-write", server.url());
    let options = Options { patience: Some(patience), ..Options::unlimited(4) };
    Database::from_url(&url, options).unwrap()
}

async fn as_superuser(server: &Embedded, sql: &str) {
    let mut config: Config = server.config();
    config.user("postgres").dbname("postgres");
    let (client, connection) = config.connect(NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    for one in sql.split(';') {
        client.batch_execute(one).await.unwrap();
    }
    drop(client);
    connection.await.unwrap().unwrap();
}

async fn accept_changes(server: &Embedded, accepts: bool) {
    let value = if accepts { "off" } else { "on" };
    let set = format!("alter system set default_transaction_read_only = {value}; select pg_reload_conf()");
    as_superuser(server, &format!("set default_transaction_read_only = off; {set}")).await;
}

async fn count(database: &Database, usage: Usage) -> Result<(), DbError> {
    let mut session = database.system_session(Arc::new(usage)).await?;
    session.transaction(vec![Statement::new(COUNT)]).await.map(drop)
}

#[tokio::test]
async fn connections_to_a_server_that_accepts_no_changes_are_thrown_away() {
    let (server, _folder) = server().await;
    let database = database(&server, Duration::ZERO);
    database.system_session(Arc::default()).await.unwrap().script("create schema octavo; ").await.unwrap();
    database.system_session(Arc::default()).await.unwrap().script(TABLE).await.unwrap();
    let mut heard = database.listen("tests");
    while heard.recv().await != Some(Notification::Reconnected) {}
    count(&database, Usage::default()).await.unwrap();
    let mut acknowledged = 1;

    accept_changes(&server, false).await;
    // The first to change something learns of it, and nobody is lent a connection any more.
    let refused = loop {
        match count(&database, Usage::default()).await {
            Ok(()) => acknowledged += 1,
            Err(refused) => break refused,
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    // Nobody knows of a change that was on its way when another connection learnt of it; what the server refused was not made.
    let unknown = match refused {
        DbError::Undone(_) => 0,
        DbError::Lost(_) => 1,
        other => panic!("{other:?}"),
    };
    assert!(database.count_server_changes() > 0);
    let away = count(&database, Usage::default()).await.unwrap_err();
    assert!(matches!(away, DbError::Away(_)) && away.to_string().contains("accepts changes"), "{away:?}");
    while heard.recv().await != Some(Notification::Lost) {}

    accept_changes(&server, true).await;
    while heard.recv().await != Some(Notification::Reconnected) {}
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let rows = session.rows(Statement::new("select count(*) from octavo.counted")).await.unwrap()[0].long(0);
    assert!((acknowledged..=acknowledged + unknown).contains(&rows), "{rows} of {acknowledged}");
    count(&database, Usage::default()).await.unwrap();
    drop(session);
    database.close().await;
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "measures how long somebody waits")]
async fn who_asks_while_no_server_accepts_changes_waits_for_one() {
    let (server, _folder) = server().await;
    accept_changes(&server, false).await;
    let database = database(&server, Duration::from_secs(60));
    let asked = Instant::now();
    let asking: Vec<_> = (0..8)
        .map(|_| {
            let database = database.clone();
            tokio::spawn(async move {
                let mut session = database.system_session(Arc::default()).await?;
                session.rows(Statement::new("select 1::int8")).await
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(asking.iter().all(|one| !one.is_finished()));
    accept_changes(&server, true).await;
    for one in asking {
        assert_eq!(one.await.unwrap().unwrap()[0].long(0), 1);
    }
    assert!(asked.elapsed() >= Duration::from_millis(300));
    database.close().await;
}

#[tokio::test]
async fn a_lost_connection_is_told_of_as_what_it_undid() {
    let (server, _folder) = server().await;
    let database = database(&server, Duration::from_secs(60));
    database.system_session(Arc::default()).await.unwrap().script("create schema octavo; ").await.unwrap();
    database.system_session(Arc::default()).await.unwrap().script(TABLE).await.unwrap();
    let cut = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'octavo'";

    // What only reads is asked again.
    let usage = Arc::new(Usage::default());
    let mut session = database.system_session(Arc::clone(&usage)).await.unwrap();
    session.rows(Statement::new("select 1::int8")).await.unwrap();
    as_superuser(&server, cut).await;
    assert_eq!(session.rows(Statement::new("select 2::int8")).await.unwrap()[0].long(0), 2);
    // So is the beginning of a transaction, and not what comes after it.
    as_superuser(&server, cut).await;
    session.begin(vec![Statement::new(COUNT)]).await.unwrap();
    as_superuser(&server, cut).await;
    let lost = session.rows(Statement::new(COUNT)).await.unwrap_err();
    assert!(matches!(lost, DbError::Undone(_)), "{lost:?}");
    assert!(usage.has_no_lasting_effect());
    drop(session);

    // Of a commit nobody knows.
    let mut session = database.system_session(Arc::clone(&usage)).await.unwrap();
    session.begin(vec![Statement::new(COUNT)]).await.unwrap();
    as_superuser(&server, cut).await;
    let lost = session.commit(Vec::new()).await.unwrap_err();
    assert!(!matches!(lost, DbError::Undone(_)) && lost.is_loss(), "{lost:?}");
    assert!(!usage.has_no_lasting_effect());
    database.close().await;
}
