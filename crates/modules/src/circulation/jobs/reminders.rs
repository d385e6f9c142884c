//! `POST /circulation/scheduled-digital-reminders-processing`: overdue loans whose next reminder is due.
//!
//! Batches of three or four round trips, each a transaction that holds its loans locked. What somebody else is just working on
//! is left to the next run.

use std::collections::HashSet;

use octavo_circulation::notice::event;
use octavo_circulation::plan::Plan;
use octavo_circulation::remember_by_clock;
use octavo_circulation::reminders::{Reminded, remind};
use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::tell;
use crate::circulation::Desk;
use crate::circulation::commit::commit_all;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, fresh_ids, item_at, library_facts, patron_of};
use crate::circulation::notices::never_written;
use crate::template_engine::TEMPLATE;

const BATCH: usize = 100;

pub(crate) async fn process(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let run = Run { context, snapshot: &snapshot };
    run.without_loan(&mut session).await?;
    let reminded = run.all(&mut session).await?;
    tell(context, reminded, "overdue loans were reminded of");
    Ok(Response::no_content())
}

struct Run<'a> {
    context: &'a Context,
    snapshot: &'a Snapshot,
}

/// What a batch comes to.
#[derive(Default)]
struct Batch {
    plans: Vec<Plan>,
    /// Reminders that end: their records, and why.
    ended: Vec<(Uuid, Value, &'static str)>,
}

impl Run<'_> {
    /// How many reminders there were.
    async fn all(&self, session: &mut Session) -> Outcome<usize> {
        let mut after = (String::new(), Uuid::nil());
        let mut reminded = 0;
        loop {
            let rows = session.begin(vec![self.due(&after)]).await?.pop().unwrap_or_default();
            let batch = self.decide(&rows, &*super::desk(self.context, session).await?);
            if let Some(last) = rows.last() {
                after = (last.text(2).to_owned(), last.uuid(0));
            }
            reminded += batch.plans.len();
            self.finish(session, batch).await?;
            if rows.len() < BATCH {
                return Ok(reminded);
            }
        }
    }

    fn due(&self, after: &(String, Uuid)) -> Statement {
        let columns = "s.id, s.doc::text, s.\"nextRunTime\", l.doc::text, u.doc::text";
        Statement::new(format!("select {columns}, {ITEM_COLUMNS}\n{ITEM_SOURCE}\n{DUE}"))
            .text(folio_time(self.context.now))
            .text(after.0.as_str())
            .uuid(after.1)
            .text(event::REMINDER)
    }

    fn decide(&self, rows: &[Row], desk: &Desk) -> Batch {
        let mut facts = library_facts(self.context, desk);
        let (mut batch, mut seen) = (Batch::default(), HashSet::new());
        for row in rows {
            let (Some(scheduled), Some(record)) = (row.json(1), row.json(3)) else { continue };
            let Some(item) = item_at(row, 5, desk) else { continue };
            // One reminder a run, also of a loan for which two were scheduled.
            if !seen.insert(record["id"].to_string()) {
                continue;
            }
            facts.patron = row.json(4).map(|user| patron_of(user, desk));
            facts.about(record.into(), item, fresh_ids(self.context));
            match remind(&facts, &scheduled, self.has_template(&scheduled)) {
                Reminded::Sent(mut plan) => {
                    remember_by_clock(&facts, "reminder", &mut plan);
                    batch.plans.push(*plan);
                }
                Reminded::Ends { why } => batch.ended.push((row.uuid(0), scheduled, why)),
                Reminded::Waits { why } => {
                    tracing::debug!(loan = %scheduled["loanId"], %why, "a reminder waits");
                }
            }
        }
        batch
    }

    fn has_template(&self, scheduled: &Value) -> bool {
        let id = scheduled["noticeConfig"]["templateId"].as_str();
        id.and_then(|id| Uuid::parse_str(id).ok())
            .is_some_and(|id| self.snapshot.get(&TEMPLATE, id).is_some())
    }

    async fn finish(&self, session: &mut Session, batch: Batch) -> Outcome<()> {
        let Batch { plans, ended } = batch;
        if plans.is_empty() && ended.is_empty() {
            return Ok(session.rollback().await?);
        }
        if !ended.is_empty() {
            session.batch(never_written(self.context, &ended)).await?;
        }
        commit_all(self.context, session, &plans).await
    }

    /// Reminders of loans or items that are gone.
    async fn without_loan(&self, session: &mut Session) -> Outcome<()> {
        let gone = Statement::new(GONE).text(folio_time(self.context.now)).text(event::REMINDER);
        let rows = session.begin(vec![gone]).await?.pop().unwrap_or_default();
        let ended = rows.iter().filter_map(|row| Some((row.uuid(0), row.json(1)?, "the loan is gone")));
        self.finish(session, Batch { plans: Vec::new(), ended: ended.collect() }).await
    }
}

/// `$1` is now; `$2` and `$3` are the last of the batch before. `$4` is the event.
const DUE: &str = "\
join loan l on l.\"itemId\" = i.id
join scheduled_notice s on s.\"loanId\" = l.id
left join users u on u.id = l.\"userId\"
where s.\"triggeringEvent\" = $4
  and s.\"nextRunTime\" <= $1
  and (s.\"nextRunTime\", s.id) > ($2, $3)
order by s.\"nextRunTime\", s.id
limit 100
for no key update of i, l, s skip locked";

const GONE: &str = "\
select s.id, s.doc::text
from scheduled_notice s
where s.\"triggeringEvent\" = $2
  and s.\"nextRunTime\" <= $1
  and not exists (select from loan l join item i on i.id = l.\"itemId\" where l.id = s.\"loanId\")
order by s.id
for update of s skip locked";

octavo_pg::statements!(other = [GONE]);
