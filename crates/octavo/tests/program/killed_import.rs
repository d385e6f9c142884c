//! Killed again and again in the middle of one import, Octavo, its PostgreSQL, or both: afterwards each record of the file is there once,
//! as MARC record, as instance, and in the log, and the numbers are right.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use octavo_pg::{Database, Options, embedded};
use octavo_testkit::{Client, eventually};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-data-import-3.1.1", "mod-source-record-manager-3.8.5"];
/// FOLIO's "Default - Create instance and SRS MARC Bib".
const PROFILE: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";
/// So many kills in every run of the tests; `OCTAVO_IMPORT_KILLS` asks for others.
const KILLS: usize = 5;
/// The file has so many records for each kill.
const RECORDS_PER_KILL: usize = 200;
const LONGEST_PAUSE_MS: u64 = 400;
const PAGE: usize = 1000;

/// The process that is killed, in turn.
#[derive(Debug, Clone, Copy)]
enum Victim {
    Octavo,
    PostgreSql,
    /// One backend process of PostgreSQL. PostgreSQL then ends all other backends and recovers.
    Backend,
    Both,
}

const VICTIMS: [Victim; 5] =
    [Victim::Octavo, Victim::PostgreSql, Victim::Octavo, Victim::Backend, Victim::Both];

#[tokio::test]
async fn an_import_that_is_killed_many_times_does_each_record_once() {
    let kills = kills_wanted();
    let count = RECORDS_PER_KILL * (kills + 1);
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data_dir());
    let mut client = octavo.tenant(MODULES).await;
    let user =
        client.post("/users", &json!({"username": "cataloger", "active": true})).await.expect(201).json();
    client = client.with("x-okapi-user-id", user["id"].as_str().unwrap());
    let job = start_import(&client, file(count)).await;
    let mut chance = Chance(7);
    for kill in 0..kills {
        let at = (RECORDS_PER_KILL * (kill + 1)).min(count - RECORDS_PER_KILL / 2);
        eventually(&format!("{at} records are imported"), async || done_records(&client, &job).await >= at)
            .await;
        tokio::time::sleep(Duration::from_millis(chance.below(LONGEST_PAUSE_MS))).await;
        let postgres = folder.postgres_pid();
        match VICTIMS[kill % VICTIMS.len()] {
            Victim::Octavo => octavo.kill(),
            Victim::PostgreSql => {
                kill_if_running(postgres);
                eventually("its PostgreSQL is another", async || folder.postgres_pid() != postgres).await;
                eventually("it answers", async || is_answering(&client).await).await;
                release_claims(&folder).await;
                continue;
            }
            Victim::Backend => {
                kill_if_running(postgres.and_then(youngest_child));
                eventually("it answers", async || is_answering(&client).await).await;
                release_claims(&folder).await;
                continue;
            }
            Victim::Both => {
                kill_if_running(postgres);
                octavo.kill();
            }
        }
        octavo = Octavo::start(&folder.data_dir());
        client = client.to_server(octavo.address);
        release_claims(&folder).await;
    }
    let ended =
        async || job_state(&client, &job).await.is_some_and(|job| job["uiStatus"] == "RUNNING_COMPLETE");
    eventually("the job has ended", ended).await;
    let last = job_state(&client, &job).await.unwrap();
    assert_eq!(
        (&last["status"], &last["progress"]["current"]),
        (&json!("COMMITTED"), &json!(count)),
        "{last}"
    );
    assert_eq!(last["progress"]["total"], count, "{last}");
    assert_each_once(&client, &job, count).await;
    print_result(kills, count);
    octavo.stop();
}

fn kill_if_running(process: Option<Pid>) {
    if let Some(process) = process {
        kill_process(process, Signal::KILL).unwrap();
    }
}

/// The child of a process that came last.
fn youngest_child(parent: Pid) -> Option<Pid> {
    let id = parent.as_raw_nonzero();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
    Pid::from_raw(children.split_whitespace().last()?.parse().ok()?)
}

