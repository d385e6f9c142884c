//! Ends a job before its time. The records that are done stay.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Session;
use uuid::Uuid;

use super::{change, job, snapshots, status};

/// FOLIO's profile for records that programs send: what a cancelled job has stored goes.
const DEFAULT_PROFILE: Uuid = Uuid::from_u128(0x22fa_fcc3_f582_493d_88b0_3c53_8480_cd83);

pub(super) async fn delete_records(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    cancel(&request.context, &mut session, id).await?;
    Ok(Response::no_content())
}

/// Cancels a job that has not ended yet; 404 if there is none. A chunk that is worked on is undone.
pub async fn cancel(context: &Context, session: &mut Session, id: Uuid) -> Outcome<()> {
    let stored = job::lock(session, id).await?.ok_or_else(|| job::missing(id));
    let stored = change::undone(session, stored).await?;
    if !status::can_be_cancelled(&stored.status) {
        session.rollback().await?;
        return Ok(());
    }
    let mut statements = vec![change::set(id, "CANCELLED", None)];
    statements.extend(change::followed(context, id, &stored, "CANCELLED"));
    if stored.profile == Some(DEFAULT_PROFILE) {
        statements.push(snapshots::remove_records(id));
    }
    session.commit(statements).await?;
    Ok(())
}

octavo_pg::statements!();
