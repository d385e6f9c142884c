//! The texts that a machine shows for a refusal: the library's own messages, and nothing about how the server works.

use octavo_kernel::{Body, Fault};
use serde_json::Value;

/// The most messages that one answer shows.
const MAX_MESSAGES: usize = 5;

/// The messages of a refusal.
pub(crate) fn fault_messages(fault: &Fault) -> Vec<String> {
    match fault.status {
        403 => return vec!["This terminal may not do that".to_owned()],
        507 | 500.. => return vec!["The library system cannot do that now. Please ask the staff".to_owned()],
        _ => {}
    }
    let words: Vec<String> = match &fault.body {
        Body::Refusals(refusals) => refusals.iter().map(|refusal| refusal.message.clone()).collect(),
        Body::Text(text) => vec![text.clone()],
        Body::Json(body) => json_messages(body),
    };
    words.into_iter().take(MAX_MESSAGES).collect()
}

/// Why a log-in was refused, for the log: its code where it has one, since its words repeat what was entered as a name, which may be a
/// password in the wrong place.
pub(crate) fn cause(fault: &Fault) -> String {
    match &fault.body {
        Body::Refusals(refusals) => {
            let causes = refusals.iter().map(|refusal| refusal.code.as_ref().unwrap_or(&refusal.message));
            causes.cloned().collect::<Vec<_>>().join("; ")
        }
        _ => fault_messages(fault).join("; "),
    }
}

fn json_messages(body: &Value) -> Vec<String> {
    let errors = body["errors"].as_array().into_iter().flatten();
    let mut words: Vec<String> =
        errors.filter_map(|error| error["message"].as_str().map(str::to_owned)).collect();
    words.extend(
        ["errorMessage", "message"].iter().filter_map(|name| body[*name].as_str().map(str::to_owned)),
    );
    words
}

#[cfg(test)]
mod tests {
    use octavo_kernel::Refusal;
    use serde_json::json;

    use super::*;

    #[test]
    fn refusals_are_shown_and_accidents_are_not_explained() {
        assert_eq!(fault_messages(&Refusal::new("Item is not loanable").into()), ["Item is not loanable"]);
        assert_eq!(
            fault_messages(&Fault::json(422, json!({"errorMessage": "Amount too large"}))),
            ["Amount too large"]
        );
        assert_eq!(
            fault_messages(&Fault::text(403, "requires permission: x")),
            ["This terminal may not do that"]
        );
        let named = Refusal::new("No user found by username secret").code("username.incorrect");
        assert_eq!(cause(&named.into()), "username.incorrect");
        let accident = fault_messages(&Fault::internal("relation accounts does not exist"));
        assert_eq!(accident, ["The library system cannot do that now. Please ask the staff"]);
    }
}
