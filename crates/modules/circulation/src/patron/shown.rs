//! Loans, holds and charges in the form in which patrons see them. Pure. Facts: the records of mod-patron 6.1.0.

use jiff::Timestamp;
use octavo_circulation::request::Cancellation;
use octavo_kernel::{folio_time, parse_time};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// What a loan, hold or charge is about: FOLIO calls it the item.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Title {
    #[serde(skip_serializing_if = "Option::is_none")]
    instance_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
}

impl Title {
    /// `shown` has `instanceId`, `title` and `contributors`; it is `null` where the record is not there any more.
    pub(super) fn from_instance(shown: &Value, item: Option<Uuid>) -> Title {
        let contributors = shown["contributors"].as_array().into_iter().flatten();
        let names: Vec<&str> = contributors.filter_map(|contributor| contributor["name"].as_str()).collect();
        Title {
            instance_id: text(shown, "instanceId"),
            item_id: item.map(|id| id.to_string()),
            title: text(shown, "title"),
            author: Some(names.join("; ")).filter(|names| !names.is_empty()),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Loan {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    item: Title,
    #[serde(skip_serializing_if = "Option::is_none")]
    loan_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_date: Option<String>,
    overdue: bool,
}

impl Loan {
    pub(super) fn from_record(loan: &Value, item: Title, now: Timestamp) -> Loan {
        let due = loan["dueDate"].as_str().and_then(parse_time);
        Loan {
            id: text(loan, "id"),
            item,
            loan_date: time(loan, "loanDate"),
            due_date: time(loan, "dueDate"),
            overdue: due.is_some_and(|due| due < now),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hold {
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    item: Title,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pickup_location_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancellation_reason_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canceled_by_user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancellation_additional_information: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canceled_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patron_comments: Option<String>,
}

impl Hold {
    pub(super) fn from_record(request: &Value, item: Title) -> Hold {
        Hold {
            request_id: text(request, "id"),
            item,
            request_date: time(request, "requestDate"),
            expiration_date: time(request, "requestExpirationDate"),
            status: text(request, "status"),
            pickup_location_id: text(request, "pickupServicePointId"),
            queue_position: request["position"].as_i64(),
            cancellation_reason_id: text(request, "cancellationReasonId"),
            canceled_by_user_id: text(request, "cancelledByUserId"),
            cancellation_additional_information: text(request, "cancellationAdditionalInformation"),
            canceled_date: time(request, "cancelledDate"),
            patron_comments: text(request, "patronComments"),
        }
    }

    /// A request with its instance, as mod-circulation shows it.
    pub(super) fn from_response(request: &Value) -> Hold {
        let instance = &request["instance"];
        let shown = json!({
            "instanceId": request["instanceId"],
            "title": instance["title"],
            "contributors": instance["contributorNames"],
        });
        let item = request["itemId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        Hold::from_record(request, Title::from_instance(&shown, item))
    }

    pub(super) fn cancelled(self, said: Cancellation) -> Hold {
        Hold {
            status: Some("Closed - Cancelled".to_owned()),
            cancellation_reason_id: said.reason_id,
            canceled_by_user_id: said.user_id,
            cancellation_additional_information: said.information,
            canceled_date: said.date.map(to_folio_form),
            ..self
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Charge {
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<Title>,
    charge_amount: Money,
    #[serde(skip_serializing_if = "Option::is_none")]
    accrual_date: Option<String>,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Money {
    pub(super) amount: f64,
    pub(super) iso_currency_code: String,
}

impl Charge {
    /// Of a fee/fine account, what remains to be paid.
    pub(super) fn from_account(account: &Value, item: Option<Title>, currency: &str) -> Charge {
        Charge {
            item,
            charge_amount: Money { amount: remaining(account), iso_currency_code: currency.to_owned() },
            accrual_date: time(&account["metadata"], "createdDate"),
            state: text(&account["paymentStatus"], "name").unwrap_or_else(|| "Unknown".to_owned()),
            reason: text(account, "feeFineType"),
        }
    }
}

pub(super) fn remaining(account: &Value) -> f64 {
    account["remaining"].as_f64().unwrap_or_default()
}

fn text(record: &Value, key: &str) -> Option<String> {
    record[key].as_str().map(str::to_owned)
}

fn time(record: &Value, key: &str) -> Option<String> {
    text(record, key).map(to_folio_form)
}

fn to_folio_form(text: String) -> String {
    parse_time(&text).map_or(text, folio_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_are_joined_and_what_is_gone_is_left_out() {
        let shown = json!({"instanceId": "i", "title": "Beloved", "contributors": [{"name": "Morrison, T."}, {"name": "B"}]});
        let written = |title: Title| serde_json::to_value(title).unwrap();
        assert_eq!(
            written(Title::from_instance(&shown, None)),
            json!({"instanceId": "i", "title": "Beloved", "author": "Morrison, T.; B"})
        );
        let item = Uuid::nil();
        assert_eq!(written(Title::from_instance(&Value::Null, Some(item))), json!({"itemId": item}));
    }

    #[test]
    fn a_loan_is_overdue_after_its_due_date() {
        let due = "2026-03-02T10:00:00Z".parse::<Timestamp>().unwrap();
        let loan = json!({"id": "l", "loanDate": "2026-03-01T10:00:00Z", "dueDate": "2026-03-02T10:00:00Z"});
        for (second, overdue) in [(-1, false), (0, false), (1, true)] {
            let now = due + jiff::SignedDuration::from_secs(second);
            let shown = Loan::from_record(&loan, Title::from_instance(&Value::Null, None), now);
            assert_eq!(
                (shown.overdue, shown.due_date.as_deref()),
                (overdue, Some("2026-03-02T10:00:00.000+00:00"))
            );
        }
    }
}
