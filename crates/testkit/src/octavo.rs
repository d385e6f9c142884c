//! Octavo as the program runs it, on a free port of the loopback address.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Once};
use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::places::{FIRST_DATABASE, NamedDatabase, TenantDirectory};
use octavo_engine::{Entropy, Experiment, Kafka, Laboratory, Platform, ProcessSettings, migrations};
use octavo_gateway::{Entrance, Limits, Readers, Server, TrustSettings};
use octavo_kernel::TenantId;
use octavo_modules::source_manager::runner::{self, Decide};
use octavo_modules::{MODULES, operator};
use octavo_pg::Database;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, oneshot};
use tracing::Level;

use crate::client::{Client, ServerHandle};
use crate::ids::{fresh_id, fresh_secret};
use crate::postgres::{self, Postgres, on_runtime, postgres};

/// Reports as `octavo lab run` writes them, for tests that show some.
const LAB_REPORTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lab");

/// Small, so that a test can go over it without sending much.
pub const BODY_BYTES: usize = 4 * 1024 * 1024;

/// The same without a token.
pub const OPEN_BODY_BYTES: usize = 16 * 1024;

/// How long a module outside of the process may take: short, so that a test can wait for it.
pub const MODULE_TIME: Duration = Duration::from_secs(3);

static SHARED: OnceCell<Octavo> = OnceCell::const_new();

/// A running server. Cheap to clone; the server stops, and closes its connections to PostgreSQL, when the last clone is
/// dropped.
#[derive(Clone)]
pub struct Octavo {
    pub address: SocketAddr,
    pub platform: Platform,
    server: Server,
    /// The key that signed when the server started.
    pub(crate) token_key: Vec<u8>,
    pub(crate) clock: fn() -> Timestamp,
    pub(crate) handle: ServerHandle,
}

/// The server that all tests of the binary share, with the system's clock.
pub async fn octavo() -> &'static Octavo {
    SHARED.get_or_init(|| ServerOptions { options: unlimited(24), ..ServerOptions::default() }.start()).await
}

/// Two servers on a PostgreSQL that no other test uses, which has no tenant.
pub struct SeparatePostgres {
    pub servers: [Octavo; 2],
    /// Runs until the test ends.
    _postgres: Postgres,
}

impl SeparatePostgres {
    pub async fn start() -> SeparatePostgres {
        let postgres = on_runtime(postgres::start()).await;
        let server = || Octavo::with_connections(4, octavo_pg::Limits::default(), Some(postgres.url.clone()));
        SeparatePostgres { servers: [server().await, server().await], _postgres: postgres }
    }
}

impl Octavo {
    /// One more server on the same database.
    pub async fn start_another() -> Octavo {
        ServerOptions::default().start().await
    }

