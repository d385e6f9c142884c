//! A tenant moves while people work in it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use octavo_engine::places::moving::Step;
use octavo_kernel::Fault;
use octavo_pg::Statement;
use octavo_testkit::{Desk, Library, SeveralDatabases, eventually, fresh_id, on_runtime};
use serde_json::json;

/// What the test's users did, and which requests failed.
#[derive(Default)]
struct Work {
    users: Mutex<Vec<String>>,
    loans: Mutex<Vec<String>>,
    requests: Mutex<usize>,
    failed: Mutex<Vec<String>>,
}

impl Work {
    fn note(&self, status: u16, wanted: u16, what: &str, text: impl Fn() -> String) -> bool {
        *self.requests.lock().unwrap() += 1;
        if status != wanted {
            self.failed.lock().unwrap().push(format!("{what}: {status} {}", text()));
        }
        status == wanted
    }
}

/// Registers users, lends and reads through one server until it is told to stop.
async fn work_until_stopped(library: Library, desk: Desk, work: Arc<Work>, stop: Arc<AtomicBool>) {
    let patron = desk.patron().await;
    while !stop.load(Ordering::Relaxed) {
        let id = fresh_id().to_string();
        let user = json!({"id": id, "username": format!("user-{id}"), "active": true});
        let reply = library.post("/users", &user).await;
        if work.note(reply.status, 201, "a user", || reply.text()) {
            work.users.lock().unwrap().push(id.clone());
        }
        let reply = library.get(&format!("/users/{id}")).await;
        work.note(reply.status, 200, "a user is read", || reply.text());
        let item = desk.item().await;
        let reply = desk.check_out(&item, &patron).await;
        if work.note(reply.status, 201, "a loan", || reply.text()) {
            work.loans.lock().unwrap().push(reply.json()["id"].as_str().unwrap().to_owned());
        }
        let reply = desk.check_in(&item).await;
        work.note(reply.status, 200, "a return", || reply.text());
    }
}

#[expect(clippy::print_stdout, reason = "numbers for docs/many-databases.md, shown with --nocapture")]
fn print_line(what: &str) {
    println!("{what}");
}

#[tokio::test]
async fn a_move_under_load_loses_nothing_and_fails_nobody() {
    let several = SeveralDatabases::start().await;
    let library = several.library("wanders", "first").await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let (done, stop) = (Arc::<Work>::default(), Arc::<AtomicBool>::default());
    let people: Vec<_> = several
        .servers
        .iter()
        .map(|server| {
            let (library, desk) = (library.through(server), desk.through(server));
            tokio::spawn(work_until_stopped(library, desk, Arc::clone(&done), Arc::clone(&stop)))
        })
        .collect();
    for to in ["east", "west", "first"] {
        let moved = several.move_to(&library.tenant, to, |_| Ok(())).await;
        let moved = moved.unwrap_or_else(|fault| panic!("to {to}: {fault}"));
        print_line(&format!(
            "to {to}: writers waited {:?} after {} attempts; {} rows of {} tables",
            moved.paused, moved.attempts, moved.rows, moved.tables
        ));
        assert_eq!(moved.differences, [], "to {to}");
        let before = *done.requests.lock().unwrap();
        eventually("people work there", async || *done.requests.lock().unwrap() > before + 20).await;
    }
    stop.store(true, Ordering::Relaxed);
    for person in people {
        person.await.unwrap();
    }
    let failed = done.failed.lock().unwrap().clone();
    print_line(&format!("{} requests, {} failed", done.requests.lock().unwrap(), failed.len()));
    assert_eq!(failed, Vec::<String>::new());
    let (users, loans) = (done.users.lock().unwrap().clone(), done.loans.lock().unwrap().clone());
    for server in &several.servers {
        let library = library.through(server);
        for id in &users {
            library.get(&format!("/users/{id}")).await.expect(200);
        }
        for id in &loans {
            let loan = library.get(&format!("/circulation/loans/{id}")).await.expect(200).json();
            assert_eq!(loan["status"]["name"], "Closed", "{loan}");
        }
    }
}

