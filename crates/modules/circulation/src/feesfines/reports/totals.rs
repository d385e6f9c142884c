//! The totals of a report: number of actions and sum of money by name, then for all.

use std::collections::HashMap;

use octavo_circulation::Money;
use serde_json::{Value, json};

/// The name under which an action is counted, if it has one, and its amount.
pub(super) type Counted<'a> = (Option<&'a str>, Option<Money>);

/// Names are in the order of their first occurrence. Actions without a name are not counted.
pub(super) fn totals<'a>(actions: impl Iterator<Item = Counted<'a>>, all: &str) -> Value {
    let mut rows: Vec<(&str, Money, u64)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut sum = (all, Money::ZERO, 0);
    for (name, amount) in actions {
        let Some(name) = name else { continue };
        let at = *known.entry(name).or_insert_with(|| {
            rows.push((name, Money::ZERO, 0));
            rows.len() - 1
        });
        for row in [&mut rows[at], &mut sum] {
            row.1 = row.1 + amount.unwrap_or_default();
            row.2 += 1;
        }
    }
    rows.push(sum);
    let shown = rows.iter().map(|(name, amount, count)| {
        json!({"name": name, "totalAmount": amount.to_string(), "totalCount": count.to_string()})
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total_rows(actions: &[Counted<'_>]) -> Vec<String> {
        let totals = totals(actions.iter().copied(), "All");
        let row = |row: &Value| format!("{} {} {}", row["name"], row["totalAmount"], row["totalCount"]);
        totals.as_array().unwrap().iter().map(|total| row(total).replace('"', "")).collect()
    }

    #[test]
    fn money_and_actions_are_summed_by_name_and_altogether() {
        let cents = |cents| Some(Money::from_cents(cents));
        assert_eq!(total_rows(&[]), ["All 0.00 0"]);
        assert_eq!(
            total_rows(&[(Some("Cash"), cents(10)), (Some("Card"), cents(205)), (Some("Cash"), cents(20))]),
            ["Cash 0.30 2", "Card 2.05 1", "All 2.35 3"]
        );
        assert_eq!(total_rows(&[(None, cents(10)), (Some("Cash"), None)]), ["Cash 0.00 1", "All 0.00 1"]);
    }
}
