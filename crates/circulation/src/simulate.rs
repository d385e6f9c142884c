//! What other rules or policies would have decided about an existing loan: rule line, policies and due date.
//!
//! Both sides are decided anew with the present facts about the item and the loan's patron group and date, so that they differ only in the
//! rules. Holds that waited at the time of the loan are not known any more.

use jiff::Timestamp;
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use crate::due_date::expected_due_date;
use crate::facts::{Facts, Item, Loan, Patron};
use crate::governing::apply_rules;
use crate::policy::Policies;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoanTerms {
    pub line: u32,
    /// The ids of the loan policy, the overdue fine policy and the lost item fee policy.
    pub policies: [String; 3],
    /// The due date, or the reason why the item would not have been lent.
    pub due: Result<Timestamp, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub kind: &'static str,
    pub before: LoanTerms,
    pub after: LoanTerms,
}

/// The differences under the proposed policies; `None` for loans about which either side cannot decide.
pub fn difference(facts: &Facts, proposed: &Policies, loan: &Loan, item: &Item) -> Option<Difference> {
    let before = loan_terms(facts, &facts.policies, loan, item)?;
    let after = loan_terms(facts, proposed, loan, item)?;
    let kind = match (&before.due, &after.due) {
        (Ok(before), Ok(after)) if after > before => "dueLater",
        (Ok(before), Ok(after)) if after < before => "dueEarlier",
        (Ok(_), Err(_)) => "notLent",
        (Err(_), Ok(_)) => "lent",
        _ if before.policies != after.policies => "otherPolicies",
        _ => return None,
    };
    Some(Difference { kind, before, after })
}

fn loan_terms(facts: &Facts, policies: &Policies, loan: &Loan, item: &Item) -> Option<LoanTerms> {
    let group = &loan.record["patronGroupIdAtCheckout"];
    let patron =
        Patron { record: json!({"id": loan.record["userId"], "patronGroup": group}), ..Patron::default() };
    let found = apply_rules(policies, item, Some(&patron)).ok()?;
    let governing = policies.governing_loan_policy(&found).ok()?;
    let date = loan.loan_date()?;
    let due =
        expected_due_date(&governing, facts.service_point_hours(loan.checkout_service_point_id()), &date);
    let policies =
        [&found.policies.loan, &found.policies.overdue, &found.policies.lost_item].map(String::clone);
    Some(LoanTerms { line: found.line, policies, due })
}

impl LoanTerms {
    pub fn to_json(&self) -> Value {
        let [loan, overdue_fine, lost_item] = &self.policies;
        let mut shown = json!({
            "line": self.line,
            "loanPolicyId": loan,
            "overdueFinePolicyId": overdue_fine,
            "lostItemPolicyId": lost_item,
        });
        match &self.due {
            Ok(due) => shown["dueDate"] = json!(folio_time(*due)),
            Err(reason) => shown["notLent"] = json!(reason),
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{facts, policies, three_weeks};

    fn compare(proposed: &Policies) -> Option<&'static str> {
        let facts = facts();
        let loan = Loan {
            record: json!({"id": "loan-1", "userId": "ada", "loanDate": "2026-01-05T10:00:00.000+00:00",
                "patronGroupIdAtCheckout": "staff", "checkoutServicePointId": "desk-1"})
            .into(),
        };
        let item = facts.item.clone().unwrap();
        difference(&facts, proposed, &loan, &item).map(|difference| difference.kind)
    }

    #[test]
    fn what_other_policies_would_have_made_of_a_loan() {
        let rules = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost";
        let with = |change: fn(&mut Value)| {
            let mut policy = three_weeks();
            change(&mut policy);
            policies(rules, policy)
        };
        assert_eq!(compare(&with(|_| {})), None, "another line, the same policies");
        assert_eq!(
            compare(&with(|policy| policy["loansPolicy"]["period"]["duration"] = json!(4))),
            Some("dueLater")
        );
        assert_eq!(
            compare(&with(|policy| policy["loansPolicy"]["period"]["duration"] = json!(2))),
            Some("dueEarlier")
        );
        assert_eq!(compare(&with(|policy| policy["loanable"] = json!(false))), Some("notLent"));
        let dearer = "priority: last-line\nfallback-policy: l three-weeks r any n none o dear i lost";
        assert_eq!(compare(&policies(dearer, three_weeks())), Some("otherPolicies"));
        assert_eq!(compare(&Policies::default()), None, "blank rules decide nothing");
    }
}