    /// One more server on the same database, with another clock: `|| "2026-11-21T12:00:00Z".parse().unwrap()`.
    pub async fn with_clock(clock: fn() -> Timestamp) -> Octavo {
        ServerOptions { clock, ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which expects more or less of its clients.
    pub async fn with_limits(change: impl FnOnce(&mut Limits)) -> Octavo {
        let mut limits = limits();
        change(&mut limits);
        ServerOptions { limits, ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which tells PostgreSQL for which request a connection works.
    pub async fn naming_requests() -> Octavo {
        let options = octavo_pg::Options { names_requests: true, ..octavo_pg::Options::unlimited(4) };
        ServerOptions { options, ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which watches the space on the disk of a folder.
    pub async fn watching_folder(folder: PathBuf) -> Octavo {
        let options = octavo_pg::Options { folder: Some(folder), ..octavo_pg::Options::unlimited(4) };
        ServerOptions { options, ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which does work in bulk on this runtime.
    pub async fn with_bulk_on(in_bulk: Handle) -> Octavo {
        let options = octavo_pg::Options::unlimited(8);
        ServerOptions { options, in_bulk: Some(in_bulk), ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which publishes changes of records.
    pub async fn publishing_to(kafka: Kafka) -> Octavo {
        ServerOptions { kafka: Some(kafka), ..ServerOptions::default() }.start().await
    }

    /// One more server on the same database, which lets clients in this way, with 2 seconds for a head.
    pub async fn with_entrance(entrance: Entrance) -> Octavo {
        let limits = Limits { header_time: Duration::from_secs(2), ..limits() };
        ServerOptions { entrance, limits, ..ServerOptions::default() }.start().await
    }

    /// A client without tenant and token.
    pub fn client(&self) -> Client {
        Client::new(self.address).through(self.address, &self.handle)
    }

    /// A client with the operator's token.
    pub async fn operator(&self) -> Client {
        let platform = self.platform.clone();
        let token = on_runtime(async move { operator::token(&platform).await.expect("a token") }).await;
        self.client().with("x-okapi-token", token)
    }

    pub(crate) fn server(&self) -> Server {
        self.server.clone()
    }

    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Runs one timer that is due, of whatever tenant; whether there was one. Nothing runs by the clock by itself here.
    pub async fn run_due_timer(&self) -> bool {
        let server = self.server.clone();
        on_runtime(async move { server.run_due_timer().await }).await
    }

    /// Has timers that rest run again where something has changed, as a server does every quarter of a minute.
    pub async fn wake_timers(&self) {
        let server = self.server.clone();
        on_runtime(async move { server.wake_timers().await }).await;
    }

    /// Runs due timers as a server does, until it is told to stop.
    pub async fn run_timers(&self, stop: impl Future<Output = ()> + Send + 'static) {
        on_runtime(self.server.clone().run_timers(stop)).await;
    }

    /// Does what waits in the outbox of a tenant; how many e-mails were taken. Nothing does so by itself here.
    pub async fn relay(&self, tenant: &str) -> usize {
        let (server, tenant) = (self.server.clone(), tenant.to_owned());
        on_runtime(async move { server.relay(&tenant).await.expect("an outbox that can be worked off") })
            .await
    }

    /// Sends traces as a server does, until it is told to stop. Nothing does so by itself here.
    pub async fn send_traces(&self, stop: impl Future<Output = ()> + Send + 'static) {
        on_runtime(self.server.clone().run_traces(stop)).await;
    }

    /// Works on the import jobs of a tenant until none is due. Nothing does so by itself here.
    pub async fn run_imports(&self, tenant: &str, decide: Decide) {
        let (platform, tenant) = (self.platform.clone(), tenant.to_owned());
        on_runtime(async move {
            runner::run_due_jobs(&platform, &tenant, decide).await.expect("jobs that can be worked on");
        })
        .await;
    }

    /// Hands over what there is to every consumer of a tenant's events. Nothing does so by itself here.
    pub async fn deliver_events(&self, tenant: &str) {
        let (platform, tenant) = (self.platform.clone(), tenant.to_owned());
        on_runtime(async move {
            octavo_modules::events::delivery::deliver(&platform, &tenant)
                .await
                .expect("events that can be read");
        })
        .await;
    }

    /// Has a tenant's changes of records told to a consumer, as a server does that publishes to Kafka.
    pub async fn follow_records(&self, tenant: &TenantId, consumer: &'static str) {
        let (platform, tenant) = (self.platform.clone(), tenant.clone());
        on_runtime(async move {
            octavo_modules::events::records::follow_record_changes(&platform, &tenant, consumer)
                .await
                .expect("triggers");
        })
        .await;
    }

    /// One more server with so many connections, through another way to the same database if one is given, and with these
    /// limits of time.
    pub async fn with_connections(
        connections: usize,
        limits: octavo_pg::Limits,
        url: Option<String>,
    ) -> Octavo {
        let options = octavo_pg::Options { limits, ..unlimited(connections) };
        ServerOptions { url, options, ..ServerOptions::default() }.start().await
    }
}

/// The options in which one server of a test differs from others.
pub(crate) struct ServerOptions {
    /// The way to the database; that of all tests if none is given.
    url: Option<String>,
    /// Names and addresses of further databases.
    further: Vec<(String, String)>,
    clock: fn() -> Timestamp,
    options: octavo_pg::Options,
    limits: Limits,
    /// The runtime for work in bulk; the server's own if none is given.
    in_bulk: Option<Handle>,
    kafka: Option<Kafka>,
    entrance: Entrance,
    /// The addresses of replicas, and how late they may be.
    replicas: Option<(Vec<String>, Duration)>,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        let (options, limits) = (unlimited(8), limits());
        ServerOptions {
            url: None,
            further: Vec::new(),
            clock: system_clock,
            options,
            limits,
            in_bulk: None,
            kafka: None,
            entrance: Entrance::Plain,
            replicas: None,
        }
    }
}

/// So many connections, and the program's limits of time.
fn unlimited(connections: usize) -> octavo_pg::Options {
    let limits = octavo_pg::Limits::default();
    octavo_pg::Options { limits, ..octavo_pg::Options::unlimited(connections) }
}

impl ServerOptions {
    /// On a database with further ones beside it, each with its name.
    pub(crate) fn with_databases(url: String, further: Vec<(String, String)>) -> ServerOptions {
        ServerOptions { url: Some(url), further, ..ServerOptions::default() }
    }

    /// Late reads go to replicas at these addresses, while they are no later than that.
    pub(crate) fn reading_from(self, replicas: Vec<String>, most_lag: Duration) -> ServerOptions {
        ServerOptions { replicas: Some((replicas, most_lag)), ..self }
    }

    pub(crate) async fn start(self) -> Octavo {
        let ServerOptions { url, further, clock, options, limits, in_bulk, kafka, entrance, replicas } = self;
        show_errors();
        let url = match url {
            Some(url) => url,
            None => database_url().await,
        };
        on_runtime(async move {
            let open = |url: &str| {
                Database::from_url(url, options.clone()).expect("the address of our own database")
            };
            let database = open(&url);
            let further: Vec<NamedDatabase> =
                further.into_iter().map(|(name, url)| NamedDatabase { name, database: open(&url) }).collect();
            if let Err(why) = migrations::prepare(&database, MODULES).await {
                panic!("the database cannot be prepared: {why:?}");
            }
            if let Some((urls, most_lag)) = replicas {
                database.read_from_replicas(&urls, most_lag).expect("addresses of our own");
            }
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
            let address = listener.local_addr().expect("the port");
            let started = ProcessSettings {
                url: format!("http://{address}"),
                module_timeout: MODULE_TIME,
                access_token_seconds: 600,
                refresh_token_seconds: 604_800,
                decision_days: 730,
                circulation_log_days: 730,
                security_event_days: 365,
                notice_days: 730,
                event_days: 7,
                import_log_days: 730,
                private_webhooks: true,
                kafka,
                laboratory: Some(laboratory()),
                demo_operator: std::sync::OnceLock::new(),
                derived_folder: postgres().await.derived.clone(),
                uploads: octavo_engine::Uploads {
                    folder: postgres().await.derived.join("uploads"),
                    file_bytes: 8 << 20,
                    tenant_bytes: 20 << 20,
                    keep_days: 7,
                },
                request_runtime: Handle::current(),
                bulk_runtime: in_bulk.unwrap_or_else(Handle::current),
            };
            let entropy = Entropy { id: fresh_id, secret: fresh_secret };
            let first = database.clone();
            let mut platform = Platform::new(database, MODULES, entropy, started);
            if !further.is_empty() {
                platform = platform.with_directory(Arc::new(TenantDirectory::new(
                    first,
                    further,
                    FIRST_DATABASE.to_owned(),
                )));
            }
            platform.follow_changes();
            let keys = platform.token_keys.get().await.expect("a key for tokens");
            let token_key = keys.signing_secret(clock().as_second()).to_vec();
            let server = Server::new(platform.clone(), limits, clock);
            if let Some(home) = &platform.home {
                serve_further(&server, &platform, &home.directory).await;
            }
            let (open, dropped) = oneshot::channel();
            tokio::spawn(end_when_dropped(server.clone(), platform.clone(), (listener, entrance), dropped));
            Octavo { address, platform, server, token_key, clock, handle: Arc::new(open) }
        })
        .await
    }
}

async fn serve_further(server: &Server, platform: &Platform, places: &TenantDirectory) {
    for place in places.further_databases() {
        if let Err(why) = migrations::prepare(&place.database, MODULES).await {
            panic!("the database {} cannot be prepared: {why:?}", place.name);
        }
        places.mirror(place).await.expect("a copy of what is no tenant's");
        let beside = platform.on_database(place).expect("several databases");
        beside.follow_changes();
        server.for_database(beside);
    }
    places.load().await.expect("a directory");
}

async fn end_when_dropped(
    server: Server,
    platform: Platform,
    (listener, entrance): (TcpListener, Entrance),
    dropped: oneshot::Receiver<()>,
) {
    let stop = async {
        let _ = dropped.await;
    };
    server.run(listener, entrance, stop).await;
    for place in platform.home.iter().flat_map(|home| home.directory.further_databases()) {
        place.database.close().await;
    }
    platform.database.close().await;
}

/// Prints what a server logs as an error: the cause of an answer 500 is told to nobody else.
fn show_errors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let log = tracing_subscriber::fmt().with_max_level(Level::ERROR).with_ansi(false);
        // A test may keep the whole log before.
        let _ = log.with_writer(std::io::stderr).try_init();
    });
}

/// Where the database of all tests is.
pub async fn database_url() -> String {
    postgres().await.url.clone()
}

/// What tests of other things need not think of: strict where one can go over it without sending much, else generous.
fn limits() -> Limits {
    Limits {
        body_bytes: BODY_BYTES,
        open_body_bytes: OPEN_BODY_BYTES,
        // Where the machine has other things to do, seconds may pass between any two steps of a test.
        header_time: Duration::from_secs(60),
        idle_time: Duration::from_secs(600),
        stall_time: Duration::from_secs(60),
        least_rate: 1024,
        connections: 1000,
        connections_each: 1000,
        held_bytes: 256 * 1024 * 1024,
        drain_time: Duration::ZERO,
        stop_time: Duration::from_secs(5),
        // Nothing runs by the clock by itself here.
        late_after: Duration::from_secs(86_400),
        metrics_readers: Readers::Loopback,
        trace_collector: None,
        strict_seconds: 31_536_000,
        trust: TrustSettings {
            allowed_origins: vec!["https://folio.example.org".to_owned(), "http://localhost:3000".to_owned()],
            allowed_hosts: vec!["a".to_owned()],
            open_tenants: true,
            ..TrustSettings::default()
        },
    }
}

/// Its reports are read; runs are for tests of the program.
fn laboratory() -> Laboratory {
    let experiment = Experiment {
        name: "configuration".to_owned(),
        about: "Configuration entries: made, read, deleted".to_owned(),
        tests: 2,
        short_seconds: 40,
    };
    Laboratory {
        reports: PathBuf::from(LAB_REPORTS),
        program: PathBuf::from("no-program"),
        servers: vec!["http://127.0.0.1:9130".to_owned(), "http://octavo-test:9130".to_owned()],
        experiments: vec![experiment],
    }
}

#[expect(clippy::disallowed_methods, reason = "tests that do not set the clock run by the system's")]
pub fn system_clock() -> Timestamp {
    Timestamp::now()
}
