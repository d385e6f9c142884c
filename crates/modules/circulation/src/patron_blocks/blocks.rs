//! `GET /automated-patron-blocks/{userId}` and `GET /user-summary/{userId}`: computed when asked for, one round trip.

use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing, automated_blocks};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_pg::{Batch, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::{Desk, EACH_BY_ID, StandingRow};

/// The automated blocks of a user; none for an unknown user.
pub(super) async fn blocks_of_user(request: Request) -> Outcome<Response> {
    let user = user(&request, "user UUID")?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let mut batch = Batch::default();
    let group = batch.ask::<Option<String>>(Statement::new(GROUP).uuid(user));
    let standing = batch.ask::<StandingRow>(standing_of(user));
    let answers = batch.send(&mut session).await?;
    let (group, standing) = (answers.first(group).flatten(), answers.first(standing).unwrap_or_default());
    let (limits, now) = (&desk.block_limits, request.context.now);
    let blocks = automated_blocks(limits, group.as_deref(), &standing.standing(), &desk.policies, now);
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

/// As in FOLIO, a patron without loans and fees has no summary.
pub(super) async fn summary(request: Request) -> Outcome<Response> {
    let user = user(&request, "user ID")?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let read: Option<StandingRow> = session.read(standing_of(user)).await?;
    let standing = read.unwrap_or_default().standing();
    if standing == Standing::default() {
        return Err(Fault::not_found_with(format!("User summary for user ID {user} not found")));
    }
    let loans: Vec<Value> = standing.loans.iter().map(|loan| open_loan(loan, &desk)).collect();
    let fees: Vec<Value> = standing.fees.iter().map(open_fee).collect();
    let summary = json!({"id": user, "userId": user, "openLoans": loans, "openFeesFines": fees});
    Ok(Response::json(200, &summary))
}

fn standing_of(user: Uuid) -> Statement {
    Statement::new(EACH_BY_ID.as_str()).text(user.to_string())
}

fn user(request: &Request, what: &str) -> Outcome<Uuid> {
    let text = request.path_parameter(0);
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
