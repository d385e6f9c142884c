//! One run: users begin one after the other within the ramp-up, and all end with the duration, or when somebody says so.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::task::LocalSet;
use tokio::time::{Instant as Tick, sleep, timeout_at};

use crate::chance::Chance;
use crate::clock;
use crate::experiment::Load;
use crate::http::Address;
use crate::series::Series;
use crate::workflow::Workflow;

use super::feed::Rows;
use super::record::Recorder;
use super::render::Values;
use super::session::{Login, Session};
use super::user::User;
use super::watch::{Generator, Watch, lateness};

pub(crate) const PREFLIGHT: &str = "OPTIONS (preflights)";
pub(crate) const LOG_IN: &str = "POST /authn/login (log-in)";
/// What is under way at the end may take so long.
const LONGEST_END: Duration = Duration::from_secs(60);

/// Everything that a run stands on.
pub(crate) struct Plan {
    pub(crate) workflow: Workflow,
    pub(crate) values: Values,
    pub(crate) feeders: Vec<Rows>,
    pub(crate) address: Rc<Address>,
    pub(crate) tenant: String,
    /// One for each user, in a ring.
    pub(crate) logins: Vec<Login>,
    pub(crate) load: Load,
    pub(crate) duration: Duration,
    pub(crate) ramp_up: Duration,
    pub(crate) think: f64,
    pub(crate) preflights: bool,
    pub(crate) loops: Option<u64>,
}

pub(crate) struct Outcome {
    pub(crate) recorder: Recorder,
    pub(crate) elapsed: Duration,
    pub(crate) generator: Generator,
    /// Of the generator itself.
    pub(crate) series: Vec<Series>,
    /// What somebody who reads the figures must know.
    pub(crate) notes: Vec<String>,
}

impl Plan {
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        chance.drawn(self.workflow.transactions.iter().map(|transaction| transaction.share))
    }

    pub(super) fn preflight_label(&self) -> usize {
        self.workflow.labels.len()
    }

    pub(super) fn log_in_label(&self) -> usize {
        self.workflow.labels.len() + 1
    }

    pub(super) fn labels(&self) -> Vec<String> {
        let own = [PREFLIGHT, LOG_IN].map(str::to_owned);
        self.workflow.labels.iter().cloned().chain(own).collect()
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.workflow.transactions.iter().map(|one| one.name.clone()).collect()
    }

    pub(super) fn session(&self, number: u32) -> Session {
        let login = match self.logins.as_slice() {
            [] => None,
            logins => Some(logins[number as usize % logins.len()].clone()),
        };
        Session::new(&self.address, &self.tenant, login)
    }
}

/// The end of a run, as its users see it.
#[derive(Clone)]
pub(super) struct Stop {
    inner: Rc<Inner>,
}

struct Inner {
    until: Instant,
    over: tokio::sync::watch::Sender<bool>,
    notes: RefCell<Vec<String>>,
    examples: Cell<usize>,
}

impl Stop {
    pub(super) fn at(until: Instant) -> Stop {
        let inner = Inner {
            until,
            over: tokio::sync::watch::Sender::new(false),
            notes: RefCell::default(),
            examples: Cell::new(0),
        };
        Stop { inner: Rc::new(inner) }
    }

    fn now(&self) {
        self.inner.over.send_replace(true);
    }

    pub(super) fn is_over(&self) -> bool {
        *self.inner.over.borrow() || clock::now() >= self.inner.until
    }

    /// False if the run ends before that.
    pub(super) async fn wait_until(&self, due: Instant) -> bool {
        let due_in_time = due.min(self.inner.until);
        let mut over = self.inner.over.subscribe();
        let ended = timeout_at(Tick::from_std(due_in_time), over.wait_for(|over| *over)).await;
        ended.is_err() && due < self.inner.until
    }

    /// A feeder whose rows are for once has none left: the mix of transactions would be another one from here.
    pub(super) fn ran_out(&self, feeder: &str) {
        if !*self.inner.over.borrow() {
            self.note(format!("the run ended early: the rows of {feeder} ran out"));
            self.now();
        }
    }

