//! The circulation rule for an item and a patron.

use octavo_kernel::{Fault, Kind, Outcome};

use crate::facts::{Item, Patron};
use crate::policy::Policies;
use crate::rules::{Criteria, Match, PolicyKind};
use crate::trace::Step;

/// The rule that applies. If none can be applied, the data are inconsistent, which is answered with 500.
pub(crate) fn apply_rules(policies: &Policies, item: &Item, patron: Option<&Patron>) -> Outcome<Match> {
    let rules =
        policies.rules.as_ref().ok_or_else(|| server_error("Cannot apply blank circulation rules"))?;
    let patron = patron
        .ok_or_else(|| server_error("Unable to apply circulation rules for item with user that is null"))?;
    let patron_group =
        patron.patron_group_id().ok_or_else(|| unable("a user with null value as patronGroupId"))?;
    let location =
        item.effective_location_id().ok_or_else(|| unable("an item with null value as locationId"))?;
    let loan_type =
        item.loan_type_id().ok_or_else(|| unable("an item which loan type can not be determined"))?;
    let material_type =
        item.material_type_id().ok_or_else(|| unable("an item with null value as materialTypeId"))?;

    let place = item.location.as_ref();
    let criteria = Criteria {
        material_type,
        loan_type,
        patron_group,
        location,
        library: place.and_then(|place| place.library_id.as_deref()).unwrap_or_default(),
        campus: place.and_then(|place| place.campus_id.as_deref()).unwrap_or_default(),
        institution: place.and_then(|place| place.institution_id.as_deref()).unwrap_or_default(),
    };
    rules
        .best_match(&criteria)
        .ok_or_else(|| server_error("Executing circulation rules did not find a match"))
}

/// Adds the rule that set a loan policy to the trace.
pub(crate) fn trace_rule(found: &Match, policies: &Policies, trace: &mut Vec<Step>) {
    trace.push(Step::RuleMatched { line: found.line, conditions: found.applied });
    let id = &found.policies.loan;
    let name = policies.loan.get(id).map(|policy| policy.name.clone()).unwrap_or_default();
    trace.push(Step::PolicyChosen { kind: PolicyKind::Loan, id: id.clone(), name });
}

fn unable(target: &str) -> Fault {
    server_error(&format!("Unable to apply circulation rules to {target}"))
}

fn server_error(message: &str) -> Fault {
    Fault::new(Kind::Failed, message)
}
