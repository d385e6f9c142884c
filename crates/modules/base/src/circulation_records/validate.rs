//! Checks of schedules and policies beyond their schemas, with mod-circulation-storage's messages.

use octavo_kernel::{Refusal, parse_time};
use octavo_record::SnapshotRecords;
use serde_json::Value;

/// Refuses a range whose dates are not in the order from, to, due.
pub(super) fn schedule(schedule: &Value) -> Vec<Refusal> {
    let ranges = schedule["schedules"].as_array().into_iter().flatten();
    ranges.filter_map(date_order_refusal).collect()
}

fn date_order_refusal(range: &Value) -> Option<Refusal> {
    let text = |name: &str| range[name].as_str().unwrap_or_default();
    let at = |name: &str| parse_time(text(name));
    let (from, to, due) = (at("from")?, at("to")?, at("due")?);
    let (message, key) = if from > due {
        ("Unable to save fixed loan date. Date range not valid from date after due date", "from")
    } else if from > to {
        ("Unable to save fixed loan date. Date range not valid from date after to date", "from")
    } else if to > due {
        ("Unable to save fixed loan date. Date range not valid to date after due date", "to")
    } else {
        return None;
    };
    Some(Refusal::rmb(message).about(key, text(key)))
}

pub(super) fn loan_policy(policy: &Value) -> Vec<Refusal> {
    let loans = &policy["loansPolicy"];
    let renewals = &policy["renewalsPolicy"];
    let fixed = loans["profileId"].as_str().is_some_and(|profile| profile.eq_ignore_ascii_case("fixed"));
    let mut refusals = Vec::new();
    let mut refuse = |message: &str, key: &str| {
        refusals.push(Refusal::rmb(message).about(key, ""));
    };
    if fixed && policy["loanable"] == true && loans["fixedDueDateScheduleId"].is_null() {
        refuse(
            "Fixed due date cannot be null if loanable is true and profile is of type fixed",
            "fixedDueDateScheduleId",
        );
    }
    if fixed && !renewals["period"].is_null() {
        refuse("Period in RenewalsPolicy is not allowed for policies with Fixed profile", "period");
    }
    if fixed && !policy["requestManagement"]["holds"]["alternateRenewalLoanPeriod"].is_null() {
        refuse(
            "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile",
            "alternateRenewalLoanPeriod",
        );
    }
    refusals
}

/// Refuses a request policy that allows a service point which does not exist or is no pickup location.
pub(super) fn pickup_locations(policy: &Value, known: &dyn SnapshotRecords) -> Vec<Refusal> {
    let allowed = policy["allowedServicePoints"].as_object().into_iter().flatten();
    let mut ids = allowed.flat_map(|(_, ids)| ids.as_array().into_iter().flatten()).filter_map(Value::as_str);
    let serves =
        |id: &str| known.record("service_point", id).is_some_and(|point| point["pickupLocation"] == true);
    if ids.all(serves) {
        return Vec::new();
    }
    vec![
        Refusal::new("One or more Pickup locations are no longer available")
            .code("INVALID_ALLOWED_SERVICE_POINT"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_dates_of_a_schedule_stand_in_order() {
        for (from, to, due, fault) in [
            ("2026-01-01", "2026-02-01", "2026-03-01", None),
            ("2026-04-01", "2026-05-01", "2026-03-01", Some("from date after due date")),
            ("2026-02-02", "2026-02-01", "2026-03-01", Some("from date after to date")),
            ("2026-01-01", "2026-04-01", "2026-03-01", Some("to date after due date")),
        ] {
            let refusals = schedule(&json!({"schedules": [{"from": from, "to": to, "due": due}]}));
            let message = refusals.first().map(|refusal| refusal.message.clone());
            match fault {
                None => assert_eq!(message, None),
                Some(fault) => assert!(message.is_some_and(|message| message.ends_with(fault)), "{fault}"),
            }
        }
    }

    #[test]
    fn a_fixed_policy_needs_a_schedule_and_has_no_periods_of_its_own() {
        let policy = json!({"loanable": true, "loansPolicy": {"profileId": "Fixed"},
            "renewalsPolicy": {"period": {"duration": 1, "intervalId": "Days"}}});
        let keys: Vec<String> = loan_policy(&policy).into_iter().map(|r| r.parameters[0].0.clone()).collect();
        assert_eq!(keys, ["fixedDueDateScheduleId", "period"]);
        assert_eq!(loan_policy(&json!({"loanable": true, "loansPolicy": {"profileId": "Rolling"}})), []);
    }

    struct Points(Value);

    impl SnapshotRecords for Points {
        fn record(&self, table: &str, id: &str) -> Option<&Value> {
            self.0[table].get(id)
        }
    }

    #[test]
    fn a_request_policy_allows_pickup_locations_only() {
        let points = Points(json!({"service_point": {"desk": {"pickupLocation": true}, "office": {}}}));
        let refused = |ids: &[&str]| {
            !pickup_locations(&json!({"allowedServicePoints": {"Hold": ids}}), &points).is_empty()
        };
        assert!(!refused(&[]));
        assert!(!refused(&["desk"]));
        assert!(refused(&["desk", "office"]));
        assert!(refused(&["nowhere"]));
    }
}
