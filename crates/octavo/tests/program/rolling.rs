//! Servers are replaced one after the other while clients go on: by another release if there is one (`make upgrade`), there and back,
//! otherwise by themselves. No request fails, and what was acknowledged is there afterwards.

mod desk;
mod fleet;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_testkit::{Client, Desk, fresh_id};
use serde_json::json;
use tokio::task::{JoinSet, block_in_place};

use self::desk::Reader;
use self::fleet::Fleet;
use crate::octavo::{Folder, Octavo, program};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-inventory-20.2.6", "mod-feesfines-19.1.0"];

/// A program, as it was built from some release.
#[derive(Clone)]
struct Release {
    name: &'static str,
    program: PathBuf,
    /// Whether it asks operators for a token.
    is_guarded: bool,
}

impl Release {
    fn of(name: &'static str, program: PathBuf) -> Release {
        let help = Command::new(&program).args(["serve", "--help"]).output().unwrap();
        let is_guarded = String::from_utf8_lossy(&help.stdout).contains("--open-tenants");
        Release { name, program, is_guarded }
    }

    fn start(&self, folder: &Folder, number: usize, url: &str) -> Octavo {
        let mut command = Command::new(&self.program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--database-url", url, "--data-dir"]);
        command.arg(folder.beside(&format!("server-{number}"))).stdin(Stdio::null());
        if self.is_guarded {
            command.args(["--open-tenants", "on"]);
        }
        block_in_place(|| Octavo::start_as(command))
    }

    /// A tenant that this release makes.
    async fn tenant(&self, octavo: &Octavo, url: &str) -> Client {
        let okapi = match self.is_guarded {
            true => {
                let mut command = Command::new(&self.program);
                let made = command.args(["user", "create-operator", "--database-url", url]).output().unwrap();
                octavo.client().with("x-okapi-token", String::from_utf8(made.stdout).unwrap().trim())
            }
            false => octavo.client(),
        };
        let okapi = okapi.of_another_release();
        okapi.post("/_/proxy/tenants", &json!({"id": "town"})).await.expect(201);
        let wanted: Vec<_> = MODULES.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
        let install = "/_/proxy/tenants/town/install?tenantParameters=loadReference=true";
        okapi.post(install, &json!(wanted)).await.expect(200);
        let client = octavo.client().of_another_release().with("x-okapi-tenant", "town");
        client.with("x-okapi-user-id", fresh_id().to_string())
    }
}

/// How much is done with each pair of servers.
struct Load {
    readers: usize,
    rounds: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_are_replaced_while_clients_go_on() {
    let this = Release::of("this", program());
    roll(this.clone(), this, &Load { readers: 3, rounds: 4 }).await;
}

/// `make upgrade` says which program `OCTAVO_LAST_RELEASE` is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a program of another release"]
#[expect(clippy::disallowed_methods, reason = "no settings of Octavo: which program, and for how long")]
async fn two_releases_serve_one_database_and_take_turns() {
    let last = std::env::var_os("OCTAVO_LAST_RELEASE").expect("OCTAVO_LAST_RELEASE names a program");
    let rounds = std::env::var("OCTAVO_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let (last, this) = (Release::of("last", last.into()), Release::of("this", program()));
    roll(last, this, &Load { readers: 6, rounds }).await;
}

async fn roll(last: Release, this: Release, load: &Load) {
    let folder = Folder::new();
    let postgres = database(&folder).await;
    let url = postgres.url();
    let first = last.start(&folder, 0, &url);
    let desk = Desk::furnish(&last.tenant(&first, &url).await, |_| {}).await;
    let mut readers = Vec::new();
    for _ in 0..load.readers {
        readers.push(Reader::new(&desk).await);
    }
    let fleet = Arc::new(Fleet::default());
    let mut servers = vec![first, last.start(&folder, 1, &url)];
    for server in &servers {
        fleet.join(server.address);
    }
    let (rounds, over) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
    let mut at_work = JoinSet::new();
    for mut reader in readers {
        let (fleet, rounds, over) = (Arc::clone(&fleet), Arc::clone(&rounds), Arc::clone(&over));
        at_work.spawn(async move {
            while !over.load(Ordering::Relaxed) {
                reader.round(&fleet).await;
                rounds.fetch_add(1, Ordering::Relaxed);
            }
            reader
        });
    }
    let mut pair = [last.name, last.name];
    spend(&fleet, &rounds, load, pair).await;
    for release in [&this, &last, &this] {
        for number in [0, 1] {
            // As an operator does: the proxy gives it no further request, those that it has are answered, it stops.
            fleet.leave(number).await;
            let old = servers.remove(number);
            block_in_place(|| old.stop());
            servers.insert(number, release.start(&folder, number, &url));
            fleet.replace(number, servers[number].address);
            pair[number] = release.name;
            spend(&fleet, &rounds, load, pair).await;
        }
    }
    over.store(true, Ordering::Relaxed);
    let readers = at_work.join_all().await;
    let counts = fleet.counts();
    eprintln!("{} requests made, {} retried, {} failed", counts.made, counts.retried, counts.failed.len());
    assert_eq!(counts.failed, [""; 0]);
    assert_eq!(counts.retried, 0);
    for reader in &readers {
        reader.is_as_acknowledged(&desk.at(servers[0].address)).await;
    }
    in_order(&url).await;
    for server in servers {
        block_in_place(|| server.stop());
    }
    postgres.stop().await;
}

/// Until the readers have done so much with these servers.
async fn spend(fleet: &Fleet, rounds: &AtomicUsize, load: &Load, pair: [&str; 2]) {
    let (before, begun) = (fleet.counts(), rounds.load(Ordering::Relaxed));
    while rounds.load(Ordering::Relaxed) < begun + load.rounds * load.readers {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let failed = fleet.counts().failed;
        assert_eq!(failed, [""; 0], "with {pair:?}");
    }
    let after = fleet.counts();
    let (made, retried) = (after.made - before.made, after.retried - before.retried);
    eprintln!("{pair:?}: {made} requests made, {retried} retried, 0 failed");
}

/// `octavo doctor` of this release finds nothing.
async fn in_order(url: &str) {
    let examined = Command::new(program()).args(["doctor", "--database-url", url]).output().unwrap();
    let report = String::from_utf8_lossy(&examined.stdout);
    assert!(examined.status.success(), "{report}{}", String::from_utf8_lossy(&examined.stderr));
}

async fn database(folder: &Folder) -> Embedded {
    let options = EmbeddedOptions {
        data_dir: folder.beside("database"),
        binaries: None,
        durable: true,
        settings: Vec::new(),
    };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}
