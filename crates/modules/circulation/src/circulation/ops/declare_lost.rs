//! `POST /circulation/loans/{id}/declare-item-lost`

use octavo_circulation::command::DeclareLost;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::on_loan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: DeclareLost = request.body()?;
    on_loan(&request, "declaration of loss", |facts, id| {
        octavo_circulation::declare_lost(facts, id, &command)
    })
    .await
}