/// Ends the claims of a dead process, which would be valid for another 20 seconds.
async fn release_claims(folder: &Folder) {
    eventually("the job is free", async || {
        let Some(config) = embedded::running_config(&folder.data_dir()) else { return false };
        let database = Database::new(config, Options::unlimited(1));
        let Ok(mut session) = database.system_session(Arc::default()).await else { return false };
        session.script("update octavo.import_jobs set claimed_until = now()").await.is_ok()
    })
    .await;
}

/// Uploads a file and has it imported; the id of the job.
async fn start_import(client: &Client, file: Vec<u8>) -> String {
    let wanted = json!({"fileDefinitions": [{"name": "books.mrc", "size": 1}]});
    let path = "/data-import/uploadDefinitions";
    let made = client.post(path, &wanted).await.expect(201).json();
    let path = format!("{path}/{}", made["id"].as_str().unwrap());
    let place = format!("{path}/files/{}", made["fileDefinitions"][0]["id"].as_str().unwrap());
    let sender = client.with("content-type", "application/octet-stream");
    let definition = sender.send("POST", &place, file).await.expect(200).json();
    let profile = json!({"id": PROFILE, "name": "Default", "dataType": "MARC"});
    let body = json!({"uploadDefinition": definition, "jobProfileInfo": profile});
    client.post(&format!("{path}/processFiles"), &body).await.expect(204);
    definition["fileDefinitions"][0]["jobExecutionId"].as_str().unwrap().to_owned()
}

/// None while the server, or its database, is away.
async fn job_state(client: &Client, job: &str) -> Option<Value> {
    let reply = client.attempt("GET", &format!("/change-manager/jobExecutions/{job}"), "").await.ok()?;
    (reply.status == 200).then(|| reply.json())
}

async fn done_records(client: &Client, job: &str) -> usize {
    let state = job_state(client, job).await;
    state.and_then(|job| job["progress"]["current"].as_u64()).map_or(0, |done| usize::try_from(done).unwrap())
}

async fn is_answering(client: &Client) -> bool {
    client.attempt("GET", "/instance-types?limit=0", "").await.is_ok_and(|reply| reply.status == 200)
}

fn number(at: usize) -> String {
    format!("v{at:06}")
}

/// A file of MARC records (ISO 2709), each with a number and a title of its own; some are long.
fn file(count: usize) -> Vec<u8> {
    (0..count).flat_map(|at| record(at).into_bytes()).collect()
}

fn record(at: usize) -> String {
    let note = "It is long. ".repeat(if at.is_multiple_of(97) { 400 } else { 1 });
    let fields = [
        ("001", number(at)),
        ("003", "VEND".to_owned()),
        ("008", "261121s2026    xx            000 0 eng d".to_owned()),
        ("020", format!("  \u{1F}a978{at:010}")),
        ("245", format!("10\u{1F}aTitle {at} :\u{1F}bone of many.")),
        ("500", format!("  \u{1F}a{note}")),
    ];
    let (mut directory, mut data) = (String::new(), String::new());
    for (tag, text) in fields {
        directory.push_str(&format!("{tag}{:04}{:05}", text.len() + 1, data.len()));
        data.push_str(&text);
        data.push('\u{1E}');
    }
    let base = 24 + directory.len() + 1;
    let length = base + data.len() + 1;
    format!("{length:05}nam a22{base:05} i 4500{directory}\u{1E}{data}\u{1D}")
}

