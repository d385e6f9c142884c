//! The private PostgreSQL: without `--database-url`, Octavo runs one of its own in its data folder.
//!
//! Found, not shipped: the programs are those installed on the machine. It listens on a unix socket only, in a folder
//! that only its own user may enter, and it ends with Octavo. Either may be killed: Octavo starts a server that died again,
//! and stops one that a killed Octavo left behind. Knows nothing of what is stored.

mod binaries;
mod cluster;
mod error;
mod folder;
mod installation;
mod leftover;
mod reached;
pub mod recovery;
mod server;
mod settings;
mod user;

use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_postgres::{Config, NoTls};

pub use self::binaries::{client_program, newest_installation};
pub use self::error::{EmbeddedError, StartFailure};
use self::folder::DataFolder;
pub use self::installation::{Installation, Version};
pub use self::reached::{RunningServer, program_for};
use self::server::{Launch, RunningPid};

/// An extension that is of use only where it is loaded with the server: what `shared_preload_libraries` names it.
const STATEMENTS: &str = "pg_stat_statements";

/// Octavo's role and database. The role is no superuser: SQL that goes astray cannot reach the machine.
const OCTAVO: &str = "octavo";

/// What is escaped in an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Debug, Clone)]
pub struct EmbeddedOptions {
    /// Made if it is not there; must be empty or Octavo's own otherwise.
    pub data_dir: PathBuf,
    /// The folder of `postgres` and `initdb`; none searches for the newest.
    pub binaries: Option<PathBuf>,
    /// False only for tests: a crash of the machine may then lose everything.
    pub durable: bool,
    /// PostgreSQL settings (name, value) that go before Octavo's own.
    pub settings: Vec<(String, String)>,
}

/// How to connect to the private PostgreSQL that another process runs on a data folder; `None` where none does.
pub fn running_config(data_dir: &Path) -> Option<Config> {
    Some(login(&socket_of_running(data_dir)?, OCTAVO, OCTAVO))
}

fn socket_of_running(data_dir: &Path) -> Option<PathBuf> {
    if !folder::is_in_use(data_dir) {
        return None;
    }
    // Its fifth line is the folder of the socket.
    let told = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")).ok()?;
    Some(told.lines().nth(4)?.trim().into())
}

/// A running private PostgreSQL. Dropped, it is asked to stop; `stop` also waits for it.
pub struct Embedded {
    installation: Installation,
    socket_dir: PathBuf,
    running: RunningPid,
    stop: Option<oneshot::Sender<()>>,
    supervisor: Option<JoinHandle<()>>,
    data: DataFolder,
}

impl Embedded {
    /// Starts PostgreSQL, makes the database if there is none, and returns once it answers.
    pub async fn start(options: EmbeddedOptions) -> Result<Embedded, EmbeddedError> {
        if recovery::is_unfinished(&options.data_dir) {
            return Err(EmbeddedError::HalfRestored { folder: options.data_dir });
        }
        Embedded::start_within(options, server::LONGEST_START).await
    }

