//! `POST /circulation/scheduled-age-to-lost`: overdue loans whose items count as lost from now on.
//!
//! Goes through the open overdue loans by due date, in batches of two round trips. Loans that somebody else is just
//! working on are left to the next run.

use octavo_circulation::age_to_lost;
use octavo_circulation::facts::{Facts, Loan};
use octavo_circulation::plan::Plan;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::commit::commit_all;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, item_at, library_facts};

const BATCH: usize = 100;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let ageing = desk.policies.lost_item.values().filter(|policy| policy.ages());
    let policies: Vec<String> = ageing.map(|policy| policy.id.clone()).collect();
    if !policies.is_empty() {
        let facts = library_facts(&request.context, &desk);
        let aged = age_all(&request.context, &desk, facts, &policies).await?;
        tracing::info!(tenant = %request.context.tenant.id, aged, "overdue items aged to lost");
    }
    Ok(Response::no_content())
}

async fn age_all(context: &Context, desk: &Desk, mut facts: Facts, policies: &[String]) -> Outcome<usize> {
    let mut session = context.session().await?;
    let mut after = (String::new(), Uuid::nil());
    let mut aged = 0;
    loop {
        let rows = session.begin(vec![overdue(context, policies, &after)]).await?.pop().unwrap_or_default();
        let mut plans = Vec::new();
        for row in &rows {
            after = (row.text(1).to_owned(), row.uuid(0));
            plans.extend(aged_loan(row, desk, &mut facts));
        }
        aged += plans.len();
        finish(context, &mut session, &plans).await?;
        if rows.len() < BATCH {
            return Ok(aged);
        }
    }
}

async fn finish(context: &Context, session: &mut Session, plans: &[Plan]) -> Outcome<()> {
    match plans {
        [] => Ok(session.rollback().await?),
        plans => commit_all(context, session, plans).await,
    }
}

fn overdue(context: &Context, policies: &[String], after: &(String, Uuid)) -> Statement {
    Statement::new(format!(
        "select l.id, l.\"dueDate\", l.doc::text, {ITEM_COLUMNS}\n{ITEM_SOURCE}\n{OVERDUE}"
    ))
    .text(folio_time(context.now))
    .text(after.0.as_str())
    .uuid(after.1)
    .texts(policies.to_vec())
}

fn aged_loan(row: &Row, desk: &Desk, facts: &mut Facts) -> Option<Plan> {
    facts.about(Loan { record: row.json(2)? }, item_at(row, 3, desk)?);
    age_to_lost(facts)
}

/// `$1` is now; `$2` and `$3` are the last loan of the batch before; `$4` are the policies that age anything.
const OVERDUE: &str = "\
join loan l on l.\"itemId\" = i.id
where l.\"status.name\" = 'open'
  and l.\"dueDate\" < $1
  and (l.\"dueDate\", l.id) > ($2, $3)
  and l.doc ->> 'lostItemPolicyId' = any($4)
  and coalesce(l.\"itemStatus\", '') not in ('claimed returned', 'aged to lost', 'declared lost')
order by l.\"dueDate\", l.id
limit 100
for no key update of i, l skip locked";
