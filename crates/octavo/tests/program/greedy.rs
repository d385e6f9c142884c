//! One client takes all that it can get, for a few seconds; the others are answered as before, and memory stays bounded.
//!
//! Measures times, so that it is run by `make attack` alone, against the program that `OCTAVO_PROGRAM` names.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use octavo_testkit::{Client, connect_from, encode, fresh_id};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::octavo::{Folder, Octavo};
use crate::operator::{assert_success, run_user_command};

/// An answer within this time seems immediate to a person.
const IMMEDIATE: Duration = Duration::from_millis(50);
/// The most memory that Octavo may take on a small machine.
const MOST_MEMORY_MB: u64 = 400;
/// Each attack lasts this long.
const ATTACK_TIME: Duration = Duration::from_secs(5);
const LARGE_BODY_BYTES: usize = 16 << 20;

/// What a client of the attack does after it has sent a request.
#[derive(Clone, Copy, PartialEq)]
enum AttackKind {
    /// Sends once and never reads.
    NeverReads,
    /// Sends again as soon as the answer is there.
    Repeats,
}

#[expect(clippy::disallowed_methods, reason = "measures how long others wait")]
fn now() -> Instant {
    Instant::now()
}

/// The most memory that the program has had since its start, in megabytes.
fn most_memory(octavo: &Octavo) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", octavo.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// Somebody at another address reads a record again and again over one connection: how long 99 of 100 answers took at most.
async fn measure_reader(address: SocketAddr, request: &[u8]) -> Duration {
    let mut stream = connect_from(99, address).await.unwrap();
    let (begun, mut times) = (now(), Vec::new());
    while begun.elapsed() < ATTACK_TIME {
        let asked = now();
        stream.write_all(request).await.unwrap();
        let mut bytes = vec![0; 16 << 10];
        let read =
            timeout(Duration::from_secs(30), stream.read(&mut bytes)).await.expect("an answer").unwrap();
        assert!(bytes[..read].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&bytes[..read]));
        times.push(asked.elapsed());
        sleep(Duration::from_millis(10)).await;
    }
    times.sort();
    times[times.len() * 99 / 100]
}

/// One connection of the attack, until the time is over; how many requests were sent whole.
async fn attack(address: SocketAddr, bytes: Vec<u8>, kind: AttackKind, span: Duration) -> usize {
    let mut sent = 0;
    let attacking = async {
        while let Ok(mut stream) = connect_from(1, address).await {
            let mut answer = vec![0; 64 << 10];
            while stream.write_all(&bytes).await.is_ok() {
                sent += 1;
                match kind {
                    AttackKind::NeverReads => sleep(span).await,
                    AttackKind::Repeats => match stream.read(&mut answer).await {
                        Ok(1..) => {}
                        _ => break,
                    },
                }
            }
            // The connection was refused or closed: the attacker opens the next one without regard for the server.
            sleep(Duration::from_millis(5)).await;
        }
    };
    let _ = timeout(span, attacking).await;
    sent
}

/// A demo library, two of its administrators, a record to read and a list of some twenty megabytes.
struct Stage {
    octavo: Octavo,
    /// Of the record.
    path: String,
    /// The token of the administrator who reads it.
    reader: String,
    /// The token of the administrator who is greedy.
    greedy: String,
    _folder: Folder,
}

async fn log_in(client: &Client, username: &str, password: &str) -> String {
    let credentials = json!({"username": username, "password": password});
    let reply = client.post("/authn/login", &credentials).await.expect(201).json();
    reply["okapiToken"].as_str().unwrap().to_owned()
}

impl Stage {
    async fn new() -> Stage {
        let folder = Folder::new();
        let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
        let library = octavo.tenantless_client().with("x-okapi-tenant", "diku");
        let administrator = log_in(&library, "diku_admin", "admin").await;
        let about = ["create-administrator", "--tenant", "diku", "greedy"];
        assert_success(&run_user_command(&folder.data_dir(), &about, "Greedy-password-1"));
        let greedy = log_in(&library, "greedy", "Greedy-password-1").await;
        let library = library.with("x-okapi-token", &administrator);
        let desc = "x".repeat(64 << 10);
        for number in 0..320 {
            let group = json!({"group": format!("group {number}"), "desc": desc});
            library.post("/groups", &group).await.expect(201);
        }
        let id = fresh_id();
        library.post("/groups", &json!({"id": id, "group": "read again and again"})).await.expect(201);
        Stage { octavo, path: format!("/groups/{id}"), reader: administrator, greedy, _folder: folder }
    }

    /// A request of the greedy user, of whose announced body only so much is sent.
    fn request(&self, method: &str, path: &str, announced: usize, body: &[u8]) -> Vec<u8> {
        let mut bytes = request_head(method, path, &self.greedy, announced);
        bytes.extend(body);
        bytes
    }

