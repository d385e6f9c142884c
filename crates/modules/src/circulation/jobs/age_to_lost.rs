//! `POST /circulation/scheduled-age-to-lost` and `-fee-charging`: overdue loans whose items count as lost from now on, and the
//! bill for those whose day has come.
//!
//! Both go through open overdue loans by due date, in batches of three round trips. Loans that somebody else is just working
//! on are left to the next run.

use octavo_circulation::facts::Facts;
use octavo_circulation::notice::{World, announce};
use octavo_circulation::plan::Plan;
use octavo_circulation::{age_to_lost, bill_aged};
use octavo_engine::{Context, Pace, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

use super::tell;
use crate::circulation::Desk;
use crate::circulation::commit::commit_all;
use crate::circulation::gather::{
    IDENTIFIERS, ITEM_COLUMNS, ITEM_SOURCE, ITEM_WIDTH, fresh_ids, item_at, library_facts, list, patron_of,
};

const BATCH: usize = 100;

pub(crate) async fn age(request: Request) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let ageing = desk.policies.lost_item.values().filter(|policy| policy.ages());
    let policies: Vec<String> = ageing.map(|policy| policy.id.clone()).collect();
    if !policies.is_empty() {
        let run = Run { context: &request.context, which: OVERDUE, bills: false, policies };
        let aged = run.all(|facts| Ok(age_to_lost(facts))).await?;
        tell(&request.context, aged, "overdue items aged to lost");
    }
    Ok(Response::no_content())
}

pub(crate) async fn bill(request: Request) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let policies = desk.policies.lost_item.keys().cloned().collect();
    let run = Run { context: &request.context, which: TO_BILL, bills: true, policies };
    let billed = run.all(bill_aged).await?;
    tell(&request.context, billed, "items that aged to lost were billed");
    Ok(Response::no_content())
}

/// One run of a job over the loans of a tenant.
struct Run<'a> {
    context: &'a Context,
    /// The condition by which loans are found.
    which: &'static str,
    /// Whether a bill may have to name the borrower and the title's identifiers.
    bills: bool,
    policies: Vec<String>,
}

impl Run<'_> {
    /// How many loans were changed. What stands against one of them does not keep the others.
    async fn all(&self, decision: impl Fn(&Facts) -> Outcome<Option<Plan>>) -> Outcome<usize> {
        let mut session = self.context.session().await?;
        let mut after = (String::new(), Uuid::nil());
        let mut changed = 0;
        let mut pace = Pace::begin();
        loop {
            let rows = session.begin(vec![self.batch(&after)]).await?.pop().unwrap_or_default();
            let desk = super::desk(self.context, &mut session).await?;
            let mut facts = library_facts(self.context, &desk);
            let mut plans = Vec::new();
            for row in &rows {
                after = (row.text(1).to_owned(), row.uuid(0));
                if !self.look_at(row, &desk, &mut facts) {
                    continue;
                }
                match decision(&facts) {
                    Ok(plan) => plans.extend(plan.map(|mut plan| {
                        let title = &desk.title_templates;
                        announce(World { facts: &facts, items: &[], title }, &mut plan);
                        plan
                    })),
                    Err(fault) => tracing::warn!(loan = %after.1, %fault, "a lost item is left as it is"),
                }
            }
            changed += plans.len();
            self.finish(&mut session, &plans).await?;
            if rows.len() < BATCH {
                return Ok(changed);
            }
            pace.rest().await;
        }
    }

    fn batch(&self, after: &(String, Uuid)) -> Statement {
        let which = self.which;
        let billed = if self.bills { format!(", {BORROWER}, {IDENTIFIERS}") } else { String::new() };
        let columns = format!("l.id, l.\"dueDate\", l.doc::text, {ITEM_COLUMNS}{billed}");
        Statement::new(format!("select {columns}\n{ITEM_SOURCE}\n{OPEN_LOANS}\n{which}\n{IN_ORDER}"))
            .text(folio_time(self.context.now))
            .text(after.0.as_str())
            .uuid(after.1)
            .texts(self.policies.clone())
    }

    fn look_at(&self, row: &Row, desk: &Desk, facts: &mut Facts) -> bool {
        match (row.json(2), item_at(row, 3, desk)) {
            (Some(record), Some(mut item)) => {
                if self.bills {
                    facts.patron = row.json(3 + ITEM_WIDTH).map(|user| patron_of(user, desk));
                    item.identifiers = list(Some(row), 4 + ITEM_WIDTH);
                }
                facts.about(record.into(), item, fresh_ids(self.context));
                true
            }
            _ => false,
        }
    }

    async fn finish(&self, session: &mut Session, plans: &[Plan]) -> Outcome<()> {
        match plans {
            [] => Ok(session.rollback().await?),
            plans => commit_all(self.context, session, plans).await,
        }
    }
}

const BORROWER: &str = "(select u.doc::text from users u where u.id = l.\"userId\")";

/// `$1` is now; `$2` and `$3` are the last loan of the batch before; `$4` are the policies in question.
const OPEN_LOANS: &str = "\
join loan l on l.\"itemId\" = i.id
where l.\"status.name\" = 'open'
  and l.\"dueDate\" < $1
  and (l.\"dueDate\", l.id) > ($2, $3)
  and l.doc ->> 'lostItemPolicyId' = any($4)";

const OVERDUE: &str = "\
  and coalesce(l.\"itemStatus\", '') not in ('claimed returned', 'aged to lost', 'declared lost')";

const TO_BILL: &str = "\
  and l.\"itemStatus\" = 'aged to lost'
  and l.doc #>> '{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false'
  and l.doc #>> '{agedToLostDelayedBilling,dateLostItemShouldBeBilled}' <= $1";

const IN_ORDER: &str = "\
order by l.\"dueDate\", l.id
limit 100
for no key update of i, l skip locked";