    fn note(&self, text: String) {
        let mut notes = self.inner.notes.borrow_mut();
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// A few errors are told whole.
    pub(super) fn example(&self, told: impl FnOnce() -> String) {
        if self.inner.examples.get() < 3 {
            self.inner.examples.set(self.inner.examples.get() + 1);
            self.note(format!("an error: {}", told()));
        }
    }
}

/// Of the open model: when transactions begin, whoever is free to begin them.
pub(super) struct Arrivals {
    next: Cell<Instant>,
    per_second: f64,
    chance: RefCell<Chance>,
}

impl Arrivals {
    /// As of independent people (Poisson).
    pub(super) fn next(&self) -> Instant {
        let due = self.next.get();
        let gap = -(1.0 - self.chance.borrow_mut().share()).ln() / self.per_second;
        self.next.set(due + Duration::from_secs_f64(gap));
        due
    }
}

/// Runs until its end or until `interrupted` is ready, and tells `progress` about once a second.
pub(crate) async fn drive(
    plan: Rc<Plan>,
    interrupted: impl Future<Output = ()>,
    progress: impl Fn(&Recorder, Duration),
) -> Result<Outcome> {
    let began = clock::now();
    let stop = Stop::at(began + plan.duration);
    let recorder = Rc::new(RefCell::new(Recorder::new(began, &plan.labels(), &plan.names())));
    let watch = Rc::new(RefCell::new(Watch::new()));
    let local = LocalSet::new();
    let under_way = Rc::new(Cell::new(0));
    let users = spawn(&local, &plan, &recorder, &stop, &under_way);
    let noted = Rc::clone(&watch);
    local.spawn_local(lateness(move |late| {
        noted.borrow_mut().lateness.saturating_record(u64::try_from(late.as_micros()).unwrap_or(0).max(1));
    }));
    let failed = local
        .run_until(async {
            let all = async {
                for user in users {
                    user.await??;
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
                    _ = stop.wait_until(began + plan.duration) => {}
                }
                stop.now();
                sleep(LONGEST_END).await;
            };
            tokio::select! {
                failed = all => failed,
                () = telling => Ok(()),
                () = last => {
                    stop.note(format!("calls that took longer than {} s after the end were left", LONGEST_END.as_secs()));
                    Ok(())
                }
            }
        })
        .await;
    failed?;
    let (elapsed, generator) = (began.elapsed(), watch.borrow().generator());
    let series = watch.borrow_mut().series();
    drop(local);
    let notes = stop.inner.notes.take();
    let Ok(recorder) = Rc::try_unwrap(recorder) else { bail!("a user is still under way") };
    Ok(Outcome { recorder: recorder.into_inner(), elapsed, generator, series, notes })
}

fn spawn(
    local: &LocalSet,
    plan: &Rc<Plan>,
    recorder: &Rc<RefCell<Recorder>>,
    stop: &Stop,
    under_way: &Rc<Cell<u32>>,
) -> Vec<tokio::task::JoinHandle<Result<()>>> {
    let arrivals = match plan.load {
        Load::Users(_) => None,
        Load::Rate { per_second, .. } => Some(Rc::new(Arrivals {
            next: Cell::new(clock::now()),
            per_second,
            chance: RefCell::new(Chance::new(1)),
        })),
    };
    let users = plan.load.users();
    let began = clock::now();
    (0..users)
        .map(|at| {
            let mut user = User::new(plan, plan.session(at), recorder, stop, at + 1);
            user.arrivals = arrivals.clone();
            let begin = began + plan.ramp_up.mul_f64(f64::from(at) / f64::from(users));
            let (stop, under_way) = (stop.clone(), Rc::clone(under_way));
            local.spawn_local(async move {
                if at > 0 && !stop.wait_until(begin).await && stop.is_over() {
                    return Ok(());
                }
                under_way.set(under_way.get() + 1);
                let walked = user.walk().await;
                under_way.set(under_way.get() - 1);
                walked
            })
        })
        .collect()
}
