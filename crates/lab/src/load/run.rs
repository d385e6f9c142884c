//! One run of a test. Users start one after the other within the ramp-up; all stop at the end of the duration, or when the run is
//! interrupted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::sleep;

use crate::chance::SeededRandom;
use crate::clock;
use crate::series::Series;

use super::plan::Plan;
use super::record::Recorder;
use super::stop::{Arrivals, RunEnd};
use super::user::User;
use super::watch::{Generator, GeneratorWatch, measure_lateness};

/// How long calls that are under way at the end of a run are waited for.
const LONGEST_WAIT_AT_END: Duration = Duration::from_secs(60);

pub(crate) struct Outcome {
    pub(crate) recorder: Recorder,
    pub(crate) elapsed: Duration,
    pub(crate) generator: Generator,
    /// Series about the generator itself.
    pub(crate) series: Vec<Series>,
    /// Remarks that a reader of the figures must know.
    pub(crate) notes: Vec<String>,
}

/// Runs on one thread: the generator of load shall leave the other cores to those who are measured.
pub fn on_one_thread<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Runs the load until its end or until `interrupted` completes. Calls `progress` about once a second.
pub(crate) async fn run_load(
    plan: Rc<Plan>,
    interrupted: impl Future<Output = ()>,
    progress: impl Fn(&Recorder, Duration),
) -> Result<Outcome> {
    let began = clock::now();
    let stop = RunEnd::at(began + plan.test.duration);
    let recorder = Rc::new(RefCell::new(Recorder::new(began, &plan.labels(), &plan.transaction_names())));
    let watch = Rc::new(RefCell::new(GeneratorWatch::new()));
    let local = LocalSet::new();
    let under_way = Rc::new(Cell::new(0));
    let mut users = spawn_users(&local, &plan, &recorder, &stop, &under_way);
    let noted = Rc::clone(&watch);
    local.spawn_local(measure_lateness(move |late| {
        noted.borrow_mut().lateness.saturating_record(u64::try_from(late.as_micros()).unwrap_or(0).max(1));
    }));
    let failed = local
        .run_until(async {
            // One who cannot log in ends the run at once: it would not be the load that was asked for.
            let all = async {
                while let Some(user) = users.join_next().await {
                    user??;
                }
                anyhow::Ok(())
            };
            let telling = async {
                loop {
                    sleep(Duration::from_secs(1)).await;
                    watch.borrow_mut().sample(under_way.get());
                    progress(&recorder.borrow(), began.elapsed());
                }
            };
            let last = async {
                tokio::select! {
                    () = interrupted => stop.note("interrupted: this is what had run".to_owned()),
                    _ = stop.wait_until(began + plan.test.duration) => {}
                }
                stop.end_now();
                sleep(LONGEST_WAIT_AT_END).await;
            };
            tokio::select! {
                failed = all => failed,
                () = telling => Ok(()),
                () = last => {
                    stop.note(format!("calls that took longer than {} s after the end were left", LONGEST_WAIT_AT_END.as_secs()));
                    Ok(())
                }
            }
        })
        .await;
    failed?;
    let (elapsed, generator) = (began.elapsed(), watch.borrow().to_generator());
    let series = watch.borrow_mut().take_series();
    drop(local);
    let notes = stop.take_notes();
    let Ok(recorder) = Rc::try_unwrap(recorder) else { bail!("a user is still under way") };
    Ok(Outcome { recorder: recorder.into_inner(), elapsed, generator, series, notes })
}

fn spawn_users(
    local: &LocalSet,
    plan: &Rc<Plan>,
    recorder: &Rc<RefCell<Recorder>>,
    stop: &RunEnd,
    under_way: &Rc<Cell<u32>>,
) -> JoinSet<Result<()>> {
    let arrivals = |rate| Rc::new(Arrivals::new(clock::now(), rate, SeededRandom::new(1)));
    let arrivals = plan.test.load.rate().map(arrivals);
    let users = plan.test.load.users();
    let began = clock::now();
    let mut all = JoinSet::new();
    for at in 0..users {
        let mut user = User::new(plan, plan.new_session(at), recorder, stop, at + 1);
        user.arrivals = arrivals.clone();
        let begin = began + plan.test.ramp_up.mul_f64(f64::from(at) / f64::from(users));
        let (stop, under_way) = (stop.clone(), Rc::clone(under_way));
        let walking = async move {
            if at > 0 && !stop.wait_until(begin).await && stop.is_over() {
                return Ok(());
            }
            under_way.set(under_way.get() + 1);
            let walked = user.run_transactions().await;
            under_way.set(under_way.get() - 1);
            walked
        };
        all.spawn_local_on(walking, local);
    }
    all
}
