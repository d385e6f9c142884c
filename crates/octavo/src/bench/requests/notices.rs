//! Notices whose time has come all at once, and what the desk notices of them.

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use octavo_lab::clock;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::format_number;
use octavo_pg::{Session, Statement};

use super::sink::Sink;
use super::waiting::InitialRequests;
use crate::bench::desk::Desk;
use crate::bench::print_progress;
use crate::bench::timer;

pub(super) struct Notices {
    /// The time from the moment at which the job was to begin until the mail server had the last notice.
    pub(super) elapsed: Duration,
    /// The time from the same moment until the mail server had the first notice.
    pub(super) first: Duration,
    /// The times of the check-outs that were made while the notices were sent.
    pub(super) check_outs_meanwhile: Latencies,
    /// Whether the desk had no items left before all notices were sent.
    pub(super) ran_out: bool,
}

const POLL_INTERVAL: Duration = Duration::from_millis(20);
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
const LONGEST_SENDING: Duration = Duration::from_secs(3600);

pub(super) async fn measure(
    desk: &Desk,
    sink: &Sink,
    session: &mut Session,
    waiting: InitialRequests,
) -> Result<Notices> {
    print_progress("patron notices come due");
    session.rows(Statement::new(INSERT_DUE_NOTICES)).await?;
    session.script("analyze scheduled_notice").await?;
    print_progress("writing patron notices and handing them over while the desk checks items out");
    let before = sink.received_mails();
    let load = desk.begin().await?;
    let started = clock::now();
    timer::make_timer_due(session, "/circulation/loan-scheduled-notices-processing").await?;
    let (mut first, mut told_at) = (None, Duration::ZERO);
    let elapsed = loop {
        let (taken, elapsed) = (sink.received_mails() - before, started.elapsed());
        if taken > 0 {
            first.get_or_insert(elapsed);
        }
        if taken >= waiting.notice_count() {
            break elapsed;
        }
        if elapsed > LONGEST_SENDING {
            bail!("only {taken} of {} notices have been sent", waiting.notice_count());
        }
        if elapsed > told_at + PROGRESS_INTERVAL {
            print_progress(&format!("{} notices have been sent", format_number(taken.into(), 0)));
            told_at = elapsed;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expect_no_failure()?;
    let left = session.read::<Option<i64>>(Statement::new(COUNT_UNSENT)).await?.unwrap_or(-1);
    ensure!(left == 0, "{left} notices are still to be sent");
    Ok(Notices { elapsed, first: first.unwrap_or(elapsed), check_outs_meanwhile: meanwhile, ran_out })
}

/// About each loan that is due, upon its due date; the template is the demo library's overdue notice.
const INSERT_DUE_NOTICES: &str = include_str!("notices/due.sql");

const COUNT_UNSENT: &str = "select count(*) from scheduled_notice where \"triggeringEvent\" = 'Due date'";
