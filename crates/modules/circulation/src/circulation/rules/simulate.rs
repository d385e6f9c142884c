//! `POST /octavo/rules/simulate`: which loans of the last days would be different with other rules or loan policies. Nothing is
//! changed.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use jiff::SignedDuration;
use octavo_circulation::facts::Loan;
use octavo_circulation::policy::Policies;
use octavo_circulation::rules::{PolicyKind, Rules};
use octavo_circulation::simulate::difference;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal, folio_time};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, ItemRow, library_facts};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Proposal {
    rules_as_text: Option<String>,
    /// Records of `/loan-policy-storage/loan-policies`, new or changed.
    #[serde(default)]
    loan_policies: Vec<Value>,
    #[serde(default = "month")]
    days: i64,
    #[serde(default = "ten")]
    examples: usize,
}

fn month() -> i64 {
    30
}

fn ten() -> usize {
    10
}

const BATCH: usize = 1000;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let proposal: Proposal = request.body()?;
    if !(1..=366).contains(&proposal.days) || proposal.examples > 100 {
        return Err(Refusal::new("days are 1 to 366, examples at most 100").into());
    }
    let context = &request.context;
    let desk = Desk::current(context).await?;
    let proposed = proposed_policies(&desk, &proposal)?;
    let facts = library_facts(context, &desk);
    let since = folio_time(context.now - SignedDuration::from_hours(24 * proposal.days));
    let (mut loans, mut changed) = (0, BTreeMap::<&str, usize>::new());
    let (mut examples, mut after) = (Vec::new(), Uuid::nil());
    let mut session = context.session().await?;
    loop {
        let batch = Statement::new(LOANS.as_str()).text(since.as_str()).uuid(after);
        let rows: Vec<(Uuid, Option<Value>, ItemRow)> = session.read(batch).await?;
        let full = rows.len() == BATCH;
        for (id, record, item) in rows {
            after = id;
            let (Some(record), Some(item)) = (record, item.item(&desk)) else { continue };
            loans += 1;
            let loan = Loan { record: record.into() };
            let Some(found) = difference(&facts, &proposed, &loan, &item) else { continue };
            *changed.entry(found.kind).or_default() += 1;
            if examples.len() < proposal.examples {
                examples.push(json!({
                    "loanId": loan.id(), "itemId": item.id(), "loanDate": loan.record["loanDate"],
                    "change": found.kind, "before": found.before.to_json(), "after": found.after.to_json(),
                }));
            }
        }
        if !full {
            break;
        }
    }
    let total: usize = changed.values().sum();
    let body = json!({"days": proposal.days, "loans": loans, "changed": total, "changes": changed, "examples": examples});
    Ok(Response::json(200, &body))
}

/// The library's policies with the proposed ones in their place.
fn proposed_policies(desk: &Arc<Desk>, proposal: &Proposal) -> Outcome<Policies> {
    let mut policies = Policies::clone(&desk.policies);
    for record in &proposal.loan_policies {
        let id = record["id"]
            .as_str()
            .ok_or_else(|| Refusal::new("A loan policy needs its id").about("id", None::<&str>))?;
        let policy = serde_json::from_value(record.clone())
            .map_err(|error| Refusal::new(error.to_string()).about("id", id))?;
        policies.loan.insert(id.to_owned(), policy);
    }
    if let Some(text) = &proposal.rules_as_text {
        let known = |kind: PolicyKind, id: &str| match kind {
            PolicyKind::Loan => policies.loan.contains_key(id),
            PolicyKind::OverdueFine => policies.overdue_fine.contains_key(id),
            PolicyKind::LostItemFee => policies.lost_item.contains_key(id),
            PolicyKind::Request => policies.request.contains_key(id),
            PolicyKind::Notice => true,
        };
        let rules = Rules::parse_checked(text, known).map_err(|error| {
            Fault::json(422, json!({"message": error.message, "line": error.line, "column": error.column}))
        })?;
        policies.rules = Some(rules);
    }
    Ok(policies)
}

static LOANS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\
select l.id, l.doc::text, {ITEM_COLUMNS}
{ITEM_SOURCE}
join loan l on l.\"itemId\" = i.id
where l.\"loanDate\" >= $1 and l.id > $2
order by l.id
limit 1000"
    )
});

octavo_pg::statements!(other = [LOANS]);
