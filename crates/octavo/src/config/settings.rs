//! Every setting, declared once.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use octavo_gateway::{Network, Readers};

use super::found::{Found, Problems};
use super::setting::{Declared, Default, Setting};
use super::{Surroundings, kind};

/// The settings that `octavo serve` runs with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    pub(crate) data_dir: PathBuf,
    pub(crate) database_url: Option<String>,
    pub(crate) postgres_bin: Option<PathBuf>,
    pub(crate) database_connections: usize,
    pub(crate) search_timeout: Duration,
    pub(crate) report_timeout: Duration,
    pub(crate) statement_statistics: bool,
    pub(crate) max_body_size: u64,
    pub(crate) max_open_body_size: u64,
    pub(crate) transfer_memory: u64,
    pub(crate) max_connections: usize,
    pub(crate) max_connections_per_address: usize,
    pub(crate) header_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) stall_timeout: Duration,
    pub(crate) least_rate: u64,
    pub(crate) trusted_proxies: Vec<Network>,
    pub(crate) allowed_origins: Vec<String>,
    pub(crate) allowed_hosts: Vec<String>,
    pub(crate) open_tenants: bool,
    pub(crate) access_token: Duration,
    pub(crate) refresh_token: Duration,
    pub(crate) decision_days: u32,
    pub(crate) letter_days: u32,
    pub(crate) shutdown: Duration,
    pub(crate) metrics_for: Readers,
    pub(crate) lab_reports: Option<PathBuf>,
    pub(crate) lab_servers: Vec<String>,
    pub(crate) log: String,
}

impl Settings {
    pub(super) fn from_found(found: &Found) -> Result<Settings, Problems> {
        Ok(Settings {
            listen: found.value(&LISTEN)?,
            data_dir: found.value(&DATA_DIR)?,
            database_url: found.optional(&DATABASE_URL)?,
            postgres_bin: found.optional(&POSTGRES_BIN)?,
            database_connections: found.value(&DATABASE_CONNECTIONS)?,
            search_timeout: found.value(&SEARCH_TIMEOUT)?,
            report_timeout: found.value(&REPORT_TIMEOUT)?,
            statement_statistics: found.value(&STATEMENT_STATISTICS)?,
            max_body_size: found.value(&MAX_BODY_SIZE)?,
            max_open_body_size: found.value(&MAX_OPEN_BODY_SIZE)?,
            transfer_memory: found.value(&TRANSFER_MEMORY)?,
            max_connections: found.value(&MAX_CONNECTIONS)?,
            max_connections_per_address: found.value(&MAX_CONNECTIONS_PER_ADDRESS)?,
            header_timeout: found.value(&HEADER_TIMEOUT)?,
            idle_timeout: found.value(&IDLE_TIMEOUT)?,
            stall_timeout: found.value(&STALL_TIMEOUT)?,
            least_rate: found.value(&LEAST_RATE)?,
            trusted_proxies: found.optional(&TRUSTED_PROXIES)?.unwrap_or_default(),
            allowed_origins: found.optional(&ALLOWED_ORIGINS)?.unwrap_or_default(),
            allowed_hosts: found.optional(&ALLOWED_HOSTS)?.unwrap_or_default(),
            open_tenants: found.value(&OPEN_TENANTS)?,
            access_token: found.value(&ACCESS_TOKEN)?,
            refresh_token: found.value(&REFRESH_TOKEN)?,
            decision_days: found.value(&DECISION_DAYS)?,
            letter_days: found.value(&LETTER_DAYS)?,
            shutdown: found.value(&SHUTDOWN)?,
            metrics_for: found.value(&METRICS_FOR)?,
            lab_reports: found.optional(&LAB_REPORTS)?,
            lab_servers: found.optional(&LAB_SERVERS)?.unwrap_or_default(),
            log: found.value(&LOG)?,
        })
    }
}

