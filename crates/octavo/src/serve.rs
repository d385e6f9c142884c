//! `octavo serve`: starts what it needs, answers until it is told to stop, and stops in order.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_engine::places::TenantDirectory;
use octavo_gateway::{Collector, Limits, Server, TrustSettings};
use octavo_lab::flags::switch;
use octavo_pg::{Database, bulk};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

use crate::backup::BackupScheduler;
use crate::config::{self, ProcessEnvironment, Settings};
use crate::databases;
use crate::demo;
use crate::entrances::{Listeners, listen};
use crate::further::{self, FurtherDatabases};
use crate::laboratory;
use crate::log;
use crate::notify::ServiceManager;
use crate::operator;
use crate::self_service::{self, MachineListener};
use crate::start::{self, clock};

pub(crate) fn command() -> Command {
    let help = "Fill a new data folder with the demo library; refuse one that is in use for something else";
    let demo = switch("demo", help);
    config::add_setting_args(Command::new("serve").about("Serve FOLIO's interface").arg(demo))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let resolved = config::load(flags)?;
    log::to_stderr(&resolved.settings.log, resolved.settings.log_format)?;
    for warning in &resolved.warnings {
        tracing::warn!("{warning}");
    }
    let in_bulk = bulk::runtime()?;
    let mut threads = octavo_pg::threads();
    if let Some(count) = resolved.settings.worker_threads {
        threads.worker_threads(count);
    }
    let runtime = threads.build()?;
    let starter = ServiceManager::from_environment(&ProcessEnvironment::of_process(), std::process::id());
    runtime.block_on(serve(resolved.settings, flags.get_flag("demo"), in_bulk.handle(), Arc::new(starter)))
}

async fn serve(settings: Settings, demo: bool, in_bulk: &Handle, starter: Arc<ServiceManager>) -> Result<()> {
    if demo && !settings.listen.ip().to_canonical().is_loopback() {
        bail!(
            "the demo library has a well-known password and is served on the loopback address only; {} is not",
            settings.listen
        );
    }
    if settings.backup_dir.is_some() && settings.database_url.is_some() {
        bail!(
            "backup-dir is for the embedded PostgreSQL; docs/backup.md says how a database elsewhere is backed up"
        );
    }
    if !settings.replica_url.is_empty() && settings.database_url.is_none() {
        bail!("replica-url is for standbys of database-url; the embedded PostgreSQL has none");
    }
    let mut stops = StopSignals::new()?;
    let beating = tokio::spawn(Arc::clone(&starter).notify_watchdog());
    let listener = listen(settings.listen, "listen").await?;
    let machines = match settings.sip2 {
        Some(address) => Some(self_service::open_listener(&settings, demo, listen(address, "sip2").await?)?),
        None => None,
    };
    let entrances = Listeners::open(&settings, listener, clock).await?;
    let limits = octavo_pg::Limits::for_server(settings.search_timeout, settings.report_timeout);
    let (database, private) = start::open_database(&settings, limits).await?;
    database.read_from_replicas(&settings.replica_url, settings.replica_lag)?;
    let backing =
        private.as_ref().map(|private| BackupScheduler::begin(&settings, private, &database, in_bulk));
    let places = databases::open_directory(&settings, &database, limits)?;
    let until = StopAndNotify { stops: &mut stops, starter: &starter };
    let databases = (database.clone(), places.clone());
    let served =
        answer_until_stopped(&settings, demo, (entrances, machines), databases, in_bulk, until).await;
    if let Some(backing) = backing {
        backing.stop().await;
    }
    for further in places.iter().flat_map(|places| places.further_databases()) {
        further.database.close().await;
    }
    database.close().await;
    if let Some(private) = private {
        private.stop().await;
    }
    beating.abort();
    served
}

/// The signals that stop the server, and the service manager that is notified when the server answers and when it stops.
struct StopAndNotify<'a> {
    stops: &'a mut StopSignals,
    starter: &'a ServiceManager,
}

