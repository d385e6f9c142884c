//! Runs what is due by the clock: claims a timer, calls its handler in process as the system, and writes down how it went.
//!
//! Looks for due timers once a second: the table is small, and a timer that another process was asked to change is then
//! never late by more. A job that has nothing to do rests until it has, or until something changes in its tenant: so tenants in which
//! nothing happens cost next to nothing.

use std::sync::Arc;
use std::time::Duration;

use octavo_engine::{
    Body, Claim, Context, Dialect, Notation, RENEW_SECONDS, Request, Response, RestUntil, Schedule, StopSign,
    Unit,
};
use octavo_kernel::{Fault, Outcome, TenantId, parse_time};
use octavo_modules_base::descriptor::Descriptor;
use octavo_modules_base::outside::{self, SystemCall};
use octavo_modules_base::timers::{
    Job, Timer, outside_module_timers, start_timers, tenant_timers, timers, watched_tables,
};
use octavo_pg::Statement;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Server;

/// How many jobs a process runs at once.
const MAX_JOBS: usize = 4;
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is looked where something has changed for timers that rest.
const WAKE_INTERVAL: Duration = Duration::from_secs(15);
/// After how long the timers of all tenants are started anew where that failed.
const START_PAUSE: Duration = Duration::from_secs(5);
/// When a timer is due again that this version does not know.
const UNKNOWN_TIMER_SCHEDULE: Schedule = Schedule::Every { delay: 1, unit: Unit::Hour };

impl Server {
    /// Runs due timers until `stop` is ready. Jobs that have begun then finish, or end with the batch that they are at and are due again.
    pub async fn run_timers(self, stop: impl Future<Output = ()>) {
        let mut start_at = Some(Instant::now());
        let mut jobs = JoinSet::new();
        let stop_sign = StopSign::default();
        let mut woken = Instant::now();
        tokio::pin!(stop);
        loop {
            if start_at.is_some_and(|at| Instant::now() >= at) {
                start_at = self.start_all_timers().await.err().map(|fault| {
                    tracing::error!(%fault, "timers were not started; trying again after a while");
                    Instant::now() + START_PAUSE
                });
            }
            if woken.elapsed() >= WAKE_INTERVAL {
                woken = Instant::now();
                self.wake_timers().await;
            }
            while jobs.try_join_next().is_some() {}
            // Before each claim: of many tenants, some timer is always due.
            tokio::select! {
                biased;
                () = &mut stop => break,
                () = std::future::ready(()), if jobs.len() < MAX_JOBS => {}
                _ = jobs.join_next() => continue,
            }
            match self.claim_due_timer().await {
                Some(claim) => {
                    jobs.spawn(self.clone().run_claimed(claim, stop_sign.for_work()));
                }
                None => tokio::select! {
                    () = tokio::time::sleep(LOOK_INTERVAL) => {}
                    () = &mut stop => break,
                },
            }
        }
        stop_sign.raise();
        let finish = async { while jobs.join_next().await.is_some() {} };
        if tokio::time::timeout(self.inner.limits.stop_time, finish).await.is_err() {
            tracing::warn!("some jobs did not finish in time and are left to the next start");
        }
    }

    /// Starts the timers of all tenants. Those of modules outside of this process, too: a process that died may have enabled the module and
    /// not started them. A tenant that cannot be read does not keep others from theirs.
    async fn start_all_timers(&self) -> Outcome<()> {
        let platform = &self.inner.platform;
        start_timers(platform, None, &timers(platform.modules)).await?;
        let mut started = Ok(());
        for id in platform.timers.tenants_with_outside_modules().await? {
            let tenant = match platform.tenants.get(&id).await {
                Ok(tenant) => tenant,
                // It was deleted meanwhile.
                Err(fault) if fault.status == 400 => continue,
                Err(fault) => {
                    started = Err(fault);
                    continue;
                }
            };
            let timers: Vec<Timer> =
                outside::modules(&tenant).iter().flat_map(outside_module_timers).collect();
            started = start_timers(platform, Some(&tenant.id), &timers).await.and(started);
        }
        started
    }

    /// Runs one due timer; whether there was one.
    pub async fn run_due_timer(&self) -> bool {
        match self.claim_due_timer().await {
            Some(claim) => {
                self.clone().run_claimed(claim, StopSign::default()).await;
                true
            }
            None => false,
        }
    }

