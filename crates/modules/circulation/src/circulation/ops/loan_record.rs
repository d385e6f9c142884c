//! `POST /circulation/loans`, `PUT` and `DELETE /circulation/loans/{id}`, `DELETE /circulation/loans`: loans as records.

use octavo_circulation::plan::RecordKind;
use octavo_circulation::{create_loan, replace_loan, stored_form, unknown_loan};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::LOAN;
use octavo_record::Reading;
use serde_json::Value;
use uuid::Uuid;

use super::{created_response, decide_at_desk, loan_id, with_explanation};
use crate::circulation::gather::{DeskSubject, PatronKey, RecordKey};

/// The id that is looked up if the record names no user.
const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let record = checked_loan(&request)?;
    let id = |field: &str| record[field].as_str();
    let about = DeskSubject {
        operation: "loan by record",
        item: RecordKey::Id(id("itemId").unwrap_or(NOBODY)),
        patron: PatronKey::ById { user: id("userId").unwrap_or(NOBODY), proxy: id("proxyUserId") },
        checks_blocks: false,
        reads_lost_fees: false,
    };
    let plan = decide_at_desk(&request.context, about, |facts| create_loan(facts, &record)).await?;
    Ok(created_response(&request, &plan, RecordKind::Loan, "/circulation/loans"))
}

pub(crate) async fn replace(request: Request) -> Outcome<Response> {
    let record = checked_loan(&request)?;
    let id = loan_id(&request)?;
    let patron = match record["userId"].as_str() {
        Some(user) => PatronKey::ById { user, proxy: record["proxyUserId"].as_str() },
        None => PatronKey::Borrower,
    };
    let about = DeskSubject {
        operation: "change by record",
        item: RecordKey::Loan(id),
        patron,
        checks_blocks: false,
        reads_lost_fees: false,
    };
    let plan = decide_at_desk(&request.context, about, |facts| replace_loan(facts, id, &record)).await?;
    Ok(with_explanation(&request, Response::no_content(), &plan))
}

fn checked_loan(request: &Request) -> Outcome<Value> {
    let record = stored_form(request.json()?);
    let checked = LOAN.schema().check(record, Reading::FromClient).map_err(Fault::refused)?.0;
    for field in ["id", "userId", "proxyUserId", "itemId"] {
        if let Some(id) = checked[field].as_str()
            && Uuid::parse_str(id).is_err()
        {
            return Err(Fault::bad_request(format!("{field} is no UUID: {id}")));
        }
    }
    Ok(checked)
}

/// Deletes the loan; its history stays.
pub(crate) async fn delete(request: Request) -> Outcome<Response> {
    let text = loan_id(&request)?;
    let id = Uuid::parse_str(text).map_err(|_| unknown_loan(text))?;
    let mut session = request.context.session().await?;
    octavo_engine::delete(&request.context, &mut session, &LOAN, id).await?;
    Ok(Response::no_content())
}

/// Deletes the loans that a query finds; without a query it is refused.
pub(crate) async fn delete_where(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    octavo_engine::delete_where(&request.context, &mut session, &LOAN, request.query("query")).await?;
    Ok(Response::no_content())
}
