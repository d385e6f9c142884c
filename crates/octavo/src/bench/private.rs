//! Runs a benchmark on one thread, with a temporary PostgreSQL of its own.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use octavo_lab::table::Page;
use octavo_lab::{clock, machine};
use octavo_pg::Database;
use octavo_pg::embedded::{self, Embedded};
use tokio::task::LocalSet;

use super::print_progress;
use super::scratch::Scratch;
use crate::serve::StopSignals;

/// Runs on one thread: the generator of load shall leave the other cores to those who are measured.
pub(crate) fn on_one_thread<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    octavo_lab::on_one_thread(LocalSet::new().run_until(async {
        let mut stops = StopSignals::new()?;
        tokio::select! {
            done = work => done,
            () = stops.wait() => bail!("interrupted"),
        }
    }))
}

/// Measures on a PostgreSQL with its usual settings and prints the page to standard output.
pub(crate) fn print_page(work: impl AsyncFnOnce(&Scratch, &Embedded) -> Result<Page>) -> Result<()> {
    print_page_of(None, work)
}

/// The same, on the database in a data folder that stays, if there is one.
pub(crate) fn print_page_of(
    kept: Option<&Path>,
    work: impl AsyncFnOnce(&Scratch, &Embedded) -> Result<Page>,
) -> Result<()> {
    let page = on_one_thread(on_database_in(kept, Vec::new(), work))?;
    Ok(std::io::stdout().write_all(page.to_markdown().as_bytes())?)
}

/// `settings` are settings of PostgreSQL.
pub(crate) async fn on_new_database<T>(
    settings: Vec<(String, String)>,
    work: impl AsyncFnOnce(&Scratch, &Embedded) -> Result<T>,
) -> Result<T> {
    on_database_in(None, settings, work).await
}

async fn on_database_in<T>(
    kept: Option<&Path>,
    settings: Vec<(String, String)>,
    work: impl AsyncFnOnce(&Scratch, &Embedded) -> Result<T>,
) -> Result<T> {
    let scratch = Scratch::make()?;
    print_progress("starting PostgreSQL");
    let database = Embedded::start(embedded::EmbeddedOptions {
        data_dir: kept.map_or_else(|| scratch.path().join("data"), Path::to_owned),
        binaries: None,
        durable: true,
        settings,
    })
    .await
    .context("the benchmark needs a PostgreSQL of its own")?;
    let done = work(&scratch, &database).await;
    database.stop().await;
    done
}

/// Describes the program, the day, the machine and the measured versions, which are needed to compare figures.
pub(crate) fn describe_run(scratch: &Scratch, database: &Embedded) -> String {
    let (machine, files) = (machine::describe(), machine::file_system(scratch.path()));
    let (program, day, postgres) = (env!("CARGO_PKG_VERSION"), clock::date(), database.version());
    format!(
        "Octavo {program} on {day}, {machine}; PostgreSQL {postgres} on {files}, fsync and synchronous_commit on"
    )
}

/// Another database of this PostgreSQL, for the user that Octavo is.
pub(crate) fn url_of(database: &Embedded, name: &str) -> String {
    database.url().replacen("@/octavo?", &format!("@/{name}?"), 1)
}

/// Executes a statement as the superuser of the PostgreSQL cluster.
pub(crate) async fn as_superuser(database: &Embedded, sql: &str) -> Result<()> {
    let url = url_of(database, "postgres").replacen("//octavo@", "//postgres@", 1);
    let database = Database::for_visitor(&url, "octavo bench", None)?;
    Ok(database.system_session(std::sync::Arc::default()).await?.script(sql).await?)
}
