//! Runs what is due by the clock: claims a timer, calls its handler in process as the system, and writes down how it went.
//!
//! Looks for due timers once a second: the table is small, and a timer that another process was asked to change is then
//! never late by more.

use std::time::Duration;

use octavo_engine::{Body, Claim, Context, Notation, RENEW_SECONDS, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::timers::{Timer, timer, timers};
use tokio::task::JoinSet;

use crate::Server;

/// How many jobs a process runs at once.
const AT_ONCE: usize = 4;
const LOOK: Duration = Duration::from_secs(1);

impl Server {
    /// Runs due timers until `stop` is ready, then lets the jobs in flight finish.
    pub async fn run_timers(self, stop: impl Future<Output = ()>) {
        let timers = timers(self.inner.platform.modules);
        let built = timers.into_iter().filter(|timer| timer.answer.is_some());
        let known: Vec<_> = built.map(|timer| (timer.module, timer.id, timer.schedule)).collect();
        if let Err(fault) = self.inner.platform.timers.start(None, &known).await {
            tracing::error!(%fault, "timers were not started");
        }
        let mut jobs = JoinSet::new();
        tokio::pin!(stop);
        loop {
            while jobs.try_join_next().is_some() {}
            let claimed = if jobs.len() < AT_ONCE { self.claim().await } else { None };
            match claimed {
                Some(claim) => {
                    jobs.spawn(self.clone().run_claimed(claim));
                }
                None => tokio::select! {
                    () = tokio::time::sleep(LOOK) => {}
                    () = &mut stop => break,
                },
            }
        }
        let finish = async { while jobs.join_next().await.is_some() {} };
        if tokio::time::timeout(self.inner.limits.stop_time, finish).await.is_err() {
            tracing::warn!("some jobs did not finish in time and are left to the next start");
        }
    }

    /// Runs one due timer; whether there was one.
    pub async fn run_due_timer(&self) -> bool {
        match self.claim().await {
            Some(claim) => {
                self.clone().run_claimed(claim).await;
                true
            }
            None => false,
        }
    }

    async fn claim(&self) -> Option<Claim> {
        if self.inner.platform.database.disk().is_full() {
            return None;
        }
        self.inner.platform.timers.claim().await.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "due timers cannot be looked for");
            None
        })
    }

    async fn run_claimed(self, claim: Claim) {
        let timer = timer(self.inner.platform.modules, &claim.id);
        let outcome = match &timer {
            Some(timer) => self.call(timer, &claim).await,
            None => Err(Fault::internal("the timer is not known to this version")),
        };
        let told = match &outcome {
            Ok(response) => response.status.to_string(),
            Err(fault) => {
                tracing::error!(tenant = claim.tenant, timer = claim.id, %fault, "a job failed");
                fault.to_string()
            }
        };
        let finished = self
            .inner
            .platform
            .timers
            .finish(&claim, timer.as_ref().map(|timer| &timer.schedule), &told)
            .await;
        if let Err(fault) = finished {
            tracing::warn!(timer = claim.id, %fault, "what a job did cannot be written down");
        }
    }

    /// The job runs in a task of its own, while the claim is renewed.
    async fn call(&self, timer: &Timer, claim: &Claim) -> Outcome<Response> {
        let answer = timer.answer.ok_or_else(|| Fault::internal("the timer's job is not built"))?;
        let request = self.request(timer, claim).await?;
        let mut job = tokio::spawn(answer(request));
        loop {
            tokio::select! {
                done = &mut job => return done.unwrap_or_else(|error| Err(Fault::internal(error))),
                () = tokio::time::sleep(Duration::from_secs(RENEW_SECONDS)) => {
                    self.inner.platform.timers.renew(claim).await?;
                }
            }
        }
    }

    async fn request(&self, timer: &Timer, claim: &Claim) -> Outcome<Request> {
        let now = (self.inner.clock)();
        Ok(Request {
            context: Context::of_the_server(&self.inner.platform, &claim.tenant, now).await?,
            method: timer.method,
            path: timer.path.to_owned(),
            dialect: timer.dialect,
            notation: Notation::COMPACT,
            parameters: Vec::new(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Body::default(),
            client: String::new(),
        })
    }
}
