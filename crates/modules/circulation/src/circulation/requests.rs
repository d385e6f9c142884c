//! Requests and their queues. The decisions about them are in `octavo_circulation::request`.

pub(super) mod at_instance;
pub(crate) mod by_partner;
pub(crate) mod by_patron;
pub(super) mod change;
pub(super) mod clearance;
pub(super) mod create;
mod gather;
pub(super) mod in_transit;
pub(super) mod list;
pub(super) mod points;
pub(super) mod queue;
mod related;
pub(super) mod slips;
mod sql;

use octavo_circulation::Undecided;
use octavo_circulation::log::log;
use octavo_circulation::notice::{DecisionFacts, announce};
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_circulation::remote::retrieve_paged;
use octavo_circulation::request::RequestFacts;
use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::REQUEST;
use octavo_record::Reading;
use serde_json::Value;

use self::gather::{Gathered, RequestKeys, gather};
use crate::decide::{self, Attempt, Decision, Setback, StatementsOfPlan, WithStatements};

/// A decision about requests. It gets the wanted request, if there is one.
struct RequestDecision<'a, D> {
    wanted: &'a RequestKeys,
    decision: D,
}

impl<D> Decision for RequestDecision<'_, D>
where
    D: Fn(&RequestFacts, Option<&Value>) -> Outcome<Plan> + Sync,
{
    type Facts = Gathered;
    type Plan = Plan;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<Gathered, Setback> {
        gather(attempt, self.wanted).await
    }

    fn decide(&self, Gathered { facts, stored }: &Gathered) -> Result<Plan, Undecided> {
        let mut plan = (self.decision)(facts, stored.as_ref())?;
        let world = DecisionFacts { facts: &facts.desk, items: &facts.items };
        retrieve_paged(&facts.desk, &facts.items, stored.as_ref(), &mut plan);
        announce(world, &mut plan);
        log(world, &mut plan);
        refuse_malformed(&plan)?;
        Ok(plan)
    }
}

async fn decide(
    context: &Context,
    wanted: &RequestKeys,
    decision: impl Fn(&RequestFacts, Option<&Value>) -> Outcome<Plan> + Sync,
) -> Outcome<Plan> {
    decide::decide(context, &RequestDecision { wanted, decision }).await
}

/// Makes a decision about requests. Further statements run before the plan's, in the same transaction.
async fn decide_with(
    context: &Context,
    wanted: &RequestKeys,
    decision: impl Fn(&RequestFacts, Option<&Value>) -> Outcome<Plan> + Sync,
    statements: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let along = WithStatements { decision: RequestDecision { wanted, decision }, statements };
    Ok(decide::decide(context, &along).await?.plan)
}

/// Gathers the facts for a read, without locks.
async fn gather_facts(context: &Context, wanted: &RequestKeys) -> Outcome<Gathered> {
    let decision = |_: &RequestFacts, _: Option<&Value>| Ok(Plan::default());
    decide::gather_facts(context, &RequestDecision { wanted, decision }).await
}

/// Checks the new requests of a plan against storage's schema, because they contain all members that clients sent.
fn refuse_malformed(plan: &Plan) -> Outcome<()> {
    for (_, document) in plan.documents(RecordKind::Request) {
        REQUEST.schema().check(Value::clone(document), Reading::FromServer).map_err(Fault::refused)?;
    }
    Ok(())
}

fn uuid(text: Option<&str>) -> Option<uuid::Uuid> {
    text.and_then(|text| uuid::Uuid::parse_str(text).ok())
}

octavo_pg::statements!(within = [clearance, in_transit, queue, related, slips, sql]);