async fn assert_each_once(client: &Client, job: &str, count: usize) {
    let summary = client.get(&format!("/metadata-provider/jobSummary/{job}")).await.expect(200).json();
    for part in ["sourceRecordSummary", "instanceSummary"] {
        assert_eq!(summary[part]["totalCreatedEntities"], count, "{summary}");
        assert_eq!(summary[part]["totalErrors"], 0, "{summary}");
    }
    assert_eq!(summary["totalErrors"], 0, "{summary}");
    // The log: every place of the file once, with one instance.
    let log = pages(client, &format!("/metadata-provider/jobLogEntries/{job}?order=asc"), "entries").await;
    let mut instances = BTreeSet::new();
    for (at, entry) in log.iter().enumerate() {
        let place = entry["sourceRecordOrder"].as_str().and_then(|place| place.parse().ok());
        assert_eq!(place, Some(at), "{entry}");
        assert_eq!(entry["sourceRecordActionStatus"], "CREATED", "{entry}");
        let made = entry["relatedInstanceInfo"]["idList"].as_array().unwrap();
        assert_eq!(made.len(), 1, "{entry}");
        instances.insert(made[0].as_str().unwrap().to_owned());
    }
    assert_eq!((log.len(), instances.len()), (count, count));
    // The journal: what was read, made as an instance, and kept as a MARC record, once for each place.
    let journal = client.get(&format!("/metadata-provider/journalRecords/{job}")).await.expect(200).json();
    let mut lines: Vec<(i64, &str, &str)> =
        journal["journalRecords"].as_array().unwrap().iter().map(journal_line).collect();
    lines.sort_unstable();
    let expected = (0..i64::try_from(count).unwrap()).flat_map(|place| {
        [(place, "CREATE", "INSTANCE"), (place, "CREATE", "MARC_BIBLIOGRAPHIC"), (place, "PARSE", "")]
    });
    assert!(lines.iter().copied().eq(expected), "the journal has {} lines", lines.len());
    // The records themselves.
    let stored =
        pages(client, "/instance-storage/instances?query=cql.allRecords=1%20sortBy%20hrid", "instances")
            .await;
    let titles: BTreeSet<&str> = stored.iter().filter_map(|instance| instance["title"].as_str()).collect();
    let numbers: BTreeSet<&str> = stored.iter().filter_map(|instance| instance["hrid"].as_str()).collect();
    assert_eq!((stored.len(), titles.len(), numbers.len()), (count, count, count));
    assert!(stored.iter().all(|instance| instances.contains(instance["id"].as_str().unwrap())));
    let path = format!("/source-storage/records?snapshotId={job}&orderBy=order,ASC");
    let marc = pages(client, &path, "records").await;
    for (at, kept) in marc.iter().enumerate() {
        assert_eq!(kept["rawRecord"]["content"], record(at), "{at}");
        assert_eq!((&kept["generation"], &kept["state"]), (&json!(0), &json!("ACTUAL")));
        let hrid = kept["externalIdsHolder"]["instanceHrid"].as_str().unwrap();
        assert!(
            numbers.contains(hrid)
                && instances.contains(kept["externalIdsHolder"]["instanceId"].as_str().unwrap())
        );
        assert_eq!(kept["parsedRecord"]["content"]["fields"][0], json!({"001": hrid}));
    }
    assert_eq!(marc.len(), count);
}

fn journal_line(line: &Value) -> (i64, &str, &str) {
    let text = |member: &str| line[member].as_str().unwrap_or_default();
    (line["sourceRecordOrder"].as_i64().unwrap(), text("actionType"), text("entityType"))
}

async fn pages(client: &Client, path: &str, collection: &str) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let page = client.get(&format!("{path}&limit={PAGE}&offset={}", all.len())).await.expect(200).json();
        let page = page[collection].as_array().unwrap();
        all.extend(page.iter().cloned());
        if page.len() < PAGE {
            return all;
        }
    }
}

/// SplitMix64: the same moments in every run, as far as the machine has them.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 27)) % limit
    }
}

#[expect(clippy::disallowed_methods, reason = "no setting of Octavo: how long this attack lasts")]
fn kills_wanted() -> usize {
    std::env::var("OCTAVO_IMPORT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}

#[expect(clippy::print_stdout, reason = "a long attack shows what it came to")]
fn print_result(kills: usize, count: usize) {
    println!("{kills} kills in the import of {count} records: each is there once");
}
