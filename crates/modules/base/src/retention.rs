//! Old records of logs, which would otherwise be kept for ever, are removed. How long each is kept is a setting: docs/privacy.md.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Pace, ProcessSettings};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;

use crate::{circulation_log, security_events};

/// Removes what is older than the settings say. Each log is removed from by SQL that deletes a thousand rows older than `$1`.
pub async fn delete_old_records(context: &Context) -> Outcome<()> {
    for (days, old) in logs(&context.platform.settings) {
        if let Some(before) = days_ago(context, days) {
            delete_in_batches(context, &Statement::new(old).text(folio_time(before))).await?;
        }
    }
    Ok(())
}

/// The logs, with the number of days that each is kept.
fn logs(settings: &ProcessSettings) -> [(i64, &'static str); 7] {
    [
        (settings.decision_days, DECISIONS),
        (settings.notice_days, NOTICES),
        (settings.notice_days, E_MAILS),
        (settings.circulation_log_days, circulation_log::OLD),
        (settings.security_event_days, security_events::OLD),
        (settings.security_event_days, LOG_INS),
        (settings.security_event_days, OF_OTHERS),
    ]
}

/// The time before which records are old; none if the library has not set the number of days.
fn days_ago(context: &Context, days: i64) -> Option<Timestamp> {
    let days = Some(days).filter(|days| *days > 0)?;
    context.now.checked_sub(SignedDuration::from_hours(24 * days)).ok()
}

async fn delete_in_batches(context: &Context, old: &Statement) -> Outcome<()> {
    let mut pace = Pace::begin();
    while context.session().await?.rows(old.clone()).await?.len() == BATCH {
        pace.pause().await;
    }
    Ok(())
}

/// How many rows are deleted in one transaction.
const BATCH: usize = 1000;

/// Decisions about closed loans.
const DECISIONS: &str = "\
delete from decision d
where d.id in (
  select o.id
  from decision o
  where (o.doc ->> 'at') collate \"C\" < $1
    and not exists (select from loan l where l.id = o.\"loanId\" and l.\"status.name\" = 'open')
  limit 1000
)
returning 1";

const NOTICES: &str = "\
delete from notice n
where n.id in (
  select o.id
  from notice o
  where o.\"decidedDate\" < $1
    and o.status not in ('Pending', 'Sending')
  order by o.\"decidedDate\"
  limit 1000
)
returning 1";

/// E-mails that were given up; those that were delivered go after a day.
const E_MAILS: &str = "\
delete from email_statistics e
where e.id in (
  select o.id
  from email_statistics o
  where (o.doc ->> 'date') collate \"C\" < $1
    and not exists (select from outbox w where w.kind = 'email' and w.subject = o.id)
  limit 1000
)
returning 1";

/// mod-login's log.
const LOG_INS: &str = "\
delete from event_logs e
where e.id in (select o.id from event_logs o where o.timestamp < $1 order by o.timestamp limit 1000)
returning 1";

/// What other programs have noted in mod-audit.
const OF_OTHERS: &str = "\
delete from audit_data a
where a.id in (
  select o.id
  from audit_data o
  where coalesce(o.doc ->> 'timestamp', o.doc #>> '{metadata,createdDate}') collate \"C\" < $1
  limit 1000
)
returning 1";

octavo_pg::statements!(other = [DECISIONS, NOTICES, E_MAILS, LOG_INS, OF_OTHERS]);
