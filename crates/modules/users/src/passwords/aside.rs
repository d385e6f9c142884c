//! The threads on which passwords are checked. A check takes ten milliseconds of a processor or more and megabytes of memory. So checks run
//! on threads of their own, a few at a time, and a bounded number waits: a flood of log-ins takes neither the memory nor the processors
//! that the desk needs.

use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use octavo_kernel::{Fault, Outcome};
use octavo_pg::bulk::BACKGROUND_NICE;
use rustix::process::setpriority_process;
use rustix::thread::gettid;
use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};
use tokio::time::timeout;

use super::queue::Queue;

const WHEN_IDLE: &str = "password-idle";
const AFTER_OTHERS: &str = "password";

/// How long work may wait for a processor that has nothing else to do.
const IDLE_TIMEOUT: Duration = Duration::from_millis(100);

/// Half of the processors.
static CHECKS: LazyLock<Checks> =
    LazyLock::new(|| Checks::new((thread::available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4)));

pub(super) async fn run_password_work<T>(work: impl Fn() -> T + Send + Sync + 'static) -> Outcome<T>
where
    T: Send + 'static,
{
    CHECKS.run(work).await
}

struct Checks {
    places: Queue,
    /// Threads that run when a processor has nothing else to do.
    when_idle: Semaphore,
}

impl Checks {
    fn new(most: usize) -> Checks {
        Checks { places: Queue::new(most), when_idle: Semaphore::new(most) }
    }

    /// Does the work on a thread that runs only when a processor is idle, so that threads that answer requests never wait for it. If that
    /// thread has not finished within `IDLE_TIMEOUT`, the work starts again on a thread that gets a share of the processors, though a
    /// smaller one than the threads that answer requests. The first thread is not stopped. Until it ends, its place for idle work is taken:
    /// if all such places are taken, other work starts at once on a thread of the second kind.
    async fn run<T>(&'static self, work: impl Fn() -> T + Send + Sync + 'static) -> Outcome<T>
    where
        T: Send + 'static,
    {
        let place = self.places.wait_for_place().await?;
        let work = Arc::new(work);
        if let Ok(idle) = self.when_idle.try_acquire() {
            let done = start_thread((WHEN_IDLE, run_when_idle), Arc::clone(&work), idle)?;
            if let Ok(done) = timeout(IDLE_TIMEOUT, done).await {
                return done.map_err(Fault::internal);
            }
        }
        start_thread((AFTER_OTHERS, run_after_the_desk), work, place)?.await.map_err(Fault::internal)
    }
}

/// Runs work on a new thread. Its place in the queue is free when the work is done, even if nobody waits for the result any more.
fn start_thread<T: Send + 'static>(
    (name, set_priority): (&str, fn()),
    work: Arc<impl Fn() -> T + Send + Sync + 'static>,
    place: SemaphorePermit<'static>,
) -> Outcome<oneshot::Receiver<T>> {
    let (give, done) = oneshot::channel();
    let thread = move || {
        set_priority();
        let result = work();
        drop(place);
        let _ = give.send(result);
    };
    thread::Builder::new().name(name.into()).spawn(thread).map_err(Fault::internal)?;
    Ok(done)
}

// If the operating system allows neither priority, these threads share the processors evenly with all others.

fn run_when_idle() {
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
}

fn run_after_the_desk() {
    let _ = setpriority_process(Some(gettid()), BACKGROUND_NICE);
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc};

    use super::*;

    #[tokio::test]
    async fn work_that_gets_no_processor_begins_anew() {
        let checks: &'static Checks = Box::leak(Box::new(Checks::new(1)));
        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let work = move || {
            let name = thread::current().name().map(str::to_owned);
            // As if no processor had time for it.
            if name.as_deref() == Some(WHEN_IDLE) {
                let _ = held.lock().unwrap().recv();
            }
            name
        };
        assert_eq!(checks.run(work).await.unwrap().as_deref(), Some(AFTER_OTHERS));

        // As long as that thread waits, others do not try.
        assert_eq!(checks.when_idle.available_permits(), 0);
        let named = || thread::current().name().map(str::to_owned);
        assert_eq!(checks.run(named).await.unwrap().as_deref(), Some(AFTER_OTHERS));

        release.send(()).unwrap();
        while checks.when_idle.available_permits() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
