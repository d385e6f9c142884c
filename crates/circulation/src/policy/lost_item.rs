//! Lost item fee policies: when an overdue item ages to lost, and the fees for a lost item.

use jiff::Timestamp;
use serde::Deserialize;

use super::Period;
use crate::moment::{to_millisecond, utc};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LostItemPolicy {
    pub id: String,
    pub name: Option<String>,
    charge_amount_item: Option<ChargeAmountItem>,
    lost_item_processing_fee: Option<f64>,
    charge_amount_item_patron: bool,
    charge_amount_item_system: bool,
    item_aged_lost_overdue: Option<Period>,
    patron_billed_after_aged_lost: Option<Period>,
    recalled_item_aged_lost_overdue: Option<Period>,
    patron_billed_after_recalled_item_aged_lost: Option<Period>,
    lost_item_returned: Option<String>,
    fees_fines_shall_refunded: Option<Period>,
    returned_lost_item_processing_fee: bool,
    lost_item_charge_fee_fine: Option<Period>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ChargeAmountItem {
    charge_type: Option<String>,
    amount: Option<f64>,
}

impl LostItemPolicy {
    pub fn fixed_cost(&self) -> Option<f64> {
        let charge = self.charge_amount_item.as_ref()?;
        charge.amount.filter(|amount| charge.is("anotherCost") && *amount > 0.0)
    }

    /// Whether staff set the cost of each lost item.
    pub fn charges_actual_cost(&self) -> bool {
        self.charge_amount_item.as_ref().is_some_and(|charge| charge.is("actualCost"))
    }

    pub fn processing_fee_when_declared(&self) -> Option<f64> {
        self.lost_item_processing_fee.filter(|amount| self.charge_amount_item_patron && *amount > 0.0)
    }

    pub fn processing_fee_when_aged(&self) -> Option<f64> {
        self.lost_item_processing_fee.filter(|amount| self.charge_amount_item_system && *amount > 0.0)
    }

    pub fn charges_overdue_fine_on_return(&self) -> bool {
        self.lost_item_returned.as_deref().is_some_and(|what| what.eq_ignore_ascii_case("Charge"))
    }

    /// Whether the fees for an item lost at that time are still refunded when it turns up; always, if no interval is set.
    pub fn still_refunds(&self, lost: Option<Timestamp>, now: Timestamp) -> bool {
        self.refunds_until(lost).is_none_or(|until| until >= now)
    }

    /// The last moment at which fees are refunded, if there is one.
    pub fn refunds_until(&self, lost: Option<Timestamp>) -> Option<Timestamp> {
        add_interval(self.fees_fines_shall_refunded.as_ref(), lost?)
    }

    pub fn refunds_processing_fee(&self) -> bool {
        self.returned_lost_item_processing_fee
    }

    /// Until when staff can set the cost of an item lost at that time; for ever, if no interval is set.
    pub fn actual_cost_expires(&self, lost: Timestamp) -> Option<Timestamp> {
        add_interval(self.lost_item_charge_fee_fine.as_ref(), lost)
    }

    pub fn has_lost_item_fee(&self) -> bool {
        self.charges_actual_cost() || self.fixed_cost().is_some()
    }

    /// Whether any loan ever ages to lost.
    pub fn can_age_to_lost(&self) -> bool {
        [false, true]
            .into_iter()
            .any(|recalled| self.ages_to_lost_at(Timestamp::UNIX_EPOCH, recalled).is_some())
    }

    /// When a loan with this due date ages to lost; never, if no interval is set.
    pub fn ages_to_lost_at(&self, due: Timestamp, recalled: bool) -> Option<Timestamp> {
        let interval = match recalled {
            true => &self.recalled_item_aged_lost_overdue,
            false => &self.item_aged_lost_overdue,
        };
        Some(to_millisecond(interval.as_ref()?.add_to(&utc(due)).ok()?.timestamp()))
    }

    /// When the patron is billed for an item that aged to lost; at once, if no interval is set.
    pub fn billed_at(&self, aged: Timestamp, recalled: bool) -> Timestamp {
        let interval = match recalled {
            true => &self.patron_billed_after_recalled_item_aged_lost,
            false => &self.patron_billed_after_aged_lost,
        };
        let billed = interval.as_ref().and_then(|interval| interval.add_to(&utc(aged)).ok());
        billed.map_or(aged, |billed| to_millisecond(billed.timestamp()))
    }
}

/// `None` without an interval, or with one of zero.
fn add_interval(interval: Option<&Period>, from: Timestamp) -> Option<Timestamp> {
    let until = interval?.add_to(&utc(from)).ok()?;
    Some(to_millisecond(until.timestamp()))
}

impl ChargeAmountItem {
    fn is(&self, kind: &str) -> bool {
        self.charge_type.as_deref() == Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn policy(record: Value) -> LostItemPolicy {
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_cost_of_nothing_is_no_fee() {
        let item =
            |charge: &str, amount: f64| json!({"chargeAmountItem": {"chargeType": charge, "amount": amount}});
        for (record, fee) in [
            (item("anotherCost", 10.0), true),
            (item("anotherCost", 0.0), false),
            (item("actualCost", 0.0), true),
            (json!({}), false),
        ] {
            assert_eq!(policy(record.clone()).has_lost_item_fee(), fee, "{record}");
        }
        let both = |patron: bool, system: bool| {
            policy(
                json!({"lostItemProcessingFee": 5.0, "chargeAmountItemPatron": patron, "chargeAmountItemSystem": system}),
            )
        };
        assert_eq!(both(true, false).processing_fee_when_declared(), Some(5.0));
        assert_eq!(both(true, false).processing_fee_when_aged(), None);
        assert_eq!(both(false, true).processing_fee_when_aged(), Some(5.0));
    }

    #[test]
    fn fees_are_given_back_until_the_interval_has_passed() {
        let lost: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let week = json!({"duration": 1, "intervalId": "Weeks"});
        for (interval, now, refunds) in [
            (json!(null), "2036-03-01T10:00:00Z", true),
            (json!({"duration": 0, "intervalId": "Days"}), "2036-03-01T10:00:00Z", true),
            (week.clone(), "2026-03-08T10:00:00Z", true),
            (week, "2026-03-08T10:00:00.001Z", false),
        ] {
            let policy = policy(json!({"feesFinesShallRefunded": interval}));
            assert_eq!(policy.still_refunds(Some(lost), now.parse().unwrap()), refunds, "{interval} {now}");
        }
    }

    #[test]
    fn an_interval_of_nothing_never_ages_and_bills_at_once() {
        let period = |duration: i64| json!({"duration": duration, "intervalId": "Weeks"});
        let due: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let later: Timestamp = "2026-03-15T10:00:00Z".parse().unwrap();
        let policy = policy(json!({
            "itemAgedLostOverdue": period(2), "recalledItemAgedLostOverdue": period(0),
            "patronBilledAfterRecalledItemAgedLost": period(2),
        }));
        assert_eq!(policy.ages_to_lost_at(due, false), Some(later));
        assert_eq!(policy.ages_to_lost_at(due, true), None);
        assert_eq!(policy.billed_at(due, false), due);
        assert_eq!(policy.billed_at(due, true), later);
    }
}
