//! Servers on a PostgreSQL of their own, whose late reads go to hot standbys of it.

use std::sync::Arc;
use std::time::Duration;

use octavo_pg::{Database, Options};

use crate::octavo::ServerOptions;
use crate::postgres::{self, Postgres, on_runtime};
use crate::{Library, Octavo};

/// What is to be started.
#[derive(Debug, Clone, Copy)]
pub struct Replication {
    pub standbys: usize,
    /// A standby is left out when it is later than that.
    pub most_lag: Duration,
    /// Whether the servers go on with a standby that was promoted.
    pub fails_over: bool,
    /// Whether there is a further database for tenants, `east`, without a standby.
    pub has_east: bool,
}

pub struct Replicated {
    pub octavo: Octavo,
    /// A second server with the same databases.
    pub another: Octavo,
    pub library: Library,
    pub standbys: Vec<Standby>,
    primary_postgres: Option<Postgres>,
    _east: Option<Postgres>,
}

pub struct Standby {
    /// As the superuser reaches it.
    database: Database,
    postgres: Postgres,
}

/// Changes are sent when they are on the disk, as where somebody's records are.
const SETTINGS: &[(&str, &str)] = &[
    ("max_connections", "100"),
    ("wal_level", "replica"),
    ("max_wal_senders", "8"),
    ("hot_standby", "on"),
    ("synchronous_commit", "on"),
    ("shared_buffers", "64MB"),
    ("wal_receiver_status_interval", "1"),
    ("wal_retrieve_retry_interval", "200ms"),
    ("max_standby_streaming_delay", "0"),
];

impl Replication {
    /// One standby, never left out for being late.
    pub const ONE: Replication =
        Replication { standbys: 1, most_lag: Duration::from_secs(3600), fails_over: false, has_east: false };

    pub async fn start(self) -> Replicated {
        let (primary, standbys, east) = on_runtime(async move {
            let primary = postgres::start_with(SETTINGS).await;
            let mut standbys = Vec::new();
            for _ in 0..self.standbys {
                standbys.push(postgres::start_standby(&primary, SETTINGS).await);
            }
            let east = if self.has_east { Some(postgres::start().await) } else { None };
            (primary, standbys, east)
        })
        .await;
        let urls: Vec<String> = standbys.iter().map(|standby| standby.url.clone()).collect();
        let url = if self.fails_over { url_of_servers(&primary.url, &urls) } else { primary.url.clone() };
        let server = || {
            let further = east.iter().map(|east| ("east".to_owned(), east.url.clone())).collect();
            ServerOptions::with_databases(url.clone(), further)
                .reading_from(urls.clone(), self.most_lag)
                .start()
        };
        let (octavo, another) = (server().await, server().await);
        let standby = |postgres| Standby { database: superuser_database(&postgres), postgres };
        Replicated {
            library: Library::create_on(&octavo, octavo.platform.clone(), "replicated").await,
            octavo,
            another,
            standbys: standbys.into_iter().map(standby).collect(),
            primary_postgres: Some(primary),
            _east: east,
        }
    }
}

fn superuser_database(of: &Postgres) -> Database {
    Database::new(of.server.running_server().superuser_config(), Options::unlimited(2))
}

/// The address of whichever of these servers accepts changes.
fn url_of_servers(primary: &str, standbys: &[String]) -> String {
    let host = |url: &str| {
        let from = url.split("host=").nth(1).unwrap_or_default();
        from.replace("&port=", ":")
    };
    let hosts: Vec<String> =
        [primary].into_iter().chain(standbys.iter().map(String::as_str)).map(host).collect();
    format!("postgresql://octavo@{}/octavo?target_session_attrs=read-write", hosts.join(","))
}

impl Replicated {
    /// A tenant in the further database.
    pub async fn library_in_east(&self) -> Library {
        let platform = &self.octavo.platform;
        let places = &platform.home.as_ref().expect("several databases").directory;
        let east = platform.on_database(places.find_database("east").expect("a further database"));
        Library::create_on(&self.octavo, east.expect("several databases"), "eastern").await
    }

    /// The primary goes and does not come back.
    pub async fn lose_primary(&mut self) {
        let primary = self.primary_postgres.take().expect("a server that is there");
        on_runtime(primary.stop()).await;
    }
}

impl Standby {
    /// It goes on receiving changes and does not show them.
    pub async fn pause_replay(&self) {
        self.script("select pg_wal_replay_pause()").await;
    }

    pub async fn resume_replay(&self) {
        self.script("select pg_wal_replay_resume()").await;
    }

    pub async fn promote(&self) {
        self.script("select pg_promote()").await;
    }

    /// From now on it follows another server.
    pub async fn follow(&self, other: &Standby) {
        let address = other.postgres.server.running_server().superuser_address().replace('\'', "''");
        self.script(&format!("alter system set primary_conninfo = '{address}'")).await;
        self.script("select pg_reload_conf()").await;
    }

    async fn script(&self, sql: &str) {
        let (database, sql) = (self.database.clone(), sql.to_owned());
        on_runtime(async move {
            let mut session = database.system_session(Arc::default()).await.expect("a connection");
            session.script(&sql).await.expect("done");
        })
        .await;
    }

    /// Kills it at once. It is started again by itself.
    pub fn kill(&self) {
        let process = self.process().expect("a process id");
        rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("our own process");
    }

    /// The process that listens, as it says itself when it starts; none before it says so.
    pub fn process(&self) -> Option<rustix::process::Pid> {
        let file = self.postgres.server.data_dir().join("postgres/postmaster.pid");
        let told = std::fs::read_to_string(file).ok()?;
        rustix::process::Pid::from_raw(told.lines().next()?.parse().ok()?)
    }
}
