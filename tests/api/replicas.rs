//! Reads that may be late come from a hot standby, and nobody misses what they wrote themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use octavo_testkit::{
    Client, Library, Method, Octavo, Replicated, Replication, Standby, eventually, fresh_id, routes,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

fn is_usable(octavo: &Octavo) -> bool {
    octavo.platform.database.replicas().iter().all(|replica| replica.left_out.is_none())
}

async fn wait_until_usable(servers: &[&Octavo]) {
    eventually("the replica is used", async || servers.iter().all(|octavo| is_usable(octavo))).await;
}

/// Waits until the replica answers for the test's tenant, which was created a moment ago.
async fn wait_until_answering(octavo: &Octavo, library: &Library) {
    wait_until_usable(&[octavo]).await;
    let reader = library.acting_as(fresh_id());
    ask_replica(octavo, async || tags(&reader, "none").await).await;
}

/// The replica's answer. If the replica could not be used or failed, the database has answered instead; then the request is repeated.
async fn ask_replica<T>(octavo: &Octavo, ask: impl AsyncFn() -> T) -> T {
    let mut of_replica = None;
    eventually("the replica answers", async || {
        let before = (replica_reads(octavo), unserved_late_reads(octavo));
        let answered = ask().await;
        if unserved_late_reads(octavo) > before.1 {
            return false;
        }
        assert!(replica_reads(octavo) > before.0, "a replica is not asked");
        of_replica = Some(answered);
        true
    })
    .await;
    of_replica.expect("an answer")
}

/// How often a read that a replica may answer went to the database, plus how often a replica failed.
fn unserved_late_reads(octavo: &Octavo) -> u64 {
    let not_lent = octavo.platform.database.late_reads_of_primary().unwrap().map(|(_, count)| count);
    not_lent.into_iter().chain(failed_counts(octavo)).sum()
}

fn replica_reads(octavo: &Octavo) -> u64 {
    octavo.platform.database.replicas().iter().map(|replica| replica.reads).sum()
}

fn reason_left_out(octavo: &Octavo, replica: usize) -> Option<&'static str> {
    octavo.platform.database.replicas()[replica].left_out
}

/// Kills a replica. The returned function says whether the replica is left out, has failed since then, or runs again.
fn kill_replica(octavo: &Octavo, replica: usize, standby: &Standby) -> impl Fn() -> bool {
    let failures = move || octavo.platform.database.replicas()[replica].failures.clone();
    let before = (failures(), standby.process());
    standby.kill();
    move || {
        let process = standby.process();
        reason_left_out(octavo, replica).is_some()
            || failures() != before.0
            || process.is_some() && process != before.1
    }
}

fn failures(octavo: &Octavo, why: &str) -> u64 {
    let replicas = octavo.platform.database.replicas();
    let counts = replicas.iter().flat_map(|replica| replica.failures.clone());
    counts.filter(|(reason, _)| *reason == why).map(|(_, count)| count).sum()
}

fn failed_counts(octavo: &Octavo) -> [u64; 4] {
    ["conflict", "gone", "behind", "changing"].map(|why| failures(octavo, why))
}

fn behind_count(octavo: &Octavo) -> u64 {
    octavo.platform.database.late_reads_of_primary().unwrap()[0].1
}

async fn tags(client: &Client, label: &str) -> i64 {
    client.find("/tags", &format!("label=={label}")).await.expect(200).total()
}

async fn count_tags_on_replica(octavo: &Octavo, client: &Client, label: &str) -> i64 {
    ask_replica(octavo, async || tags(client, label).await).await
}