/// All settings, in the order of docs/configuration.md.
pub(super) static ALL: [&dyn Declared; 30] = [
    &LISTEN,
    &DATA_DIR,
    &DATABASE_URL,
    &POSTGRES_BIN,
    &DATABASE_CONNECTIONS,
    &SEARCH_TIMEOUT,
    &REPORT_TIMEOUT,
    &STATEMENT_STATISTICS,
    &MAX_BODY_SIZE,
    &MAX_OPEN_BODY_SIZE,
    &TRANSFER_MEMORY,
    &MAX_CONNECTIONS,
    &MAX_CONNECTIONS_PER_ADDRESS,
    &HEADER_TIMEOUT,
    &IDLE_TIMEOUT,
    &STALL_TIMEOUT,
    &LEAST_RATE,
    &TRUSTED_PROXIES,
    &ALLOWED_ORIGINS,
    &ALLOWED_HOSTS,
    &OPEN_TENANTS,
    &ACCESS_TOKEN,
    &REFRESH_TOKEN,
    &DECISION_DAYS,
    &LETTER_DAYS,
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

static SEARCH_TIMEOUT: Setting<Duration> = Setting {
    name: "search-timeout-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("30"),
    doc: "Time that the database may work on one list or search",
    secret: false,
};

static REPORT_TIMEOUT: Setting<Duration> = Setting {
    name: "report-timeout-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("300"),
    doc: "Time that the database may work on one step of a report, a harvest or a batch",
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

static MAX_OPEN_BODY_SIZE: Setting<u64> = Setting {
    name: "max-open-body-size",
    kind: &kind::BYTES,
    default: Default::Is("64 KiB"),
    doc: "Largest body of a request that needs no token, such as a log-in",
    secret: false,
};

static TRANSFER_MEMORY: Setting<u64> = Setting {
    name: "transfer-memory",
    kind: &kind::BYTES,
    default: Default::Is("64 MiB"),
    doc: "Memory for bodies with their values, and answers, over 64 KiB that are on their way; one client has half of it at most, and beyond it the answer is 503",
    secret: false,
};

static MAX_CONNECTIONS: Setting<usize> = Setting {
    name: "max-connections",
    kind: &kind::COUNT,
    default: Default::Is("1000"),
    doc: "Connections of clients at once; of too many, the one goes that has done nothing for longest",
    secret: false,
};

static MAX_CONNECTIONS_PER_ADDRESS: Setting<usize> = Setting {
    name: "max-connections-per-address",
    kind: &kind::COUNT,
    default: Default::Is("256"),
    doc: "Of them, those from one address, or one /64 network of IPv6; trusted proxies are not counted, they carry many clients",
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

static STALL_TIMEOUT: Setting<Duration> = Setting {
    name: "stall-timeout-seconds",
    kind: &kind::SECONDS,
    default: Default::Is("10"),
    doc: "A client that sends a body or takes an answer has to get on in every such time, by as many bytes as least-rate allows for it",
    secret: false,
};

static LEAST_RATE: Setting<u64> = Setting {
    name: "least-rate",
    kind: &kind::BYTES,
    default: Default::Is("2 KiB"),
    doc: "Bytes a second below which a client that sends or takes a body is cut off",
    secret: false,
};

static TRUSTED_PROXIES: Setting<Vec<Network>> = Setting {
    name: "trusted-proxies",
    kind: &kind::NETWORKS,
    default: Default::Unset("none is trusted"),
    doc: "Proxies in front whose X-Forwarded-For, Forwarded and X-Forwarded-Proto are believed; see docs/reverse-proxy.md",
    secret: false,
};

static ALLOWED_ORIGINS: Setting<Vec<String>> = Setting {
    name: "allowed-origins",
    kind: &kind::ORIGINS,
    default: Default::Unset("its own pages alone"),
    doc: "Web pages that may use this server beside its own, such as FOLIO's user interface",
    secret: false,
};

static ALLOWED_HOSTS: Setting<Vec<String>> = Setting {
    name: "allowed-hosts",
    kind: &kind::HOSTS,
    default: Default::Unset("addresses and localhost alone"),
    doc: "Host names that this server is reached by; requests to others are refused",
    secret: false,
};

static OPEN_TENANTS: Setting<bool> = Setting {
    name: "open-tenants",
    kind: &kind::SWITCH,
    default: Default::Is("off"),
    doc: "Whether tenants without mod-authtoken let in programs on this machine that no proxy sent; the demo library lets them in",
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

static DECISION_DAYS: Setting<u32> = Setting {
    name: "keep-decisions-days",
    kind: &kind::DAYS,
    default: Default::Is("730"),
    doc: "How long it is remembered why a decision about a loan that is over came out as it did",
    secret: false,
};

static LETTER_DAYS: Setting<u32> = Setting {
    name: "keep-letters-days",
    kind: &kind::DAYS,
    default: Default::Is("730"),
    doc: "How long the ledger of patron notices keeps a notice that is done with",
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