#[tokio::test]
async fn changes_of_records_are_events_right_after_a_move() {
    let several = SeveralDatabases::start().await;
    let library = several.library("followed", "first").await;
    several.servers[0].follow_records(&library.tenant, "kafka").await;
    for (to, events) in [("east", 1), ("first", 2)] {
        several.move_to(&library.tenant, to, |_| Ok(())).await.expect("a move");
        let point = json!({"name": to, "code": to, "discoveryDisplayName": to});
        library.post("/service-points", &point).await.expect(201);
        let consumers = library.get("/octavo/event-consumers").await.expect(200).json();
        assert_eq!(consumers["eventConsumers"][0]["waiting"], events, "{to}: {consumers}");
    }
}

#[tokio::test]
async fn a_move_that_is_killed_leaves_the_tenant_whole_and_the_next_move_ends_it() {
    let several = SeveralDatabases::start().await;
    let library = several.library("stays", "east").await;
    let mut groups = 0;
    let mut add = async |library: &Library| {
        groups += 1;
        library.post("/groups", &json!({"group": format!("Group {groups}")})).await.expect(201);
        for server in &several.servers {
            let found = library.through(server).find("/groups", "group==\"Group*\"").await;
            assert_eq!(found.expect(200).total(), groups);
        }
    };
    add(&library).await;
    let killed = [Step::Cleaned, Step::CaughtUp, Step::Paused, Step::Ready, Step::Left, Step::Arrived];
    let mut to = "first";
    for at in killed {
        let left = several.move_to(&library.tenant, to, move |step| match step == at {
            true => Err(Fault::internal("killed")),
            false => Ok(()),
        });
        assert!(left.await.is_err(), "{at:?}");
        add(&library).await;
        if matches!(at, Step::Left | Step::Arrived) {
            // It has left: it is in the other database already.
            to = if to == "first" { "east" } else { "first" };
        }
    }
    let moved = several.move_to(&library.tenant, to, |_| Ok(())).await.expect("a move");
    assert_eq!(moved.differences, []);
    add(&library).await;
    let (places, tenant) = (several.places(), library.tenant.clone());
    let dropped = on_runtime(async move { places.drop_copies(&tenant).await.unwrap() }).await;
    assert_eq!(dropped.len(), 1, "{dropped:?}");
    add(&library).await;
}

#[tokio::test]
async fn a_tenant_that_was_deleted_after_an_interrupted_move_can_be_made_where_it_was_to_go() {
    let several = SeveralDatabases::start().await;
    let library = several.library("again", "east").await;
    let moved = several.move_to(&library.tenant, "first", |step| match step {
        Step::Ready => Err(Fault::internal("interrupted")),
        _ => Ok(()),
    });
    assert!(moved.await.is_err());
    let operator = several.servers[0].operator().await;
    operator.delete("/_/proxy/tenants/again").await.expect(204);
    let library = several.library("again", "first").await;
    library.post("/groups", &json!({"group": "Guests"})).await.expect(201);
}

#[tokio::test]
async fn the_next_move_ends_the_replication_of_a_tenant_that_was_deleted() {
    let several = SeveralDatabases::start().await;
    let library = several.library("gone", "east").await;
    let moved = several.move_to(&library.tenant, "first", |step| match step {
        Step::CaughtUp => Err(Fault::internal("interrupted")),
        _ => Ok(()),
    });
    assert!(moved.await.is_err());
    let operator = several.servers[0].operator().await;
    operator.delete("/_/proxy/tenants/gone").await.expect(204);
    let next = several.library("next", "east").await;
    several.move_to(&next.tenant, "first", |_| Ok(())).await.expect("a move");
    let places = several.places();
    let left = on_runtime(async move {
        let east = &places.find_database("east").unwrap().database;
        let mut session = east.system_session(Arc::default()).await.unwrap();
        session.read::<Option<i64>>(Statement::new(LEFT_BY_MOVES)).await.unwrap()
    })
    .await;
    assert_eq!(left, Some(0));
}

const LEFT_BY_MOVES: &str = "\
select (select count(*) from pg_replication_slots) + (select count(*) from pg_publication)";