#[tokio::test]
async fn what_may_be_late_is_read_from_the_replica_and_decisions_are_not() {
    let replicated = Replication::ONE.start().await;
    let (octavo, library) = (&replicated.octavo, &replicated.library);
    wait_until_answering(octavo, library).await;
    let before_all = failed_counts(octavo);
    let reader = library.acting_as(fresh_id());
    let id = fresh_id();
    let refused = json!({"itemBarcode": "1", "userBarcode": "1", "servicePointId": id});
    let month = json!({"startDate": "2026-11-01", "endDate": "2026-11-30", "feeFineOwners": []});
    for (method, path, body, is_late) in [
        ("GET", "/users?query=username==nobody", Value::Null, true),
        ("GET", "/users?limit=1000", Value::Null, true),
        ("GET", "/item-storage/items?totalRecords=exact", Value::Null, true),
        ("GET", "/circulation/loans", Value::Null, true),
        ("GET", "/circulation/requests?limit=0", Value::Null, true),
        ("GET", "/audit-data/circulation/logs", Value::Null, true),
        ("GET", "/inventory-reports/items-in-transit", Value::Null, true),
        ("POST", "/feefine-reports/refund", month, true),
        // One record, permissions, what decisions go by, settings, decisions, changes.
        ("GET", &format!("/users/{id}"), Value::Null, false),
        ("GET", "/perms/users", Value::Null, false),
        ("GET", "/perms/permissions", Value::Null, false),
        ("GET", "/locations", Value::Null, false),
        ("GET", "/groups", Value::Null, false),
        ("GET", "/loan-policy-storage/loan-policies", Value::Null, false),
        ("GET", "/configurations/entries", Value::Null, false),
        ("GET", &format!("/circulation/loans/{id}"), Value::Null, false),
        ("POST", "/circulation/check-out-by-barcode", refused, false),
        ("POST", "/tags", json!({"label": "a"}), false),
    ] {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let ask = async || {
            let reply = reader.send(method, path, body.clone()).await;
            assert!(reply.status < 500, "{method} {path}: {}", reply.text());
        };
        if is_late {
            ask_replica(octavo, ask).await;
        } else {
            let before = replica_reads(octavo);
            ask().await;
            assert_eq!(replica_reads(octavo), before, "{method} {path}");
        }
    }
    assert_eq!(failed_counts(octavo), before_all);
}

#[tokio::test]
async fn callers_see_what_they_wrote_and_others_see_it_late() {
    let replicated = Replication::ONE.start().await;
    let Replicated { octavo, another, library, .. } = &replicated;
    wait_until_usable(&[octavo, another]).await;
    let (writer, other) = (library.acting_as(fresh_id()), library.acting_as(fresh_id()));
    for number in 0..20 {
        let name = format!("at-once-{number}");
        writer.post("/tags", &json!({"label": name})).await.expect(201);
        assert_eq!(tags(&writer, &name).await, 1, "{name}");
    }
    eventually("others see it", async || tags(&other, "at-once-19").await == 1).await;

    replicated.standbys[0].pause_replay().await;
    let made = writer.with("cookie", "a=b").post("/tags", &json!({"label": "new"})).await.expect(201);
    let position = made.header("x-octavo-position").expect("a position").to_owned();
    let cookie = made.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned();
    assert_eq!(cookie, format!("octavoPosition={position}"));
    let before = behind_count(octavo);
    eventually("the writer waits for the replica", async || {
        assert_eq!(tags(&writer, "new").await, 1, "the writer");
        behind_count(octavo) > before
    })
    .await;
    assert_eq!(count_tags_on_replica(octavo, &other, "new").await, 0, "somebody else");
    assert_eq!(tags(&other.with("x-octavo-position", &*position), "new").await, 1, "who waits in vain");
    for little in ["0/1", "nonsense"] {
        let needs_little = other.with("x-octavo-position", little);
        assert_eq!(count_tags_on_replica(octavo, &needs_little, "new").await, 0, "{little}");
    }
    // Another process knows of it what the client brings along.
    let elsewhere = writer.to_server(another.address);
    assert_eq!(count_tags_on_replica(another, &elsewhere, "new").await, 0, "without a cookie");
    assert_eq!(tags(&elsewhere.with("cookie", &*cookie), "new").await, 1, "with it");

    // A tenant that the replica has not heard of.
    let operator = octavo.operator().await;
    operator.post("/_/proxy/tenants", &json!({"id": "young"})).await.expect(201);
    let modules = json!([{"id": "mod-tags", "action": "enable"}]);
    operator.post("/_/proxy/tenants/young/install", &modules).await.expect(200);
    let young = octavo.client().with("x-okapi-tenant", "young");
    assert_eq!(tags(&young, "new").await, 0);

    replicated.standbys[0].resume_replay().await;
    eventually("others see it", async || tags(&other, "new").await == 1).await;
    eventually("the replica has what is stated", async || {
        let before = replica_reads(another);
        tags(&elsewhere.with("x-octavo-position", &*position), "new").await == 1
            && replica_reads(another) > before
    })
    .await;
}

#[tokio::test]
async fn a_change_of_one_statement_costs_one_round_trip_more() {
    let replicated = Replication::ONE.start().await;
    let plain = Library::open().await.acting_as(fresh_id());
    let with = replicated.library.acting_as(fresh_id());
    let mut seen = Vec::new();
    for library in [&plain, &with] {
        let traced = library.with("x-octavo-trace", "1");
        let made = traced.post("/tags", &json!({"label": "g"})).await.expect(201);
        seen.push((made.round_trips(), made.statements()));
    }
    assert_eq!(seen[1], (seen[0].0 + 1, seen[0].1 + 1));
}

