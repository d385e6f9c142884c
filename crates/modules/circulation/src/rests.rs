//! Until when the timers of these modules would find nothing to do.

use octavo_engine::Rest;

/// Patron notices that are scheduled, of whatever kind.
pub(crate) static NOTICES: Rest =
    Rest { until: NEXT_NOTICE, tables: &["scheduled_notice", "patron_action_session"] };

/// Visits that are to end when the patron has been idle.
pub(crate) static VISITS: Rest = Rest { until: OPEN_VISITS, tables: &["patron_action_session"] };

/// Requests that expire.
pub(crate) static REQUESTS: Rest = Rest { until: NEXT_EXPIRY, tables: &["request"] };

/// Queues that are to be renumbered.
pub(crate) static QUEUES: Rest =
    Rest { until: OPEN_JOBS, tables: &["tlr_feature_toggle_job", "request", "queue_place"] };

/// Loans that age, or that are forgotten: not in a library without any.
pub(crate) static LOANS: Rest = Rest { until: ANY_LOAN, tables: &["loan"] };

/// What lost items have cost.
pub(crate) static ACTUAL_COST: Rest = Rest { until: NEXT_COST, tables: &["actual_cost_record"] };

/// E-mails that are to be tried again.
pub(crate) static TASKS: Rest = Rest { until: ANY_TASK, tables: &["outbox"] };

/// E-mails that are to be removed.
pub(crate) static EMAILS: Rest = Rest { until: ANY_EMAIL, tables: &["email_statistics"] };

/// Nothing is ever to be done.
pub(crate) static NEVER: Rest = Rest { until: NOTHING, tables: &[] };

const NEXT_NOTICE: &str = "select min(\"nextRunTime\") from scheduled_notice";

const OPEN_VISITS: &str = "select case when exists (select from patron_action_session) then '' end";

const NEXT_EXPIRY: &str = "\
select least(
  min(\"requestExpirationDate\") filter (where status <> 'open - awaiting pickup'),
  min(\"holdShelfExpirationDate\") filter (where status = 'open - awaiting pickup')
)
from request
where status like 'open%'";

const OPEN_JOBS: &str = "\
select case when exists (
  select from tlr_feature_toggle_job where status in ('open', 'in-progress')
) then '' end";

const ANY_LOAN: &str = "select case when exists (select from loan) then '' end";

const NEXT_COST: &str = "select min(\"expirationDate\") from actual_cost_record where status = 'open'";

const ANY_TASK: &str = "select case when exists (select from outbox) then '' end";

const ANY_EMAIL: &str = "select case when exists (select from email_statistics) then '' end";

const NOTHING: &str = "select null::text";

octavo_pg::statements! {
    other = [NEXT_NOTICE, OPEN_VISITS, NEXT_EXPIRY, OPEN_JOBS, ANY_LOAN, NEXT_COST, ANY_TASK, ANY_EMAIL, NOTHING],
}
