//! FOLIO's jobs for scheduled notices that are due, each for its own events.
//!
//! Batches of two or three round trips, each a transaction that locks its notices, so that two processes never take the same one.
//! Locked notices are skipped. The job only decides that there is a notice; the relay writes it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use octavo_circulation::notice::{NoticeOutcome, notice_outcome};
use octavo_circulation::plan::{NoticeReason, event};
use octavo_engine::{Context, Request, Response, statements, yield_to_others};
use octavo_kernel::{Outcome, folio_time};
use octavo_modules_base::circulation_records::SCHEDULED_NOTICE;
use octavo_pg::{Batch, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Gathered, NoticeSubjectIds, gather};
use super::writing::set_not_sent;
use super::{insert_notices, pending_row};
use crate::circulation::Desk;

/// How many notices one transaction takes. A check-in of an item of the batch waits for its end.
const BATCH: usize = 100;
/// The batch size of notices with a list, of which a patron gets one for a batch.
const LIST_BATCH: usize = 500;

#[derive(Debug, Clone, Copy)]
pub(in crate::circulation) struct Job {
    events: &'static [&'static str],
    /// `noticeConfig.sendInRealTime`; `None` for both.
    real_time: Option<bool>,
    /// Whether a patron gets one notice with a list for each template.
    grouped: bool,
    before_today: bool,
}

/// One notice for each loan, request or fee, as soon as it is due.
const SINGLE: Job = Job { events: &[], real_time: None, grouped: false, before_today: false };

const LOANS: &[&str] = &[event::DUE_DATE, event::AGED_TO_LOST];
const REQUESTS: &[&str] = &[event::REQUEST_EXPIRATION, event::HOLD_EXPIRATION, event::TITLE_EXPIRATION];
const FEES: &[&str] = &[event::AGED_TO_LOST_CHARGED, event::LOST_RETURNED];
const FINES: &[&str] = &[event::FINE_RETURNED, event::FINE_RENEWED];

/// What FOLIO sends in real time, and what it sends once a day.
const fn real_time(events: &'static [&'static str]) -> Job {
    Job { events, real_time: Some(true), ..SINGLE }
}

const fn once_a_day(events: &'static [&'static str]) -> Job {
    Job { events, real_time: Some(false), grouped: true, before_today: true }
}

impl Job {
    pub(in crate::circulation) const LOANS: Job = real_time(LOANS);
    pub(in crate::circulation) const DUE_DATES_OF_THE_DAY: Job = once_a_day(LOANS);
    pub(in crate::circulation) const REQUESTS: Job = Job { events: REQUESTS, ..SINGLE };
    pub(in crate::circulation) const FEES: Job = real_time(FEES);
    pub(in crate::circulation) const FEES_OF_THE_DAY: Job = once_a_day(FEES);
    pub(in crate::circulation) const OVERDUE_FINES: Job = Job { events: FINES, grouped: true, ..SINGLE };

    fn batch_size(self) -> usize {
        if self.grouped { LIST_BATCH } else { BATCH }
    }

    /// Whether notices about a check-in session that has not ended yet wait for its end.
    fn waits_for_visits(self) -> bool {
        self.events.contains(&event::FINE_RETURNED)
    }
}

