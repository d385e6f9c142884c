//! `GET /circulation/loans/{id}/explain`: the decisions about a loan, the oldest first, each with its reasons as text and as data.
//! Loans that were stored as records have none.

use octavo_circulation::{StoredDecision, unknown_loan};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Batch, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let loan = Uuid::parse_str(id).map_err(|_| unknown_loan(id))?;
    let mut session = request.context.session().await?;
    let mut batch = Batch::default();
    let decisions = batch.ask::<Option<Value>>(Statement::new(DECISIONS).uuid(loan));
    let loan = batch.ask::<Option<Value>>(Statement::new(LOAN).uuid(loan));
    let answers = batch.send(&mut session).await?;
    let loan = answers.first(loan).flatten().ok_or_else(|| unknown_loan(id))?;
    let decisions: Vec<Value> = answers
        .each(decisions)
        .filter_map(|kept| serde_json::from_value::<StoredDecision<'_>>(kept?).ok())
        .map(|decision| decision_to_json(&decision))
        .collect();
    let mut shown = json!({"loanId": loan["id"], "decisions": decisions});
    for member in [
        "userId",
        "itemId",
        "status",
        "loanDate",
        "dueDate",
        "returnDate",
        "loanPolicyId",
        "overdueFinePolicyId",
        "lostItemPolicyId",
    ] {
        if let Some(value) = loan.get(member) {
            shown[member] = value.clone();
        }
    }
    Ok(Response::json(200, &shown))
}

fn decision_to_json(decision: &StoredDecision<'_>) -> Value {
    let why: Vec<String> = decision.steps.iter().map(ToString::to_string).collect();
    json!({
        "id": decision.id,
        "decision": decision.decision,
        "at": decision.at,
        "byUserId": decision.by_user_id,
        "undone": decision.undone,
        "why": why,
        "steps": decision.steps,
    })
}

const LOAN: &str = "select doc::text from loan where id = $1";

const DECISIONS: &str = "\
select doc::text
from decision
where \"loanId\" = $1
order by doc ->> 'at', id";

octavo_pg::statements!(hot = [LOAN, DECISIONS]);
