//! Installations and upgrades as jobs, which the database stores: `/_/proxy/tenants/{t}/install`, with `async=true` in the background
//! (Okapi 5.3.0).

use std::sync::Arc;
use std::time::Duration;

use octavo_engine::{Context, Platform, Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement, Usage};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::catalogue::Modules;
use super::descriptors;
use super::exchange::exchange_module;
use super::parameters::Options;
use super::resolution::{Action, Stage, TenantModule};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Job {
    pub(super) id: String,
    pub(super) complete: bool,
    start_date: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_date: Option<String>,
    pub(super) modules: Vec<TenantModule>,
}

/// How often a running job renews its row in the database. A job that has not done so for three times as long has ended with its server.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(20);
/// The most jobs of a tenant that are kept: older ones that are complete go.
const MAX_JOBS: i64 = 100;

impl Job {
    pub(super) fn new(context: &Context, modules: Vec<TenantModule>) -> Job {
        let modules = modules.into_iter().map(|one| TenantModule { stage: Some(Stage::Pending), ..one });
        Job {
            id: context.fresh_id().to_string(),
            complete: false,
            start_date: context.now_text(),
            end_date: None,
            modules: modules.collect(),
        }
    }

    /// Runs the job step by step. Without `ignoreErrors` it ends at the first step that fails.
    pub(super) async fn run(
        mut self,
        context: Context,
        available: Modules,
        options: Options,
    ) -> Outcome<Job> {
        let platform = context.platform.clone();
        let mut outcome = Ok(());
        for at in 0..self.modules.len() {
            self.modules[at].stage = Some(Stage::Invoke);
            self.update(&platform).await?;
            let step = run_step(&context, &available, &self.modules[at], &options);
            match self.run_with_heartbeat(&platform, step).await {
                Ok(()) => self.modules[at].stage = Some(Stage::Done),
                Err(fault) => {
                    tracing::warn!(module = self.modules[at].id, %fault, "a module was not installed");
                    self.modules[at].message = Some(fault.body.render());
                    if !options.ignore_errors {
                        outcome = Err(fault);
                        break;
                    }
                }
            }
        }
        self.complete = true;
        self.end_date = Some(octavo_kernel::folio_time(now(&platform).await?));
        self.update(&platform).await?;
        outcome.map(|()| self)
    }

    /// The modules of the job as the answer to an installation lists them: without their stages.
    pub(super) fn reported_modules(&self) -> Vec<TenantModule> {
        self.modules.iter().map(|one| TenantModule { stage: None, ..one.clone() }).collect()
    }

    /// Runs a step, and renews the job's row meanwhile to show that the job still runs.
    async fn run_with_heartbeat<T>(
        &self,
        platform: &Platform,
        step: impl Future<Output = Outcome<T>>,
    ) -> Outcome<T> {
        let mut step = std::pin::pin!(step);
        loop {
            tokio::select! {
                done = &mut step => return done,
                () = tokio::time::sleep(HEARTBEAT_INTERVAL) => self.update(platform).await?,
            }
        }
    }

    pub(super) async fn insert(&self, platform: &Platform, tenant: &Tenant) -> Outcome<()> {
        let tenant = tenant.id.as_str();
        let add = Statement::new(ADD).text(&self.id).text(tenant).text(self.to_json_text()?);
        let tidy = Statement::new(TIDY).text(tenant).long(MAX_JOBS);
        system_session(platform).await?.transaction(vec![add, tidy]).await?;
        Ok(())
    }

    async fn update(&self, platform: &Platform) -> Outcome<()> {
        let keep =
            Statement::new(KEEP).text(&self.id).text(self.to_json_text()?).text(self.complete.to_string());
        system_session(platform).await?.rows(keep).await?;
        Ok(())
    }

    fn to_json_text(&self) -> Outcome<String> {
        serde_json::to_string(self).map_err(Fault::internal)
    }

    fn read((text, ended): (String, bool)) -> Outcome<Job> {
        let mut job: Job = serde_json::from_str(&text).map_err(Fault::internal)?;
        if ended && !job.complete {
            job.complete = true;
            let left = job.modules.iter_mut().filter(|one| one.stage != Some(Stage::Done));
            for one in left.filter(|one| one.message.is_none()) {
                one.message = Some("The server ended before this was done".to_owned());
            }
        }
        Ok(job)
    }
}

async fn run_step(
    context: &Context,
    available: &Modules,
    one: &TenantModule,
    options: &Options,
) -> Outcome<()> {
    let module = |id: &str| available.get(id);
    match one.action {
        Some(Action::Enable) => {
            let from = one.from.as_deref().and_then(module);
            exchange_module(context, from, module(&one.id), options).await
        }
        Some(Action::Disable) => exchange_module(context, module(&one.id), None, options).await,
        _ => Ok(()),
    }
}

/// The time of the database's clock, because a job may run long after its request.
async fn now(platform: &Platform) -> Outcome<jiff::Timestamp> {
    let now: Option<i64> = system_session(platform).await?.read(Statement::new(NOW)).await?;
    jiff::Timestamp::from_millisecond(now.unwrap_or_default()).map_err(Fault::internal)
}

async fn system_session(platform: &Platform) -> Outcome<Session> {
    Ok(platform.database.system_session(Arc::<Usage>::default()).await?)
}

async fn find_jobs(request: &Request) -> Outcome<Vec<Job>> {
    let tenant = descriptors::tenant(request).await?;
    let id = request.parameters.get(1).map(String::as_str);
    let find = Statement::new(FIND).text(tenant.id.as_str()).maybe_text(id);
    let rows: Vec<(String, bool)> = system_session(&request.context.platform).await?.read(find).await?;
    let jobs: Vec<Job> = rows.into_iter().map(Job::read).collect::<Outcome<_>>()?;
    match id {
        Some(id) if jobs.is_empty() => Err(Fault::not_found_with(id)),
        _ => Ok(jobs),
    }
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    Ok(Response::json(200, &json!(find_jobs(&request).await?)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    Ok(Response::json(200, &json!(find_jobs(&request).await?.first())))
}

/// Removes one job that is complete, or all that are.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let jobs = find_jobs(&request).await?;
    let is_one = request.parameters.len() > 1;
    if let Some(job) = jobs.iter().find(|job| is_one && !job.complete) {
        return Err(Fault::bad_request(format!("Cannot delete non-completed job {}", job.id)));
    }
    let ids = jobs.into_iter().filter(|job| job.complete).map(|job| job.id).collect();
    system_session(&request.context.platform).await?.rows(Statement::new(REMOVE).texts(ids)).await?;
    Ok(Response::no_content())
}

const ADD: &str = "insert into octavo.install_jobs (id, tenant, job, complete) values ($1, $2, $3, false)";
const TIDY: &str = "\
delete from octavo.install_jobs
where id in (
  select id
  from octavo.install_jobs
  where tenant = $1 and complete
  order by begun desc
  offset $2::int8
)";
const KEEP: &str = "\
update octavo.install_jobs
set job = $2, complete = $3::text::boolean, renewed = now()
where id = $1";
const FIND: &str = "\
select job, complete or renewed < now() - interval '60 seconds'
from octavo.install_jobs
where tenant = $1 and ($2::text is null or id = $2)
order by begun, id";
const REMOVE: &str = "delete from octavo.install_jobs where id = any($1)";
const NOW: &str = "select (extract(epoch from now()) * 1000)::int8";

octavo_pg::statements!(other = [ADD, TIDY, KEEP, FIND, REMOVE, NOW]);
