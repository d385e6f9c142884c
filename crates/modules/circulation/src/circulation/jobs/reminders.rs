//! `POST /circulation/scheduled-digital-reminders-processing`: overdue loans whose next reminder is due.
//!
//! Batches of three or four round trips, each a transaction that locks its loans. Loans that another transaction has locked are left
//! to the next run.

use std::collections::HashSet;
use std::sync::LazyLock;

use octavo_circulation::log::log;
use octavo_circulation::notice::DecisionFacts;
use octavo_circulation::plan::{Plan, event};
use octavo_circulation::remember_by_clock;
use octavo_circulation::reminders::{ReminderOutcome, remind};
use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::{Outcome, folio_time};
use octavo_modules_base::template_engine::TEMPLATE;
use octavo_pg::{Batch, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::log_count;
use crate::circulation::Desk;
use crate::circulation::gather::{
    ITEM_COLUMNS, ItemRow, LOCKABLE_SOURCES, fresh_ids, library_facts, patron_of,
};
use crate::circulation::notices::end_scheduled;
use crate::decide::write;

const BATCH: usize = 100;

pub(crate) async fn process(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let run = Run { context, snapshot: &snapshot };
    run.end_without_loan(&mut session).await?;
    let (mut reminded, mut seen) = (0, HashSet::new());
    for due in Desk::from_snapshot(&snapshot).choose_for_stocks(&DUE) {
        reminded += run.process_all(&mut session, due, &mut seen).await?;
    }
    log_count(context, reminded, "overdue loans were reminded of");
    Ok(Response::no_content())
}

struct Run<'a> {
    context: &'a Context,
    snapshot: &'a Snapshot,
}

struct DueReminder {
    id: Uuid,
    scheduled: Option<Value>,
    at: String,
    loan: Option<Value>,
    borrower: Option<Value>,
    item: ItemRow,
}

octavo_pg::columns!(DueReminder { id, scheduled, at, loan, borrower, item });

#[derive(Default)]
struct Reminders {
    plans: Vec<Plan>,
    /// Reminders that end: id, record and reason.
    ended: Vec<(Uuid, Value, &'static str)>,
}

impl Run<'_> {
    /// How many reminders there were. `sql` is one of [`DUE`]; `seen` are the loans that the run has come to so far.
    async fn process_all(
        &self,
        session: &mut Session,
        sql: &'static str,
        seen: &mut HashSet<String>,
    ) -> Outcome<usize> {
        let mut after = (String::new(), Uuid::nil());
        let mut reminded = 0;
        loop {
            let mut batch = Batch::default();
            let due = batch.ask::<DueReminder>(self.due_statement(sql, &after));
            let due = batch.begin(session).await?.all(due);
            if let Some(last) = due.last() {
                after = (last.at.clone(), last.id);
            }
            let full = due.len() == BATCH;
            let outcome = self.decide(due, seen, &*super::current_desk(self.context, session).await?);
            reminded += outcome.plans.len();
            self.finish(session, outcome).await?;
            if !full || self.context.platform.stop_sign.must_stop() {
                return Ok(reminded);
            }
        }
    }

    fn due_statement(&self, sql: &'static str, after: &(String, Uuid)) -> Statement {
        Statement::new(sql)
            .text(folio_time(self.context.now))
            .text(after.0.as_str())
            .uuid(after.1)
            .text(event::REMINDER)
    }

    fn decide(&self, due: Vec<DueReminder>, seen: &mut HashSet<String>, desk: &Desk) -> Reminders {
        let mut facts = library_facts(self.context, desk);
        let mut outcome = Reminders::default();
        for reminder in due {
            let (Some(scheduled), Some(record)) = (reminder.scheduled, reminder.loan) else { continue };
            let Some(item) = reminder.item.item(desk) else { continue };
            // At most one reminder of a loan in a run, even if two were scheduled. The next one may be due already, because its time is cut
            // to the hour; a later batch then finds it.
            if !seen.insert(record["id"].to_string()) {
                continue;
            }
            facts.patron = reminder.borrower.map(|user| patron_of(user, desk));
            facts.set_loan(record.into(), item, fresh_ids(self.context));
            match remind(&facts, &scheduled, self.has_template(&scheduled)) {
                ReminderOutcome::Sent(mut plan) => {
                    remember_by_clock(&facts, "reminder", &mut plan);
                    log(DecisionFacts { facts: &facts, items: &[] }, &mut plan);
                    outcome.plans.push(*plan);
                }
                ReminderOutcome::Ends { why } => outcome.ended.push((reminder.id, scheduled, why)),
                ReminderOutcome::Waits { why } => {
                    tracing::debug!(loan = %scheduled["loanId"], %why, "a reminder waits");
                }
            }
        }
        outcome
    }

    fn has_template(&self, scheduled: &Value) -> bool {
        let id = scheduled["noticeConfig"]["templateId"].as_str();
        id.and_then(|id| Uuid::parse_str(id).ok())
            .is_some_and(|id| self.snapshot.get(&TEMPLATE, id).is_some())
    }

    async fn finish(&self, session: &mut Session, outcome: Reminders) -> Outcome<()> {
        let Reminders { plans, ended } = outcome;
        if plans.is_empty() && ended.is_empty() {
            return Ok(session.rollback().await?);
        }
        if !ended.is_empty() {
            session.batch(end_scheduled(self.context, &ended)).await?;
        }
        Ok(write(self.context, session, &plans).await?)
    }

    /// Reminders of loans or items that are gone.
    async fn end_without_loan(&self, session: &mut Session) -> Outcome<()> {
        let gone = Statement::new(GONE).text(folio_time(self.context.now)).text(event::REMINDER);
        let mut batch = Batch::default();
        let gone = batch.ask::<(Uuid, Option<Value>)>(gone);
        let gone = batch.begin(session).await?.all(gone).into_iter();
        let ended = gone.filter_map(|(id, scheduled)| Some((id, scheduled?, "the loan is gone")));
        self.finish(session, Reminders { plans: Vec::new(), ended: ended.collect() }).await
    }
}

/// About the library's own items, and about those of partners. `$1` is now; `$2` and `$3` are the last of the batch before. `$4` is the
/// event.
static DUE: LazyLock<[String; 2]> = LazyLock::new(|| {
    LOCKABLE_SOURCES.each_ref().map(|source| {
        format!(
            "\
select s.id, s.doc::text, s.\"nextRunTime\", l.doc::text, u.doc::text, {ITEM_COLUMNS}
{source}
join loan l on l.\"itemId\" = i.id
join scheduled_notice s on s.\"loanId\" = l.id
left join users u on u.id = l.\"userId\"
where s.\"triggeringEvent\" = $4
  and s.\"nextRunTime\" <= $1
  and (s.\"nextRunTime\", s.id) > ($2, $3)
order by s.\"nextRunTime\", s.id
limit 100
for no key update of i, l, s skip locked"
        )
    })
});

const GONE: &str = "\
select s.id, s.doc::text
from scheduled_notice s
where s.\"triggeringEvent\" = $2
  and s.\"nextRunTime\" <= $1
  and not exists (select from loan l join item i on i.id = l.\"itemId\" where l.id = s.\"loanId\")
  and not exists (select from loan l join circulation_item c on c.id = l.\"itemId\" where l.id = s.\"loanId\")
order by s.id
for update of s skip locked";

octavo_pg::statements!(other = [DUE, GONE]);
