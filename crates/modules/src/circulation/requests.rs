//! Requests and their queues: made, shown, changed, put in order. What is allowed is decided in `octavo_circulation::request`.

pub(super) mod at_instance;
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

use octavo_circulation::notice::{World, announce};
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_circulation::request::RequestFacts;
use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement, is_conflict};
use octavo_record::Reading;
use serde_json::Value;

use self::gather::{Gathered, Wanted, gather};
use super::Desk;
use super::commit::commit;
use crate::circulation_records::REQUEST;

/// What was read is no longer what it was, or a conflict ended a transaction: so often it is tried again.
const ATTEMPTS: usize = 4;

/// Gathers, decides and commits; `stored` is the request that is wanted, if there is one.
async fn decide(
    context: &Context,
    wanted: &Wanted,
    decision: impl Fn(&RequestFacts, Option<&Value>) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let mut desk = Desk::now(context).await?;
    let mut session = context.session().await?;
    for attempt in 1..=ATTEMPTS {
        let done = match gather(context, &mut session, wanted, &desk).await {
            Ok(Gathered::Stale(newer)) => {
                session.rollback().await?;
                desk = newer;
                continue;
            }
            Ok(Gathered::Facts { facts, stored }) => {
                let decided = decision(&facts, stored.as_ref()).map(|mut plan| {
                    let (items, title) = (facts.items.as_slice(), &desk.title_templates);
                    announce(World { facts: &facts.desk, items, title }, &mut plan);
                    plan
                });
                finish(context, &mut session, decided, wanted).await
            }
            Err(fault) => Err(fault),
        };
        match done {
            Err(fault) if attempt < ATTEMPTS && is_conflict(&fault) => {
                context.usage.count_retry();
                session.rollback().await?;
            }
            other => {
                session.rollback().await?;
                return other;
            }
        }
    }
    Err(Fault::text(409, "The request queue changes too often; try again"))
}

async fn finish(
    context: &Context,
    session: &mut Session,
    decided: Outcome<Plan>,
    wanted: &Wanted,
) -> Outcome<Plan> {
    let plan = decided?;
    refuse_malformed(&plan)?;
    if let (true, Some(id)) = (wanted.deletes, wanted.request) {
        session.batch(vec![Statement::new(DELETE).uuid(id)]).await?;
    }
    commit(context, session, &plan).await?;
    Ok(plan)
}

/// Decisions keep what clients send; storage takes only what its schema knows.
fn refuse_malformed(plan: &Plan) -> Outcome<()> {
    for (_, document) in plan.documents(RecordKind::Request) {
        REQUEST.schema().check(Value::clone(document), Reading::FromServer).map_err(Fault::refused)?;
    }
    Ok(())
}

/// What a read needs to know, without keeping anything locked.
async fn look(context: &Context, wanted: &Wanted) -> Outcome<(RequestFacts, Option<Value>)> {
    let mut desk = Desk::now(context).await?;
    let mut session = context.session().await?;
    for _ in 1..=ATTEMPTS {
        let gathered = gather(context, &mut session, wanted, &desk).await;
        session.rollback().await?;
        match gathered? {
            Gathered::Stale(newer) => desk = newer,
            Gathered::Facts { facts, stored } => return Ok((*facts, stored)),
        }
    }
    Err(Fault::text(409, "The request queue changes too often; try again"))
}

fn uuid(text: Option<&str>) -> Option<uuid::Uuid> {
    text.and_then(|text| uuid::Uuid::parse_str(text).ok())
}

const DELETE: &str = "delete from request where id = $1";

octavo_pg::statements! {
    other = [DELETE],
    within = [change, clearance, in_transit, queue, related, slips, sql],
}
