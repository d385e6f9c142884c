//! The data of a run: what it found (its fingerprint), and how it is put back for the next.
//!
//! A database is put back from a copy that was kept of it, by `create database ... template`, which copies files. Whoever is
//! connected is sent away for that time, and comes back by itself. What is neither marked as a test tenant nor holds that very
//! mark is not touched.

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

pub(crate) use fingerprint::{Fingerprint, Hashed, take};
use kept::Kept;

/// Answers in a row after which a server is back at work: every connection that it shares has been tried by then.
const ANSWERS: u32 = 6;
const LONGEST: Duration = Duration::from_secs(60);

fn command(name: &'static str, about: &'static str) -> Command {
    let postgres = option(
        "postgres",
        "URL",
        "Address of the database behind the server, as a user who may create and drop databases",
    );
    Command::new(name).about(about).args(mark::target()).arg(postgres.required(true))
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

pub(crate) fn keep(flags: &ArgMatches) -> Result<String> {
    block_on(flags, async |target, url| {
        let began = clock::now();
        let kept = admitted(&target, &url).await?;
        kept.keep().await?;
        answers_again(&target).await?;
        Ok(format!("{} was kept as {} in {:.1} s\n", kept.name, kept.copy(), began.elapsed().as_secs_f64()))
    })
}

pub(crate) fn reset(flags: &ArgMatches) -> Result<String> {
    block_on(flags, async |target, url| {
        let seconds = put_back(&target, &url).await?;
        Ok(format!("the database is as it was kept; that took {seconds:.1} s\n"))
    })
}

/// Puts the database back, and waits until the server is at work again; how many seconds that took.
pub(crate) async fn put_back(target: &Target, url: &str) -> Result<f64> {
    let began = clock::now();
    let kept = admitted(target, url).await?;
    kept.reset().await?;
    answers_again(target).await?;
    Ok(began.elapsed().as_secs_f64())
}

fn block_on(flags: &ArgMatches, work: impl AsyncFnOnce(Target, String) -> Result<String>) -> Result<String> {
    let target = Target::from_flags(flags)?;
    let url = flags.get_one::<String>("postgres").context("which database?")?.clone();
    on_one_thread(work(target, url))
}

/// The database, if the tenant is marked and its mark is in there, and nobody else's records are.
async fn admitted(target: &Target, url: &str) -> Result<Kept> {
    let mut session = target.session();
    session.log_in().await?;
    let Some(mark) = mark::find(&mut session, &target.tenant).await? else {
        bail!("{} is not marked as a test tenant; `octavo lab mark` marks one", target.tenant);
    };
    Kept::find(url, &target.tenant, &mark).await
}

/// A server whose connections were cut needs a moment, and may answer a few times with an error.
async fn answers_again(target: &Target) -> Result<()> {
    let began = clock::now();
    let mut answers = 0;
    loop {
        let asked = async {
            let mut session: Session = target.session();
            session.log_in().await?;
            mark::find(&mut session, &target.tenant).await?.context("the mark is gone")
        };
        match asked.await {
            Ok(_) => answers += 1,
            Err(error) if began.elapsed() > LONGEST => {
                return Err(error.context("the server does not come back to its database"));
            }
            Err(_) => answers = 0,
        }
        if answers == ANSWERS {
            return Ok(());
        }
        sleep(Duration::from_millis(if answers == 0 { 250 } else { 20 })).await;
    }
}
