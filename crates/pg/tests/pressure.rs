//! A PostgreSQL that has less room than was hoped for, and one that freezes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_pg::embedded::{self, Embedded};
use octavo_pg::{Database, DbError, Limits, Options, Statement, Usage, Work};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::time::timeout;

/// Bounded: far less than for ever, on a machine that has other things to do.
const BOUND: Duration = Duration::from_secs(60);

async fn server(settings: &[(&str, &str)]) -> (Embedded, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let settings = settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let options = embedded::EmbeddedOptions { data_dir, binaries: None, durable: false, settings };
    (Embedded::start(options).await.unwrap(), folder)
}

fn database(server: &Embedded, connections: usize) -> Database {
    let limits = Limits::for_server(Duration::from_secs(1), Duration::from_secs(1));
    Database::new(server.config(), Options { limits, ..Options::unlimited(connections) })
}

fn search() -> Arc<Usage> {
    Arc::new(Usage::for_work(Work::Search))
}

#[tokio::test]
async fn fewer_connections_are_used_where_postgresql_has_no_room_for_more() {
    // Three of the eight are for superusers.
    let (server, _folder) = server(&[("max_connections", "8")]).await;
    let database = database(&server, 30);
    let mut changes = database.listen("octavo");
    changes.recv().await.unwrap();
    let works: Vec<_> = (0..60)
        .map(|number| {
            let database = database.clone();
            tokio::spawn(async move {
                let slow = || Statement::new("select $1::int8, pg_sleep(0.05)").long(number);
                if number % 3 == 0 {
                    return database.rows_by_key(slow(), &Usage::default()).await.map(|rows| rows[0].long(0));
                }
                let mut session = database.system_session(Arc::default()).await?;
                Ok(session.rows(slow()).await?[0].long(0))
            })
        })
        .collect();
    for (number, work) in works.into_iter().enumerate() {
        let answer: Result<i64, DbError> = timeout(BOUND, work).await.expect("an answer").unwrap();
        assert_eq!(answer.unwrap(), i64::try_from(number).unwrap());
    }
    assert!(database.pool().withheld > 0, "{:?}", database.pool());
    let all_back = async {
        while database.pool().withheld > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(BOUND, all_back).await.expect("what was withheld is given back");
    database.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_statement_ends_at_the_limit_of_its_kind() {
    let (server, _folder) = server(&[]).await;
    let database = database(&server, 2);
    let sleep = || Statement::new("select pg_sleep(3)");
    let usage = search();
    let mut session = database.system_session(Arc::clone(&usage)).await.unwrap();
    let refused = session.rows(sleep()).await.unwrap_err();
    assert!(refused.has_code(DbError::CANCELLED), "{refused}");
    assert_eq!(usage.round_trips(), 1, "the limit costs no round trip");
    assert_eq!(database.time_since_change(), None, "a search changes nothing");
    drop(session);
    // The same connection, lent for something else.
    let mut session = database.system_session(Arc::new(Usage::for_work(Work::Change))).await.unwrap();
    session.rows(sleep()).await.unwrap();
    assert!(database.time_since_change().is_some_and(|time| time >= Duration::from_secs(3)));
    let told: Vec<_> = database.refusals().filter(|(.., count)| *count > 0).collect();
    assert_eq!(told, [("search", "time", 1)]);
    drop(session);
    database.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_connection_is_left_to_others_while_something_else_is_waited_for() {
    let (server, _folder) = server(&[]).await;
    let database = database(&server, 1);
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let other = async {
        let mut other = database.system_session(Arc::default()).await.unwrap();
        other.rows(Statement::new("select 7::int8")).await.unwrap()[0].long(0)
    };
    assert_eq!(
        timeout(BOUND, session.wait_without_connection(other)).await.expect("it waits for itself").unwrap(),
        7
    );
    assert_eq!(session.rows(Statement::new("select 8::int8")).await.unwrap()[0].long(0), 8);
    drop(session);
    database.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_frozen_postgresql_is_answered_for_and_used_again_when_it_goes_on() {
    let (server, folder) = server(&[]).await;
    let database = database(&server, 4);
    let one = || Statement::new("select 1::int8");
    for _ in 0..3 {
        database.rows_by_key(one(), &Usage::default()).await.unwrap();
        database.system_session(search()).await.unwrap().rows(one()).await.unwrap();
    }
    let frozen = Frozen::processes_of(&folder);
    let asked: Vec<_> = (0..24)
        .map(|number| {
            let database = database.clone();
            tokio::spawn(async move {
                match number % 2 {
                    0 => database.rows_by_key(one(), &Usage::default()).await.map(drop),
                    _ => database.system_session(search()).await?.rows(one()).await.map(drop),
                }
            })
        })
        .collect();
    for one in asked {
        let refused = timeout(BOUND, one).await.expect("an answer").unwrap().unwrap_err();
        let known = matches!(refused, DbError::Silent | DbError::Away(_) | DbError::Busy(_));
        assert!(known, "{refused:?}");
        assert_eq!(octavo_kernel::Fault::from(refused).status, 503);
    }
    drop(frozen);
    let answers = async {
        while database.rows_by_key(one(), &Usage::default()).await.is_err()
            || database.system_session(search()).await.is_err()
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(BOUND, answers).await.expect("it is used again");
    database.close().await;
    server.stop().await;
}

/// PostgreSQL's processes, stopped until this is dropped.
struct Frozen(Vec<Pid>);

impl Frozen {
    fn processes_of(folder: &TempDir) -> Frozen {
        let file = std::fs::read_to_string(folder.path().join("data/postgres/postmaster.pid")).unwrap();
        let postmaster: i32 = file.lines().next().unwrap().parse().unwrap();
        let mut processes = vec![Pid::from_raw(postmaster).unwrap()];
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let parent =
                stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
            if parent == Some(postmaster) {
                let id = process.file_name().to_str().and_then(|id| id.parse().ok());
                processes.extend(id.and_then(Pid::from_raw));
            }
        }
        for process in &processes {
            kill_process(*process, Signal::STOP).unwrap();
        }
        Frozen(processes)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for process in &self.0 {
            let _ = kill_process(*process, Signal::CONT);
        }
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "measures that a beat is missed in time")]
async fn a_listener_says_when_it_last_heard() {
    let (server, folder) = server(&[]).await;
    let database = database(&server, 1);
    let mut changes = database.listen("octavo");
    let mut heard = async || loop {
        if let octavo_pg::Notification::HeardUntil(at) = changes.recv().await.unwrap() {
            return at;
        }
    };
    let first = timeout(BOUND, heard()).await.unwrap();
    assert!(timeout(BOUND, heard()).await.unwrap() > first);
    let frozen = Frozen::processes_of(&folder);
    let since = Instant::now();
    // What was on its way may still come.
    while let Ok(at) = timeout(Duration::from_secs(8), heard()).await {
        assert!(at <= since + Duration::from_secs(1));
    }
    drop(frozen);
    let again = timeout(BOUND, heard()).await.expect("it listens again");
    assert!(again > since);
    database.close().await;
    server.stop().await;
}
