//! `octavo doctor`: looks whether a data folder or a database is as this program expects it, says what to do where it is not, and
//! repairs what is safe to repair.

mod finding;
mod folder;
mod records;
mod repair;
mod report;
mod schema;
mod server;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_engine::migrations;
use octavo_lab::flags::switch;
use octavo_modules::MODULES;
use octavo_pg::{Database, Usage, Work};

use self::finding::Report;
use crate::config::{self, Settings};
use crate::log::{self, LogFormat};
use crate::serve::say;
use crate::start;

/// What it returns to the shell where there is a problem.
const PROBLEMS: u8 = 2;

pub(crate) fn command() -> Command {
    let repair = "Repair what is safe beside a running server: numbers in queues, indexes, rights of files";
    config::args(
        Command::new("doctor")
            .about(
                "Look whether a data folder or database is in order, and say what to do; the exit status is 0 if it is, 2 if there is a problem, 1 after an error",
            )
            .arg(switch("repair", repair))
            .arg(switch("json", "Print what was found as JSON")),
    )
}

pub(crate) fn run(flags: &ArgMatches) -> Result<ExitCode> {
    let resolved = config::load(flags)?;
    log::to_stderr("warn", LogFormat::Text)?;
    let settings = resolved.settings;
    if settings.database_url.is_none() && !settings.data_dir.join("postgres").exists() {
        bail!(
            "there is no database in {}; --data-dir or --database-url say where it is",
            settings.data_dir.display()
        );
    }
    let runtime = octavo_pg::threads().build()?;
    let report = runtime.block_on(examined(&settings, flags.get_flag("repair")));
    say(&if flags.get_flag("json") { report::json(&report) } else { report::text(&report) });
    Ok(if report.problems() == 0 { ExitCode::SUCCESS } else { PROBLEMS.into() })
}

async fn examined(settings: &Settings, repair: bool) -> Report {
    let mut report = Report::default();
    if settings.database_url.is_none() {
        folder::look(&settings.data_dir, &mut report);
    }
    match start::database_beside(settings).await {
        Ok((database, private)) => {
            if let Err(error) = look(&database, &mut report).await {
                report.problem("database", format!("it cannot be examined: {error:#}")).advice(DATABASE);
            }
            if repair {
                repair::all(settings, &database, &mut report).await;
            }
            database.close().await;
            if let Some(private) = private {
                private.stop().await;
            }
        }
        Err(error) => {
            report.problem("database", format!("it cannot be opened: {error:#}")).advice(DATABASE);
        }
    }
    report
}

const DATABASE: &str = "See what PostgreSQL's log says";

/// Everything in the database.
async fn look(database: &Database, report: &mut Report) -> Result<()> {
    let mut session = database.system(Arc::new(Usage::of(Work::Maintenance))).await?;
    server::look(&mut session, report).await?;
    let Some(tenants) = schema::look(&mut session, report).await? else { return Ok(()) };
    drop(session);
    let checked: usize = MODULES.iter().map(|module| module.invariants.len()).sum();
    for tenant in &tenants {
        let mut session = database.session(tenant, Arc::new(Usage::of(Work::Maintenance))).await?;
        records::look(&mut session, tenant, report).await?;
    }
    report.looked_at("records", format!("{checked} rules in {} tenants", tenants.len()));
    Ok(())
}

/// The newest changes that this program knows, of the common schema and of tenants.
fn known() -> (Vec<migrations::Migration>, Vec<migrations::Migration>) {
    (migrations::SYSTEM_MIGRATIONS.to_vec(), migrations::tenant_migrations(MODULES))
}
