//! Two servers over three databases: the first on a PostgreSQL of its own, `east` and `west` on another.

use std::sync::Arc;

use octavo_engine::places::moving::{End, Move, MoveReport, Step};
use octavo_engine::places::{FIRST_DATABASE, NamedDatabase, TenantDirectory};
use octavo_engine::{Context, TenantDescriptor};
use octavo_kernel::{Outcome, TenantId};
use octavo_modules::MODULES;
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::{self, Parameters};
use octavo_pg::{Database, Options};

use crate::octavo::ServerOptions;
use crate::postgres::{self, Postgres, on_runtime};
use crate::{Library, Octavo};

pub struct SeveralDatabases {
    pub servers: [Octavo; 2],
    urls: Vec<(&'static str, String)>,
    first: Option<Postgres>,
    /// Runs until the test ends.
    _further: Postgres,
}

/// What logical replication needs: a slot and a worker for each move.
const SETTINGS: &[(&str, &str)] = &[
    ("wal_level", "logical"),
    ("max_wal_senders", "4"),
    ("max_replication_slots", "2"),
    ("wal_retrieve_retry_interval", "200ms"),
    ("max_logical_replication_workers", "2"),
    ("max_connections", "150"),
];

impl SeveralDatabases {
    pub async fn start() -> SeveralDatabases {
        let first = on_runtime(postgres::start_with(SETTINGS)).await;
        let further = on_runtime(postgres::start_with(SETTINGS)).await;
        let west = superuser_database(&further.url);
        on_runtime(async move {
            let mut session = west.system_session(Arc::default()).await.expect("a connection");
            session.script("create database west owner octavo").await.expect("a database");
        })
        .await;
        let west = further.url.replacen("/octavo?", "/west?", 1);
        let urls = vec![(FIRST_DATABASE, first.url.clone()), ("east", further.url.clone()), ("west", west)];
        let server = async || {
            let further = urls.iter().skip(1).map(|(name, url)| ((*name).to_owned(), url.clone()));
            ServerOptions::with_databases(urls[0].1.clone(), further.collect()).start().await
        };
        let servers = [server().await, server().await];
        SeveralDatabases { servers, urls, first: Some(first), _further: further }
    }

    /// The server of the first database goes.
    pub async fn lose_first(&mut self) {
        let first = self.first.take().expect("a server that is there");
        on_runtime(first.stop()).await;
    }

    /// The directory as one of the servers has it.
    pub fn places(&self) -> Arc<TenantDirectory> {
        let home = self.servers[0].platform.home.as_ref().expect("several databases");
        Arc::clone(&home.directory)
    }

    /// A tenant in one of the databases, with FOLIO's reference records; the client may do everything without a token.
    pub async fn library(&self, id: &'static str, place: &'static str) -> Library {
        let octavo = self.servers[0].clone();
        let (platform, places, now) = (octavo.platform.clone(), self.places(), octavo.now());
        let tenant = on_runtime(async move {
            let there = platform
                .on_database(places.find_database(place).expect("a place"))
                .expect("several databases");
            let descriptor = TenantDescriptor { id: Some(id.to_owned()), name: None, description: None };
            let tenant = there.create_tenant(&descriptor).await.expect("a tenant");
            let context = Context::for_server_task(&there, id, now).await.expect("the tenant");
            let parameters = Parameters { load_reference: true, load_sample: false };
            for module in FACTS.modules.values().filter(|module| module.name != "mod-authtoken") {
                let enabled = okapi::enable(&context, module, parameters).await;
                enabled.unwrap_or_else(|fault| panic!("{} cannot be enabled: {fault}", module.name));
            }
            tenant
        })
        .await;
        let client = octavo.client().with("x-okapi-tenant", id);
        Library::from_parts(octavo, tenant, client)
    }

    /// Moves a tenant. `told` is called with each step, and ends the move by returning an error.
    pub async fn move_to(
        &self,
        tenant: &TenantId,
        to: &'static str,
        told: impl FnMut(Step) -> Outcome<()> + Send + 'static,
    ) -> Outcome<MoveReport> {
        let (places, tenant, urls) = (self.places(), tenant.clone(), self.urls.clone());
        on_runtime(async move {
            let from = places.find_tenant(&tenant).await?.expect("a tenant that is somewhere");
            let end = |name: &str| -> Outcome<End> {
                let place: NamedDatabase = places.find_database(name)?.clone();
                let url = urls.iter().find(|(known, _)| *known == name).expect("an address");
                Ok(End { place, admin: superuser_database(&url.1) })
            };
            let reached = urls.iter().find(|(known, _)| *known == from).expect("an address");
            let reached = reached.1.replacen("octavo@", "postgres@", 1);
            let moving = Move {
                directory: &places,
                tenant: &tenant,
                modules: MODULES,
                from: end(&from)?,
                to: end(to)?,
                source_conninfo: reached,
            };
            moving.run(told).await
        })
        .await
    }
}

fn superuser_database(url: &str) -> Database {
    let url = url.replacen("octavo@", "postgres@", 1);
    Database::from_url(&url, Options::unlimited(4)).expect("the address of our own database")
}
