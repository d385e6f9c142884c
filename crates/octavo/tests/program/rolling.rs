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
use crate::octavo::{Folder, Octavo, program_path};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-inventory-20.2.6", "mod-feesfines-19.1.0"];

/// A program, as it was built from some release.
#[derive(Clone)]
struct Release {
    name: &'static str,
    program: PathBuf,
    /// Whether this release requires a token from operators.
    needs_operator_token: bool,
}

impl Release {
    fn from_program(name: &'static str, program: PathBuf) -> Release {
        let help = Command::new(&program).args(["serve", "--help"]).output().unwrap();
        let is_guarded = String::from_utf8_lossy(&help.stdout).contains("--open-tenants");
        Release { name, program, needs_operator_token: is_guarded }
    }

    fn start(&self, folder: &Folder, number: usize, url: &str) -> Octavo {
        let mut command = Command::new(&self.program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--database-url", url, "--data-dir"]);
        command.arg(folder.path_of(&format!("server-{number}"))).stdin(Stdio::null());
        if self.needs_operator_token {
            command.args(["--open-tenants", "on"]);
        }
        block_in_place(|| Octavo::start_command(command))
    }

    /// A tenant that this release makes.
    async fn tenant(&self, octavo: &Octavo, url: &str) -> Client {
        let okapi = match self.needs_operator_token {
            true => {
                let mut command = Command::new(&self.program);
                let made = command.args(["user", "create-operator", "--database-url", url]).output().unwrap();
                octavo
                    .tenantless_client()
                    .with("x-okapi-token", String::from_utf8(made.stdout).unwrap().trim())
            }
            false => octavo.tenantless_client(),
        };
        let okapi = okapi.of_another_release();
        okapi.post("/_/proxy/tenants", &json!({"id": "town"})).await.expect(201);
        let wanted: Vec<_> = MODULES.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
        let install = "/_/proxy/tenants/town/install?tenantParameters=loadReference=true";
        okapi.post(install, &json!(wanted)).await.expect(200);
        let client = octavo.tenantless_client().of_another_release().with("x-okapi-tenant", "town");
        client.with("x-okapi-user-id", fresh_id().to_string())
    }
}

/// How much is done with each pair of servers.
struct Extent {
    readers: usize,
    rounds: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_are_replaced_while_clients_go_on() {
    let this = Release::from_program("this", program_path());
    replace_servers(this.clone(), this, &Extent { readers: 3, rounds: 4 }).await;
}

/// `make upgrade` says which program `OCTAVO_LAST_RELEASE` is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a program of another release"]
#[expect(clippy::disallowed_methods, reason = "no settings of Octavo: which program, and for how long")]
async fn two_releases_serve_one_database_and_take_turns() {
    let last = std::env::var_os("OCTAVO_LAST_RELEASE").expect("OCTAVO_LAST_RELEASE names a program");
    let rounds = std::env::var("OCTAVO_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let (last, this) =
        (Release::from_program("last", last.into()), Release::from_program("this", program_path()));
    replace_servers(last, this, &Extent { readers: 6, rounds }).await;
}

async fn replace_servers(last: Release, this: Release, load: &Extent) {
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
        fleet.add_server(server.address);
    }
    let (rounds, over) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
    let mut at_work = JoinSet::new();
    for mut reader in readers {
        let (fleet, rounds, over) = (Arc::clone(&fleet), Arc::clone(&rounds), Arc::clone(&over));
        at_work.spawn(async move {
            while !over.load(Ordering::Relaxed) {
                reader.do_round(&fleet).await;
                rounds.fetch_add(1, Ordering::Relaxed);
            }
            reader
        });
    }
    let mut pair = [last.name, last.name];
    wait_for_rounds(&fleet, &rounds, load, pair).await;
    for release in [&this, &last, &this] {
        for number in [0, 1] {
            // As an operator does: the proxy gives it no further request, those that it has are answered, it stops.
            fleet.drain_server(number).await;
            let old = servers.remove(number);
            block_in_place(|| old.stop());
            servers.insert(number, release.start(&folder, number, &url));
            fleet.replace_server(number, servers[number].address);
            pair[number] = release.name;
            wait_for_rounds(&fleet, &rounds, load, pair).await;
        }
    }
    over.store(true, Ordering::Relaxed);
    let readers = at_work.join_all().await;
    let counts = fleet.counts();
    eprintln!(
        "{} requests made, {} retried, {} failed",
        counts.requests,
        counts.retried,
        counts.failed.len()
    );
    assert_eq!(counts.failed, [""; 0]);
    assert_eq!(counts.retried, 0);
    for reader in &readers {
        reader.assert_as_acknowledged(&desk.at_address(servers[0].address)).await;
    }
    assert_doctor_finds_nothing(&url).await;
    for server in servers {
        block_in_place(|| server.stop());
    }
    postgres.stop().await;
}

/// Waits until the readers have done enough rounds with these servers.
async fn wait_for_rounds(fleet: &Fleet, rounds: &AtomicUsize, load: &Extent, pair: [&str; 2]) {
    let (before, begun) = (fleet.counts(), rounds.load(Ordering::Relaxed));
    while rounds.load(Ordering::Relaxed) < begun + load.rounds * load.readers {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let failed = fleet.counts().failed;
        assert_eq!(failed, [""; 0], "with {pair:?}");
    }
    let after = fleet.counts();
    let (made, retried) = (after.requests - before.requests, after.retried - before.retried);
    eprintln!("{pair:?}: {made} requests made, {retried} retried, 0 failed");
}

/// `octavo doctor` of this release finds nothing.
async fn assert_doctor_finds_nothing(url: &str) {
    let examined = Command::new(program_path()).args(["doctor", "--database-url", url]).output().unwrap();
    let report = String::from_utf8_lossy(&examined.stdout);
    assert!(examined.status.success(), "{report}{}", String::from_utf8_lossy(&examined.stderr));
}

async fn database(folder: &Folder) -> Embedded {
    let options = EmbeddedOptions {
        data_dir: folder.path_of("database"),
        binaries: None,
        durable: true,
        settings: Vec::new(),
    };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}
