//! Every setting, declared once, in a table: its field and type, its name, its kind, its default, and in one line, which ends without
//! a full stop, what it is.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Time;
use octavo_gateway::{Network, Readers};
use octavo_kafka::Mechanism;
use octavo_remote::Address;

use super::found::{Found, Problems};
use super::setting::{Default, Setting};
use super::{ProcessEnvironment, kind};
use crate::log::LogFormat;

macro_rules! settings {
    ($($field:ident: $type:ty = $name:literal, $kind:ident, $default:ident($($of:expr),+), $doc:literal;)+) => {
        /// The settings that `octavo serve` runs with.
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct Settings {
            $(pub(crate) $field: $type,)+
        }

        impl Settings {
            pub(super) fn from_found(found: &Found) -> Result<Settings, Problems> {
                Ok(Settings { $($field: settings!(@value $default, found, $name, kind::$kind),)+ })
            }
        }

        /// All settings, in the order of docs/configuration.md.
        pub(super) static ALL: &[Setting] = &[$(Setting {
            name: $name,
            value_name: kind::$kind.value_name,
            must_be: kind::$kind.must_be,
            secret: kind::$kind.secret,
            accepts: |raw| (kind::$kind.parse)(raw).is_some(),
            default: Default::$default($($of),+),
            doc: $doc,
        }),+];
    };
    (@value Unset, $found:ident, $name:literal, $kind:expr) => { $found.optional($name, &$kind)? };
    (@value $default:ident, $found:ident, $name:literal, $kind:expr) => { $found.value($name, &$kind)? };
}

