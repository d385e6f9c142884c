//! Checks of conditions and limits beyond their schemas, with mod-patron-blocks' messages.

use octavo_circulation::blocks::Condition;
use octavo_kernel::Refusal;
use serde_json::Value;

/// Refuses a blocking condition without a message, and a message without a block.
pub(super) fn condition(condition: &Value) -> Vec<Refusal> {
    let blocks =
        ["blockBorrowing", "blockRenewals", "blockRequests"].iter().any(|flag| condition[*flag] == true);
    let silent = condition["message"].as_str().is_none_or(|message| message.trim().is_empty());
    let message = match (blocks, silent) {
        (true, true) => "Message to be displayed is a required field if one or more blocked actions selected",
        (false, false) => {
            "One or more blocked actions must be selected for message to be displayed to be used"
        }
        _ => return Vec::new(),
    };
    let id = condition["id"].as_str().unwrap_or_default();
    vec![Refusal::rmb(message).about("patron block condition id", id)]
}

/// Refuses negative and very large limits, and fractions except in amounts of money.
pub(super) fn limit(limit: &Value) -> Vec<Refusal> {
    let Some(value) = limit["value"].as_f64() else { return Vec::new() };
    let condition = limit["conditionId"].as_str().and_then(Condition::from_id);
    let (allowed, message) = if condition == Some(Condition::OutstandingBalance) {
        ((0.0..=999_999.99).contains(&value), "Must be blank or a number from 0.00 to 999999.99")
    } else {
        let whole = value.fract() == 0.0;
        (whole && (0.0..=999_999.0).contains(&value), "Must be blank or an integer from 0 to 999999")
    };
    if allowed {
        return Vec::new();
    }
    vec![Refusal::rmb(message).about("value", format!("{value:?}"))]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_condition_has_a_message_exactly_if_it_blocks_something() {
        for (body, allowed) in [
            (json!({"blockBorrowing": true, "message": "Full"}), true),
            (json!({"blockBorrowing": false, "message": ""}), true),
            (json!({"blockBorrowing": false}), true),
            (json!({"blockRequests": true, "message": " "}), false),
            (json!({"blockRenewals": true}), false),
            (json!({"message": "Full"}), false),
        ] {
            assert_eq!(condition(&body).is_empty(), allowed, "{body}");
        }
    }

    #[test]
    fn a_limit_is_a_count_or_an_amount() {
        let (count, money) = (Condition::LostItems.id(), Condition::OutstandingBalance.id());
        for (id, value, allowed) in [
            (count, json!(0), true),
            (count, json!(999_999), true),
            (count, json!(5.0), true),
            (count, json!(1_000_000), false),
            (count, json!(-1), false),
            (count, json!(1.5), false),
            (money, json!(0), true),
            (money, json!(7.5), true),
            (money, json!(999_999.99), true),
            (money, json!(1_000_000), false),
            (money, json!(-0.01), false),
        ] {
            let refusals = limit(&json!({"conditionId": id, "value": value}));
            assert_eq!(refusals.is_empty(), allowed, "{value}");
        }
        assert_eq!(
            limit(&json!({"conditionId": count, "value": 1.5}))[0].parameters[0].1.as_deref(),
            Some("1.5")
        );
    }
}