pub(in crate::circulation) async fn process(request: Request, job: Job) -> Outcome<Response> {
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let desk = Desk::from_snapshot(&snapshot);
    let until = if job.before_today { start_of_today(context, &desk) } else { context.now };
    let mut session = context.session().await?;
    let mut after = (String::new(), Uuid::nil());
    let mut decided = 0;
    loop {
        let mut asked = Batch::default();
        let due = asked.ask::<(Uuid, Option<Value>, String)>(batch_statement(job, until, &after));
        let due = asked.begin(&mut session).await?.all(due);
        let Some((id, _, at)) = due.last() else {
            session.rollback().await?;
            break;
        };
        after = (at.clone(), *id);
        let full = due.len() == job.batch_size();
        let scheduled = due.into_iter().filter_map(|(id, record, _)| Some((id, record?))).collect();
        decided += run(context, &mut session, &desk, job, scheduled).await?;
        if !full || context.platform.stop_sign.must_stop() {
            break;
        }
    }
    if decided > 0 {
        tracing::info!(tenant = %context.tenant.id, notices = decided, "scheduled notices are due");
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(Response::no_content())
}

fn start_of_today(context: &Context, desk: &Desk) -> jiff::Timestamp {
    let today = context.now.to_zoned(desk.time_zone.clone());
    today.start_of_day().map_or(context.now, |start| start.timestamp())
}

fn batch_statement(job: Job, until: jiff::Timestamp, after: &(String, Uuid)) -> Statement {
    let real_time = job.real_time.map(|real_time| real_time.to_string());
    let due = if job.waits_for_visits() { &DUE_AFTER_THE_VISIT } else { &DUE };
    Statement::new(due.as_str())
        .texts(job.events.iter().map(|event| (*event).to_owned()).collect())
        .maybe_text(real_time.as_deref())
        .text(folio_time(until))
        .text(after.0.as_str())
        .uuid(after.1)
        .long(job.batch_size() as i64)
}

/// One batch, committed; how many notices it led to.
async fn run(
    context: &Context,
    session: &mut Session,
    desk: &Desk,
    job: Job,
    scheduled: Vec<(Uuid, Value)>,
) -> Outcome<usize> {
    let mut wanted = NoticeSubjectIds::default();
    scheduled.iter().for_each(|(_, record)| wanted.add(record));
    let found = gather(session, desk, wanted).await?;
    let mut outcome = Outcomes::default();
    for (done, (id, record)) in scheduled.into_iter().enumerate() {
        outcome.add(context, desk, job, &found, id, record);
        yield_to_others(done).await;
    }
    let notices = outcome.notices();
    let decided = notices.len();
    let mut statements = insert_notices(context, notices);
    if !outcome.done.is_empty() {
        statements.push(Statement::new(DELETE).uuids(outcome.done));
    }
    if !outcome.again.is_empty() {
        statements.push(statements::overwrite_all(&SCHEDULED_NOTICE, &outcome.again));
    }
    session.commit(statements).await?;
    Ok(decided)
}

/// Deletes scheduled notices that have become void, and notes the reasons in the ledger.
pub(in crate::circulation) fn end_scheduled(
    context: &Context,
    ended: &[(Uuid, Value, &'static str)],
) -> Vec<Statement> {
    let ids = ended.iter().map(|(id, _, _)| *id).collect();
    let notices = ended.iter().map(|(_, record, why)| {
        let mut notice = notice_from_scheduled(record);
        set_not_sent(&mut notice, why);
        notice
    });
    let mut statements = insert_notices(context, notices.collect());
    statements.push(Statement::new(DELETE).uuids(ids));
    statements
}

#[derive(Default)]
struct Outcomes {
    single: Vec<Value>,
    /// Notices grouped by patron, event, template, channel, timing and visit.
    grouped: BTreeMap<[String; 6], Value>,
    done: Vec<Uuid>,
    again: Vec<(Uuid, Value)>,
}

impl Outcomes {
    fn add(
        &mut self,
        context: &Context,
        desk: &Desk,
        job: Job,
        found: &Gathered,
        id: Uuid,
        mut record: Value,
    ) {
        let fate = match policy_is_gone(&record, desk) {
            true => NoticeOutcome::Drop { why: "the notice policy is gone" },
            false => notice_outcome(&record, &found.subject(&record), context.now),
        };
        match fate {
            NoticeOutcome::Wait => {}
            NoticeOutcome::Drop { why } => {
                let mut notice = notice_from_scheduled(&record);
                set_not_sent(&mut notice, why);
                self.single.push(notice);
                self.done.push(id);
            }
            NoticeOutcome::Write { next_run: again } => {
                let notice = notice_from_scheduled(&record);
                if job.grouped {
                    let visit = record["sessionId"].as_str().filter(|_| is_of_visit(&record));
                    self.group(notice, visit);
                } else {
                    self.single.push(notice);
                }
                match again {
                    Some(next) => {
                        record["nextRunTime"] = json!(folio_time(next));
                        self.again.push((id, record));
                    }
                    None => self.done.push(id),
                }
            }
        }
    }

    /// Adds an element to a notice with a list. The template decides that there is a list, even of one element.
    fn group(&mut self, notice: Value, visit: Option<&str>) {
        let text = |name: &str| notice[name].as_str();
        let key =
            [text("recipientId"), text("event"), text("templateId"), text("channel"), text("timing"), visit]
                .map(|part| part.unwrap_or_default().to_owned());
        let (loan, action) = (notice["loanId"].clone(), notice["feeFineActionId"].clone());
        let known = self.grouped.entry(key).or_insert(notice);
        for (list, one) in [("loanIds", loan), ("feeFineActionIds", action)] {
            if one.is_string() {
                match known[list].as_array_mut() {
                    Some(list) => list.push(one),
                    None => known[list] = json!([one]),
                }
            }
        }
    }

    fn notices(&mut self) -> Vec<Value> {
        let mut notices = std::mem::take(&mut self.single);
        notices.extend(std::mem::take(&mut self.grouped).into_values());
        notices
    }
}

/// Whether the notice is about a fine of a visit: the fines of a visit are in one notice.
fn is_of_visit(record: &Value) -> bool {
    record["triggeringEvent"] == event::FINE_RETURNED && record["noticeConfig"]["timing"] == "Upon At"
}

fn policy_is_gone(record: &Value, desk: &Desk) -> bool {
    record["because"]["policyId"].as_str().is_some_and(|id| !desk.policies.notice.contains_key(id))
}

fn notice_from_scheduled(record: &Value) -> Value {
    let config = &record["noticeConfig"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let channel = if config["format"] == "Print" { "mail" } else { "email" };
    let mut notice = pending_row(
        &text(&record["triggeringEvent"]),
        &NoticeReason::default(),
        &text(&config["templateId"]),
        Some(channel),
    );
    notice["recipientId"] = record["recipientUserId"].clone();
    notice["timing"] = config["timing"].clone();
    notice["scheduledFor"] = record["nextRunTime"].clone();
    for name in ["loanId", "requestId", "feeFineActionId"] {
        if record[name].is_string() {
            notice[name] = record[name].clone();
        }
    }
    if let (Some(notice), Some(because)) = (notice.as_object_mut(), record["because"].as_object()) {
        notice.extend(because.clone());
    }
    notice
}

/// `$1` events, `$2` real time or not, `$3` until when, `$4` and `$5` the last of the batch before, `$6` how many.
fn due_sql(visits: &str) -> String {
    format!(
        "\
select id, doc::text, \"nextRunTime\"
from scheduled_notice
where \"triggeringEvent\" = any($1)
  and ($2::text is null or coalesce(\"noticeConfig.sendInRealTime\", 'false') = $2)
  and \"nextRunTime\" < $3
  and (\"nextRunTime\", id) > ($4, $5){visits}
order by \"nextRunTime\", id
limit $6::int8
for update skip locked"
    )
}
static DUE: LazyLock<String> = LazyLock::new(|| due_sql(""));
/// Due notices whose visit has ended: sessions are deleted at their end.
static DUE_AFTER_THE_VISIT: LazyLock<String> = LazyLock::new(|| {
    due_sql(
        "
  and not exists (
    select from patron_action_session s
    where s.doc ->> 'sessionId' = scheduled_notice.doc ->> 'sessionId'
  )",
    )
});

const DELETE: &str = "delete from scheduled_notice where id = any($1)";

octavo_pg::statements!(hot = [DELETE], other = [DUE, DUE_AFTER_THE_VISIT]);