async fn answer_until_stopped(
    settings: &Settings,
    demo: bool,
    (entrances, machines): (Listeners, Option<MachineListener>),
    (database, places): (Database, Option<Arc<TenantDirectory>>),
    in_bulk: &Handle,
    StopAndNotify { stops, starter }: StopAndNotify<'_>,
) -> Result<()> {
    let url = entrances.url()?;
    let laboratory = laboratory::from_settings(settings, entrances.local_url()?)?;
    let (platform, away) = match &places {
        None => (start::open_platform(settings, database, laboratory, in_bulk).await?, None),
        Some(places) => further::first_platform(settings, database, places, (laboratory, in_bulk)).await?,
    };
    platform.follow_changes();
    if settings.database_url.is_none() {
        operator::ensure_token_file(&platform, &settings.data_dir).await?;
    }
    if demo {
        demo::ensure_demo_library(&platform, clock).await?;
    }
    let limits =
        limits(settings, demo, places.as_ref().map_or(0, |places| places.further_databases().len()))?;
    print_line(&format!("Octavo answers on {url}"));
    print_line(&format!("The desk is at {url}/desk"));
    if let Some(machines) = &machines {
        print_line(&machines.welcome()?);
    }
    if demo {
        print_line(&demo::welcome_message(&url));
    }
    let server = Server::new(platform, limits, clock);
    server.set_ready(away.is_none());
    let (running, ended) = tokio::sync::watch::channel(());
    let stopped = |mut ended: tokio::sync::watch::Receiver<()>| async move {
        // The channel sends no value: it only closes when the sender is dropped.
        let _ = ended.changed().await;
    };
    let further = match &places {
        Some(places) => FurtherDatabases::begin(&server, places, in_bulk, ended.clone()).await,
        None => FurtherDatabases::default(),
    };
    let first = tokio::spawn(further::serve_first(server.clone(), away, in_bulk.clone(), ended.clone()));
    let traces = in_bulk.spawn(server.clone().run_traces(stopped(ended)));
    let (closing, closed) = tokio::sync::watch::channel(());
    let door = machines.map(|machines| tokio::spawn(machines.serve(server.clone(), stopped(closed))));
    starter.notify_ready(&format!("Octavo answers on {url}"));
    let stop = async {
        stops.wait().await;
        starter.notify_stopping();
        tracing::info!("asked to stop; requests in flight finish first");
        drop(closing);
    };
    entrances.serve(server, stop).await?;
    if let Some(door) = door {
        door.await?;
    }
    // These tasks end before the database stops, because they would log errors then.
    drop(running);
    further.end().await?;
    first.await??;
    traces.await?;
    tracing::info!("stopped");
    Ok(())
}

/// Patron notices and timers that are due are done within seconds; `/_/proxy/health` reports those that wait longer than this.
const LATE_AFTER: Duration = Duration::from_secs(600);

fn limits(settings: &Settings, demo: bool, further: usize) -> Result<Limits> {
    Ok(Limits {
        body_bytes: usize::try_from(settings.max_body_size)?,
        open_body_bytes: usize::try_from(settings.max_open_body_size)?,
        header_time: settings.header_timeout,
        idle_time: settings.idle_timeout,
        stall_time: settings.stall_timeout,
        least_rate: usize::try_from(settings.least_rate)?,
        connections: connections(settings, further),
        connections_each: settings.max_connections_per_address,
        held_bytes: usize::try_from(settings.transfer_memory)?,
        drain_time: Duration::from_secs(settings.drain),
        stop_time: settings.shutdown,
        late_after: LATE_AFTER,
        metrics_readers: settings.metrics_for,
        trace_collector: settings
            .traces_to
            .clone()
            .map(|address| Collector { address, percent: settings.traces_percent }),
        strict_seconds: settings.strict_transport,
        trust: TrustSettings {
            trusted_proxies: settings.trusted_proxies.clone(),
            allowed_origins: settings.allowed_origins.clone(),
            allowed_hosts: settings.allowed_hosts.clone(),
            open_tenants: settings.open_tenants || demo,
        },
    })
}

/// The number of file handles that are needed for anything but client connections and database connections.
const OTHER_FILES: u64 = 64;

/// How many clients may be connected: as many as the setting says, or as the system has file handles for.
fn connections(settings: &Settings, further: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    // The system allows programs more file handles than they have at first, if they ask for them.
    let raised = Rlimit { current: limit.maximum, ..limit };
    let files = setrlimit(Resource::Nofile, raised).map_or(limit.current, |()| limit.maximum);
    let machines = if settings.sip2.is_some() { settings.sip2_max_connections } else { 0 };
    // Each database has connections of its own, and so has each replica.
    let databases = 1 + further + settings.replica_url.len();
    let others = OTHER_FILES + 2 * (databases * settings.database_connections) as u64 + machines as u64;
    let room =
        files.map_or(usize::MAX, |files| usize::try_from(files.saturating_sub(others)).unwrap_or(usize::MAX));
    if room < settings.max_connections {
        tracing::warn!(room, "the system allows fewer open files than max-connections needs");
    }
    settings.max_connections.min(room.max(1))
}

/// Prints a line to standard output for a person at the terminal; the log goes to standard error.
pub(crate) fn print_line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// The signals by which a program is told to stop.
pub(crate) struct StopSignals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl StopSignals {
    pub(crate) fn new() -> Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
