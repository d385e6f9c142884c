//! `POST /circulation/requests/instances`

use octavo_circulation::plan::RecordKind;
use octavo_circulation::request::RequestAtInstance;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::by_patron::hold_on_title;
use crate::circulation::ops::created_response;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let asked: RequestAtInstance = request.body()?;
    let plan = hold_on_title(&request.context, &asked).await?;
    Ok(created_response(&request, &plan, RecordKind::Request, "/circulation/requests"))
}
