//! `GET /circulation/rules/{kind}-policy` and `-policy-all`: the policies that the rules choose, with the lines that choose them.

use octavo_circulation::rules::{Criteria, Match, PolicyKind};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Kind, Outcome};
use serde_json::{Value, json};

use crate::circulation::Desk;

/// The member of the answer that has the policy's id.
fn key(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Loan => "loanPolicyId",
        PolicyKind::Request => "requestPolicyId",
        PolicyKind::Notice => "noticePolicyId",
        PolicyKind::OverdueFine => "overdueFinePolicyId",
        PolicyKind::LostItemFee => "lostItemPolicyId",
    }
}

pub(in crate::circulation) async fn policy_of_best_rule(
    request: Request,
    kind: PolicyKind,
) -> Outcome<Response> {
    let found = matching_rules(&request, false).await?;
    let found = found
        .first()
        .ok_or_else(|| Fault::new(Kind::Failed, "Executing circulation rules did not find a match"))?;
    // FOLIO tells the conditions for loan policies only.
    let told = |applied: bool| applied && kind == PolicyKind::Loan;
    Ok(Response::json(
        200,
        &json!({
            key(kind): found.policies.id_of_kind(kind),
            "appliedRuleConditions": {
                "materialTypeMatch": told(found.applied.material_type),
                "loanTypeMatch": told(found.applied.loan_type),
                "patronGroupMatch": told(found.applied.patron_group),
            },
        }),
    ))
}

pub(in crate::circulation) async fn policies_of_all_rules(
    request: Request,
    kind: PolicyKind,
) -> Outcome<Response> {
    let found = matching_rules(&request, true).await?;
    let told = |found: &Match| json!({key(kind): found.policies.id_of_kind(kind), "circulationRuleLine": found.line});
    let matches: Vec<Value> = found.iter().map(told).collect();
    Ok(Response::json(200, &json!({"circulationRuleMatches": matches})))
}

async fn matching_rules(request: &Request, all: bool) -> Outcome<Vec<Match>> {
    let material_type = id(request, "item_type_id")?;
    let loan_type = id(request, "loan_type_id")?;
    let patron_group = id(request, "patron_type_id")?;
    let location = id(request, "location_id")?;
    let desk = Desk::current(&request.context).await?;
    // Rules for libraries, campuses and institutions do not match an unknown location.
    let place = desk.location(Some(location)).unwrap_or_default();
    let rules = desk.policies.rules.as_ref();
    let rules = rules.ok_or_else(|| Fault::new(Kind::Failed, "Cannot apply blank circulation rules"))?;
    let criteria = Criteria {
        material_type,
        loan_type,
        patron_group,
        location,
        library: place.library_id.as_deref().unwrap_or_default(),
        campus: place.campus_id.as_deref().unwrap_or_default(),
        institution: place.institution_id.as_deref().unwrap_or_default(),
    };
    Ok(if all { rules.all_matches(&criteria) } else { rules.best_match(&criteria).into_iter().collect() })
}

fn id<'a>(request: &'a Request, name: &str) -> Outcome<&'a str> {
    let value = request
        .query(name)
        .ok_or_else(|| Fault::bad_request(format!("required query parameter missing: {name}")))?;
    if is_uuid_of_rfc_4122(value) {
        return Ok(value);
    }
    Err(Fault::bad_request(format!("invalid uuid format of {name}, expecting {UUID} but it is {value}")))
}

/// The pattern that FOLIO's messages contain.
const UUID: &str =
    "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$";

fn is_uuid_of_rfc_4122(text: &str) -> bool {
    let read = uuid::Uuid::parse_str(text).ok().filter(|_| text.len() == 36);
    read.is_some_and(|id| {
        (1..=5).contains(&id.get_version_num()) && id.get_variant() == uuid::Variant::RFC4122
    })
}