    async fn claim_due_timer(&self) -> Option<Claim> {
        if self.inner.platform.database.disk().is_full() {
            return None;
        }
        let platform = &self.inner.platform;
        platform.timers.claim(&watched_tables(platform.modules)).await.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "due timers cannot be looked for");
            None
        })
    }

    /// Has timers that rest run again where something has changed.
    pub async fn wake_timers(&self) {
        let platform = &self.inner.platform;
        if let Err(fault) = platform.timers.wake(&watched_tables(platform.modules)).await {
            tracing::warn!(%fault, "timers that rest cannot be woken");
        }
    }

    /// For how long the timer may rest after a job that went well.
    async fn rest_time(&self, timer: &Timer, claim: &Claim) -> Outcome<Option<RestUntil>> {
        let Some(rest) = timer.rest else { return Ok(None) };
        let now = (self.inner.shared.clock)();
        let context = Context::for_server_task(&self.inner.platform, &claim.tenant, now).await?;
        let mut session = context.session().await?;
        let until: Option<Option<String>> = session.read(Statement::new(rest.until_sql)).await?;
        Ok(match until.flatten() {
            None => Some(RestUntil(None)),
            Some(until) => parse_time(&until).map(|until| RestUntil(Some(until))),
        })
    }

    async fn run_claimed(self, claim: Claim, stop_sign: StopSign) {
        let timer = match self.find_timer(&claim).await {
            Ok(timer) => timer,
            Err(fault) => {
                // The claim runs out, and the timer is due again.
                tracing::warn!(tenant = claim.tenant, timer = claim.id, %fault, "a timer's tenant cannot be read");
                return;
            }
        };
        let outcome = match &timer {
            Some(timer) => self.run_job(timer, &claim, &stop_sign).await.map(|response| response.status),
            None => Err(Fault::internal("the timer is not known to this version")),
        };
        let timers = &self.inner.platform.timers;
        if outcome.is_ok() && stop_sign.has_left_work() {
            if let Err(fault) = timers.give_back(&claim).await {
                tracing::warn!(timer = claim.id, %fault, "a job that was stopped is due again only when its claim has run out");
            }
            return;
        }
        let told = match &outcome {
            Ok(status) => status.to_string(),
            Err(fault) => {
                tracing::error!(tenant = claim.tenant, timer = claim.id, %fault, "a job failed");
                fault.to_string()
            }
        };
        let nap = match (&timer, &outcome) {
            (Some(timer), Ok(200..300)) => self.rest_time(timer, &claim).await.unwrap_or_else(|fault| {
                tracing::warn!(timer = claim.id, %fault, "a timer does not rest");
                None
            }),
            _ => None,
        };
        // Another release may know the timer.
        let schedule = timer.as_ref().map_or(&UNKNOWN_TIMER_SCHEDULE, |timer| &timer.schedule);
        let finished = timers.finish(&claim, schedule, nap, &told).await;
        if let Err(fault) = finished {
            tracing::warn!(timer = claim.id, %fault, "what a job did cannot be written down");
        }
    }

    /// `None` if this version does not know the timer.
    async fn find_timer(&self, claim: &Claim) -> Outcome<Option<Timer>> {
        let platform = &self.inner.platform;
        let tenant = platform.tenants.get(&claim.tenant).await?;
        Ok(tenant_timers(platform.modules, &tenant).into_iter().find(|timer| timer.id == claim.id))
    }

    /// The job runs in a task of its own, while the claim is renewed.
    async fn run_job(&self, timer: &Timer, claim: &Claim, stop_sign: &StopSign) -> Outcome<Response> {
        let mut job = match &timer.job {
            Job::NotBuilt => return Err(Fault::internal("the timer's job is not built")),
            Job::BuiltIn(answer, dialect) => {
                let mut request = self.job_request(timer, *dialect, claim).await?;
                request.context.platform.stop_sign = stop_sign.clone();
                tokio::spawn(answer(request))
            }
            Job::Outside(module, number) => {
                tokio::spawn(self.clone().call_outside(Arc::clone(module), *number, claim.tenant.clone()))
            }
        };
        loop {
            tokio::select! {
                done = &mut job => return done.unwrap_or_else(|error| Err(Fault::internal(error))),
                () = tokio::time::sleep(Duration::from_secs(RENEW_SECONDS)) => {
                    // The job goes on: the database may have been away for a moment.
                    if let Err(fault) = self.inner.platform.timers.renew(claim).await {
                        tracing::warn!(timer = claim.id, %fault, "the claim of a job was not renewed");
                    }
                }
            }
        }
    }

    async fn call_outside(self, module: Arc<Descriptor>, number: usize, tenant: String) -> Outcome<Response> {
        let platform = &self.inner.platform;
        let interface = module.system_interface("_timer");
        let entry = interface.and_then(|interface| interface.routes().get(number));
        let entry = entry.ok_or_else(|| Fault::internal("the module has no such timer"))?;
        let method = entry.methods.iter().flatten().find(|method| *method != "*");
        let call = SystemCall {
            tenant: &TenantId::parse(&tenant)?,
            module: &module,
            entry,
            method: method.map_or("POST", String::as_str),
            path: entry.static_path(),
            body: String::new(),
            now: (self.inner.shared.clock)().as_second(),
            time_limit: platform.settings.module_timeout,
            instance_url: None,
        };
        let (answered, _) = call.send(platform).await?;
        Ok(Response::text(answered.status, ""))
    }

    async fn job_request(&self, timer: &Timer, dialect: Dialect, claim: &Claim) -> Outcome<Request> {
        let now = (self.inner.shared.clock)();
        Ok(Request {
            context: Context::for_server_task(&self.inner.platform, &claim.tenant, now).await?,
            method: timer.method,
            path: timer.path.to_string(),
            dialect,
            notation: Notation::COMPACT,
            parameters: Vec::new(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Body::default(),
            client: String::new(),
        })
    }
}
