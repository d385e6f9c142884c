//! `POST /circulation/handlers/loan-related-fee-fine-closed`: a fee that belongs to a loan was closed. Fees that are paid,
//! waived, transferred or cancelled here end the loan themselves; the handler is for those who tell of it.

use octavo_circulation::close_paid;
use octavo_circulation::plan::{Plan, RecordKind, Write};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Deserialize;
use uuid::Uuid;

use super::decide;
use crate::circulation::Desk;
use crate::circulation::gather::{About, Named, Who};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Closed {
    loan_id: Option<String>,
}

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let closed: Closed = request.body()?;
    let loan = closed.loan_id.filter(|id| Uuid::parse_str(id).is_ok());
    let loan = loan.ok_or_else(|| Fault::from(Refusal::new("Loan id is required").about("loanId", "")))?;
    end(&request.context, &loan).await?;
    Ok(Response::no_content())
}

/// Ends the loans of lost items for which the plan, which is committed, leaves nothing to pay. The payment stands whatever
/// comes of it.
pub(crate) async fn end_paid_loans(context: &Context, plan: &Plan) {
    let mut loans: Vec<&str> = plan.writes.iter().filter_map(loan_of_closed).collect();
    loans.sort_unstable();
    loans.dedup();
    for loan in loans {
        if let Err(fault) = end(context, loan).await {
            tracing::error!(loan, %fault, "a loan whose fees are closed cannot be ended");
        }
    }
}

fn loan_of_closed(write: &Write) -> Option<&str> {
    match write {
        Write::Update { record: RecordKind::Account, document, .. }
            if document["status"]["name"] == "Closed" =>
        {
            document["loanId"].as_str()
        }
        _ => None,
    }
}

async fn end(context: &Context, loan: &str) -> Outcome<()> {
    let about = About {
        does: "end of a lost item's loan",
        item: Named::Loan(loan),
        patron: Who::Borrower,
        heeds_blocks: false,
        lost: true,
    };
    let desk = Desk::now(context).await?;
    decide(context, &desk, &about, |facts| Ok(close_paid(facts).unwrap_or_default())).await?;
    Ok(())
}
