//! Checks of schedules and policies beyond their schemas, with mod-circulation-storage's messages.

use octavo_kernel::{Refusal, parse_time};
use octavo_record::SnapshotRecords;
use serde_json::Value;

/// Refuses a range whose dates are not in the order from, to, due. Of several such ranges FOLIO reports the last.
pub(super) fn schedule(schedule: &Value) -> Vec<Refusal> {
    let ranges = schedule["schedules"].as_array().into_iter().flatten();
    ranges.filter_map(date_order_refusal).next_back().into_iter().collect()
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

/// Refuses a loan policy for the first rule that it breaks.
pub(super) fn loan_policy(policy: &Value) -> Vec<Refusal> {
    let rules: [fn(&Value) -> Option<Refusal>; 4] =
        [alternate_schedule_refusal, schedule_refusal, renewal_after_hold_refusal, renewal_period_refusal];
    rules.iter().find_map(|rule| rule(policy)).into_iter().collect()
}

fn has_fixed_profile(policy: &Value) -> bool {
    let profile = policy["loansPolicy"]["profileId"].as_str();
    profile.is_some_and(|profile| profile.eq_ignore_ascii_case("fixed"))
}

/// Whether renewals have another period, or another schedule, than loans.
fn renews_differently(policy: &Value) -> bool {
    policy["renewable"] == true && policy["renewalsPolicy"]["differentPeriod"] == true
}

/// A value as Java writes it in a text.
fn spelled(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A schedule of renewals is needed where renewals with a fixed profile differ from loans, and useless where renewals do not differ.
fn alternate_schedule_refusal(policy: &Value) -> Option<Refusal> {
    const KEY: &str = "alternateFixedDueDateScheduleId";
    let renewals = &policy["renewalsPolicy"];
    let schedule = &renewals[KEY];
    let differently = renews_differently(policy);
    let lacks = differently && has_fixed_profile(policy) && schedule.is_null();
    if !lacks && (differently || schedule.is_null()) {
        return None;
    }
    let message = format!(
        "Alternate fixed due date cannot be {} if renewable is {}, different period is {} and profile is {}",
        spelled(schedule),
        policy["renewable"],
        renewals["differentPeriod"],
        spelled(&policy["loansPolicy"]["profileId"])
    );
    Some(Refusal::rmb(message).about(KEY, spelled(schedule)))
}

/// FOLIO wants a schedule of fixed due dates also from a policy that is not loanable, if it says how loans are.
fn schedule_refusal(policy: &Value) -> Option<Refusal> {
    let loanable = policy["loanable"] == true;
    let loans = &policy["loansPolicy"];
    let needed = if loanable { has_fixed_profile(policy) } else { loans.is_object() };
    if !needed || !loans["fixedDueDateScheduleId"].is_null() {
        return None;
    }
    let message =
        format!("Fixed due date cannot be null if loanable is {loanable} and profile is of type fixed");
    Some(Refusal::rmb(message).about("fixedDueDateScheduleId", "null"))
}

fn renewal_after_hold_refusal(policy: &Value) -> Option<Refusal> {
    let holds = &policy["requestManagement"]["holds"];
    let period = &holds["alternateRenewalLoanPeriod"];
    let applies = policy["renewable"] == true && holds["renewItemsWithRequest"] == true;
    let message = "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile";
    (has_fixed_profile(policy) && applies && !period.is_null())
        .then(|| Refusal::rmb(message).about("alternateRenewalLoanPeriod", spelled(period)))
}

fn renewal_period_refusal(policy: &Value) -> Option<Refusal> {
    let period = &policy["renewalsPolicy"]["period"];
    let message = "Period in RenewalsPolicy is not allowed for policies with Fixed profile";
    (has_fixed_profile(policy) && renews_differently(policy) && !period.is_null())
        .then(|| Refusal::rmb(message).about("period", spelled(period)))
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
        let range = |to: &str| json!({"from": "2026-02-02", "to": to, "due": "2026-03-01"});
        let refusals = schedule(&json!({"schedules": [range("2026-02-01"), range("2026-04-01")]}));
        let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
        let last = "Unable to save fixed loan date. Date range not valid to date after due date";
        assert_eq!(messages, [last]);
    }

    /// A policy with other members than an ordinary one of a rolling profile.
    fn policy_with(members: &[(&str, Value)]) -> Value {
        let mut policy = json!({
            "loanable": true, "loansPolicy": {"profileId": "Rolling"},
            "renewable": true, "renewalsPolicy": {"differentPeriod": false},
            "requestManagement": {"holds": {}},
        });
        for (pointer, value) in members {
            let (parent, member) = pointer.rsplit_once('/').unwrap();
            policy.pointer_mut(parent).unwrap()[member] = value.clone();
        }
        policy
    }

    #[test]
    fn a_loan_policy_is_refused_for_the_first_rule_that_it_breaks() {
        const SCHEDULE: &str = "fixedDueDateScheduleId=null: Fixed due date cannot be null if loanable is ";
        const ALTERNATE: &str = "alternateFixedDueDateScheduleId=";
        let period = || json!({"duration": 1, "intervalId": "Days"});
        let fixed = || ("/loansPolicy/profileId", json!("FIXED"));
        let scheduled = || ("/loansPolicy/fixedDueDateScheduleId", json!("s"));
        let differently = || ("/renewalsPolicy/differentPeriod", json!(true));
        let alternate = || ("/renewalsPolicy/alternateFixedDueDateScheduleId", json!("a"));
        let renewal = || ("/renewalsPolicy/period", period());
        let hold = || ("/requestManagement/holds/alternateRenewalLoanPeriod", period());
        let renewed_with_hold = || ("/requestManagement/holds/renewItemsWithRequest", json!(true));
        let not_renewable = || ("/renewable", json!(false));
        let not_loanable = || ("/loanable", json!(false));
        for (members, expected) in [
            (vec![], None),
            (vec![fixed(), scheduled()], None),
            (vec![fixed()], Some(format!("{SCHEDULE}true and profile is of type fixed"))),
            (vec![not_loanable()], Some(format!("{SCHEDULE}false and profile is of type fixed"))),
            (vec![not_loanable(), scheduled()], None),
            (vec![not_loanable(), ("/loansPolicy", json!(null))], None),
            (vec![differently(), renewal()], None),
            (
                vec![fixed(), differently()],
                Some(format!(
                    "{ALTERNATE}null: Alternate fixed due date cannot be null if renewable is true, \
                     different period is true and profile is FIXED"
                )),
            ),
            (
                vec![not_renewable(), alternate()],
                Some(format!(
                    "{ALTERNATE}a: Alternate fixed due date cannot be a if renewable is false, \
                     different period is false and profile is Rolling"
                )),
            ),
            (vec![fixed(), scheduled(), differently(), alternate()], None),
            // Periods that no renewal uses.
            (vec![fixed(), scheduled(), renewal()], None),
            (vec![fixed(), scheduled(), not_renewable(), renewal(), hold(), renewed_with_hold()], None),
            (vec![fixed(), scheduled(), hold()], None),
            (
                vec![fixed(), scheduled(), hold(), renewed_with_hold(), renewal()],
                Some(
                    "alternateRenewalLoanPeriod={\"duration\":1,\"intervalId\":\"Days\"}: Alternate Renewal Loan \
                     Period for Holds is not allowed for policies with Fixed profile"
                        .to_owned(),
                ),
            ),
            (
                vec![fixed(), scheduled(), differently(), alternate(), renewal()],
                Some(
                    "period={\"duration\":1,\"intervalId\":\"Days\"}: Period in RenewalsPolicy is not allowed for \
                     policies with Fixed profile"
                        .to_owned(),
                ),
            ),
        ] {
            let policy = policy_with(&members);
            let told: Vec<String> = loan_policy(&policy)
                .into_iter()
                .map(|refusal| {
                    let (key, value) = &refusal.parameters[0];
                    format!("{key}={}: {}", value.as_deref().unwrap_or_default(), refusal.message)
                })
                .collect();
            assert_eq!(told, Vec::from_iter(expected), "{policy}");
        }
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
