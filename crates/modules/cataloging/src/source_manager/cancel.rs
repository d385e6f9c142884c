//! Cancels a job. The records that it has finished stay.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Session;
use uuid::Uuid;

use super::{change, job, snapshots, status};

/// FOLIO's profile for records that programs send: the records that a cancelled job with this profile has stored are removed.
const DEFAULT_PROFILE: Uuid = Uuid::from_u128(0x22fa_fcc3_f582_493d_88b0_3c53_8480_cd83);

pub(super) async fn delete_records(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    cancel(&request.context, &mut session, id).await?;
    Ok(Response::no_content())
}

/// Cancels a job that has not ended yet; 404 if there is none. The chunk that is being worked on is rolled back.
pub async fn cancel(context: &Context, session: &mut Session, id: Uuid) -> Outcome<()> {
    let stored = job::lock(session, id).await?.ok_or_else(|| job::not_found(id));
    let stored = change::rollback_if_refused(session, stored).await?;
    if !status::can_be_cancelled(&stored.status) {
        session.rollback().await?;
        return Ok(());
    }
    let mut statements = vec![change::set_status_statement(id, "CANCELLED", None)];
    statements.extend(change::follow_up_statements(context, id, &stored, "CANCELLED"));
    if stored.profile == Some(DEFAULT_PROFILE) {
        statements.push(snapshots::remove_records_statement(id));
    }
    session.commit(statements).await?;
    Ok(())
}

octavo_pg::statements!();
