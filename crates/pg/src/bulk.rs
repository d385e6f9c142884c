//! Work in bulk, which nobody at a desk waits for, gives way: it runs while the processors have nothing else to do, and on half of them.
//!
//! The threads of its [`runtime`] are those that the system runs last. Even so a thread at the desk would wait for some milliseconds until one
//! of them has had its turn: the other half of the processors is free of them. What is asked of a database there goes over connections
//! of its own, and PostgreSQL's processes behind them give way too, if the server is on this machine, reached through a unix
//! socket, and ours. Nobody else gets such a connection: its answers would be seen only when those threads run.
//!
//! PostgreSQL's processes give way less than threads: one that has to wait for its turn may hold a lock of the server's, for which
//! processes that answer the desk then wait as well.

use std::cell::Cell;
use std::fs;
use std::io;
#[cfg(target_os = "linux")]
use std::sync::LazyLock;

use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::process::setpriority_process;
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use tokio::runtime::Runtime;

use crate::threads;

/// The nice value of threads, the highest that there is: the system runs them after all others.
const LOWEST_NICE: i32 = 19;

/// The nice value of what the desk may wait for in the end, such as PostgreSQL's processes. Of two threads that want the same processor, one
/// that is so nice gets a quarter of it, the other, at 0, the rest.
pub const BACKGROUND_NICE: i32 = 5;

thread_local! {
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// The runtime on which work in bulk is spawned. On systems other than Linux its threads have the usual priority.
pub fn runtime() -> io::Result<Runtime> {
    let mut builder = threads();
    builder.thread_name("bulk");
    builder.on_thread_start(|| {
        HERE.set(true);
        lower_priority(None, LOWEST_NICE);
        restrict_to_half(None);
    });
    builder.build()
}

/// Whether this thread is one of the runtime for work in bulk.
pub(crate) fn is_bulk_thread() -> bool {
    HERE.get()
}

/// Lowers the priority of a PostgreSQL backend, if the listening process has started it and we have the right. A process id alone
/// proves nothing: it may be of another container, and a connection pool uses one backend for other programs as well.
pub(crate) fn lower_backend_priority(listener: Pid, process: Pid) {
    let Some(stat) = Stat::of_process(process) else { return };
    if stat.parent == Some(listener) {
        lower_priority(Some(process), BACKGROUND_NICE);
        if stat.session == Some(process) {
            lower_session_priority(process);
        }
        restrict_to_half(Some(process));
    }
}

/// Does work of this runtime that somebody waits for on all processors, with the threads that it starts.
pub fn on_all_processors<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_os = "linux")]
    if let (true, Some((all, half))) = (is_bulk_thread(), all_and_half()) {
        restrict_to(None, all);
        let done = work();
        restrict_to(None, half);
        return done;
    }
    work()
}

/// The processors that the program may use, and half of them; nothing if there is only one.
#[cfg(target_os = "linux")]
fn all_and_half() -> Option<&'static (CpuSet, CpuSet)> {
    static PROCESSORS: LazyLock<Option<(CpuSet, CpuSet)>> = LazyLock::new(|| {
        // Those of its first thread.
        let all = sched_getaffinity(Some(rustix::process::getpid())).ok()?;
        let numbers: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&number| all.is_set(number)).collect();
        let mut half = CpuSet::new();
        numbers[numbers.len().div_ceil(2)..].iter().for_each(|&number| half.set(number));
        (numbers.len() > 1).then_some((all, half))
    });
    PROCESSORS.as_ref()
}

/// Keeps a process, or this thread if none is named, to half of the processors.
#[cfg(target_os = "linux")]
fn restrict_to_half(process: Option<Pid>) {
    if let Some((_, half)) = all_and_half() {
        restrict_to(process, half);
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict_to_half(_: Option<Pid>) {}

#[cfg(target_os = "linux")]
fn restrict_to(process: Option<Pid>, processors: &CpuSet) {
    if let Err(error) = sched_setaffinity(process, processors) {
        tracing::debug!(?process, %error, "may not be kept to some processors");
    }
}

/// Where the system schedules sessions against each other (Linux: autogroup), the priority of a process counts within its session only,
/// and each PostgreSQL backend has one of its own.
fn lower_session_priority(process: Pid) {
    let group = format!("/proc/{}/autogroup", process.as_raw_nonzero());
    if let Err(error) = fs::write(group, BACKGROUND_NICE.to_string()) {
        tracing::debug!(?process, %error, "its session may not be told to give way");
    }
}

/// Lowers the priority of a process, or of this thread if none is named.
#[cfg(target_os = "linux")]
fn lower_priority(process: Option<Pid>, nice: i32) {
    if let Err(error) = setpriority_process(process, nice) {
        tracing::debug!(?process, %error, "may not be told to give way");
    }
}

/// Only on Linux: elsewhere the call would lower the priority of the whole program.
#[cfg(not(target_os = "linux"))]
fn lower_priority(_: Option<Pid>, _: i32) {}

/// What Linux tells of a process in `/proc/PID/stat`. A parent or a leader of the session that is outside of this container has no id here:
/// Linux gives 0.
#[derive(Debug, PartialEq)]
struct Stat {
    parent: Option<Pid>,
    session: Option<Pid>,
}

impl Stat {
    fn of_process(process: Pid) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?)
    }

    /// Reads "4711 (postgres) S 4700 4711 4711": state, parent, process group, session. A name may have spaces and brackets of its own.
    fn parse(stat: &str) -> Option<Self> {
        let (_, behind_the_name) = stat.rsplit_once(')')?;
        let mut ids =
            behind_the_name.split_whitespace().skip(1).map(|id| Some(Pid::from_raw(id.parse().ok()?)));
        let [parent, _, session] = [ids.next()??, ids.next()??, ids.next()??];
        Some(Self { parent, session })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
