//! The end of a lost item's loan, when the last of its fees is paid, waived, transferred or cancelled: decided and committed
//! with that. `POST /circulation/handlers/loan-related-fee-fine-closed` is for those who tell of fees that were closed otherwise.

use std::sync::LazyLock;

use octavo_circulation::notice::{World, announce};
use octavo_circulation::plan::{Plan, RecordKind, Write};
use octavo_circulation::{close_paid, remember};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement, is_conflict};
use serde::Deserialize;
use uuid::Uuid;

use super::{ATTEMPTS, decide};
use crate::circulation::Desk;
use crate::circulation::commit::commit_all;
use crate::circulation::gather::{About, FIRST_FEW, Named, Who, gather_more};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Closed {
    loan_id: Option<String>,
}

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let closed: Closed = request.body()?;
    // FOLIO answers so whatever the event says: nobody would send another one.
    if let Some(loan) = closed.loan_id.filter(|id| Uuid::parse_str(id).is_ok()) {
        end(&request.context, &loan).await?;
    }
    Ok(Response::no_content())
}

/// Decides about fees, and with them about the loans of lost items for which nothing is left to pay: one transaction. `reads` lock
/// and read the accounts, in the order of their ids; what they found is given to the decision.
pub(crate) async fn decide_about_fees(
    context: &Context,
    accounts: &[Uuid],
    reads: &[Statement],
    decision: impl Fn(Vec<Vec<Row>>) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let mut session = context.session().await?;
    for _ in 1..ATTEMPTS {
        match attempt(context, &mut session, accounts, reads, &decision).await {
            Err(fault) if is_conflict(&fault) => {
                tracing::info!(%fault, "a decision about fees is made anew");
                context.usage.count_retry();
                session.rollback().await?;
            }
            other => return other,
        }
    }
    attempt(context, &mut session, accounts, reads, &decision).await
}

async fn attempt(
    context: &Context,
    session: &mut Session,
    accounts: &[Uuid],
    reads: &[Statement],
    decision: &impl Fn(Vec<Vec<Row>>) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let locks = LOCKS.iter().map(|lock| Statement::new(lock.as_str()).uuids(accounts.to_vec()));
    let mut found = session.begin(locks.chain(reads.iter().cloned()).collect()).await?;
    let read = found.split_off(LOCKS.len());
    let lost: Vec<Uuid> = found.last().into_iter().flatten().map(|row| row.uuid(0)).collect();
    let plan = match decision(read) {
        Ok(plan) => plan,
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    };
    let mut plans = vec![plan];
    for loan in lost {
        plans.extend(end_of(context, session, &loan.to_string(), &plans[0]).await?);
    }
    commit_all(context, session, &plans).await?;
    Ok(plans.swap_remove(0))
}

/// What a payment means for a loan of a lost item, whose locks are held.
async fn end_of(
    context: &Context,
    session: &mut Session,
    loan: &str,
    payment: &Plan,
) -> Outcome<Option<Plan>> {
    let closes = |write: &Write| match write {
        Write::Update { record: RecordKind::Account, document, .. } => {
            let of_loan = document["loanId"].as_str().is_some_and(|id| id.eq_ignore_ascii_case(loan));
            of_loan && document["status"]["name"] == "Closed"
        }
        _ => false,
    };
    if !payment.writes.iter().any(closes) {
        return Ok(None);
    }
    let about = about(loan);
    let snapshot = context.snapshot_over(session).await?;
    let desk = Desk::of(&snapshot);
    let gathered = gather_more(context, session, &about, &desk, FIRST_FEW).await?;
    let facts = gathered.facts(context, session, &about, &desk).await?;
    let Some(mut plan) = close_paid(&facts, payment) else { return Ok(None) };
    remember(&facts, about.does, &mut plan);
    announce(World { facts: &facts, items: &[], title: &desk.title_templates }, &mut plan);
    Ok(Some(plan))
}

fn about(loan: &str) -> About<'_> {
    About {
        does: "end of a lost item's loan",
        item: Named::Loan(loan),
        patron: Who::Borrower,
        heeds_blocks: false,
        lost: true,
    }
}

async fn end(context: &Context, loan: &str) -> Outcome<()> {
    let desk = Desk::now(context).await?;
    let told = Plan::default();
    decide(context, &desk, &about(loan), |facts| Ok(close_paid(facts, &told).unwrap_or_default())).await?;
    Ok(())
}

/// Open loans of lost items that accounts are about, locked in the one order of all decisions: patrons, titles, items, loans.
/// Each kind is locked before the next, so that two payments about several loans never wait for each other in a circle.
static LOCKS: LazyLock<[String; 4]> = LazyLock::new(|| {
    [
        "\
select pg_advisory_xact_lock(hashtextextended(current_schema() || p.id::text, 1))
from (select distinct lost.\"userId\" as id from lost where lost.\"userId\" is not null order by 1) p",
        "\
select pg_advisory_xact_lock(hashtextextended(current_schema() || t.id::text, 2))
from (
  select distinct h.\"instanceId\" as id
  from lost
  join item i on i.id = lost.\"itemId\"
  join holdings_record h on h.id = i.\"holdingsRecordId\"
  order by 1
) t",
        "\
select i.id
from item i
where i.id in (select lost.\"itemId\" from lost)
order by i.id
for no key update of i",
        "\
select l.id
from loan l
where l.id in (select lost.id from lost)
order by l.id
for no key update of l",
    ]
    .map(|lock| format!("{LOST}{lock}"))
});

const LOST: &str = "\
with lost as (
  select l.id, l.\"userId\", l.\"itemId\"
  from accounts a
  join loan l on l.id = a.\"loanId\" and l.\"status.name\" = 'open'
  join item i on i.id = l.\"itemId\"
  where a.id = any($1) and i.doc #>> '{status,name}' in ('Declared lost', 'Aged to lost')
)
";

octavo_pg::statements!(hot = [LOCKS]);
