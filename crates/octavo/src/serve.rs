//! `octavo serve`: starts what it needs, answers until it is told to stop, and stops in order.

use std::io::{ErrorKind, Write};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command};
use octavo_engine::migrations::{self, Unusable};
use octavo_engine::{Entropy, Platform, Started};
use octavo_gateway::{Limits, Server};
use octavo_modules::MODULES;
use octavo_pg::{Database, embedded};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{self, Settings};
use crate::demo;

pub(crate) fn command() -> Command {
    let demo = Arg::new("demo")
        .long("demo")
        .action(ArgAction::SetTrue)
        .help("Fill a new data folder with the demo library; refuse one that is in use for something else");
    config::args(Command::new("serve").about("Serve FOLIO's interface").arg(demo))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let resolved = config::load(flags)?;
    log_to_stderr(&resolved.settings.log)?;
    for warning in &resolved.warnings {
        tracing::warn!("{warning}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(resolved.settings, flags.get_flag("demo")))
}

fn log_to_stderr(filter: &str) -> Result<()> {
    let filter = tracing_subscriber::EnvFilter::try_new(filter).context("the setting log can't be read")?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
    Ok(())
}

async fn serve(settings: Settings, demo: bool) -> Result<()> {
    if demo && !settings.listen.ip().is_loopback() {
        bail!(
            "the demo library has a well-known password and is served on the loopback address only; {} is not",
            settings.listen
        );
    }
    let mut stops = Stops::new()?;
    let listener = listen(&settings).await?;
    let (database, private) = database(&settings).await?;
    let served = answer(&settings, demo, listener, database, &mut stops).await;
    if let Some(private) = private {
        private.stop().await;
    }
    served
}

async fn listen(settings: &Settings) -> Result<TcpListener> {
    TcpListener::bind(settings.listen).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "{} is taken by another program; stop it, or choose another address with --listen",
            settings.listen
        ),
        ErrorKind::PermissionDenied => anyhow!("no permission to listen on {}: {error}", settings.listen),
        _ => anyhow!("can't listen on {}: {error}", settings.listen),
    })
}

/// The database that was named, or a private one.
async fn database(settings: &Settings) -> Result<(Database, Option<embedded::Embedded>)> {
    let options = octavo_pg::Options { connections: settings.database_connections, connect_seconds: 10 };
    if let Some(url) = &settings.database_url {
        return Ok((Database::from_url(url, options)?, None));
    }
    let private = embedded::Embedded::start(embedded::Options {
        data_dir: settings.data_dir.clone(),
        binaries: settings.postgres_bin.clone(),
        durable: true,
        settings: Vec::new(),
    })
    .await?;
    Ok((Database::new(private.config(), options), Some(private)))
}

async fn answer(
    settings: &Settings,
    demo: bool,
    listener: TcpListener,
    database: Database,
    stops: &mut Stops,
) -> Result<()> {
    migrations::prepare(&database).await.map_err(unusable)?;
    let entropy = Entropy { id: fresh_id, secret: fresh_secret };
    let token_key = migrations::token_key(&database, fresh_secret()).await?;
    let started = Started {
        access_token_seconds: settings.access_token.as_secs().cast_signed(),
        refresh_token_seconds: settings.refresh_token.as_secs().cast_signed(),
        token_key,
    };
    let platform = Platform::new(database, MODULES, entropy, started);
    platform.follow_changes();
    if demo {
        demo::fill(&platform, clock).await?;
    }
    let limits = Limits {
        body_bytes: usize::try_from(settings.max_body_size)?,
        header_time: settings.header_timeout,
        stop_time: settings.shutdown,
    };
    let address = listener.local_addr()?;
    say(&format!("Octavo answers on http://{address}"));
    if demo {
        say(&demo::welcome(&address.to_string()));
    }
    Server::new(platform, limits, clock).run(listener, stops.wait()).await;
    tracing::info!("stopped");
    Ok(())
}

fn unusable(why: Unusable) -> anyhow::Error {
    match why {
        Unusable::TooOld { found } => {
            anyhow!("the database is PostgreSQL {}; Octavo needs 15 or newer", found / 10_000)
        }
        Unusable::Newer { found, known } => anyhow!(
            "the database was brought to schema version {found} by a newer Octavo; this one knows version {known}. Use the newer program"
        ),
        Unusable::Database(error) => anyhow!(error).context("the database can't be used"),
    }
}

/// What a person at the terminal reads; the log goes to the other stream.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// SIGTERM and SIGINT.
struct Stops {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Stops {
    fn new() -> Result<Stops> {
        Ok(Stops { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        tracing::info!("asked to stop; requests in flight finish first");
        // Polled once more after the stop by nobody: the signal has done its work.
        tokio::time::sleep(Duration::ZERO).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where the program reads the clock")]
fn clock() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

#[expect(clippy::disallowed_methods, reason = "the one place where the program makes ids")]
fn fresh_id() -> uuid::Uuid {
    uuid::Uuid::new_v4()
}

fn fresh_secret() -> [u8; 32] {
    let mut secret = [0; 32];
    for half in secret.chunks_mut(16) {
        half.copy_from_slice(fresh_id().as_bytes());
    }
    secret
}
