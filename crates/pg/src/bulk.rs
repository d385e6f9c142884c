//! Work in bulk, which nobody at a desk waits for, gives way: it runs while the processors have nothing else to do.
//!
//! The threads of its [`runtime`] are those that the system runs last. What is asked of a database there goes over connections
//! of its own, and PostgreSQL's processes behind them give way too, if the server is on this machine, reached through a unix
//! socket, and ours. Nobody else gets such a connection: its answers would be seen only when those threads run.

use std::cell::Cell;
use std::fs;
use std::io;

use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::process::setpriority_process;
use tokio::runtime::{Builder, Runtime};

/// The highest nice value: the system runs such threads after all others.
#[cfg(target_os = "linux")]
const LAST: i32 = 19;

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// The runtime on which work in bulk is spawned. On systems other than Linux its threads have the usual priority.
pub fn runtime() -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.thread_name("bulk").enable_all();
    builder.on_thread_start(|| {
        HERE.set(true);
        give_way(None);
    });
    builder.build()
}

/// Whether this thread is one of the runtime for work in bulk.
pub(crate) fn is_here() -> bool {
    HERE.get()
}

/// Lowers the priority of a PostgreSQL backend, if the listening process has started it and we have the right. A process id alone
/// proves nothing: it may be of another container, and a connection pool uses one backend for other programs as well.
pub(crate) fn give_way_behind(listener: Pid, process: Pid) {
    if parent(process) == Some(listener) {
        give_way(Some(process));
    }
}

/// Lowers the priority of a process, or of this thread if none is named.
#[cfg(target_os = "linux")]
fn give_way(process: Option<Pid>) {
    if let Err(error) = setpriority_process(process, LAST) {
        tracing::debug!(?process, %error, "may not be told to give way");
    }
}

/// Only on Linux: elsewhere the call would lower the priority of the whole program.
#[cfg(not(target_os = "linux"))]
fn give_way(_: Option<Pid>) {}

fn parent(process: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
    // "4711 (postgres) S 4700": a name may have spaces and brackets of its own.
    let (_, behind_the_name) = stat.rsplit_once(')')?;
    Pid::from_raw(behind_the_name.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
