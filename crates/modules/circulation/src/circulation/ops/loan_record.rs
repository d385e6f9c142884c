//! `POST /circulation/loans`, `PUT` and `DELETE /circulation/loans/{id}`, `DELETE /circulation/loans`: loans as records.

use octavo_circulation::plan::RecordKind;
use octavo_circulation::{create_loan, replace_loan, stored_form, unknown_loan};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::LOAN;
use octavo_pg::Statement;
use octavo_record::Reading;
use serde_json::Value;
use uuid::Uuid;

use super::{at_desk, explained, loan_id, made};
use crate::circulation::gather::{About, Named, Who};

/// The id that is looked up if the record names no user.
const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let record = checked(&request)?;
    let id = |field: &str| record[field].as_str();
    let about = About {
        does: "loan by record",
        item: Named::Id(id("itemId").unwrap_or(NOBODY)),
        patron: Who::Known { user: id("userId").unwrap_or(NOBODY), proxy: id("proxyUserId") },
        heeds_blocks: false,
        lost: false,
    };
    let plan = at_desk(&request.context, about, |facts| create_loan(facts, &record)).await?;
    Ok(made(&request, &plan, RecordKind::Loan, "/circulation/loans"))
}

pub(crate) async fn replace(request: Request) -> Outcome<Response> {
    let record = checked(&request)?;
    let id = loan_id(&request)?;
    let patron = match record["userId"].as_str() {
        Some(user) => Who::Known { user, proxy: record["proxyUserId"].as_str() },
        None => Who::Borrower,
    };
    let about =
        About { does: "change by record", item: Named::Loan(id), patron, heeds_blocks: false, lost: false };
    let plan = at_desk(&request.context, about, |facts| replace_loan(facts, id, &record)).await?;
    Ok(explained(&request, Response::no_content(), &plan))
}

fn checked(request: &Request) -> Outcome<Value> {
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

pub(crate) async fn delete_all(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    session.rows(Statement::new(DELETE_ALL)).await?;
    Ok(Response::no_content())
}

const DELETE_ALL: &str = "delete from loan";

octavo_pg::statements!(other = [DELETE_ALL]);
