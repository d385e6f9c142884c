//! For each timer of these modules: until when it would find nothing to do.

use octavo_engine::RestRule;

/// Patron notices that are scheduled, of whatever kind.
pub(crate) static NOTICES: RestRule =
    RestRule { until_sql: NEXT_NOTICE, tables: &["scheduled_notice", "patron_action_session"] };

/// Visits that are to end when the patron has been idle.
pub(crate) static VISITS: RestRule = RestRule { until_sql: OPEN_VISITS, tables: &["patron_action_session"] };

/// Requests that expire.
pub(crate) static REQUESTS: RestRule = RestRule { until_sql: NEXT_EXPIRY, tables: &["request"] };

/// Queues that are to be renumbered.
pub(crate) static QUEUES: RestRule =
    RestRule { until_sql: OPEN_JOBS, tables: &["tlr_feature_toggle_job", "request", "queue_place"] };

/// Loans that age to lost, or that are anonymised: nothing is to be done in a library without loans.
pub(crate) static LOANS: RestRule = RestRule { until_sql: ANY_LOAN, tables: &["loan"] };

/// Actual cost records that expire.
pub(crate) static ACTUAL_COST: RestRule = RestRule { until_sql: NEXT_COST, tables: &["actual_cost_record"] };

/// E-mails that are to be tried again.
pub(crate) static TASKS: RestRule = RestRule { until_sql: ANY_TASK, tables: &["outbox"] };

/// E-mails that are to be removed.
pub(crate) static EMAILS: RestRule = RestRule { until_sql: ANY_EMAIL, tables: &["email_statistics"] };

/// For timers that never have anything to do.
pub(crate) static NEVER: RestRule = RestRule { until_sql: NOTHING, tables: &[] };

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
