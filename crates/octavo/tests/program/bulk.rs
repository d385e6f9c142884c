//! Timers and patron notices, which the program works on by itself, give way to requests.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use octavo_testkit::eventually;

use crate::octavo::{Folder, Octavo};

/// Of a process or a thread, by its folder: its name and its nice value.
fn name_and_nice(folder: &Path) -> Option<(String, i32)> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    Some((name.to_owned(), rest.split_whitespace().nth(16)?.parse().ok()?))
}

fn within(folder: &Path) -> Vec<(String, i32)> {
    fs::read_dir(folder).unwrap().flatten().filter_map(|entry| name_and_nice(&entry.path())).collect()
}

#[tokio::test]
async fn timers_and_notices_give_way_to_requests() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data());
    octavo.tenant(&["mod-email-1.17.0"]).await;
    let ours = name_and_nice(Path::new("/proc/self")).unwrap().1;
    let threads = within(Path::new(&format!("/proc/{}/task", octavo.id())));
    let (bulk, others): (Vec<_>, Vec<_>) = threads.into_iter().partition(|(name, _)| name == "bulk");
    assert!(!bulk.is_empty() && bulk.iter().all(|(_, nice)| *nice == 19), "{bulk:?}");
    assert!(others.iter().all(|(_, nice)| *nice == ours), "{others:?}");

    let postgres = folder.postgres().unwrap().as_raw_nonzero();
    let children = format!("/proc/{postgres}/task/{postgres}/children");
    eventually("some of PostgreSQL's processes give way, and not all", async || {
        let children = fs::read_to_string(&children).unwrap();
        let folders = children.split_whitespace().map(|id| format!("/proc/{id}"));
        let nice: Vec<i32> =
            folders.filter_map(|folder| Some(name_and_nice(Path::new(&folder))?.1)).collect();
        nice.contains(&19) && nice.contains(&ours)
    })
    .await;
    octavo.stop();
}
