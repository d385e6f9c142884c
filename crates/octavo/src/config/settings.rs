//! Every setting, declared once.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use octavo_gateway::Readers;

use super::resolve::{Found, Problems};
use super::setting::{Declared, Default, Setting};
use super::{Surroundings, kind};

/// What `octavo serve` runs with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    pub(crate) data_dir: PathBuf,
    pub(crate) database_url: Option<String>,
    pub(crate) postgres_bin: Option<PathBuf>,
    pub(crate) database_connections: usize,
    pub(crate) statement_statistics: bool,
    pub(crate) max_body_size: u64,
    pub(crate) header_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) access_token: Duration,
    pub(crate) refresh_token: Duration,
    pub(crate) shutdown: Duration,
    pub(crate) metrics_for: Readers,
    pub(crate) lab_reports: Option<PathBuf>,
    pub(crate) lab_servers: Vec<String>,
    pub(crate) log: String,
}

impl Settings {
    pub(super) fn of(found: &Found) -> Result<Settings, Problems> {
        Ok(Settings {
            listen: found.value(&LISTEN)?,
            data_dir: found.value(&DATA_DIR)?,
            database_url: found.optional(&DATABASE_URL)?,
            postgres_bin: found.optional(&POSTGRES_BIN)?,
            database_connections: found.value(&DATABASE_CONNECTIONS)?,
            statement_statistics: found.value(&STATEMENT_STATISTICS)?,
            max_body_size: found.value(&MAX_BODY_SIZE)?,
            header_timeout: found.value(&HEADER_TIMEOUT)?,
            idle_timeout: found.value(&IDLE_TIMEOUT)?,
            access_token: found.value(&ACCESS_TOKEN)?,
            refresh_token: found.value(&REFRESH_TOKEN)?,
            shutdown: found.value(&SHUTDOWN)?,
            metrics_for: found.value(&METRICS_FOR)?,
            lab_reports: found.optional(&LAB_REPORTS)?,
            lab_servers: found.optional(&LAB_SERVERS)?.unwrap_or_default(),
            log: found.value(&LOG)?,
        })
    }
}

/// In the order of the page.
pub(super) static ALL: [&dyn Declared; 16] = [
    &LISTEN,
    &DATA_DIR,
    &DATABASE_URL,
    &POSTGRES_BIN,
    &DATABASE_CONNECTIONS,
    &STATEMENT_STATISTICS,
    &MAX_BODY_SIZE,
    &HEADER_TIMEOUT,
    &IDLE_TIMEOUT,
    &ACCESS_TOKEN,
    &REFRESH_TOKEN,
    &SHUTDOWN,
    &METRICS_FOR,
    &LAB_REPORTS,
    &LAB_SERVERS,
    &LOG,
];

static LISTEN: Setting<SocketAddr> = Setting {
    name: "listen",
    kind: &kind::ADDRESS,
    default: Default::Is("127.0.0.1:9130"),
    doc: "Address that Octavo answers on; 9130 is Okapi's port",
    secret: false,
};

static DATA_DIR: Setting<PathBuf> = Setting {
    name: "data-dir",
    kind: &kind::FOLDER,
    default: Default::Depends(
        "/var/lib/octavo for root, $XDG_DATA_HOME/octavo or ~/.local/share/octavo for others",
        Surroundings::data_folder,
    ),
    doc: "Folder for what Octavo keeps on this machine, such as the embedded PostgreSQL",
    secret: false,
};

static DATABASE_URL: Setting<String> = Setting {
    name: "database-url",
    kind: &kind::DATABASE_URL,
    default: Default::Unset("an embedded PostgreSQL in the data folder"),
    doc: "PostgreSQL 15 or newer that holds all tenants",
    secret: true,
};

static POSTGRES_BIN: Setting<PathBuf> = Setting {
    name: "postgres-bin",
    kind: &kind::FOLDER,
    default: Default::Unset("searched in PATH and in the usual folders of distributions"),
    doc: "Folder of the programs initdb and postgres, for the embedded PostgreSQL",
    secret: false,
};

static DATABASE_CONNECTIONS: Setting<usize> = Setting {
    name: "database-connections",
    kind: &kind::COUNT,
    default: Default::Is("16"),
    doc: "Connections to the database that this process opens at most",
    secret: false,
};

static STATEMENT_STATISTICS: Setting<bool> = Setting {
    name: "statement-statistics",
    kind: &kind::SWITCH,
    default: Default::Is("off"),
    doc: "Whether the embedded PostgreSQL counts calls and times of each statement (pg_stat_statements), for octavo lab",
    secret: false,
};

static MAX_BODY_SIZE: Setting<u64> = Setting {
    name: "max-body-size",
    kind: &kind::BYTES,
    default: Default::Is("16 MiB"),
    doc: "Largest body of a request",
    secret: false,
};

static HEADER_TIMEOUT: Setting<Duration> = Setting {
    name: "header-timeout-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("10"),
    doc: "Time that a client has to send the head of a request",
    secret: false,
};

static IDLE_TIMEOUT: Setting<Duration> = Setting {
    name: "idle-timeout-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("75"),
    doc: "Time that a connection is kept without a request; longer than a proxy in front keeps it, mostly 60",
    secret: false,
};

static ACCESS_TOKEN: Setting<Duration> = Setting {
    name: "access-token-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("600"),
    doc: "Life of an access token",
    secret: false,
};

static REFRESH_TOKEN: Setting<Duration> = Setting {
    name: "refresh-token-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("604800"),
    doc: "Life of a refresh token: how long a user stays logged in without being seen",
    secret: false,
};

static SHUTDOWN: Setting<Duration> = Setting {
    name: "shutdown-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("30"),
    doc: "Time that requests under way have to end when Octavo is told to stop",
    secret: false,
};

static METRICS_FOR: Setting<Readers> = Setting {
    name: "metrics-for",
    kind: &kind::READERS,
    default: Default::Is("loopback"),
    doc: "Who may read /metrics; loopback: callers on this machine that no proxy sent",
    secret: false,
};

static LAB_REPORTS: Setting<PathBuf> = Setting {
    name: "lab-reports",
    kind: &kind::FOLDER,
    default: Default::Unset("none is shown"),
    doc: "Folder of reports of `octavo lab run` that the desk shows to those with the permission `octavo.lab.all`",
    secret: false,
};

static LAB_SERVERS: Setting<Vec<String>> = Setting {
    name: "lab-servers",
    kind: &kind::SERVERS,
    default: Default::Unset("this server alone"),
    doc: "Servers that a run started at the desk may measure, beside this one",
    secret: false,
};

static LOG: Setting<String> = Setting {
    name: "log",
    kind: &kind::LOG_FILTER,
    default: Default::Is("info"),
    doc: "What is logged: error, warn, info, debug or trace, also by part, as in warn,octavo_pg=debug",
    secret: false,
};
