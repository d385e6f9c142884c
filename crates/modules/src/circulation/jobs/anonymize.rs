//! `POST /circulation/scheduled-anonymize-processing` and `POST /loan-anonymization/by-user/{userId}`: closed loans forget
//! who had the item, where the library's loan history settings, or staff, say so.

use std::collections::BTreeMap;

use octavo_circulation::anonymize::{ClosedLoan, Verdict, anonymize_by_hand};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal, parse_time};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::tell;
use crate::circulation::Desk;
use crate::persons;

const BATCH: usize = 500;

pub(crate) async fn scheduled(request: Request) -> Outcome<Response> {
    persons::forget_what_waited(&request.context).await?;
    persons::forget_what_is_old(&request.context).await?;
    let desk = Desk::now(&request.context).await?;
    if !desk.loan_history.never() {
        let now = request.context.now;
        let found = all(&request.context, None, |loan| desk.loan_history.verdict(loan, now)).await?;
        tell(&request.context, found.anonymized.len(), "closed loans were anonymized");
    }
    Ok(Response::no_content())
}

pub(crate) async fn by_user(request: Request) -> Outcome<Response> {
    let text = request.parameter(0);
    let user = Uuid::parse_str(text)
        .map_err(|_| Fault::from(Refusal::new("Invalid user ID, should be a UUID").about("userId", text)))?;
    let found = all(&request.context, Some(user), anonymize_by_hand).await?;
    Ok(Response::json(200, &found.shown()))
}

#[derive(Default)]
struct Found {
    anonymized: Vec<Uuid>,
    /// By FOLIO's key for the reason.
    kept: BTreeMap<&'static str, Vec<Uuid>>,
}

impl Found {
    fn shown(&self) -> Value {
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

/// Goes through the closed loans of everybody, or of one user, in batches.
async fn all(
    context: &Context,
    user: Option<Uuid>,
    verdict: impl Fn(&ClosedLoan) -> Verdict,
) -> Outcome<Found> {
    let mut found = Found::default();
    let mut after = Uuid::nil();
    loop {
        let batch = match user {
            None => Statement::new(format!("{CLOSED}{OF_ANYBODY}")).uuid(after),
            Some(user) => Statement::new(format!("{CLOSED}{OF_USER}")).uuid(after).uuid(user),
        };
        let rows = context.session().await?.rows(batch).await?;
        let mut ids = Vec::new();
        for row in &rows {
            after = row.uuid(0);
            match verdict(&closed_loan(row)) {
                Verdict::Anonymize => ids.push(after),
                Verdict::Keep(reason) => found.kept.entry(reason).or_default().push(after),
            }
        }
        if !ids.is_empty() {
            found.anonymized.extend(persons::anonymize(context, ids).await?);
        }
        if rows.len() < BATCH {
            return Ok(found);
        }
    }
}

fn closed_loan(row: &Row) -> ClosedLoan {
    let count = |at: usize| usize::try_from(row.long(at)).unwrap_or_default();
    ClosedLoan {
        system_return: row.maybe_text(1).and_then(parse_time),
        accounts: count(2),
        open_accounts: count(3),
        accounts_closed: row.maybe_text(4).and_then(parse_time),
    }
}

/// `$1` is the last loan of the batch before, `$2` the user. An account is closed when its last action happens.
const CLOSED: &str = "\
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
where l.\"status.name\" = 'closed' and l.id > $1";
const OF_ANYBODY: &str = "
  and l.\"userId\" is not null
order by l.id
limit 500";
const OF_USER: &str = "
  and l.\"userId\" = $2
order by l.id
limit 500";
