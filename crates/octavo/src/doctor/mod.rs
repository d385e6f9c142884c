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
use crate::serve::print_line;
use crate::start;

/// The exit status if there is a problem.
const EXIT_WITH_PROBLEMS: u8 = 2;

pub(crate) fn command() -> Command {
    let repair = "Repair what is safe beside a running server: numbers in queues, indexes, rights of files";
    config::add_setting_args(
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
    let report = runtime.block_on(examine(&settings, flags.get_flag("repair")));
    print_line(&if flags.get_flag("json") {
        report::report_json(&report)
    } else {
        report::report_text(&report)
    });
    Ok(if report.count_problems() == 0 { ExitCode::SUCCESS } else { EXIT_WITH_PROBLEMS.into() })
}

async fn examine(settings: &Settings, repair: bool) -> Report {
    let mut report = Report::default();
    if settings.database_url.is_none() {
        folder::check_folder(&settings.data_dir, &mut report);
    }
    match start::open_database_beside_server(settings).await {
        Ok((database, private)) => {
            if let Err(error) = check_database(&database, &mut report).await {
                report
                    .problem("database", format!("it cannot be examined: {error:#}"))
                    .advice(SEE_POSTGRESQL_LOG);
            }
            if repair {
                repair::repair_all(settings, &database, &mut report).await;
            }
            database.close().await;
            if let Some(private) = private {
                private.stop().await;
            }
        }
        Err(error) => {
            report.problem("database", format!("it cannot be opened: {error:#}")).advice(SEE_POSTGRESQL_LOG);
        }
    }
    report
}

const SEE_POSTGRESQL_LOG: &str = "See what PostgreSQL's log says";

/// Checks everything in the database.
async fn check_database(database: &Database, report: &mut Report) -> Result<()> {
    let mut session = database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?;
    server::check_server(&mut session, report).await?;
    let Some(tenants) = schema::check_schemas(&mut session, report).await? else { return Ok(()) };
    drop(session);
    let checked: usize = MODULES.iter().map(|module| module.invariants.len()).sum();
    for tenant in &tenants {
        let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Maintenance))).await?;
        records::check_records(&mut session, tenant, report).await?;
    }
    report.looked_at("records", format!("{checked} rules in {} tenants", tenants.len()));
    Ok(())
}

/// All migrations of this program: those of the common schema, and those of tenants.
fn known_migrations() -> (Vec<migrations::Migration>, Vec<migrations::Migration>) {
    (migrations::SYSTEM_MIGRATIONS.to_vec(), migrations::tenant_migrations(MODULES))
}
