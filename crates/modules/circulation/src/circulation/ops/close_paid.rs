//! Closes the loan of a lost item with the last of its fees, in the transaction that pays, waives, transfers or cancels the fee.
//! `POST /circulation/handlers/loan-related-fee-fine-closed` does the same for fees that were closed in another way.

use std::sync::LazyLock;

use octavo_circulation::facts::Facts;
use octavo_circulation::plan::Plan;
use octavo_circulation::{END_OF_LOST_LOAN, close_paid};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{AnswerHandle, Batch, Statement};
use serde::Deserialize;
use uuid::Uuid;

use super::decide_at_desk;
use crate::circulation::Desk;
use crate::circulation::gather::{DeskSubject, STOCKS, lock_items_sql};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Closed {
    loan_id: Option<String>,
}

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let closed: Closed = request.body()?;
    // As in FOLIO, the answer is the same for any event, because its sender would not send another one.
    if let Some(loan) = closed.loan_id.filter(|id| Uuid::parse_str(id).is_ok()) {
        end(&request.context, &loan).await?;
    }
    Ok(Response::no_content())
}

async fn end(context: &Context, loan: &str) -> Outcome<()> {
    let nothing = Plan::default();
    let decision = |facts: &Facts| Ok(close_paid(facts, &nothing).unwrap_or_default());
    decide_at_desk(context, DeskSubject::loan(END_OF_LOST_LOAN, loan), decision).await.map(drop)
}

/// Locks the loans of lost items that accounts are about, with their patrons, titles and items. Returns the loans.
pub(crate) fn lock_lost_loans(batch: &mut Batch, desk: &Desk, accounts: &[Uuid]) -> AnswerHandle<Uuid> {
    let locks = desk.choose_for_stock(&LOCKS);
    let [.., loans] =
        locks.each_ref().map(|lock| batch.ask(Statement::new(lock.as_str()).uuids(accounts.to_vec())));
    loans
}

/// Open loans of lost items that accounts are about, locked in the one order of all decisions: patrons, titles, items, loans.
/// Each kind is locked before the next, so that two payments about several loans never wait for each other in a circle. All are
/// found by arrays of ids: a join, or a plain comparison of the status, lets PostgreSQL go through a whole index instead where it
/// has planned while nothing was lent.
static LOCKS: LazyLock<[[String; 4]; 2]> = LazyLock::new(|| {
    STOCKS.map(|items| {
        let lost = LOST.replace("{items}", items);
        let is_lost = format!("i.id = any(array(select lost.\"itemId\" from (\n{lost}\n) lost))");
        let of_lost = |lock: &str| format!("with lost as (\n{lost}\n)\n{}", lock.replace("{items}", items));
        [
            of_lost(LOCK_PATRONS),
            of_lost(LOCK_TITLES),
            lock_items_sql(items, &is_lost, "\norder by i.id"),
            of_lost(LOCK_LOANS),
        ]
    })
});

const LOCK_PATRONS: &str = "\
select pg_advisory_xact_lock(hashtextextended(current_schema() || p.id::text, 1))
from (select distinct lost.\"userId\" as id from lost where lost.\"userId\" is not null order by 1) p";

const LOCK_TITLES: &str = "\
select pg_advisory_xact_lock(hashtextextended(current_schema() || t.id::text, 2))
from (
  select distinct h.\"instanceId\" as id
  from holdings_record h
  where h.id = any(array(
    select i.\"holdingsRecordId\"
    from {items} i
    where i.id = any(array(select lost.\"itemId\" from lost))
  ))
  order by 1
) t";

const LOCK_LOANS: &str = "\
select l.id
from loan l
where l.id = any(array(select lost.id from lost))
order by l.id
for no key update of l";

const LOST: &str = "\
select l.id, l.\"userId\", l.\"itemId\"
from loan l
where l.id = any(array(select a.\"loanId\" from accounts a where a.id = any($1)))
  and coalesce(l.\"status.name\", '') = 'open'
  and (select i.doc #>> '{status,name}' from {items} i where i.id = l.\"itemId\") in ('Declared lost', 'Aged to lost')";

octavo_pg::statements!(hot = [LOCKS]);
