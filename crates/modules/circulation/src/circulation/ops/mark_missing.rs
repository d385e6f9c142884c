//! `POST /circulation/loans/{id}/declare-claimed-returned-item-as-missing`

use octavo_circulation::command::MarkMissing;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::on_loan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: MarkMissing = request.body()?;
    on_loan(&request, "declaration as missing", |facts, id| {
        octavo_circulation::mark_missing(facts, id, &command)
    })
    .await
}
