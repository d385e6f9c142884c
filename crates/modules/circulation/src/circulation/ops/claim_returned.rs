//! `POST /circulation/loans/{id}/claim-item-returned`

use octavo_circulation::command::ClaimReturned;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::on_loan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: ClaimReturned = request.body()?;
    on_loan(&request, "claim", |facts, id| octavo_circulation::claim_returned(facts, id, &command)).await
}
