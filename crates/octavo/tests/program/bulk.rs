//! Timers and patron notices, which the program works on by itself, give way to requests; what requests wait for does not.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use octavo_testkit::eventually;
use serde_json::json;

use crate::octavo::{Folder, Octavo};

/// The name and the nice value of a process or thread, read from its folder in `/proc`.
fn name_and_nice(folder: &Path) -> Option<(String, i32)> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    Some((name.to_owned(), rest.split_whitespace().nth(16)?.parse().ok()?))
}

fn names_and_nices(folder: &Path) -> Vec<(String, i32)> {
    fs::read_dir(folder).unwrap().flatten().filter_map(|entry| name_and_nice(&entry.path())).collect()
}

fn thread_names_and_nices(octavo: &Octavo) -> Vec<(String, i32)> {
    names_and_nices(Path::new(&format!("/proc/{}/task", octavo.id())))
}

#[tokio::test]
async fn timers_and_notices_give_way_to_requests() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    octavo.tenant(&["mod-email-1.17.0"]).await;
    let ours = name_and_nice(Path::new("/proc/self")).unwrap().1;
    let (bulk, others): (Vec<_>, Vec<_>) =
        thread_names_and_nices(&octavo).into_iter().partition(|(name, _)| name == "bulk");
    assert!(!bulk.is_empty() && bulk.iter().all(|(_, nice)| *nice == 19), "{bulk:?}");
    assert!(others.iter().all(|(_, nice)| *nice == ours), "{others:?}");

    let postgres = folder.postgres_pid().unwrap().as_raw_nonzero();
    let children = format!("/proc/{postgres}/task/{postgres}/children");
    eventually("some of PostgreSQL's processes give way, and not all", async || {
        let children = fs::read_to_string(&children).unwrap();
        let folders = children.split_whitespace().map(|id| format!("/proc/{id}"));
        let nice: Vec<i32> =
            folders.filter_map(|folder| Some(name_and_nice(Path::new(&folder))?.1)).collect();
        nice.contains(&5) && nice.contains(&ours)
    })
    .await;
    octavo.stop();
}

#[tokio::test]
async fn the_index_takes_in_changes_as_fast_as_requests_wait_for_it() {
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data_dir());
    let (client, _) = octavo.named_tenant(&["mod-inventory-storage-27.1.3", "mod-search-3.2.6"]).await;
    octavo.stop();
    let derived = folder.data_dir().join("derived");
    assert!(!derived.exists(), "nobody has searched yet");
    octavo = Octavo::start(&folder.data_dir());
    eventually("the program makes the index by itself, before anybody searches", async || derived.exists())
        .await;
    let client = client.to_server(octavo.address).with("content-type", "application/json");
    let types = client.get("/instance-types?limit=1").await.expect(200).json();
    let kind = &types["instanceTypes"][0]["id"];
    eventually("the index answers", async || client.get("/search/instances?query=id=*").await.status == 200)
        .await;
    let title = json!({"title": "Plover", "source": "FOLIO", "instanceTypeId": kind});
    client.post("/instance-storage/instances", &title).await.expect(201);
    eventually("the title is found", async || {
        client.get("/search/instances?query=title=plover").await.expect(200).total() == 1
    })
    .await;
    let ours = name_and_nice(Path::new("/proc/self")).unwrap().1;
    let threads = thread_names_and_nices(&octavo);
    let writers: Vec<_> = threads.iter().filter(|(name, _)| name.starts_with("thrd-tantivy")).collect();
    assert!(!writers.is_empty() && writers.iter().all(|(_, nice)| *nice == ours), "{threads:?}");
    octavo.stop();
}
