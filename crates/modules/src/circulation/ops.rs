//! The operations of the desk: one file each, of the name of its decision.

pub(super) mod check_in;
pub(super) mod check_out;
pub(super) mod renew;

use std::sync::Arc;

use octavo_circulation::facts::Facts;
use octavo_circulation::plan::Plan;
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::Session;

use super::Desk;
use super::commit::commit;
use super::gather::{About, gather};

/// How often a decision is made anew when the database reports a conflict.
const ATTEMPTS: usize = 3;

/// Gather, decide, commit. The desk is asked for before, while no connection is held.
pub(super) async fn decide(
    context: &Context,
    desk: &Arc<Desk>,
    about: &About<'_>,
    decision: impl Fn(&Facts) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let mut session = context.session().await?;
    let mut desk = Arc::clone(desk);
    for _ in 1..ATTEMPTS {
        match attempt(context, &mut session, &desk, about, &decision).await {
            Err(fault) if is_conflict(&fault) => {
                tracing::info!(%fault, "a decision is made anew");
                session.rollback().await?;
                let snapshots = &context.platform.snapshots;
                desk = Desk::of(&*snapshots.with(&context.tenant.id, &mut session).await?);
            }
            other => return other,
        }
    }
    attempt(context, &mut session, &desk, about, &decision).await
}

async fn attempt(
    context: &Context,
    session: &mut Session,
    desk: &Arc<Desk>,
    about: &About<'_>,
    decision: &impl Fn(&Facts) -> Outcome<Plan>,
) -> Outcome<Plan> {
    let gathered = gather(context, session, about, desk).await?;
    let facts = gathered.facts(context, session, about, desk).await?;
    match decision(&facts) {
        Ok(plan) => {
            commit(context, session, &plan).await?;
            Ok(plan)
        }
        Err(fault) => {
            session.rollback().await?;
            Err(fault)
        }
    }
}

/// A deadlock or a row that changed under us: another attempt may well succeed.
pub(super) fn is_conflict(fault: &octavo_kernel::Fault) -> bool {
    let cause = fault.cause().and_then(|cause| cause.downcast_ref::<octavo_pg::DbError>());
    cause.is_some_and(octavo_pg::DbError::is_conflict)
}
