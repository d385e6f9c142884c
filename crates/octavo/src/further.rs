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

/// Opens the platform of the first database. If that cannot be reached, the tenants of the other databases are served without it, and it
/// is migrated as soon as it can be reached.
pub(crate) async fn first_platform(
    settings: &Settings,
    database: Database,
    places: &Arc<TenantDirectory>,
    (laboratory, in_bulk): (Option<Laboratory>, &Handle),
) -> Result<Platform> {
    match migrations::prepare(&database, MODULES).await {
        Ok(()) => {}
        Err(Unusable::Database(why @ (DbError::Away(_) | DbError::Lost(_) | DbError::Silent))) => {
            tracing::error!(%why, "the first database is away: only tenants of others are served");
            let database = database.clone();
            tokio::spawn(async move {
                while migrations::prepare(&database, MODULES).await.is_err() {
                    sleep(RETRY_INTERVAL).await;
                }
                tracing::info!("the first database is back");
            });
        }
        Err(why) => return Err(unusable_error(why)),
    }
    let platform = start::platform_without_migration(settings, database, laboratory, in_bulk)?;
    Ok(platform.with_directory(Arc::clone(places)))
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
        let server = self.server.for_database(platform.clone());
        let stopped = |mut ended: Receiver<()>| async move {
            let _ = ended.changed().await;
        };
        let mut beside = JoinSet::new();
        for started in platform.modules.iter().filter_map(|module| module.on_server_start) {
            beside.spawn_on(started(platform.clone()), &self.bulk_runtime);
        }
        let timers = self.bulk_runtime.spawn(server.clone().run_timers(stopped(ended.clone())));
        let relay = self.bulk_runtime.spawn(server.run_relay(stopped(ended.clone())));
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
        beside.shutdown().await;
        let _ = timers.await;
        let _ = relay.await;
    }
}
