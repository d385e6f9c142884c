//! `POST /anonymize-storage-loans` and `POST /loan-storage/loans/anonymize/{userId}` remove the borrowers from closed loans.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::circulation::jobs::anonymize::anonymize;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AnonymizeBody {
    loan_ids: Vec<String>,
}

const WANTED: &str =
    include_str!("../../../folio/records/mod-circulation-storage/anonymize-storage-loans-request.tsv");

pub(super) async fn by_ids(request: Request) -> Outcome<Response> {
    let wanted: AnonymizeBody = request.checked_body(WANTED)?;
    let (valid, invalid): (Vec<String>, Vec<String>) =
        wanted.loan_ids.into_iter().partition(|id| Uuid::parse_str(id).is_ok());
    if valid.is_empty() {
        let told = format!("[{}]", invalid.join(", "));
        return Err(storage_refusal("Please provide valid loanIds", "loanIds", &told));
    }
    let ids = valid.iter().filter_map(|id| Uuid::parse_str(id).ok()).collect();
    anonymize(&request.context, ids).await?;
    let kept = (!invalid.is_empty()).then(|| json!({"reason": "invalidLoanIds", "loanIds": invalid}));
    let kept = Vec::from_iter(kept);
    Ok(Response::json(200, &json!({"anonymizedLoans": valid, "notAnonymizedLoans": kept})))
}

pub(super) async fn by_user(request: Request) -> Outcome<Response> {
    let text = request.path_parameter(0);
    let user = Uuid::parse_str(text)
        .map_err(|_| storage_refusal("Invalid user ID, should be a UUID", "userId", text))?;
    let loans = request.context.session().await?.read(Statement::new(CLOSED_OF_USER).uuid(user)).await?;
    anonymize(&request.context, loans).await?;
    Ok(Response::no_content())
}

fn storage_refusal(message: &str, key: &str, value: &str) -> Fault {
    Refusal::rmb(message).about(key, value).into()
}

const CLOSED_OF_USER: &str = "\
select id
from loan
where \"userId\" = $1 and \"status.name\" = 'closed'";

octavo_pg::statements!(hot = [CLOSED_OF_USER]);
