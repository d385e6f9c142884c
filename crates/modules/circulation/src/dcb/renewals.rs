//! How often the loan of a transaction was renewed, and how often it may be.

use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde::Serialize;
use serde_json::Value;

use super::transactions::Transaction;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Renewals {
    renewal_count: i64,
    /// -1 for as often as one likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    renewal_max_count: Option<i64>,
    renewable: bool,
    /// What the policy says, also if renewals are unlimited.
    #[serde(skip)]
    number_allowed: Option<i64>,
}

/// The renewals of the open loan of the transaction's item to its patron, if there is such a loan.
pub(super) async fn find_renewals(
    session: &mut Session,
    transaction: &Transaction,
) -> Outcome<Option<Renewals>> {
    let statement = Statement::new(LOAN).maybe_uuid(transaction.item.id).maybe_uuid(transaction.patron.id);
    let found: Option<(Value, Option<Value>)> = session.read(statement).await?;
    Ok(found.map(|(loan, policy)| Renewals::read(&loan, &policy.unwrap_or_default())))
}

impl Renewals {
    pub(super) fn read(loan: &Value, policy: &Value) -> Renewals {
        let count = &loan["renewalCount"];
        let renewable = policy["renewable"] == true;
        let number_allowed = policy["renewalsPolicy"]["numberAllowed"].as_f64().map(|number| number as i64);
        let allowed = match policy["renewalsPolicy"]["unlimited"] == true {
            true => Some(-1),
            false => number_allowed,
        };
        Renewals {
            renewal_count: count.as_i64().or_else(|| count.as_str()?.parse().ok()).unwrap_or(0),
            renewal_max_count: allowed.filter(|_| renewable),
            renewable,
            number_allowed,
        }
    }

    /// As the answer to a renewal shows them: mod-dcb does not ask there whether renewals are unlimited.
    pub(super) fn after_renewal(self) -> Renewals {
        Renewals { renewal_max_count: self.number_allowed, ..self }
    }
}

const LOAN: &str = "\
select l.doc::text, (select p.doc::text from loan_policy p where p.id = (l.doc ->> 'loanPolicyId')::uuid)
from loan l
where l.\"itemId\" = $1
  and l.\"status.name\" = 'open'
  and l.\"userId\" = $2";

octavo_pg::statements!(hot = [LOAN]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_policy_says_how_often() {
        let policy = |renewable: bool, unlimited: bool| json!({"renewable": renewable, "renewalsPolicy": {"unlimited": unlimited, "numberAllowed": 3.0}});
        let cases = [
            (
                json!({}),
                policy(true, false),
                json!({"renewalCount": 0, "renewalMaxCount": 3, "renewable": true}),
            ),
            (
                json!({"renewalCount": 2}),
                policy(true, true),
                json!({"renewalCount": 2, "renewalMaxCount": -1, "renewable": true}),
            ),
            (
                json!({"renewalCount": "1"}),
                policy(false, false),
                json!({"renewalCount": 1, "renewable": false}),
            ),
            (json!({}), json!(null), json!({"renewalCount": 0, "renewable": false})),
        ];
        for (loan, policy, shown) in cases {
            assert_eq!(json!(Renewals::read(&loan, &policy)), shown, "{loan} {policy}");
        }
        let unlimited = json!({"renewable": true, "renewalsPolicy": {"unlimited": true}});
        let renewed = Renewals::read(&json!({"renewalCount": 1}), &unlimited).after_renewal();
        assert_eq!(json!(renewed), json!({"renewalCount": 1, "renewable": true}));
    }
}