settings! {
    listen: SocketAddr = "listen", ADDRESS, Is("127.0.0.1:9130"),
        "Address that Octavo answers on; 9130 is Okapi's port";
    tls_certificate: Option<PathBuf> = "tls-certificate", FILE, Unset("without TLS"),
        "File with the server's certificate and those that signed it, in PEM; read anew when it changes";
    tls_key: Option<PathBuf> = "tls-key", FILE, Unset("without TLS"),
        "File with the key of tls-certificate, in PEM; read anew when it changes";
    acme_names: Vec<String> = "acme-names", HOSTS, Unset("none is asked for"),
        "Names for which a certificate is asked for and kept good, instead of tls-certificate; see docs/operate.md";
    acme_directory: String = "acme-directory", SERVER_PATH, Is("https://acme-v02.api.letsencrypt.org/directory"),
        "Authority that is asked for certificates, by ACME";
    acme_contact: Option<String> = "acme-contact", NAME, Unset("none"),
        "E-mail address to which the authority writes about certificates";
    http_redirect: Option<SocketAddr> = "http-redirect", ADDRESS, Unset("none"),
        "Address without TLS, such as 0.0.0.0:80, that sends every request on to the port of listen with TLS";
    strict_transport: u64 = "strict-transport-seconds", LONG_SECONDS, Is("31536000"),
        "With TLS: time for which browsers ask with TLS only, once they have (Strict-Transport-Security); 0 tells them nothing";
    okapi_url: Option<String> = "okapi-url", SERVER,
        Unset("http or https, localhost and the port of listen"),
        "Address of this server as modules outside of it reach it, such as http://octavo:9130";
    module_timeout: Duration = "module-timeout-seconds", SECONDS, Is("120"),
        "Time that a module outside of this server may take until its answer begins, and between two pieces of it";
    data_dir: PathBuf = "data-dir", FOLDER,
        Depends("/var/lib/octavo for root, $XDG_DATA_HOME/octavo or ~/.local/share/octavo for others", ProcessEnvironment::default_data_folder),
        "Folder for what Octavo keeps on this machine, such as the embedded PostgreSQL";
    database_url: Option<String> = "database-url", DATABASE_URL,
        Unset("an embedded PostgreSQL in the data folder"),
        "PostgreSQL 15 or newer that holds all tenants";
    databases: Option<PathBuf> = "further-databases", FILE, Unset("all tenants are in one database"),
        "File that names further databases for tenants, in each line NAME = URL; see docs/many-databases.md";
    new_tenants_in: Option<String> = "new-tenants-in", NAME, Unset("the first database"),
        "Name of the database in which new tenants are made";
    postgres_bin: Option<PathBuf> = "postgres-bin", FOLDER,
        Unset("searched in PATH and in the usual folders of distributions"),
        "Folder of the programs initdb and postgres, for the embedded PostgreSQL";
    database_connections: usize = "database-connections", CONNECTIONS, Is("16"),
        "Connections to the database that this process opens at most";
    worker_threads: Option<usize> = "worker-threads", COUNT, Unset("one for each processor"),
        "Threads that answer requests; processes that share a machine may divide its processors, see docs/failover.md";
    database_patience: Option<Duration> = "database-wait-seconds", SECONDS,
        Unset("30 with several hosts in database-url, or not at all"),
        "Time that a request waits for a database that cannot be reached, such as until a standby takes over";
    replica_url: Vec<String> = "replica-url", DATABASE_URLS, Unset("the database answers everything"),
        "Hot standbys of the database, which answer what may be late, such as lists, reports and harvests; see docs/replicas.md";
    replica_lag: Duration = "replica-lag-seconds", LAG, Is("10"),
        "How late a replica may be; one that is later is left out until it has caught up";
    search_timeout: Duration = "search-timeout-seconds", SECONDS, Is("30"),
        "Time that the database may work on one list or search";
    report_timeout: Duration = "report-timeout-seconds", SECONDS, Is("300"),
        "Time that the database may work on one step of a report, a harvest or a batch";
    names_requests: bool = "name-requests-in-database", SWITCH, Is("off"),
        "Whether connections are called after the request that they work for (application_name), as in octavo 123456/users";
    statement_statistics: bool = "statement-statistics", SWITCH, Is("off"),
        "Whether the embedded PostgreSQL counts calls and times of each statement (pg_stat_statements), for octavo lab";
    max_body_size: u64 = "max-body-size", BYTES, Is("16 MiB"),
        "Largest body of a request";
    max_open_body_size: u64 = "max-open-body-size", BYTES, Is("64 KiB"),
        "Largest body of a request that needs no token, such as a log-in";
    transfer_memory: u64 = "transfer-memory", BYTES, Is("64 MiB"),
        "Memory for bodies with their values, and answers, over 64 KiB that are on their way; one client has half of it at most, and beyond it the answer is 503";
    upload_dir: Option<PathBuf> = "upload-dir", FOLDER,
        Unset("uploads in the data folder"),
        "Folder for the files that are uploaded to be imported; several processes with one database have one folder in common";
    max_upload_size: u64 = "max-upload-size", BYTES, Is("2 GiB"),
        "Largest file that is uploaded to be imported";
    upload_space: u64 = "upload-space", BYTES, Is("20 GiB"),
        "Space for the uploaded files of one tenant";
    upload_days: u32 = "keep-uploads-days", DAYS, Is("30"),
        "How long an uploaded file is kept";
    backup_dir: Option<PathBuf> = "backup-dir", FOLDER, Unset("the server makes no backups"),
        "Folder, best on another disk, where the server keeps backups of the embedded PostgreSQL; see docs/backup.md";
    backup_at: Vec<Time> = "backup-at", TIMES, Is("02:00"),
        "Times of day in UTC when the server makes a backup; every change between them is kept all the time";
    backup_days: u32 = "keep-backups-days", DAYS, Is("14"),
        "For how many days back every moment can be restored; older backups are removed";
    backup_full_days: u32 = "full-backup-days", DAYS, Is("7"),
        "Age of the last full backup from which on another is made; until then backups hold only what has changed, from PostgreSQL 17 on";
    backup_rate: u64 = "backup-rate", BYTES, Is("48 MiB"),
        "Bytes a second that a backup reads at most; 0 is as fast as can be, which the desk feels";
    max_connections: usize = "max-connections", COUNT, Is("1000"),
        "Connections of clients at once; of too many, the one goes that has done nothing for longest";
    max_connections_per_address: usize = "max-connections-per-address", COUNT, Is("256"),
        "Of them, those from one address, or one /64 network of IPv6; trusted proxies are not counted, they carry many clients";
    header_timeout: Duration = "header-timeout-seconds", SECONDS, Is("10"),
        "Time that a client has to send the head of a request";
    idle_timeout: Duration = "idle-timeout-seconds", SECONDS, Is("75"),
        "Time that a connection is kept without a request; longer than a proxy in front keeps it, mostly 60";
    stall_timeout: Duration = "stall-timeout-seconds", SECONDS, Is("10"),
        "A client that sends a body or takes an answer has to get on in every such time, by as many bytes as least-rate allows for it";
    least_rate: u64 = "least-rate", BYTES, Is("2 KiB"),
        "Bytes a second below which a client that sends or takes a body is cut off";
    trusted_proxies: Vec<Network> = "trusted-proxies", NETWORKS, Unset("none is trusted"),
        "Proxies in front whose X-Forwarded-For, Forwarded and X-Forwarded-Proto are believed; see docs/reverse-proxy.md";
    allowed_origins: Vec<String> = "allowed-origins", ORIGINS, Unset("its own pages alone"),
        "Web pages that may use this server beside its own, such as FOLIO's user interface";
    allowed_hosts: Vec<String> = "allowed-hosts", HOSTS, Unset("addresses and localhost alone"),
        "Host names that this server is reached by; requests to others are refused";
    open_tenants: bool = "open-tenants", SWITCH, Is("off"),
        "Whether tenants without mod-authtoken let in programs on this machine that no proxy sent; the demo library lets them in";
    access_token: Duration = "access-token-seconds", SECONDS, Is("600"),
        "Life of an access token";
    refresh_token: Duration = "refresh-token-seconds", SECONDS, Is("604800"),
        "Life of a refresh token: how long a user stays logged in without being seen";
    decision_days: u32 = "keep-decisions-days", DAYS, Is("730"),
        "How long it is remembered why a decision about a loan that is over came out as it did";
    circulation_log_days: u32 = "keep-circulation-log-days", DAYS, Is("730"),
        "How long records of the circulation log are kept";
    security_event_days: u32 = "keep-security-events-days", DAYS, Is("365"),
        "How long log-ins, refusals and changes of rights are kept in the log of security, in mod-login's, and what other programs note in mod-audit";
    notice_days: u32 = "keep-letters-days", DAYS, Is("730"),
        "How long the ledger of patron notices keeps a notice that is done with, and the server an e-mail that was given up";
    event_days: u32 = "keep-events-days", DAYS, Is("7"),
        "How long events are kept for webhooks and other consumers that cannot be reached";
    import_log_days: u32 = "keep-import-logs-days", DAYS, Is("0"),
        "How long an import job is kept with its log and what undoing it takes";
    private_webhooks: bool = "private-webhooks", SWITCH, Is("off"),
        "Whether webhooks may be sent to this machine and to addresses of private networks";
    kafka_brokers: Vec<String> = "kafka-brokers", BROKERS, Unset("nothing is published"),
        "Brokers of Kafka to which changes of records are published; see docs/events.md";
    kafka_environment: String = "kafka-environment", NAME, Is("folio"),
        "What the names of topics begin with, as ENV of FOLIO's modules";
    kafka_tls: bool = "kafka-tls", SWITCH, Is("off"),
        "Whether brokers are reached by TLS";
    kafka_authorities: Option<PathBuf> = "kafka-authorities", FILE, Unset("those that this machine trusts"),
        "File with certificates that are trusted too when brokers show theirs, in PEM";
    kafka_user: Option<String> = "kafka-user", NAME, Unset("nobody logs in"),
        "User who logs in to brokers by SASL";
    kafka_password_file: Option<PathBuf> = "kafka-password-file", FILE, Unset("nobody logs in"),
        "File whose first line is the password of kafka-user";
    kafka_mechanism: Mechanism = "kafka-mechanism", MECHANISM, Is("SCRAM-SHA-512"),
        "How kafka-user logs in";
    kafka_partitions: usize = "kafka-partitions", COUNT, Is("1"),
        "Partitions of topics that are made";
    kafka_replicas: usize = "kafka-replicas", COUNT, Is("1"),
        "Replicas of topics that are made";
    drain: u64 = "drain-seconds", LONG_SECONDS, Is("0"),
        "Time that requests are still taken when Octavo is told to stop, while /admin/health/ready already says 503; see docs/failover.md";
    shutdown: Duration = "shutdown-seconds", SECONDS, Is("30"),
        "Time that requests under way have to end when Octavo is told to stop";
    sip2: Option<SocketAddr> = "sip2", ADDRESS, Unset("they are not served"),
        "Address for self-check machines, gates and sorters, which speak SIP2; see docs/sip2.md";
    sip2_tenant: Option<String> = "sip2-tenant", TENANT, Unset("that of sip2-terminals, or the demo library"),
        "Tenant of the self-check machines";
    sip2_terminals: Option<PathBuf> = "sip2-terminals", FILE, Unset("all machines are alike"),
        "File with the tenants of self-check machines and how they write, as edge-sip2's sip2-tenants.conf";
    sip2_certificate: Option<PathBuf> = "sip2-certificate", FILE, Unset("without TLS"),
        "File with the certificate for self-check machines and those that signed it, in PEM";
    sip2_key: Option<PathBuf> = "sip2-key", FILE, Unset("without TLS"),
        "File with the key of sip2-certificate, in PEM";
    sip2_max_connections: usize = "sip2-max-connections", COUNT, Is("1000"),
        "Connections of self-check machines at once; of too many, the one goes that has done nothing for longest";
    sip2_max_connections_per_address: usize = "sip2-max-connections-per-address", COUNT, Is("600"),
        "Of them, those from one address, or one /64 network of IPv6";
    sip2_idle_timeout: Duration = "sip2-idle-timeout-seconds", SECONDS, Is("86400"),
        "Time that a self-check machine that has logged in may say nothing";
    metrics_for: Readers = "metrics-for", READERS, Is("loopback"),
        "Who may read /metrics; loopback: callers on this machine that no proxy sent";
    traces_to: Option<Address> = "traces-to", COLLECTOR, Unset("nobody is told"),
        "Collector that is told of requests step by step, as traces of OpenTelemetry by OTLP over HTTP; see docs/observe.md";
    traces_percent: u8 = "traces-percent", PERCENT, Is("100"),
        "Of a hundred requests that say nothing about it, so many are told of";
    lab_reports: Option<PathBuf> = "lab-reports", FOLDER, Unset("none is shown"),
        "Folder of reports of `octavo lab run` that the desk shows to those with the permission `octavo.lab.all`";
    lab_servers: Vec<String> = "lab-servers", SERVERS, Unset("this server alone"),
        "Servers that a run started at the desk may measure, beside this one";
    log_format: LogFormat = "log-format", LOG_FORMAT, Is("text"),
        "How the log is written: text for people, or json, an object a line";
    log: String = "log", LOG_FILTER, Is("info"),
        "What is logged: error, warn, info, debug or trace, also by part, as in warn,octavo_pg=debug";
}
