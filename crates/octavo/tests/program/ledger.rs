//! Killed again and again while clients change things: each change that was acknowledged is there afterwards, and each that
//! was not is either there whole or not at all.
//!
//! Eight clients each keep a ledger of things that nobody else touches: items that are lent and come back, and patron groups
//! that are made, changed and deleted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octavo_testkit::{Client, Desk, Reply, fresh_id};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0"];
const CLIENTS: usize = 8;
const ITEMS: usize = 4;
const GROUPS: usize = 4;
/// So many kills in every run of the tests; `OCTAVO_ATTACK_KILLS` asks for others.
const KILLS: usize = 5;

/// The process that is killed in a round, in turn.
#[derive(Debug, Clone, Copy)]
enum Victim {
    Octavo,
    PostgreSql,
    Both,
}

const VICTIMS: [Victim; 3] = [Victim::Octavo, Victim::PostgreSql, Victim::Both];

/// Something that a client changes, and its last acknowledged state.
struct Thing {
    what: What,
    known: State,
    /// The state that it may have by a change that was never answered.
    unanswered: Option<State>,
}

enum What {
    Item { item: Value, patron: Arc<Value> },
    Group { id: String },
}

/// 0 is an item on its shelf, or a group that is not there; any other number an item that is lent, or what the group says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State(usize);

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Item { item, .. } => write!(f, "item {}", item["barcode"]),
            What::Group { id } => write!(f, "group {id}"),
        }
    }
}

impl Thing {
    fn new(what: What) -> Thing {
        Thing { what, known: State(0), unanswered: None }
    }

    /// Changes it once; returns whether the server still answers.
    async fn change(&mut self, desk: &Desk, number: usize) -> bool {
        let next = match (&self.what, self.known) {
            (What::Item { .. }, State(0)) => State(1),
            (What::Item { .. }, _) => State(0),
            (What::Group { .. }, State(_)) if number.is_multiple_of(5) => State(0),
            (What::Group { .. }, State(_)) => State(number),
        };
        let Some(answer) = self.send_change(desk, next).await else { return true };
        self.unanswered = Some(next);
        match answer {
            Ok(reply) if reply.status < 300 => {
                (self.known, self.unanswered) = (next, None);
                true
            }
            // PostgreSQL is gone: the change may have been committed.
            Ok(reply) => {
                assert_eq!(reply.status, 503, "{reply}");
                false
            }
            Err(_) => false,
        }
    }

    /// Sends the change; `None` if nothing needs to be done.
    async fn send_change(&self, desk: &Desk, next: State) -> Option<Result<Reply, String>> {
        let client = desk.with("content-type", "application/json");
        Some(match (&self.what, self.known, next) {
            (What::Item { item, patron }, State(0), _) => {
                check_out(&client, &Desk::check_out_body(item, patron)).await
            }
            (What::Item { item, .. }, _, _) => check_in(&client, &desk.check_in_body(item)).await,
            (What::Group { .. }, State(0), State(0)) => return None,
            (What::Group { id }, State(0), State(number)) => {
                client.attempt("POST", "/groups", group_body(id, number)).await
            }
            (What::Group { id }, _, State(0)) => client.attempt("DELETE", &format!("/groups/{id}"), "").await,
            (What::Group { id }, _, State(number)) => {
                client.attempt("PUT", &format!("/groups/{id}"), group_body(id, number)).await
            }
        })
    }

    /// Compares the ledger with what the server says now, and takes that over.
    async fn verify(&mut self, desk: &Desk) {
        let found = match &self.what {
            What::Item { item, .. } => State(match desk.status(item).await.as_str() {
                "Available" => 0,
                "Checked out" => 1,
                other => panic!("{} is {other}", self.what),
            }),
            What::Group { id } => {
                let reply = desk.get(&format!("/groups/{id}")).await;
                match reply.status {
                    404 => State(0),
                    _ => {
                        let number =
                            reply.expect(200).json()["desc"].as_str().and_then(|number| number.parse().ok());
                        State(number.unwrap_or_else(|| panic!("{} says nothing", self.what)))
                    }
                }
            }
        };
        assert!(
            found == self.known || Some(found) == self.unanswered,
            "{} is {found:?}; acknowledged was {:?}, asked for {:?}",
            self.what,
            self.known,
            self.unanswered
        );
        (self.known, self.unanswered) = (found, None);
    }
}

