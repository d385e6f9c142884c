//! `octavo load`: records from files, or a synthetic library, straight into the database by COPY.
//!
//! A file is read by one thread, checked and written by another; what is read waits for what is written. Where a load
//! was interrupted is noted in the transaction of each batch, so that the same command goes on from there.

pub(crate) mod failures;
mod file;
mod ledger;
pub(crate) mod progress;
mod source;
pub(crate) mod synthetic;
mod write;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command};
use octavo_engine::{Context, Platform};
use octavo_kernel::Fault;
use octavo_lab::flags::{option, path, switch};
use octavo_marc::Encoding;
use octavo_pg::{Limits, Usage};

use crate::config::{self, Settings};
use crate::log;
use crate::start::{self, clock};

pub(crate) fn command() -> Command {
    let command = Command::new("load")
        .about("Load records from files, or a synthetic library")
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf))
                .help("MARC (ISO 2709, MARCXML, MARC-in-JSON), or FOLIO's records as JSON"),
        )
        .arg(option("tenant", "TENANT", "The tenant to load into; it must be there").required(true))
        .arg(option("type", "PATH", "The type of FOLIO's records, by its path: /item-storage/items"))
        .arg(
            option("encoding", "ENCODING", "What MARC files are in [default: what each record says]")
                .value_parser(["utf-8", "marc-8", "latin-1"]),
        )
        .arg(path("failures", "FOLDER", "Where FILE.failed.jsonl is written [default: beside FILE]"))
        .arg(switch("again", "Begin at the beginning of files that were loaded before"))
        .subcommand(synthetic::command());
    config::add_setting_args(command)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    if let Some(("synthetic", flags)) = flags.subcommand() {
        return synthetic::run(flags);
    }
    let resolved = config::load(flags)?;
    log::to_stderr(&quiet_log_filter(&resolved.settings.log), resolved.settings.log_format)?;
    let wanted = file::LoadArguments {
        record: flags.get_one("type").cloned(),
        encoding: flags.get_one::<String>("encoding").map_or(Encoding::Declared, |name| {
            match name.as_str() {
                "marc-8" => Encoding::Marc8,
                "latin-1" => Encoding::Latin1,
                _ => Encoding::Utf8,
            }
        }),
        failures: flags.get_one("failures").cloned(),
        starts_over: flags.get_flag("again"),
    };
    let tenant: String = flags.get_one("tenant").cloned().unwrap_or_default();
    let files: Vec<PathBuf> = flags.get_many("file").unwrap_or_default().cloned().collect();
    with_platform_of(&resolved.settings, &tenant, async |platform| {
        load_files(platform, &tenant, &files, &wanted).await
    })
}

/// Runs something on the platform until it is done or interrupted.
pub(crate) fn with_platform(
    settings: &Settings,
    work: impl AsyncFnOnce(Platform) -> Result<()>,
) -> Result<()> {
    with_platform_of(settings, "", work)
}

/// The same on the platform of a tenant's database.
fn with_platform_of(
    settings: &Settings,
    tenant: &str,
    work: impl AsyncFnOnce(Platform) -> Result<()>,
) -> Result<()> {
    start::with_platform_of(
        settings,
        start::open_database(settings, Limits::NONE),
        tenant,
        async |platform| {
            tokio::select! {
                done = work(platform) => done,
                _ = tokio::signal::ctrl_c() => Err(anyhow!("interrupted; the same command goes on from here")),
            }
        },
    )
}

/// The log filter of a load, which shows its progress itself: the default `info` becomes `warn`, any other filter stays.
pub(crate) fn quiet_log_filter(filter: &str) -> String {
    if filter == "info" { "warn".to_owned() } else { filter.to_owned() }
}

async fn load_files(
    platform: Platform,
    tenant: &str,
    files: &[PathBuf],
    wanted: &file::LoadArguments,
) -> Result<()> {
    let context = tenant_context(&platform, tenant).await?;
    ledger::create_table(&context).await?;
    let mut refused = Vec::new();
    for path in files {
        if let Err(error) = file::load_file(&context, path, wanted).await {
            eprintln!("{}: {error:#}", path.display());
            refused.push(path.display().to_string());
        }
    }
    if !refused.is_empty() {
        bail!("not loaded: {}", refused.join(", "));
    }
    Ok(())
}

pub(crate) async fn tenant_context(platform: &Platform, tenant: &str) -> Result<Context> {
    let usage = Arc::new(Usage::default());
    // No other requests are served here, so there are as many tasks as connections, and each task waits for its own connection.
    usage.allow_tasks(platform.database.pool().max_connections);
    let context = Context::for_server_task(platform, tenant, clock()).await.map_err(fault_to_error)?;
    Ok(Context { usage, ..context })
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` hands over")]
pub(crate) fn fault_to_error(fault: Fault) -> anyhow::Error {
    anyhow!(fault_message(&fault))
}

/// The message of a fault without its HTTP status.
pub(crate) fn fault_message(fault: &Fault) -> String {
    match &fault.body {
        octavo_kernel::Body::Refusals(refusals) => {
            let told = refusals.iter().map(|refusal| {
                let about = refusal.parameters.iter();
                let about =
                    about.map(|(key, value)| format!("{key}: {}", value.as_deref().unwrap_or("null")));
                let about = about.collect::<Vec<String>>().join(", ");
                if about.is_empty() {
                    refusal.message.clone()
                } else {
                    format!("{} ({about})", refusal.message)
                }
            });
            told.collect::<Vec<String>>().join("; ")
        }
        octavo_kernel::Body::Text(text) if fault.status < 500 => text.clone(),
        _ => fault.to_string(),
    }
}
