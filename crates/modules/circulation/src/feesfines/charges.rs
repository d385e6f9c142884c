//! `POST /feefineactions`: a charge or an action as a record. If the record wants it, the patron is notified.

use octavo_circulation::log::logged_fee;
use octavo_circulation::notice::notice_of_fee;
use octavo_engine::{Request, Response, create as create_record, create_with, find};
use octavo_kernel::Outcome;
use octavo_modules_base::circulation_log;
use octavo_modules_base::fee_records::{ACCOUNT, ACTION};
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::{Desk, notices};

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.json()?;
    let mut session = context.session().await?;
    let account = body["accountId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let account = match account {
        Some(account) => find(&mut session, &ACCOUNT, account).await?,
        None => None,
    };
    let action = match account {
        Some(account) => {
            let desk = Desk::from_snapshot(&*context.snapshot_over(&mut session).await?);
            let notify = body["notify"] == true;
            let more = |action: &Value| {
                let notice = notice_of_fee(&desk.charging, action, &account).filter(|_| notify);
                let mut more =
                    notice.map(|notice| notices::statements_for_notice(context, &notice)).unwrap_or_default();
                let logged = logged_fee(&desk.charging, action, &account);
                more.extend(circulation_log::append(context, logged.iter()));
                more
            };
            let action = create_with(context, &mut session, &ACTION, body, more).await?;
            if notify {
                context.platform.outbox_notifier.notify(&context.tenant.id);
            }
            action
        }
        None => create_record(context, &mut session, &ACTION, body).await?,
    };
    Ok(Response::created(&ACTION, &action))
}
