//! Checks of policies and accounts beyond their schemas, with mod-feesfines' messages.

use octavo_circulation::Money;
use octavo_kernel::Refusal;
use serde_json::Value;

/// Refuses negative fines; the message names the first one.
pub(super) fn overdue_fine_policy(policy: &Value) -> Vec<Refusal> {
    let negative = |fine: &str| {
        let quantity = Money::read(&policy[fine]["quantity"]).filter(|quantity| *quantity < Money::ZERO)?;
        let refusal = Refusal::new("Quantity must not be negative.");
        Some(refusal.about(format!("{fine}.quantity"), quantity.to_string()))
    };
    negative("overdueFine").or_else(|| negative("overdueRecallFine")).into_iter().collect()
}

pub(super) fn lost_item_fee_policy(policy: &Value) -> Vec<Refusal> {
    let fee = Money::read(&policy["lostItemProcessingFee"]).filter(|fee| *fee < Money::ZERO);
    let refuse = |fee: Money| {
        let refusal = Refusal::new("The value must greater than or equal to 0");
        refusal.about("lostItemProcessingFee", fee.to_string())
    };
    fee.map(refuse).into_iter().collect()
}

/// Refuses amounts that are no sums of money. FOLIO accepts any number and then fails at the payment.
pub(super) fn account(account: &Value) -> Vec<Refusal> {
    let unreadable = |name: &str| account.get(name).is_some_and(|value| Money::read(value).is_none());
    let refuse = |name: &str| Refusal::new("Invalid amount entered").about(name, account[name].to_string());
    ["amount", "remaining"].into_iter().filter(|name| unreadable(name)).map(refuse).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal_parameters(refusals: &[Refusal]) -> Vec<String> {
        refusals
            .iter()
            .flat_map(|refusal| &refusal.parameters)
            .map(|(key, value)| format!("{key}={}", value.as_deref().unwrap_or("null")))
            .collect()
    }

    #[test]
    fn fines_and_fees_are_not_negative() {
        for (policy, expected) in [
            (json!({}), vec![]),
            (json!({"overdueFine": {"quantity": 0}, "overdueRecallFine": {"quantity": 1.5}}), vec![]),
            (
                json!({"overdueFine": {"quantity": -1}, "overdueRecallFine": {"quantity": -2}}),
                vec!["overdueFine.quantity=-1.00"],
            ),
            (json!({"overdueRecallFine": {"quantity": -0.1}}), vec!["overdueRecallFine.quantity=-0.10"]),
        ] {
            assert_eq!(refusal_parameters(&overdue_fine_policy(&policy)), expected, "{policy}");
        }
        assert_eq!(
            refusal_parameters(&lost_item_fee_policy(&json!({"lostItemProcessingFee": -1}))),
            ["lostItemProcessingFee=-1.00"]
        );
        assert_eq!(lost_item_fee_policy(&json!({"lostItemProcessingFee": 0})), []);
    }

    #[test]
    fn an_account_holds_amounts_that_can_be_counted() {
        assert_eq!(account(&json!({"amount": 10, "remaining": 0.25})), []);
        assert_eq!(
            refusal_parameters(&account(&json!({"amount": 1e300, "remaining": 1}))),
            ["amount=1e+300"]
        );
    }
}
