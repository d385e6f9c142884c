//! `POST /circulation/requests/instances`

use octavo_circulation::plan::RecordKind;
use octavo_circulation::request::{RequestAtInstance, request_at_instance};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::gather::Wanted;
use super::{decide, uuid};
use crate::circulation::ops::made;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let asked: RequestAtInstance = request.body()?;
    let wanted = Wanted {
        requester: uuid(asked.requester_id.as_deref()),
        proxy: uuid(asked.proxy_user_id.as_deref()),
        instance: uuid(asked.instance_id.as_deref()),
        whole_title: true,
        heeds_blocks: true,
        ..Wanted::default()
    };
    let plan = decide(&request.context, &wanted, |facts, _| request_at_instance(facts, &asked)).await?;
    Ok(made(&request, &plan, RecordKind::Request, "/circulation/requests"))
}
