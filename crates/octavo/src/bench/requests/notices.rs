//! Notices whose time has come all at once, and what the desk notices of them.

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use octavo_lab::clock;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::figure as written;
use octavo_pg::{Session, Statement};

use super::sink::Sink;
use super::waiting::Waiting;
use crate::bench::desk::Desk;
use crate::bench::say;
use crate::bench::timer;

pub(super) struct Notices {
    /// From the moment in which the job was to begin until the mail server had the last one.
    pub(super) elapsed: Duration,
    /// From the same moment until the mail server had the first one.
    pub(super) first: Duration,
    /// The times of check-outs meanwhile.
    pub(super) meanwhile: Latencies,
    /// Whether the desk had no items left before all notices were sent.
    pub(super) ran_out: bool,
}

const LOOK: Duration = Duration::from_millis(20);
const PROGRESS: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(3600);

pub(super) async fn measure(
    desk: &Desk,
    sink: &Sink,
    session: &mut Session,
    waiting: Waiting,
) -> Result<Notices> {
    say("patron notices come due");
    session.rows(Statement::new(DUE)).await?;
    session.script("analyze scheduled_notice").await?;
    say("writing patron notices and handing them over while the desk checks items out");
    let before = sink.taken();
    let load = desk.begin().await?;
    let started = clock::now();
    timer::begin(session, "/circulation/loan-scheduled-notices-processing").await?;
    let (mut first, mut told_at) = (None, Duration::ZERO);
    let elapsed = loop {
        let (taken, elapsed) = (sink.taken() - before, started.elapsed());
        if taken > 0 {
            first.get_or_insert(elapsed);
        }
        if taken >= waiting.notices() {
            break elapsed;
        }
        if elapsed > LONGEST {
            bail!("only {taken} of {} notices have been sent", waiting.notices());
        }
        if elapsed > told_at + PROGRESS {
            say(&format!("{} notices have been sent", written(taken.into(), 0)));
            told_at = elapsed;
        }
        tokio::time::sleep(LOOK).await;
    };
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expected()?;
    let left = session.read::<Option<i64>>(Statement::new(LEFT)).await?.unwrap_or(-1);
    ensure!(left == 0, "{left} notices are still to be sent");
    Ok(Notices { elapsed, first: first.unwrap_or(elapsed), meanwhile, ran_out })
}

/// About each loan that is due, upon its due date; the template is the demo library's overdue notice.
const DUE: &str = include_str!("notices/due.sql");

const LEFT: &str = "select count(*) from scheduled_notice where \"triggeringEvent\" = 'Due date'";