    async fn start_within(options: EmbeddedOptions, patience: Duration) -> Result<Embedded, EmbeddedError> {
        let data = DataFolder::claim(&options.data_dir)?;
        let cluster = data.cluster();
        let made_by = cluster::made_by(&cluster)?;
        let installation = binaries::choose_installation(options.binaries.as_deref(), &cluster, made_by)?;
        let user = user::server_user(&cluster)?;
        user::grant_entry(data.path(), user.as_ref())?;
        user::check_reachable(&installation.folder, user.as_ref())?;
        if made_by.is_none() {
            tracing::info!(cluster = %cluster.display(), version = %installation.version, "making the database");
            cluster::create_cluster(&data, &installation, user.as_ref(), options.durable).await?;
        }
        leftover::stop_leftover_server(&data).await?;
        data.rotate_log()?;
        let socket_dir = data.make_socket_folder(user.as_ref())?;
        let lz4 = cluster::knows_lz4(&cluster, &installation, user.as_ref()).await;
        let settings = settings::configuration_text(
            &socket_dir,
            options.durable,
            lz4,
            installation.version.major,
            &options.settings,
        )?;
        folder::write_readable(&data.configuration(), &settings)?;
        let launch = Launch {
            installation: installation.clone(),
            user,
            cluster,
            configuration: data.configuration(),
            log: data.log(),
            login: login(&socket_dir, cluster::SUPERUSER, cluster::SUPERUSER),
            patience,
        };
        // From here on dropping `embedded`, as an early return does, stops the server.
        let mut embedded = Embedded {
            installation,
            socket_dir,
            running: RunningPid::default(),
            stop: None,
            supervisor: None,
            data,
        };
        let child = launch.start_first(&embedded.running).await?;
        make_database(&launch.login).await.map_err(EmbeddedError::Database)?;
        let loaded = |(name, value): &(String, String)| {
            name == "shared_preload_libraries" && value.contains(STATEMENTS)
        };
        if options.settings.iter().any(loaded) {
            let superuser = login(&embedded.socket_dir, cluster::SUPERUSER, OCTAVO);
            make_extension(&superuser).await.map_err(EmbeddedError::Database)?;
        }
        let (stop, stopped) = oneshot::channel();
        embedded.stop = Some(stop);
        let supervisor = server::supervise(launch, child, embedded.running.clone(), stopped);
        embedded.supervisor = Some(tokio::spawn(supervisor));
        Ok(embedded)
    }

    /// How to connect as Octavo.
    pub fn config(&self) -> Config {
        login(&self.socket_dir, OCTAVO, OCTAVO)
    }

    /// The address of the database, for psql and other programs: `postgresql://octavo@/octavo?host=%2Fdata%2Frun&port=5432`.
    pub fn url(&self) -> String {
        let host = percent_encode(self.socket_dir.as_os_str().as_encoded_bytes(), ESCAPED);
        format!("postgresql://{OCTAVO}@/{OCTAVO}?host={host}&port={}", self.port())
    }

    /// How PostgreSQL's own clients and the superuser reach this server.
    pub fn running_server(&self) -> RunningServer {
        RunningServer { socket_dir: self.socket_dir.clone(), installation: self.installation.clone() }
    }

    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// Names the socket; nothing listens on the network.
    pub fn port(&self) -> u16 {
        settings::PORT
    }

    /// The folder of the programs in use.
    pub fn binaries(&self) -> &Path {
        &self.installation.folder
    }

    pub fn version(&self) -> Version {
        self.installation.version
    }

    /// The data folder, canonical.
    pub fn data_dir(&self) -> &Path {
        self.data.path()
    }

    /// Stops the server: open transactions roll back, a checkpoint is written. Returns once it has ended.
    pub async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.await;
        }
        let _ = std::fs::remove_dir(&self.socket_dir);
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // The supervisor sees its channel close and does the same, but only if its runtime outlives this call.
        self.running.ask_to_stop();
    }
}

fn login(socket_dir: &Path, user: &str, database: &str) -> Config {
    let mut config = Config::new();
    config.host_path(socket_dir).port(settings::PORT).user(user).dbname(database).application_name(OCTAVO);
    config
}

/// Makes the role and the database unless they are there: a crash may have come between them.
async fn make_database(superuser: &Config) -> Result<(), tokio_postgres::Error> {
    const STEPS: &[(&str, &str)] = &[
        ("select from pg_catalog.pg_roles where rolname = 'octavo'", "create role octavo login"),
        (
            "select from pg_catalog.pg_database where datname = 'octavo'",
            "create database octavo owner octavo",
        ),
    ];
    let (client, connection) = superuser.connect(NoTls).await?;
    let steps = async {
        for (there, make) in STEPS {
            if client.query_opt(*there, &[]).await?.is_none() {
                client.batch_execute(make).await?;
            }
        }
        Ok(())
    };
    tokio::select! {
        done = steps => done,
        // The connection ends before the steps only if it breaks; then the steps fail too, with the better message.
        Err(broken) = connection => Err(broken),
    }
}

async fn make_extension(superuser: &Config) -> Result<(), tokio_postgres::Error> {
    let (client, connection) = superuser.connect(NoTls).await?;
    let make = format!("create extension if not exists {STATEMENTS}");
    tokio::select! {
        done = client.batch_execute(&make) => done,
        Err(broken) = connection => Err(broken),
    }
}
