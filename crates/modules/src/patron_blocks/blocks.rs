//! `GET /automated-patron-blocks/{userId}` and `GET /user-summary/{userId}`: computed when asked for, one round trip.

use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing, automated_blocks};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::{Desk, EACH_BY_ID, standing};

/// Of a user whom nobody knows, nothing.
pub(super) async fn of_user(request: Request) -> Outcome<Response> {
    let user = user(&request, "user UUID")?;
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let group = Statement::new(GROUP).uuid(user);
    let answers =
        session.batch(vec![group, Statement::new(EACH_BY_ID.as_str()).text(user.to_string())]).await?;
    let group = answers[0].first().and_then(|row| row.maybe_text(0));
    let standing = standing(&answers[1])?;
    let blocks = automated_blocks(&desk.block_limits, group, &standing, &desk.policies, request.context.now);
    let blocks: Vec<Value> = blocks
        .iter()
        .map(|block| {
            json!({
                "patronBlockConditionId": block.condition_id,
                "blockBorrowing": block.borrowing,
                "blockRenewals": block.renewals,
                "blockRequests": block.requests,
                "message": block.message,
            })
        })
        .collect();
    Ok(Response::json(200, &json!({"automatedPatronBlocks": blocks})))
}

/// FOLIO keeps a summary of those patrons only who have something to sum up.
pub(super) async fn summary(request: Request) -> Outcome<Response> {
    let user = user(&request, "user ID")?;
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let rows = session.rows(Statement::new(EACH_BY_ID.as_str()).text(user.to_string())).await?;
    let standing = standing(&rows)?;
    if standing == Standing::default() {
        return Err(Fault::text(404, format!("User summary for user ID {user} not found")));
    }
    let loans: Vec<Value> = standing.loans.iter().map(|loan| open_loan(loan, &desk)).collect();
    let fees: Vec<Value> = standing.fees.iter().map(open_fee).collect();
    let summary = json!({"id": user, "userId": user, "openLoans": loans, "openFeesFines": fees});
    Ok(Response::json(200, &summary))
}

fn user(request: &Request, what: &str) -> Outcome<Uuid> {
    let text = request.parameter(0);
    let invalid = || Fault::bad_request(format!("Invalid {what}: \"{text}\""));
    if text.len() != 36 {
        return Err(invalid());
    }
    Uuid::parse_str(text).map_err(|_| invalid())
}

fn open_loan(loan: &OpenLoan, desk: &Desk) -> Value {
    let mut told = json!({
        "loanId": loan.id,
        "dueDate": loan.due.map(folio_time),
        "recall": loan.recalled,
        "itemLost": loan.is_lost(),
        "itemClaimedReturned": loan.is_claimed_returned(),
    });
    let policy = loan.loan_policy_id.as_deref().and_then(|id| desk.policies.loan.get(id));
    let grace = policy.and_then(|policy| policy.loans_policy.as_ref()?.grace_period.as_ref());
    if let Some(grace) = grace {
        told["gracePeriod"] = json!(grace);
    }
    told
}

fn open_fee(fee: &OpenFee) -> Value {
    let mut told =
        json!({"feeFineId": fee.id, "feeFineTypeId": fee.type_id, "balance": fee.balance.to_json()});
    if let Some(loan) = &fee.loan_id {
        told["loanId"] = json!(loan);
    }
    told
}

const GROUP: &str = "select \"patronGroup\"::text from users where id = $1";

octavo_pg::statements!(hot = [GROUP]);
