//! `POST /circulation/scheduled-age-to-lost` and `-fee-charging`: overdue items become lost, and later their patrons are billed.
//!
//! Both go through open overdue loans by due date, in batches of three round trips. Loans that another transaction has locked are left
//! to the next run.

use std::sync::LazyLock;

use octavo_circulation::facts::Facts;
use octavo_circulation::log::log;
use octavo_circulation::notice::{DecisionFacts, announce};
use octavo_circulation::plan::Plan;
use octavo_circulation::{age_to_lost, bill_aged, remember_by_clock};
use octavo_engine::{Context, Pace, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Batch, Json, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::log_count;
use crate::circulation::Desk;
use crate::circulation::gather::{
    IDENTIFIERS, ITEM_COLUMNS, ItemRow, LOCKABLE_SOURCES, fresh_ids, library_facts, patron_of,
};
use crate::decide::write;

const BATCH: usize = 100;

pub(crate) async fn age(request: Request) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let ageing = desk.policies.lost_item.values().filter(|policy| policy.can_age_to_lost());
    let policies: Vec<String> = ageing.map(|policy| policy.id.clone()).collect();
    if !policies.is_empty() {
        let run = Run { context: &request.context, operation: "ageing to lost", bills: false, policies };
        let mut aged = 0;
        for late in desk.choose_for_stocks(&OVERDUE) {
            aged += run.process_all(late, |facts| Ok(age_to_lost(facts))).await?;
        }
        log_count(&request.context, aged, "overdue items aged to lost");
    }
    Ok(Response::no_content())
}

pub(crate) async fn bill(request: Request) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let policies = desk.policies.lost_item.keys().cloned().collect();
    let operation = "billing of an item that has aged to lost";
    let run = Run { context: &request.context, operation, bills: true, policies };
    let mut billed = 0;
    for late in desk.choose_for_stocks(&TO_BILL) {
        billed += run.process_all(late, bill_aged).await?;
    }
    log_count(&request.context, billed, "items that aged to lost were billed");
    Ok(Response::no_content())
}

struct Run<'a> {
    context: &'a Context,
    /// The name of the decision in explanations.
    operation: &'static str,
    /// Whether the borrower and the identifiers of the title are read for a bill.
    bills: bool,
    policies: Vec<String>,
}

/// An overdue loan with its item and, where it may be billed, its borrower and the title's identifiers.
struct LateLoan {
    id: Uuid,
    due: String,
    record: Option<Value>,
    item: ItemRow,
    borrower: Option<Value>,
    identifiers: Option<Json<Vec<Value>>>,
}

octavo_pg::columns!(LateLoan { id, due, record, item, borrower, identifiers });

impl Run<'_> {
    /// Goes through the loans that the statement finds, and returns how many were changed. A refused one does not stop the others.
    async fn process_all(
        &self,
        late_loans: &'static str,
        decision: impl Fn(&Facts) -> Outcome<Option<Plan>>,
    ) -> Outcome<usize> {
        let mut session = self.context.session().await?;
        let mut after = (String::new(), Uuid::nil());
        let mut changed = 0;
        let mut pace = Pace::begin();
        loop {
            let mut batch = Batch::default();
            let late = batch.ask::<LateLoan>(self.batch(late_loans, &after));
            let late = batch.begin(&mut session).await?.all(late);
            let full = late.len() == BATCH;
            let desk = super::current_desk(self.context, &mut session).await?;
            let mut facts = library_facts(self.context, &desk);
            let mut plans = Vec::new();
            for loan in late {
                after = (loan.due.clone(), loan.id);
                if !self.set_facts(loan, &desk, &mut facts) {
                    continue;
                }
                match decision(&facts) {
                    Ok(plan) => plans.extend(plan.map(|mut plan| {
                        remember_by_clock(&facts, self.operation, &mut plan);
                        let world = DecisionFacts { facts: &facts, items: &[] };
                        announce(world, &mut plan);
                        log(world, &mut plan);
                        plan
                    })),
                    Err(fault) => tracing::warn!(loan = %after.1, %fault, "a lost item is left as it is"),
                }
            }
            changed += plans.len();
            match plans.is_empty() {
                true => session.rollback().await?,
                false => write(self.context, &mut session, &plans).await?,
            }
            if !full {
                return Ok(changed);
            }
            pace.pause().await;
        }
    }

    fn batch(&self, late_loans: &'static str, after: &(String, Uuid)) -> Statement {
        Statement::new(late_loans)
            .text(folio_time(self.context.now))
            .text(after.0.as_str())
            .uuid(after.1)
            .texts(self.policies.clone())
    }

    fn set_facts(&self, loan: LateLoan, desk: &Desk, facts: &mut Facts) -> bool {
        match (loan.record, loan.item.item(desk)) {
            (Some(record), Some(mut item)) => {
                if self.bills {
                    facts.patron = loan.borrower.map(|user| patron_of(user, desk));
                    item.identifiers = loan.identifiers.map(|Json(all)| all).unwrap_or_default();
                }
                facts.set_loan(record.into(), item, fresh_ids(self.context));
                true
            }
            _ => false,
        }
    }
}

/// Of the library's own items, and of those of partners. `$1` is now; `$2` and `$3` are the last loan of the batch before; `$4` are the
/// policies in question.
fn late_loans_sql(borrower_and_identifiers: &str, which: &str) -> [String; 2] {
    LOCKABLE_SOURCES.each_ref().map(|source| {
        format!(
            "\
select l.id, l.\"dueDate\", l.doc::text, {ITEM_COLUMNS}, {borrower_and_identifiers}
{source}
join loan l on l.\"itemId\" = i.id
where l.\"status.name\" = 'open'
  and l.\"dueDate\" < $1
  and (l.\"dueDate\", l.id) > ($2, $3)
  and l.doc ->> 'lostItemPolicyId' = any($4)
  and {which}
order by l.\"dueDate\", l.id
limit 100
for no key update of i, l skip locked"
        )
    })
}

static OVERDUE: LazyLock<[String; 2]> = LazyLock::new(|| {
    late_loans_sql(
        "null, null",
        "coalesce(l.\"itemStatus\", '') not in ('claimed returned', 'aged to lost', 'declared lost')",
    )
});

static TO_BILL: LazyLock<[String; 2]> = LazyLock::new(|| {
    late_loans_sql(
        &format!("(select u.doc::text from users u where u.id = l.\"userId\"), {IDENTIFIERS}"),
        "\
l.\"itemStatus\" = 'aged to lost'
  and l.doc #>> '{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false'
  and l.doc #>> '{agedToLostDelayedBilling,dateLostItemShouldBeBilled}' <= $1",
    )
});

octavo_pg::statements!(other = [OVERDUE, TO_BILL]);
