//! The further databases are served beside the first, and without it while it is away.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use octavo_engine::migrations::{self, Unusable};
use octavo_engine::places::Places;
use octavo_engine::{Laboratory, Platform};
use octavo_gateway::Server;
use octavo_modules::MODULES;
use octavo_pg::{Database, DbError};
use tokio::runtime::Handle;
use tokio::sync::watch::Receiver;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::config::Settings;
use crate::databases::{ready, unusable};
use crate::start;

/// How often a database is tried that is not ready.
const AGAIN: Duration = Duration::from_secs(2);
/// How often the copies of what is no tenant's are brought up to date.
const MIRRORED: Duration = Duration::from_secs(5);
/// How long a server that starts waits for databases before it answers for the others.
const AT_START: Duration = Duration::from_secs(10);

/// The platform of the first database. If it cannot be reached, the tenants of the others are served without it, and it is made ready
/// when it is back.
pub(crate) async fn first(
    settings: &Settings,
    database: Database,
    places: &Arc<Places>,
    (laboratory, in_bulk): (Option<Laboratory>, &Handle),
) -> Result<Platform> {
    match migrations::prepare(&database, MODULES).await {
        Ok(()) => {}
        Err(Unusable::Database(why @ (DbError::Away(_) | DbError::Lost(_) | DbError::Silent))) => {
            tracing::error!(%why, "the first database is away: only tenants of others are served");
            let database = database.clone();
            tokio::spawn(async move {
                while migrations::prepare(&database, MODULES).await.is_err() {
                    sleep(AGAIN).await;
                }
                tracing::info!("the first database is back");
            });
        }
        Err(why) => return Err(unusable(why)),
    }
    let platform = start::platform_as_it_is(settings, database, laboratory, in_bulk)?;
    Ok(platform.first_of(Arc::clone(places)))
}

/// What runs for the further databases.
#[derive(Default)]
pub(crate) struct Further(Vec<JoinHandle<()>>);

impl Further {
    /// Serves the tenants of every further database as soon as it is ready; waits a while for those that are away.
    pub(crate) async fn begin(
        server: &Server,
        places: &Arc<Places>,
        in_bulk: &Handle,
        ended: Receiver<()>,
    ) -> Further {
        let mut running = Vec::new();
        let mut begun = JoinSet::new();
        for number in 0..places.further().len() {
            let (tell, told) = tokio::sync::oneshot::channel();
            let one = One { server: server.clone(), places: Arc::clone(places), in_bulk: in_bulk.clone() };
            running.push(tokio::spawn(one.run(number, tell, ended.clone())));
            begun.spawn(told);
        }
        let _ = timeout(AT_START, async { while begun.join_next().await.is_some() {} }).await;
        if let Err(fault) = places.read().await {
            tracing::error!(%fault, "where tenants are is not known yet");
        }
        Further(running)
    }

    pub(crate) async fn end(self) -> Result<()> {
        for running in self.0 {
            running.await?;
        }
        Ok(())
    }
}

struct One {
    server: Server,
    places: Arc<Places>,
    in_bulk: Handle,
}

impl One {
    async fn run(self, number: usize, tell: tokio::sync::oneshot::Sender<()>, mut ended: Receiver<()>) {
        let Some(place) = self.places.further().get(number) else { return };
        let name = place.name.as_str();
        loop {
            match ready(&self.places, place).await {
                Ok(()) => break,
                Err(why) => tracing::error!(name, %why, "a database is not ready; it is tried again"),
            }
            tokio::select! {
                () = sleep(AGAIN) => {}
                _ = ended.changed() => return,
            }
        }
        let Some(platform) = self.server.platform().beside(place) else { return };
        platform.follow_changes();
        let server = self.server.beside(platform.clone());
        let stopped = |mut ended: Receiver<()>| async move {
            let _ = ended.changed().await;
        };
        let mut beside = JoinSet::new();
        for started in platform.modules.iter().filter_map(|module| module.started) {
            beside.spawn_on(started(platform.clone()), &self.in_bulk);
        }
        let timers = self.in_bulk.spawn(server.clone().run_timers(stopped(ended.clone())));
        let relay = self.in_bulk.spawn(server.run_relay(stopped(ended.clone())));
        let _ = tell.send(());
        let mut is_well = true;
        loop {
            tokio::select! {
                () = sleep(MIRRORED) => {}
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
