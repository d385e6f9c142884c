//! Runs of the laboratory that are begun at the desk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo};

/// A demo library whose desk may start runs, and who is signed in there.
async fn demo(folder: &Folder) -> (Octavo, Client, PathBuf) {
    let reports = folder.path_of("reports");
    let octavo =
        Octavo::start_with(&folder.data_dir(), &["--demo", "--lab-reports", reports.to_str().unwrap()]);
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    let desk = stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap());
    (octavo, desk, reports)
}

fn run_request(seconds: u32) -> Value {
    json!({
        "experiment": "configuration", "seconds": seconds, "users": 2,
        "tenant": "diku", "username": "diku_admin", "password": "admin",
    })
}

/// Waits for a state of the run that fulfils `enough`, and returns it.
async fn state(desk: &Client, enough: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let state = desk.get("/octavo/lab/running").await.expect(200).json();
        if enough(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not within a minute: {}", desk.get("/octavo/lab/running").await.expect(200).text());
}

fn has_ended(state: &Value) -> bool {
    state["state"] == "done" || state["state"] == "failed"
}

fn is_measuring(state: &Value) -> bool {
    state["lines"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains(" calls, "))
}

async fn mark_library_as_test(desk: &Client) {
    let entry =
        json!({"module": "OCTAVO-LAB", "configName": "test-tenant", "enabled": true, "value": "diku"});
    desk.post("/configurations/entries", &entry).await.expect(201);
}

/// The programs that this server has begun, with their arguments and environment.
fn child_processes(octavo: &Octavo) -> Vec<(PathBuf, String)> {
    let parent = format!("PPid:\t{}\n", octavo.id());
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let ours =
        all.filter(|path| fs::read_to_string(path.join("status")).is_ok_and(|it| it.contains(&parent)));
    let words = |path: &Path, name| {
        String::from_utf8_lossy(&fs::read(path.join(name)).unwrap_or_default()).into_owned()
    };
    ours.map(|path| (path.clone(), words(&path, "cmdline") + &words(&path, "environ")))
        .filter(|(_, words)| words.contains("--attended"))
        .collect()
}

#[tokio::test]
async fn a_run_is_begun_told_of_stopped_and_reported() {
    let folder = Folder::new();
    let (octavo, desk, reports) = demo(&folder).await;

    // A library that is not marked is left alone.
    desk.post("/octavo/lab/runs", &run_request(5)).await.expect(202);
    let ended = state(&desk, has_ended).await;
    assert_eq!(ended["state"], "failed");
    assert!(ended["lines"].to_string().contains("diku is not marked as a test tenant"), "{ended}");

    mark_library_as_test(&desk).await;
    desk.post("/octavo/lab/runs", &run_request(5)).await.expect(202);
    let ended = state(&desk, has_ended).await;
    assert_eq!((&ended["state"], &ended["run"]["experiment"]), (&json!("done"), &json!("configuration")));
    let report = ended["report"].as_str().unwrap();
    let whole = desk.get(&format!("/octavo/lab/runs/{report}")).await.expect(200).json();
    assert_eq!((&whole["interrupted"], &whole["runs"][1]["users"]), (&json!(false), &json!(2)));

    // Of a long one, what ran until it was stopped.
    desk.post("/octavo/lab/runs", &run_request(600)).await.expect(202);
    state(&desk, is_measuring).await;
    desk.post("/octavo/lab/runs", &run_request(5)).await.expect(409);
    let [(path, words)] = &child_processes(&octavo)[..] else { panic!("one program") };
    assert!(!words.contains("admin"), "{words}");
    assert!(!words.contains("PATH="), "{words}");
    let about = fs::read_to_string(path.join("stat")).unwrap();
    assert_eq!(about.rsplit(") ").next().unwrap().split(' ').nth(16), Some("19"), "{about}");
    desk.delete("/octavo/lab/running").await.expect(204);
    let ended = state(&desk, has_ended).await;
    let report = ended["report"].as_str().unwrap();
    let whole = desk.get(&format!("/octavo/lab/runs/{report}")).await.expect(200).json();
    assert_eq!((&whole["interrupted"], whole["runs"].as_array().unwrap().len()), (&json!(true), 1));

    // The server doesn't wait for one, and leaves none behind.
    desk.post("/octavo/lab/runs", &run_request(600)).await.expect(202);
    state(&desk, is_measuring).await;
    let path = child_processes(&octavo)[0].0.clone();
    octavo.stop();
    for _ in 0..100 {
        if !path.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(!path.exists(), "it outlives its server");
    assert!(fs::read_dir(reports).unwrap().count() > 0);
}

#[tokio::test]
async fn without_a_folder_there_are_no_runs() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    let desk = stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap());
    desk.post("/octavo/lab/runs", &run_request(5)).await.expect(404);
    desk.get("/octavo/lab/experiments").await.expect(404);
}
