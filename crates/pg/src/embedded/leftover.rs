//! What a killed Octavo leaves behind: a server that still runs, or the traces of one that does not.
//!
//! The data folder's lock is held by now, so a server found on the cluster is nobody's, and is stopped: a fresh start is
//! simpler to trust than a server that someone else configured. A process id alone proves nothing (the machine may have
//! given it to another process since), so none is signalled before its command line names this cluster.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::error::{EmbeddedError, io_error};
use super::folder::DataFolder;
use super::settings::PORT;

const POLL: Duration = Duration::from_millis(50);

/// How long a process that was killed may take to be gone.
const POLLS: u32 = 100;

/// The signals that stop a server, the gentlest first, and how many polls to wait after each.
const STOP_SIGNALS: &[(Signal, u32)] = &[
    (Signal::INT, 600),  // fast: roll back, write a checkpoint
    (Signal::QUIT, 200), // immediate: recover at the next start
    (Signal::KILL, 100),
];

/// Ends a server that runs on the cluster and clears away what would keep the next from starting.
pub(super) async fn stop_leftover_server(data: &DataFolder) -> Result<(), EmbeddedError> {
    let cluster = data.cluster();
    let pid_file = cluster.join("postmaster.pid");
    let pid = recorded_pid(&pid_file);
    if let Some(pid) = pid.filter(|&pid| is_server_of(pid, &cluster)) {
        tracing::warn!(
            pid = pid.as_raw_nonzero().get(),
            "stopping the PostgreSQL that an earlier Octavo left running"
        );
        stop_server(pid, &cluster).await?;
    }
    let still_running = || EmbeddedError::StillRunning {
        cluster: cluster.clone(),
        pid: pid.map(|pid| pid.as_raw_nonzero().get()),
    };
    // Shared between containers, a folder can have a server whose process cannot be seen from here; its socket can.
    let socket = data.usual_socket_folder().join(format!(".s.PGSQL.{PORT}"));
    if UnixStream::connect(socket).is_ok() {
        return Err(still_running());
    }
    // PostgreSQL itself sorts out a file whose process is gone. It cannot tell a stranger with the same id.
    if recorded_pid(&pid_file).is_some_and(|pid| test_kill_process(pid).is_ok()) {
        fs::remove_file(&pid_file).map_err(io_error("cannot remove", &pid_file))?;
    }
    Ok(())
}

/// The first line of `postmaster.pid`; a negative id stands for a stand-alone backend, which Octavo never runs.
pub(super) fn recorded_pid(pid_file: &Path) -> Option<Pid> {
    let text = fs::read_to_string(pid_file).ok()?;
    let number: i32 = text.lines().next()?.trim().parse().ok()?;
    Pid::from_raw(number.max(0))
}

async fn stop_server(pid: Pid, cluster: &Path) -> Result<(), EmbeddedError> {
    for &(signal, polls) in STOP_SIGNALS {
        let _ = kill_process(pid, signal);
        for _ in 0..polls {
            if !is_server_of(pid, cluster) {
                return Ok(());
            }
            tokio::time::sleep(POLL).await;
        }
    }
    Err(EmbeddedError::StillRunning { cluster: cluster.to_owned(), pid: Some(pid.as_raw_nonzero().get()) })
}

/// Whether the process is a postmaster on this cluster, by its command line.
fn is_server_of(pid: Pid, cluster: &Path) -> bool {
    let number = pid.as_raw_nonzero();
    let cluster = cluster.as_os_str().as_encoded_bytes();
    if let Ok(line) = fs::read(format!("/proc/{number}/cmdline")) {
        let mut words = line.split(|&byte| byte == 0);
        let is_postgres = words.next().is_some_and(|program| program.ends_with(b"postgres"));
        return is_postgres && words.any(|word| word == cluster);
    }
    // No /proc: not Linux.
    let listed = Command::new("ps").args(["-ww", "-o", "args=", "-p", &number.to_string()]).output();
    listed.is_ok_and(|listed| names(&listed.stdout, cluster))
}

/// Whether `ps` shows the command line of a postmaster on the cluster: its path is the whole argument.
fn names(listed: &[u8], cluster: &[u8]) -> bool {
    let wanted = [&b"postgres -D "[..], cluster].concat();
    let mut places = (0..listed.len()).filter_map(|at| listed[at..].strip_prefix(wanted.as_slice()));
    places.any(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Ends the initdb that an earlier Octavo left at work on a folder, and waits until it is gone: it and the servers that it
/// starts name the folder in their command lines or work in it. Seen on Linux only.
pub(super) fn end_initdb(folder: &Path) {
    for _ in 0..POLLS {
        let left = initdb_processes(folder);
        if left.is_empty() {
            return;
        }
        for pid in left {
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(POLL);
    }
}

fn initdb_processes(folder: &Path) -> Vec<Pid> {
    let named = folder.as_os_str().as_encoded_bytes();
    processes(|process| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let mut words = line.split(|&byte| byte == 0);
        let program = words.next().unwrap_or_default();
        let is_postgres = [&b"initdb"[..], b"postgres"].iter().any(|name| program.ends_with(name));
        is_postgres && (words.any(|word| word == named) || has_working_folder(process, folder))
    })
}

/// The processes whose folders under `/proc` satisfy a condition; none where there is no `/proc`.
fn processes(is_wanted: impl Fn(&Path) -> bool) -> Vec<Pid> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let wanted = all.filter(|process| is_wanted(process));
    wanted.filter_map(|process| Pid::from_raw(process.file_name()?.to_str()?.parse().ok()?)).collect()
}

fn has_working_folder(process: &Path, folder: &Path) -> bool {
    fs::read_link(process.join("cwd")).is_ok_and(|place| place == folder)
}

/// Ends processes that a killed server left at work: they keep its shared memory in use, and no new server starts before they let go. To be
/// called with no server on the cluster. Works on Linux only; elsewhere they end with their query.
pub(super) fn end_orphans(cluster: &Path) {
    let is_postgres = |process: &Path| fs::read(process.join("comm")).is_ok_and(|name| name == b"postgres\n");
    for pid in processes(|process| has_working_folder(process, cluster) && is_postgres(process)) {
        tracing::warn!(pid = pid.as_raw_nonzero().get(), "ending a PostgreSQL process whose server is gone");
        let _ = kill_process(pid, Signal::QUIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_with_the_same_process_id_is_no_server() {
        let ourselves = rustix::process::getpid();
        assert!(!is_server_of(ourselves, Path::new("/")));
    }

    #[test]
    fn a_server_on_another_cluster_is_a_stranger() {
        for (listed, serves) in [
            ("/usr/bin/postgres -D /x/postgres -c port=1\n", true),
            ("postgres -D /x/postgres\n", true),
            ("postgres -D /x/postgres", true),
            ("postgres -D /x/postgres2 -c port=1\n", false),
            ("postgres -D /y/x/postgres\n", false),
            ("less /x/postgres\n", false),
            ("", false),
        ] {
            assert_eq!(names(listed.as_bytes(), b"/x/postgres"), serves, "{listed}");
        }
    }

    #[test]
    fn the_process_id_is_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("postmaster.pid");
        for (text, pid) in [("4711\n/data\n", Some(4711)), ("-4711\n", None), ("", None), ("x", None)] {
            fs::write(&file, text).unwrap();
            let read = recorded_pid(&file).map(|pid| pid.as_raw_nonzero().get());
            assert_eq!(read, pid, "{text:?}");
        }
    }
}