async fn check_out(client: &Client, body: &Value) -> Result<Reply, String> {
    client.attempt("POST", "/circulation/check-out-by-barcode", body.to_string()).await
}

async fn check_in(client: &Client, body: &Value) -> Result<Reply, String> {
    client.attempt("POST", "/circulation/check-in-by-barcode", body.to_string()).await
}

fn group_body(id: &str, number: usize) -> String {
    json!({"id": id, "group": format!("group {id}"), "desc": number.to_string()}).to_string()
}

/// Changes its things in turn until the server no longer answers; `done` counts the acknowledged changes.
async fn change_until_killed(desk: Desk, mut things: Vec<Thing>, done: Arc<AtomicUsize>) -> Vec<Thing> {
    for number in 1.. {
        let at = number % things.len();
        if !things[at].change(&desk, number).await {
            break;
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    things
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_by_many_kills() {
    let kills = kills_wanted();
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data_dir());
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let mut ledgers = Vec::new();
    for _ in 0..CLIENTS {
        let patron = Arc::new(desk.patron().await);
        let items = desk.items(ITEMS).await.into_iter();
        let items = items.map(|item| Thing::new(What::Item { item, patron: Arc::clone(&patron) }));
        let groups = (0..GROUPS).map(|_| Thing::new(What::Group { id: fresh_id().to_string() }));
        ledgers.push(items.chain(groups).collect::<Vec<Thing>>());
    }
    let (mut acknowledged, mut slowest) = (0, Duration::ZERO);
    for round in 0..kills {
        let desk = desk.at_address(octavo.address);
        let done = Arc::new(AtomicUsize::new(0));
        let mut clients = JoinSet::new();
        for things in ledgers {
            clients.spawn(change_until_killed(desk.clone(), things, Arc::clone(&done)));
        }
        // The blow falls at another moment each time.
        while done.load(Ordering::Relaxed) < 20 + round % 37 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let victim = VICTIMS[round % VICTIMS.len()];
        if let (Victim::PostgreSql | Victim::Both, Some(postgres)) = (victim, folder.postgres_pid()) {
            kill_process(postgres, Signal::KILL).unwrap();
        }
        if let Victim::PostgreSql = victim {
            ledgers = clients.join_all().await;
            octavo.stop();
        } else {
            octavo.kill();
            ledgers = clients.join_all().await;
        }
        acknowledged += done.load(Ordering::Relaxed);
        let started = now();
        octavo = Octavo::start(&folder.data_dir());
        let desk = desk.at_address(octavo.address);
        desk.get("/groups?limit=0").await.expect(200);
        slowest = slowest.max(started.elapsed());
        for thing in ledgers.iter_mut().flatten() {
            thing.verify(&desk).await;
        }
        print_progress(round + 1, kills, acknowledged, slowest);
    }
    octavo.stop();
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long the server takes to start is measured, and not asserted"
)]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "no setting of Octavo: how long this attack lasts")]
fn kills_wanted() -> usize {
    std::env::var("OCTAVO_ATTACK_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}

#[expect(clippy::print_stdout, reason = "a long attack shows how far it is")]
fn print_progress(round: usize, kills: usize, acknowledged: usize, slowest: Duration) {
    if round == kills || round.is_multiple_of(50) {
        println!(
            "attack: {round} kills, {acknowledged} acknowledged changes, none lost; slowest start {} ms",
            slowest.as_millis()
        );
    }
}