#[tokio::test]
async fn a_replica_that_is_late_or_dead_is_left_out_and_nobody_notices() {
    let replicated = Replication { most_lag: Duration::from_secs(2), ..Replication::ONE }.start().await;
    let Replicated { octavo, library, .. } = &replicated;
    wait_until_usable(&[octavo]).await;
    let page = async || octavo.client().get("/metrics").await.expect(200).text();
    let told = page().await;
    assert!(told.contains("octavo_replica_usable{replica=") && told.contains("octavo_replica_lag_seconds{"));

    replicated.standbys[0].pause_replay().await;
    library.post("/tags", &json!({"label": "g"})).await.expect(201);
    eventually("it is too late", async || !is_usable(octavo)).await;
    let other = library.acting_as(fresh_id());
    assert_eq!(tags(&other, "g").await, 1, "the primary answers");
    assert!(
        page().await.lines().any(|line| line.starts_with("octavo_replica_usable{") && line.ends_with("} 0"))
    );
    let health = octavo.client().get("/admin/health").await.expect(200).text();
    assert_eq!(health, "OK\nreplicas: one is left out, and the database answers in its place");
    replicated.standbys[0].resume_replay().await;
    wait_until_usable(&[octavo]).await;
    eventually("all is well", async || octavo.client().get("/admin/health").await.text() == "OK").await;

    // A standby that becomes a primary of its own is none of ours.
    replicated.standbys[0].promote().await;
    eventually("it is left out", async || reason_left_out(octavo, 0) == Some("it is no standby any more"))
        .await;
    assert_eq!(tags(&other, "g").await, 1);
}

/// Clients that read, and clients that write and read what they wrote, until they are told to stop. Not one request may fail.
struct Load {
    clients: JoinSet<u64>,
    is_over: Arc<AtomicBool>,
}

impl Load {
    fn begin(library: &Library) -> Load {
        let mut load = Load::begin_reading(library);
        for _ in 0..2 {
            let (writer, is_over) = (library.acting_as(fresh_id()), Arc::clone(&load.is_over));
            load.clients.spawn(async move {
                let mut done = 0;
                while !is_over.load(SeqCst) {
                    let label = fresh_id().to_string();
                    writer.post("/tags", &json!({"label": label})).await.expect(201);
                    assert_eq!(tags(&writer, &label).await, 1, "its own change");
                    done += 2;
                }
                done
            });
        }
        load
    }

    fn begin_reading(library: &Library) -> Load {
        let (mut clients, is_over) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
        for _ in 0..4 {
            let (reader, is_over) = (library.acting_as(fresh_id()), Arc::clone(&is_over));
            clients.spawn(async move {
                let mut done = 0;
                while !is_over.load(SeqCst) {
                    for path in ["/tags?query=label==g", "/users?limit=1000", "/circulation/loans"] {
                        reader.get(path).await.expect(200);
                        done += 1;
                    }
                }
                done
            });
        }
        Load { clients, is_over }
    }

    async fn end(self) -> u64 {
        self.is_over.store(true, SeqCst);
        self.clients.join_all().await.into_iter().sum()
    }
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "numbers for docs/replicas.md, shown with --nocapture")]
async fn replicas_that_are_killed_under_load_fail_no_request() {
    let most_lag = Duration::from_secs(10);
    let replicated = Replication { standbys: 2, most_lag, ..Replication::ONE }.start().await;
    let Replicated { octavo, library, standbys, .. } = &replicated;
    let load = Load::begin(library);
    for _ in 0..3 {
        for (at, standby) in standbys.iter().enumerate() {
            wait_until_usable(&[octavo]).await;
            let read_from = || octavo.platform.database.replicas()[at].reads;
            let before = read_from();
            eventually("it is read from", async || read_from() > before + 10).await;
            let is_noticed = kill_replica(octavo, at, standby);
            eventually("it is missed, or back", async || is_noticed()).await;
        }
    }
    wait_until_usable(&[octavo]).await;
    let are_noticed = [kill_replica(octavo, 0, &standbys[0]), kill_replica(octavo, 1, &standbys[1])];
    eventually("both are missed, or back", async || are_noticed.iter().all(|is_noticed| is_noticed())).await;
    let (done, gone) = (load.end().await, failures(octavo, "gone"));
    println!(
        "{done} requests, of which {gone} were asked of the database because a replica had gone; 0 failed"
    );
    assert!(done > 60, "{done}");
}