    /// Starts so many connections that each send these bytes; returns whether others are answered quickly meanwhile, and memory stays
    /// below the limit.
    async fn withstands(&self, what: &str, connections: usize, kind: AttackKind, bytes: Vec<u8>) -> bool {
        let address = self.octavo.address;
        let read = request_head("GET", &self.path, &self.reader, 0);
        let calm = measure_reader(address, &read).await;
        let attacks: Vec<_> = (0..connections)
            .map(|_| tokio::spawn(attack(address, bytes.clone(), kind, ATTACK_TIME * 3 / 2)))
            .collect();
        sleep(Duration::from_millis(500)).await;
        let during = measure_reader(address, &read).await;
        let mut sent = 0;
        for attack in attacks {
            sent += attack.await.unwrap();
        }
        let memory = most_memory(&self.octavo);
        let held = during < IMMEDIATE && memory < MOST_MEMORY_MB;
        print_line(&format!(
            "{what}: {connections} connections, {sent} requests; p99 of others {:.1} ms, without the attack {:.1} ms; {memory} MB{}",
            milliseconds(during),
            milliseconds(calm),
            if held { "" } else { "; did not hold" }
        ));
        held
    }
}

#[expect(clippy::print_stdout, reason = "an attack shows how far it is")]
fn print_line(what: &str) {
    println!("{what}");
}

fn milliseconds(span: Duration) -> f64 {
    span.as_secs_f64() * 1000.0
}

fn request_head(method: &str, path: &str, token: &str, length: usize) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-okapi-tenant: diku\r\nx-okapi-token: {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
    .into_bytes()
}

#[tokio::test]
#[ignore = "measures times: make attack"]
async fn one_greedy_client_keeps_nobody_waiting() {
    let stage = Stage::new().await;
    let blanks = vec![b' '; LARGE_BODY_BYTES];
    // Each object takes seven bytes on its way and 640 in memory.
    let [objects, some] = [190_000, 70_000].map(|count| format!("[{{}}{}]", r#",{"":0}"#.repeat(count)));
    let log_in = json!({"username": "nobody", "password": "wrong"}).to_string();
    let clauses: Vec<String> = (0..2_000).map(|n| format!("username==u{n}")).collect();
    let search = format!("/users?query={}", encode(&clauses.join(" or ")));
    let words: Vec<String> = ('a'..='z').map(|letter| format!("keyword all {letter}*")).collect();
    let titles = format!("/search/instances?query={}", encode(&words.join(" or ")));
    let word = json!({"to": "x", "from": "x", "outputFormat": "text/plain", "body": "x".repeat(1 << 20)});
    let word = word.to_string();
    let attacks = [
        ("half-sent heads", 300, AttackKind::NeverReads, b"GET /groups HTTP/1.1\r\nhost: local".to_vec()),
        (
            "half-sent log-ins",
            300,
            AttackKind::NeverReads,
            stage.request("POST", "/authn/login", 100, &blanks[..10]),
        ),
        ("wrong passwords", 100, AttackKind::Repeats, {
            stage.request("POST", "/authn/login", log_in.len(), log_in.as_bytes())
        }),
        ("bodies of 16 MB, half sent", 40, AttackKind::NeverReads, {
            stage.request("POST", "/groups", LARGE_BODY_BYTES, &blanks[..LARGE_BODY_BYTES / 2])
        }),
        (
            "bodies of 16 MB of blanks",
            20,
            AttackKind::Repeats,
            stage.request("POST", "/groups", LARGE_BODY_BYTES, &blanks),
        ),
        ("bodies of 3 MB of small objects", 20, AttackKind::Repeats, {
            stage.request("POST", "/groups", objects.len(), objects.as_bytes())
        }),
        ("bodies of 500 kB of small objects", 40, AttackKind::Repeats, {
            stage.request("POST", "/groups", some.len(), some.as_bytes())
        }),
        ("words of 1 MB on paper", 20, AttackKind::Repeats, {
            stage.request("POST", "/mail", word.len(), word.as_bytes())
        }),
        ("a long list that nobody reads", 60, AttackKind::NeverReads, {
            stage.request("GET", "/groups?limit=2147483647", 0, b"")
        }),
        ("a large page that nobody reads", 60, AttackKind::NeverReads, {
            stage.request("GET", "/groups?limit=200", 0, b"")
        }),
        ("a large page, again and again", 100, AttackKind::Repeats, {
            stage.request("GET", "/groups?limit=200", 0, b"")
        }),
        ("searches of 2,000 clauses", 100, AttackKind::Repeats, stage.request("GET", &search, 0, b"")),
        ("titles of every letter", 100, AttackKind::Repeats, stage.request("GET", &titles, 0, b"")),
        ("a record, again and again", 100, AttackKind::Repeats, stage.request("GET", &stage.path, 0, b"")),
    ];
    let (all, mut held) = (attacks.len(), 0);
    for (what, connections, kind, bytes) in attacks {
        held += usize::from(stage.withstands(what, connections, kind, bytes).await);
    }
    print_line(&format!("attack: {held} of {all} held; {} MB", most_memory(&stage.octavo)));
    assert_eq!(held, all);
    stage.octavo.stop();
}
