//! `GET /transactions/status`: the statuses that transactions got in a span of time, in their order. A hub asks for what is new.

use octavo_circulation::dcb::Status;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time, parse_time};
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::faults::refused;

/// A page has so many changes at most.
const MOST_CHANGES: i64 = 10_000;

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let (from, to) = (date(&request, "fromDate")?, date(&request, "toDate")?);
    let page = number(&request, "pageNumber", 0, 0)?;
    let size = number(&request, "pageSize", 1_000, 1)?.min(MOST_CHANGES);
    let order = Status::ALL.map(|status| status.name().to_owned()).to_vec();
    let mut session = request.context.session().await?;
    let counted = Statement::new(COUNT).text(from.clone()).text(to.clone());
    let total: Option<i64> = session.read(counted).await?;
    let total = total.unwrap_or_default();
    let rows =
        Statement::new(PAGE).text(from).text(to).texts(order).long(size).long(page.saturating_mul(size));
    let changes: Vec<Option<Value>> = session.read(rows).await?;
    let transactions: Vec<Value> = changes.iter().flatten().map(change_to_json).collect();
    Ok(Response::json(
        200,
        &json!({
            "transactions": transactions,
            "totalRecords": total,
            "currentPageNumber": page,
            "currentPageSize": size,
            "maximumPageNumber": (total - 1).max(0) / size,
        }),
    ))
}

/// A change of a transaction's status as JSON; without the patron, if their personal data were deleted.
fn change_to_json(change: &Value) -> Value {
    let mut shown = json!({"id": change["transactionId"]});
    for key in ["status", "role", "item", "patron", "pickup"] {
        if let Some(part) = change.get(key) {
            shown[key] = part.clone();
        }
    }
    shown
}

fn date(request: &Request, name: &str) -> Outcome<String> {
    let text = request.query(name).filter(|text| !text.is_empty());
    let missing = || {
        refused(format!(
            "Required request parameter '{name}' for method parameter type OffsetDateTime is not present"
        ))
    };
    let text = text.ok_or_else(missing)?;
    let wrong = || {
        refused(format!(
            "Failed to convert value of type 'java.lang.String' to required type 'java.time.OffsetDateTime'; parameter '{name}': {text}"
        ))
    };
    parse_time(text).map(folio_time).ok_or_else(wrong)
}

fn number(request: &Request, name: &str, default: i64, least: i64) -> Outcome<i64> {
    let Some(text) = request.query(name) else { return Ok(default) };
    let wrong = || refused(format!("{name} must be an integer from {least} to {}: {text}", i32::MAX));
    text.parse::<i32>().ok().map(i64::from).filter(|number| *number >= least).ok_or_else(wrong)
}

const COUNT: &str = "select count(*) from dcb_transaction_change t where t.date >= $1 and t.date <= $2";

/// Changes of one request have one date; then they come in the order of the statuses.
const PAGE: &str = "\
select t.doc::text
from dcb_transaction_change t
where t.date >= $1 and t.date <= $2
order by t.date, t.doc ->> 'transactionId', array_position($3::text[], t.doc ->> 'status'), t.id
limit $4 offset $5";

octavo_pg::statements!(hot = [COUNT, PAGE]);
