//! Checks of loans and requests that clients write as records, with mod-circulation-storage's messages. Decisions write theirs without
//! these checks.

use octavo_kernel::{Refusal, parse_time};
use serde_json::{Value, json};

const OPEN: &str = "Open";

/// A loan without a status is open.
pub(super) fn set_open_status(loan: &mut Value) {
    if let Some(loan) = loan.as_object_mut()
        && loan.get("status").is_none_or(Value::is_null)
    {
        loan.insert("status".to_owned(), json!({"name": OPEN}));
    }
}

pub(super) fn refuse_open_loan_of_nobody(loan: &Value) -> Vec<Refusal> {
    let of_nobody = loan["status"]["name"] == OPEN && loan["userId"].is_null();
    of_nobody.then(|| Refusal::new("Open loan must have a user ID")).into_iter().collect()
}

/// The schema takes any text for these two dates.
pub(super) fn refuse_loan_dates(loan: &Value) -> Option<String> {
    let is_time = |date: &Value| date.as_str().and_then(parse_time).is_some();
    let mut messages = Vec::new();
    if !is_time(&loan["loanDate"]) {
        messages.push("loan date must be a date time (in RFC3339 format)");
    }
    if !loan["returnDate"].is_null() && !is_time(&loan["returnDate"]) {
        messages.push("return date must be a date time (in RFC3339 format)");
    }
    (!messages.is_empty()).then(|| messages.join("\n"))
}

/// A request for an item names the item and its holdings. A request for a title names both as soon as it has got an item.
pub(super) fn refuse_request_without_item(request: &Value) -> Vec<Refusal> {
    let [has_item, has_holdings] = ["itemId", "holdingsRecordId"].map(|member| !request[member].is_null());
    let mut messages = Vec::new();
    if request["requestLevel"] == "Item" {
        if !has_item {
            messages.push("Item ID in item level request should not be absent");
        }
        if !has_holdings {
            messages.push("Holdings record ID in item level request should not be absent");
        }
    } else if has_item != has_holdings {
        messages.push("Title level request must have both itemId and holdingsRecordId or neither");
    }
    messages.into_iter().map(Refusal::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loan_has_a_status_a_borrower_while_it_is_open_and_readable_dates() {
        let messages = |mut loan: Value| {
            set_open_status(&mut loan);
            let refusals = refuse_open_loan_of_nobody(&loan).into_iter().map(|refusal| refusal.message);
            refusals.chain(refuse_loan_dates(&loan)).collect::<Vec<String>>()
        };
        let today = "2026-11-30T10:00:00Z";
        for (loan, expected) in [
            (json!({"userId": "u", "loanDate": today}), vec![]),
            (json!({"loanDate": today}), vec!["Open loan must have a user ID"]),
            (json!({"loanDate": today, "status": {"name": "Open"}}), vec!["Open loan must have a user ID"]),
            (json!({"loanDate": today, "status": {"name": "Closed"}, "returnDate": "2026-11-30"}), vec![]),
            (
                json!({"userId": "u", "loanDate": "today", "returnDate": "never"}),
                vec![
                    "loan date must be a date time (in RFC3339 format)\n\
                     return date must be a date time (in RFC3339 format)",
                ],
            ),
        ] {
            assert_eq!(messages(loan.clone()), expected, "{loan}");
        }
    }

    #[test]
    fn a_request_names_an_item_together_with_its_holdings() {
        const NO_ITEM: &str = "Item ID in item level request should not be absent";
        const NO_HOLDINGS: &str = "Holdings record ID in item level request should not be absent";
        const HALF: &str = "Title level request must have both itemId and holdingsRecordId or neither";
        for (level, item, holdings, expected) in [
            ("Item", Some("i"), Some("h"), vec![]),
            ("Item", None, Some("h"), vec![NO_ITEM]),
            ("Item", Some("i"), None, vec![NO_HOLDINGS]),
            ("Item", None, None, vec![NO_ITEM, NO_HOLDINGS]),
            ("Title", Some("i"), Some("h"), vec![]),
            ("Title", None, None, vec![]),
            ("Title", Some("i"), None, vec![HALF]),
            ("Title", None, Some("h"), vec![HALF]),
        ] {
            let request = json!({"requestLevel": level, "itemId": item, "holdingsRecordId": holdings});
            let refusals = refuse_request_without_item(&request).into_iter().map(|refusal| refusal.message);
            assert_eq!(refusals.collect::<Vec<String>>(), expected, "{request}");
        }
    }
}
