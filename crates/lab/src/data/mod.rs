//! The data of a run: its fingerprint, and how `octavo lab reset` restores the database for the next run.
//!
//! The laboratory restores a database from a copy that `octavo lab keep` made, with `create database ... template`, which copies files.
//! Sessions of the database are ended meanwhile, and clients connect again by themselves. A database is touched only if the tenant is
//! marked as a test tenant and the database contains the record of that mark.

mod fingerprint;
mod kept;

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};
use tokio::time::sleep;

use crate::clock;
use crate::flags::option;
use crate::load::{Session, on_one_thread};
use crate::mark::{self, Target};

pub(crate) use fingerprint::{Fingerprint, TableHash, take_fingerprint};
use kept::TestDatabase;

/// Number of successive answers after which a server counts as available: by then each of its pooled connections has been tried.
const NEEDED_ANSWERS: u32 = 6;
const LONGEST_WAIT: Duration = Duration::from_secs(60);

fn command(name: &'static str, about: &'static str) -> Command {
    let postgres = option(
        "postgres",
        "URL",
        "Address of the database behind the server, as a user who may create and drop databases",
    );
    Command::new(name).about(about).args(mark::target_args()).arg(postgres.required(true))
}

/// `octavo lab keep`
pub(crate) fn keep_command() -> Command {
    command("keep", "Keep a copy of a test tenant's database, beside it, for `octavo lab reset`")
}

/// `octavo lab reset`
pub(crate) fn reset_command() -> Command {
    command(
        "reset",
        "Put a test tenant's database back to the copy that was kept: what was written since then is lost",
    )
}

pub(crate) fn run_keep(flags: &ArgMatches) -> Result<String> {
    run_with_target(flags, async |target, url| {
        let began = clock::now();
        let kept = open_test_database(&target, &url).await?;
        kept.save_copy().await?;
        wait_until_server_answers(&target).await?;
        Ok(format!(
            "{} was kept as {} in {:.1} s\n",
            kept.name,
            kept.copy_name(),
            began.elapsed().as_secs_f64()
        ))
    })
}

pub(crate) fn run_reset(flags: &ArgMatches) -> Result<String> {
    run_with_target(flags, async |target, url| {
        let seconds = restore_database(&target, &url).await?;
        Ok(format!("the database is as it was kept; that took {seconds:.1} s\n"))
    })
}

/// Restores the database, and waits until the server answers again. Returns how many seconds that took.
pub(crate) async fn restore_database(target: &Target, url: &str) -> Result<f64> {
    let began = clock::now();
    let kept = open_test_database(target, url).await?;
    kept.restore().await?;
    wait_until_server_answers(target).await?;
    Ok(began.elapsed().as_secs_f64())
}

fn run_with_target(
    flags: &ArgMatches,
    work: impl AsyncFnOnce(Target, String) -> Result<String>,
) -> Result<String> {
    let target = Target::from_flags(flags)?;
    let url = flags.get_one::<String>("postgres").context("which database?")?.clone();
    on_one_thread(work(target, url))
}

/// Opens the tenant's database. Fails if the tenant is not marked as a test tenant, or the database lacks the mark or has other tenants.
async fn open_test_database(target: &Target, url: &str) -> Result<TestDatabase> {
    let mut session = target.session();
    session.log_in().await?;
    let Some(mark) = mark::find_mark_id(&mut session, &target.tenant).await? else {
        bail!("{} is not marked as a test tenant; `octavo lab mark` marks one", target.tenant);
    };
    TestDatabase::find(url, &target.tenant, &mark).await
}

/// Waits until the server answers again. After its connections to PostgreSQL were ended, its first answers may be errors.
async fn wait_until_server_answers(target: &Target) -> Result<()> {
    let began = clock::now();
    let mut answers = 0;
    loop {
        let asked = async {
            let mut session: Session = target.session();
            session.log_in().await?;
            mark::find_mark_id(&mut session, &target.tenant).await?.context("the mark is gone")
        };
        match asked.await {
            Ok(_) => answers += 1,
            Err(error) if began.elapsed() > LONGEST_WAIT => {
                return Err(error.context("the server does not come back to its database"));
            }
            Err(_) => answers = 0,
        }
        if answers == NEEDED_ANSWERS {
            return Ok(());
        }
        sleep(Duration::from_millis(if answers == 0 { 250 } else { 20 })).await;
    }
}
