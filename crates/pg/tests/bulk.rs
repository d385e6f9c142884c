//! Work in bulk gives way, and so do PostgreSQL's processes that it asks; nobody else gets those.
#![cfg(target_os = "linux")]

use std::sync::Arc;

use octavo_pg::embedded::{self, Embedded};
use octavo_pg::{Database, Options, Statement, Usage, bulk};
use rustix::process::{Pid, getpriority_process, getuid};
use rustix::thread::sched_getaffinity;
use tokio::runtime::{Handle, Runtime};

const LAST: i32 = 19;
const AFTER_THE_DESK: i32 = 5;

/// The processes that answered, once over a connection that was lent and once over a shared one; and this thread's nice value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    lent: Pid,
    shared: Pid,
    thread: i32,
}

async fn ask(database: Database) -> Asked {
    let process = |rows: &[octavo_pg::Row]| Pid::from_raw(i32::try_from(rows[0].long(0)).unwrap()).unwrap();
    let who = || Statement::new("select pg_backend_pid()::int8");
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let lent = process(&session.rows(who()).await.unwrap());
    let shared = process(&database.rows_by_key(who(), &Usage::default()).await.unwrap());
    Asked { lent, shared, thread: getpriority_process(None).unwrap() }
}

fn ask_on(threads: &Handle, database: &Database) -> Asked {
    threads.block_on(threads.spawn(ask(database.clone()))).unwrap()
}

fn nice(process: Pid) -> i32 {
    getpriority_process(Some(process)).unwrap()
}

/// How many processors a process may use; this thread, if none is named.
fn processors(process: Option<Pid>) -> usize {
    sched_getaffinity(process).unwrap().count() as usize
}

/// The nice value of a process's session, where the system schedules sessions against each other.
fn session_nice(process: Pid) -> Option<i32> {
    let group = std::fs::read_to_string(format!("/proc/{}/autogroup", process.as_raw_nonzero())).ok()?;
    // "/autogroup-4711 nice 19"
    group.trim().rsplit_once(" nice ").and_then(|(_, nice)| nice.parse().ok())
}

#[test]
fn work_in_bulk_gives_way_and_nobody_else_does() {
    let ours = getpriority_process(None).unwrap();
    let (in_bulk, at_the_desk) = (bulk::runtime().unwrap(), Runtime::new().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let options =
        embedded::EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    let server = at_the_desk.block_on(Embedded::start(options)).unwrap();
    let database = Database::new(server.config(), Options::unlimited(2));

    let asked = ask_on(in_bulk.handle(), &database);
    assert_eq!((asked.thread, nice(asked.lent), nice(asked.shared)), (LAST, AFTER_THE_DESK, AFTER_THE_DESK));
    let desk = ask_on(at_the_desk.handle(), &database);
    // Others than root may set it only now and then.
    if getuid().is_root() {
        // The test itself may run in no such group, while PostgreSQL's processes, which lead sessions of their own, do.
        let desks = session_nice(desk.lent);
        assert!(matches!(desks, None | Some(0)), "{desks:?}");
        assert_eq!(session_nice(asked.lent), desks.map(|_| AFTER_THE_DESK));
    }
    let all = processors(None);
    assert_eq!(processors(Some(desk.lent)), all);
    if all > 1 {
        assert_eq!(processors(Some(asked.lent)), all / 2);
        let of_a_thread = || std::thread::spawn(|| processors(None)).join().unwrap();
        let usual = in_bulk.block_on(in_bulk.spawn_blocking(of_a_thread)).unwrap();
        let waited_for = in_bulk.spawn_blocking(move || bulk::on_all_processors(of_a_thread));
        let waited_for = in_bulk.block_on(waited_for).unwrap();
        assert_eq!((usual, waited_for), (all / 2, all));
    }
    assert_eq!((desk.thread, nice(desk.lent), nice(desk.shared)), (ours, ours, ours));
    assert!(asked.lent != desk.lent && asked.shared != desk.shared, "{asked:?}, {desk:?}");
    for _ in 0..2 {
        let again = (ask_on(in_bulk.handle(), &database).lent, ask_on(at_the_desk.handle(), &database).lent);
        assert_eq!(again, (asked.lent, desk.lent), "connections that are there are not used again");
    }

    // With room for one alone, one goes when the other is wanted.
    let narrow = Database::new(server.config(), Options::unlimited(1));
    for threads in [in_bulk.handle(), at_the_desk.handle(), in_bulk.handle()] {
        ask_on(threads, &narrow);
        assert_eq!(narrow.pool().idle, 1);
    }

    drop((database, narrow));
    at_the_desk.block_on(server.stop());
}
