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
        lower_backend_priority(listener, process);
        getpriority_process(Some(process)).unwrap()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(after, [before, BACKGROUND_NICE]);
}

#[test]
fn a_parent_or_session_outside_of_the_container_has_no_id() {
    let stat =
        |parent, session| Some(Stat { parent: Pid::from_raw(parent), session: Pid::from_raw(session) });
    for (text, expected) in [
        ("4711 (postgres) S 4700 4711 4711 0 -1", stat(4700, 4711)),
        ("4711 (a (b) c) R 4700 4711 4699 0 -1", stat(4700, 4699)),
        ("4711 (postgres) S 0 0 0 0 -1", Some(Stat { parent: None, session: None })),
        ("4711 (postgres) S 4700", None),
        ("", None),
    ] {
        assert_eq!(Stat::parse(text), expected, "{text}");
    }
}
