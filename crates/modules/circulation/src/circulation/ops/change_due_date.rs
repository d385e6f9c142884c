//! `POST /circulation/loans/{id}/change-due-date`

use octavo_circulation::command::ChangeDueDate;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::on_loan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: ChangeDueDate = request.body()?;
    on_loan(&request, "change of the due date", |facts, id| {
        octavo_circulation::change_due_date(facts, id, &command)
    })
    .await
}
