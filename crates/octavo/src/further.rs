//! Serves the tenants of further databases, next to those of the first database. They are also served while the first database cannot be
//! reached.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use octavo_engine::migrations::{self, Unusable};
use octavo_engine::places::TenantDirectory;
use octavo_engine::{Laboratory, Platform};
use octavo_gateway::Server;
use octavo_modules::MODULES;
use octavo_pg::{Database, DbError};
use tokio::runtime::Handle;
use tokio::sync::watch::Receiver;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::config::Settings;
use crate::databases::{bring_up_to_date, unusable_error};
use crate::start;

/// The pause before a database that could not be opened is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// How often the tables that belong to no tenant are copied from the first database.
const MIRROR_INTERVAL: Duration = Duration::from_secs(5);
/// How long a starting server waits for further databases before it serves the tenants of those that are ready.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the platform of the first database. If that cannot be reached, it is also returned as a database that is away: its tenants are
/// to be served when [`serve_first`] has migrated it, and those of the other databases are served without it.
pub(crate) async fn first_platform(
    settings: &Settings,
    database: Database,
    places: &Arc<TenantDirectory>,
    (laboratory, in_bulk): (Option<Laboratory>, &Handle),
) -> Result<(Platform, Option<Database>)> {
    let away = match migrations::prepare(&database, MODULES).await {
        Ok(()) => None,
        Err(Unusable::Database(why @ (DbError::Away(_) | DbError::Lost(_) | DbError::Silent))) => {
            tracing::error!(%why, "the first database is away: only tenants of others are served");
            Some(database.clone())
        }
        Err(why) => return Err(unusable_error(why)),
    };
    let platform = start::platform_without_migration(settings, database, laboratory, in_bulk)?;
    Ok((platform.with_directory(Arc::clone(places)), away))
}

/// Runs the tasks of the first database until the server stops. If the database is away, it is migrated first, as soon as it can be
/// reached, and its tenants are served from then on.
pub(crate) async fn serve_first(
    server: Server,
    away: Option<Database>,
    in_bulk: Handle,
    mut ended: Receiver<()>,
) -> Result<()> {
    if let Some(database) = away {
        tokio::select! {
            () = prepare_when_back(&database) => {}
            _ = ended.changed() => return Ok(()),
        }
        server.set_ready(true);
        tracing::info!("the first database is back");
    }
    let tasks = DatabaseTasks::begin(server, &in_bulk, &ended);
    let _ = ended.changed().await;
    tasks.end().await
}

/// Migrates a database as soon as it can be reached and this program can use it.
async fn prepare_when_back(database: &Database) {
    let mut said = String::new();
    while let Err(why) = migrations::prepare(database, MODULES).await {
        let why = format!("{:#}", unusable_error(why));
        if why != said {
            tracing::error!(%why, "the first database is not ready; it is tried again");
        }
        said = why;
        sleep(RETRY_INTERVAL).await;
    }
}

/// What a server does for its database beside requests.
struct DatabaseTasks {
    beside: JoinSet<()>,
    timers: JoinHandle<()>,
    relay: JoinHandle<()>,
}

impl DatabaseTasks {
    fn begin(server: Server, in_bulk: &Handle, ended: &Receiver<()>) -> DatabaseTasks {
        let stopped = |mut ended: Receiver<()>| async move {
            // The channel sends no value: it only closes when the sender is dropped.
            let _ = ended.changed().await;
        };
        let platform = server.platform();
        let mut beside = JoinSet::new();
        for started in platform.modules.iter().filter_map(|module| module.on_server_start) {
            beside.spawn_on(started(platform.clone()), in_bulk);
        }
        DatabaseTasks {
            beside,
            timers: in_bulk.spawn(server.clone().run_timers(stopped(ended.clone()))),
            relay: in_bulk.spawn(server.run_relay(stopped(ended.clone()))),
        }
    }

    /// Waits for the tasks, after the server has stopped. Unfinished work is done after the next start.
    async fn end(mut self) -> Result<()> {
        self.beside.shutdown().await;
        self.timers.await?;
        self.relay.await?;
        Ok(())
    }
}

/// The tasks that run for the further databases.
#[derive(Default)]
pub(crate) struct FurtherDatabases(Vec<JoinHandle<()>>);

impl FurtherDatabases {
    /// Serves the tenants of every further database as soon as it is ready; waits a while for those that are away.
    pub(crate) async fn begin(
        server: &Server,
        places: &Arc<TenantDirectory>,
        in_bulk: &Handle,
        ended: Receiver<()>,
    ) -> FurtherDatabases {
        let mut running = Vec::new();
        let mut begun = JoinSet::new();
        for number in 0..places.further_databases().len() {
            let (tell, told) = tokio::sync::oneshot::channel();
            let one = FurtherDatabase {
                server: server.clone(),
                places: Arc::clone(places),
                bulk_runtime: in_bulk.clone(),
            };
            running.push(tokio::spawn(one.run(number, tell, ended.clone())));
            begun.spawn(told);
        }
        let _ = timeout(START_TIMEOUT, async { while begun.join_next().await.is_some() {} }).await;
        if let Err(fault) = places.load().await {
            tracing::error!(%fault, "where tenants are is not known yet");
        }
        FurtherDatabases(running)
    }

    pub(crate) async fn end(self) -> Result<()> {
        for running in self.0 {
            running.await?;
        }
        Ok(())
    }
}

struct FurtherDatabase {
    server: Server,
    places: Arc<TenantDirectory>,
    bulk_runtime: Handle,
}

impl FurtherDatabase {
    async fn run(self, number: usize, tell: tokio::sync::oneshot::Sender<()>, mut ended: Receiver<()>) {
        let Some(place) = self.places.further_databases().get(number) else { return };
        let name = place.name.as_str();
        loop {
            match bring_up_to_date(&self.places, place).await {
                Ok(()) => break,
                Err(why) => tracing::error!(name, %why, "a database is not ready; it is tried again"),
            }
            tokio::select! {
                () = sleep(RETRY_INTERVAL) => {}
                _ = ended.changed() => return,
            }
        }
        let Some(platform) = self.server.platform().on_database(place) else { return };
        platform.follow_changes();
        let tasks = DatabaseTasks::begin(self.server.for_database(platform), &self.bulk_runtime, &ended);
        let _ = tell.send(());
        let mut is_well = true;
        loop {
            tokio::select! {
                () = sleep(MIRROR_INTERVAL) => {}
                _ = ended.changed() => break,
            }
            let mirrored = self.places.mirror(place).await;
            if let Err(fault) = &mirrored
                && is_well
            {
                tracing::warn!(name, %fault, "what is no tenant's is not copied from the first database");
            }
            is_well = mirrored.is_ok();
        }
        if let Err(why) = tasks.end().await {
            tracing::error!(name, %why, "a task of a database ended with an error");
        }
    }
}
