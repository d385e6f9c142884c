//! Which options of a loan notice go together, with mod-circulation-storage's messages. FOLIO checks them where a policy is replaced, not
//! where it is created.

use octavo_kernel::{Fault, Outcome, Refusal};
use serde_json::Value;

/// The events whose time is known in advance.
const SCHEDULED_EVENTS: [&str; 2] = ["Due date", "Aged to lost"];

pub(super) fn check_loan_notices(_stored: &Value, policy: &Value) -> Outcome<()> {
    let notices = policy["loanNotices"].as_array().into_iter().flatten();
    let refusals: Vec<Refusal> = notices.flat_map(notice_refusals).collect();
    if refusals.is_empty() { Ok(()) } else { Err(Fault::refused(refusals)) }
}

fn notice_refusals(notice: &Value) -> impl Iterator<Item = Refusal> {
    let options = &notice["sendOptions"];
    let frequency = &notice["frequency"];
    let is_scheduled = options["sendWhen"].as_str().is_some_and(|event| SCHEDULED_EVENTS.contains(&event));
    let first = match is_scheduled {
        true => (options["sendHow"] != "Before" && options["sendHow"] != "After")
            .then(|| option_refusal("frequency", frequency, "Send"))
            .flatten(),
        false => ["sendHow", "sendBy", "sendEvery"]
            .into_iter()
            .find_map(|name| option_refusal(name, &options[name], "Triggering event")),
    };
    let second = (frequency == "One time")
        .then(|| option_refusal("sendEvery", &options["sendEvery"], "Frequency"))
        .flatten();
    first.into_iter().chain(second)
}

/// A refusal of an option that is there although another one excludes it.
fn option_refusal(name: &str, option: &Value, other: &str) -> Option<Refusal> {
    let value = match option {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    Some(Refusal::rmb(format!("This option is not valid for selected {other}")).about(name, value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_of_a_loan_notice_go_together() {
        let days = || json!({"duration": 1, "intervalId": "Days"});
        for (notice, expected) in [
            (json!({"sendOptions": {"sendWhen": "Check out"}}), vec![]),
            (json!({"sendOptions": {"sendWhen": "Due date", "sendHow": "Upon At"}}), vec![]),
            (
                json!({"sendOptions": {"sendWhen": "Due date", "sendHow": "Before", "sendBy": days()},
                    "frequency": "One time"}),
                vec![],
            ),
            (
                json!({"sendOptions": {"sendWhen": "Aged to lost", "sendHow": "After", "sendBy": days(),
                    "sendEvery": days()}, "frequency": "Recurring"}),
                vec![],
            ),
            (
                json!({"sendOptions": {"sendWhen": "Aged to lost", "sendHow": "Upon At"}, "frequency": "Recurring"}),
                vec!["frequency=Recurring: Send"],
            ),
            (
                json!({"sendOptions": {"sendWhen": "Due date", "sendHow": "Before", "sendEvery": days()},
                    "frequency": "One time"}),
                vec!["sendEvery={\"duration\":1,\"intervalId\":\"Days\"}: Frequency"],
            ),
            (
                json!({"sendOptions": {"sendWhen": "Renewed", "sendHow": "After", "sendBy": days()}}),
                vec!["sendHow=After: Triggering event"],
            ),
            (
                json!({"sendOptions": {"sendWhen": "Renewed", "sendEvery": days()}, "frequency": "One time"}),
                vec![
                    "sendEvery={\"duration\":1,\"intervalId\":\"Days\"}: Triggering event",
                    "sendEvery={\"duration\":1,\"intervalId\":\"Days\"}: Frequency",
                ],
            ),
        ] {
            let told: Vec<String> = notice_refusals(&notice)
                .map(|refusal| {
                    let (key, value) = &refusal.parameters[0];
                    let option = refusal.message.strip_prefix("This option is not valid for selected ");
                    format!("{key}={}: {}", value.as_deref().unwrap_or_default(), option.unwrap_or_default())
                })
                .collect();
            assert_eq!(told, expected, "{notice}");
        }
    }
}
