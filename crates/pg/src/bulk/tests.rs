//! A PostgreSQL process gives way where it may be told to.

use std::process::Command;

use rustix::process::{getpid, getppid, getpriority_process};

use super::*;

#[test]
fn a_process_gives_way_if_the_listener_has_started_it() {
    let mut child = Command::new("sleep").arg("60").spawn().unwrap();
    let process = Pid::from_child(&child);
    let before = getpriority_process(Some(process)).unwrap();
    let [stranger, parent] = [getppid().unwrap(), getpid()];
    let after = [stranger, parent].map(|listener| {
        give_way_behind(listener, process);
        getpriority_process(Some(process)).unwrap()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(after, [before, LAST]);
}