#[tokio::test]
async fn after_a_failover_reads_come_from_the_server_that_was_promoted_and_from_standbys_that_follow_it() {
    let most_lag = Duration::from_secs(10);
    let shape = Replication { standbys: 2, most_lag, fails_over: true, ..Replication::ONE };
    let mut replicated = shape.start().await;
    wait_until_usable(&[&replicated.octavo]).await;
    let library = replicated.library.clone();
    let readers = Load::begin_reading(&library);
    replicated.lose_primary().await;
    let Replicated { octavo, standbys, .. } = &replicated;
    standbys[0].promote().await;
    let writer = library.acting_as(fresh_id());
    eventually("a change is taken", async || {
        writer.post("/tags", &json!({"label": "after"})).await.status == 201
    })
    .await;
    assert_eq!(tags(&writer, "after").await, 1, "its own change");
    eventually("the promoted is no replica", async || {
        reason_left_out(octavo, 0) == Some("it is no standby any more")
            && reason_left_out(octavo, 1).is_some()
    })
    .await;
    assert_eq!(tags(&writer, "after").await, 1, "its own change, without a replica");

    standbys[1].follow(&standbys[0]).await;
    let mut number = 0;
    eventually("the other follows the promoted", async || {
        number += 1;
        writer.post("/tags", &json!({"label": format!("later-{number}")})).await.expect(201);
        reason_left_out(octavo, 1).is_none()
    })
    .await;
    let before = replica_reads(octavo);
    eventually("it is read from", async || {
        tags(&writer, "after").await == 1 && replica_reads(octavo) > before
    })
    .await;
    assert!(readers.end().await > 0);
}

#[tokio::test]
async fn a_tenant_in_a_further_database_reads_from_that() {
    let replicated = Replication { has_east: true, ..Replication::ONE }.start().await;
    let Replicated { octavo, library, standbys, .. } = &replicated;
    wait_until_answering(octavo, library).await;
    standbys[0].pause_replay().await;
    let made = library.acting_as(fresh_id()).post("/tags", &json!({"label": "new"})).await.expect(201);
    let position = made.header("x-octavo-position").expect("a position").to_owned();
    assert!(position.starts_with("first:"), "{position}");
    let other = library.acting_as(fresh_id());
    assert_eq!(count_tags_on_replica(octavo, &other, "new").await, 0, "the replica");
    assert_eq!(tags(&other.with("x-octavo-position", &*position), "new").await, 1, "{position}");
    let unnamed = position.trim_start_matches("first:").to_owned();
    for stated in [format!("east:{unnamed}"), unnamed] {
        let other = other.with("x-octavo-position", &*stated);
        assert_eq!(count_tags_on_replica(octavo, &other, "new").await, 0, "{stated}");
    }

    let eastern = replicated.library_in_east().await;
    let before = replica_reads(octavo);
    let made = eastern.post("/tags", &json!({"label": "there"})).await.expect(201);
    assert_eq!(made.header("x-octavo-position"), None);
    for stated in ["east:0/1", &position] {
        let reader = eastern.acting_as(fresh_id()).with("x-octavo-position", stated);
        assert_eq!(tags(&reader, "there").await, 1, "{stated}");
    }
    assert_eq!(replica_reads(octavo), before);
}

/// Every route that may be late asks for nothing that a standby refuses.
#[tokio::test]
async fn no_late_route_changes_anything() {
    let replicated = Replication::ONE.start().await;
    let Replicated { octavo, library, .. } = &replicated;
    wait_until_answering(octavo, library).await;
    let refused = || (failures(octavo, "changing"), failures(octavo, "behind"));
    let before = refused();
    let reader = library.acting_as(fresh_id());
    let late: Vec<_> = routes().filter(|entry| entry.may_be_late).collect();
    assert!(late.len() > 100, "{}", late.len());
    for entry in &late {
        let segments = entry.pattern.trim_end_matches('*').split('/');
        let path = segments.map(|segment| match segment.starts_with('{') {
            true => fresh_id().to_string(),
            false => segment.to_owned(),
        });
        let path = path.collect::<Vec<_>>().join("/");
        let client = reader.with("x-okapi-module-id", format!("{}-1", entry.module));
        let reply = match entry.method {
            Method::Get if path == "/oai/records" => {
                client.get("/oai/records?verb=ListRecords&metadataPrefix=marc21").await
            }
            Method::Get => client.get(&path).await,
            method => client.send(method.as_str(), &path, "{}").await,
        };
        assert!(reply.status < 500, "{} {path}: {}", entry.method, reply.text());
        assert_eq!(refused(), before, "{} {path}", entry.method);
    }
    assert!(replica_reads(octavo) >= late.len() as u64 / 2, "{} of {}", replica_reads(octavo), late.len());
}
