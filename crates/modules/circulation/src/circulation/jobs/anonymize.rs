//! `POST /circulation/scheduled-anonymize-processing` and `POST /loan-anonymization/by-user/{userId}`: closed loans are anonymised by
//! the library's loan history settings, or because staff want it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use octavo_circulation::anonymize::{ClosedLoan, Verdict, anonymize_by_hand};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal, parse_time};
use octavo_modules_base::{circulation_statistics, persons, retention};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::log_count;
use crate::circulation::{Desk, notices};

const BATCH: usize = 500;
/// How many loans the clock's run names of those that it has anonymised, and of those that it keeps for a reason. It goes through all.
const LISTED: usize = 1000;

pub(crate) async fn scheduled(request: Request) -> Outcome<Response> {
    // Whoever is to be forgotten does not wait for counts; what is not counted yet is counted in the next hour.
    if let Err(fault) = circulation_statistics::count_months(&request.context).await {
        tracing::warn!(tenant = %request.context.tenant.id, %fault, "months of circulation were not counted");
    }
    persons::forget_postponed(&request.context).await?;
    retention::delete_old_records(&request.context).await?;
    let desk = Desk::current(&request.context).await?;
    let (history, now) = (&desk.loan_history, request.context.now);
    let mut found = RunResult::default();
    if !history.is_switched_off() {
        let scope = Scope { user: None, listed: LISTED, ends_with_list: history.keeps_all() };
        found = anonymize_all(&request.context, &scope, |loan| history.verdict(loan, now)).await?;
        log_count(&request.context, found.count, "closed loans were anonymized");
    }
    Ok(Response::json(200, &found.to_json()))
}

pub(crate) async fn by_user(request: Request) -> Outcome<Response> {
    let text = request.path_parameter(0);
    let user = Uuid::parse_str(text)
        .map_err(|_| Fault::from(Refusal::new("Invalid user ID, should be a UUID").about("userId", text)))?;
    let scope = Scope { user: Some(user), listed: usize::MAX, ends_with_list: false };
    let found = anonymize_all(&request.context, &scope, anonymize_by_hand).await?;
    Ok(Response::json(200, &found.to_json()))
}

/// Anonymises closed loans and all records about them. Returns the loans that were anonymised.
pub(crate) async fn anonymize(context: &Context, loans: Vec<Uuid>) -> Outcome<Vec<Uuid>> {
    notices::end_before_anonymization(context, &loans).await?;
    persons::anonymize(context, loans).await
}

/// Which closed loans a run goes through, and how many of them it names.
struct Scope {
    /// `None` for those of all users.
    user: Option<Uuid>,
    listed: usize,
    /// Whether the run is over when the list is full, because no loan would be anonymised anyhow.
    ends_with_list: bool,
}

#[derive(Default)]
struct RunResult {
    count: usize,
    anonymized: Vec<Uuid>,
    /// Loans that are not anonymised, by FOLIO's key for the reason.
    kept: BTreeMap<&'static str, Vec<Uuid>>,
}

impl RunResult {
    /// Returns the loans that are to be anonymised, and notes why the others are kept.
    fn judge(
        &mut self,
        rows: Vec<ClosedLoanRow>,
        listed: usize,
        verdict: &impl Fn(&ClosedLoan) -> Verdict,
    ) -> Vec<Uuid> {
        let mut chosen = Vec::new();
        for row in rows {
            let id = row.0;
            match verdict(&closed_loan(row)) {
                Verdict::Anonymize => chosen.push(id),
                Verdict::Keep(reason) => {
                    let kept = self.kept.entry(reason).or_default();
                    if kept.len() < listed {
                        kept.push(id);
                    }
                }
            }
        }
        chosen
    }

    fn to_json(&self) -> Value {
        let errors: Vec<Value> = self
            .kept
            .iter()
            .map(|(reason, loans)| {
                let ids = serde_json::to_string(loans).unwrap_or_default();
                json!({"message": reason, "parameters": [{"key": "loanIds", "value": ids}]})
            })
            .collect();
        json!({"anonymizedLoans": self.anonymized, "errors": errors})
    }
}

/// Goes through closed loans in batches. Those that are to be anonymised are judged again once they are locked: a fee may have been charged
/// meanwhile.
async fn anonymize_all(
    context: &Context,
    scope: &Scope,
    verdict: impl Fn(&ClosedLoan) -> Verdict,
) -> Outcome<RunResult> {
    let mut found = RunResult::default();
    let mut after = Uuid::nil();
    loop {
        let batch = match scope.user {
            None => Statement::new(OF_ANYBODY.as_str()).uuid(after),
            Some(user) => Statement::new(OF_USER.as_str()).uuid(after).uuid(user),
        };
        let rows: Vec<ClosedLoanRow> = context.session().await?.read(batch).await?;
        let full = rows.len() == BATCH;
        after = rows.last().map_or(after, |row| row.0);
        let ids = found.judge(rows, scope.listed, &verdict);
        if !ids.is_empty() {
            notices::end_before_anonymization(context, &ids).await?;
            let facts = Statement::new(NAMED.as_str()).uuids(ids.clone());
            let judge = |rows: &[Row]| {
                let rows = rows.iter().map(Row::read::<ClosedLoanRow>).collect();
                found.judge(rows, scope.listed, &verdict)
            };
            let anonymized = persons::anonymize_chosen(context, ids, facts, judge).await?;
            found.count += anonymized.len();
            found.anonymized.extend(anonymized);
            found.anonymized.truncate(scope.listed);
        }
        let is_listed = found.kept.values().any(|kept| kept.len() == scope.listed);
        if !full || scope.ends_with_list && is_listed {
            return Ok(found);
        }
    }
}

/// Id, return, number of accounts, number of open ones, and when the last of the others was closed.
type ClosedLoanRow = (Uuid, Option<String>, i64, i64, Option<String>);

fn closed_loan((_, returned, accounts, open, closed): ClosedLoanRow) -> ClosedLoan {
    let count = |count: i64| usize::try_from(count).unwrap_or_default();
    let time = |text: Option<String>| text.as_deref().and_then(parse_time);
    ClosedLoan {
        system_return: time(returned),
        accounts: count(accounts),
        open_accounts: count(open),
        accounts_closed: time(closed),
    }
}

/// An account is closed when its last action happens.
fn closed_loans_sql(which: &str) -> String {
    format!(
        "\
select l.id, l.doc ->> 'systemReturnDate', a.accounts, a.open, a.closed
from loan l
cross join lateral (
  select
    count(*) as accounts,
    count(*) filter (where a.\"status.name\" is distinct from 'closed') as open,
    max((
      select max(f.doc ->> 'dateAction')
      from feefineactions f
      where f.\"accountId\" = a.id
    )) filter (where a.\"status.name\" = 'closed') as closed
  from accounts a
  where a.\"loanId\" = l.id
) a
where l.\"status.name\" = 'closed'
  and l.\"userId\" is not null
  and {which}
order by l.id
limit 500"
    )
}

/// `$1` is the last loan of the batch before.
static OF_ANYBODY: LazyLock<String> = LazyLock::new(|| closed_loans_sql("l.id > $1"));
/// The same of the user `$2`.
static OF_USER: LazyLock<String> = LazyLock::new(|| closed_loans_sql("l.id > $1 and l.\"userId\" = $2"));
static NAMED: LazyLock<String> = LazyLock::new(|| closed_loans_sql("l.id = any($1)"));

octavo_pg::statements!(other = [OF_ANYBODY, OF_USER, NAMED]);
