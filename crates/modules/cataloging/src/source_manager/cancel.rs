//! Cancels a job, with the jobs of its files or parts. The records that they have finished stay, unless the job has FOLIO's profile for
//! records that programs send.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_inventory::source_records::remove_snapshot;
use octavo_pg::Session;
use uuid::Uuid;

use super::job::{self, Locked};
use super::{change, status};

/// FOLIO's profile for records that programs send. If a job with this profile is cancelled, its snapshot is removed with the records that
/// it has stored and their instances.
const DEFAULT_PROFILE: Uuid = Uuid::from_u128(0x22fa_fcc3_f582_493d_88b0_3c53_8480_cd83);

pub(super) async fn delete_records(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    cancel(&request.context, &mut session, id).await?;
    Ok(Response::no_content())
}

/// Cancels a job that has not ended yet, and the jobs below it that have not; 404 if there is none. The chunk that is being worked on is
/// rolled back.
pub async fn cancel(context: &Context, session: &mut Session, id: Uuid) -> Outcome<()> {
    let locked = job::lock_with_children(session, id).await?;
    let locked = change::rollback_if_refused(session, locked.ok_or_else(|| job::not_found(id))).await?;
    let whole = Some((id, locked.job)).filter(|(_, whole)| status::can_be_cancelled(&whole.status));
    let children = locked.children.into_iter().filter(|(_, child)| !status::is_ended(&child.status));
    let cancelled: Vec<(Uuid, Locked)> = whole.into_iter().chain(children).collect();
    if cancelled.is_empty() {
        session.rollback().await?;
        return Ok(());
    }
    let mut statements = Vec::new();
    for (id, job) in &cancelled {
        statements.push(change::set_status_statement(*id, "CANCELLED", None));
        statements.extend(change::follow_up_statements(context, *id, job, "CANCELLED"));
    }
    session.commit(statements).await?;
    for (id, _) in cancelled.iter().filter(|(_, job)| job.profile == Some(DEFAULT_PROFILE)) {
        remove_snapshot(context, session, *id).await?;
    }
    Ok(())
}

octavo_pg::statements!();
