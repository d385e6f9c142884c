//! `POST /feefineactions`: a charge or an action as a record; the patron is told where the record says so.

use octavo_engine::{Request, Response, create as create_record, find};
use octavo_kernel::Outcome;
use uuid::Uuid;

use super::records::{ACCOUNT, ACTION};
use crate::circulation::notices;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.json()?;
    let mut session = context.session().await?;
    let action = create_record(context, &mut session, &ACTION, body).await?;
    let account = action["accountId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    if let Some(account) = account.filter(|_| action["notify"] == true)
        && let Some(account) = find(&mut session, &ACCOUNT, account).await?
    {
        let snapshot = context.platform.snapshots.with(&context.tenant.id, &mut session).await?;
        if let Some(letter) = notices::about_fee(&snapshot, &action, &account) {
            session.transaction(notices::decided(context, vec![letter])).await?;
            context.platform.bell.ring(&context.tenant.id);
        }
    }
    let location = format!("{}/{}", ACTION.path, action["id"].as_str().unwrap_or_default());
    Ok(Response::json(201, &action).with("location", location))
}
