//! `POST /circulation/loans/{id}/add-info`

use octavo_circulation::command::AddInfo;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::on_loan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: AddInfo = request.body()?;
    on_loan(&request, "remark", |facts, id| octavo_circulation::add_info(facts, id, &command)).await
}
