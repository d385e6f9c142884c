//! The bodies of the requests, checked by FOLIO's schemas.

use octavo_circulation::fees::{Amount, Cancellation, Details, NamedAccounts, Settlement};
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

/// The schema of a request about one account, and about several.
type Schemas = [&'static str; 2];

const CHECK: Schemas = [
    include_str!("../../../../folio/records/mod-feesfines/checkActionRequest.tsv"),
    include_str!("../../../../folio/records/mod-feesfines/bulkCheckActionRequest.tsv"),
];
const SETTLE: Schemas = [
    include_str!("../../../../folio/records/mod-feesfines/defaultActionRequest.tsv"),
    include_str!("../../../../folio/records/mod-feesfines/defaultBulkActionRequest.tsv"),
];
const CANCEL: Schemas = [
    include_str!("../../../../folio/records/mod-feesfines/cancelActionRequest.tsv"),
    include_str!("../../../../folio/records/mod-feesfines/cancelBulkActionRequest.tsv"),
];

pub(super) fn amount(request: &Request) -> Outcome<Amount> {
    let (named, body) = read(request, CHECK)?;
    Ok(Amount { accounts: named, text: text(&body, "amount").unwrap_or_default() })
}

pub(super) fn settlement(request: &Request) -> Outcome<Settlement> {
    let (named, body) = read(request, SETTLE)?;
    let amount = Amount { accounts: named, text: text(&body, "amount").unwrap_or_default() };
    Ok(Settlement { amount, details: details(body)? })
}

pub(super) fn cancellation(request: &Request) -> Outcome<Cancellation> {
    let (named, body) = read(request, CANCEL)?;
    Ok(Cancellation { accounts: named, reason: text(&body, "cancellationReason"), details: details(body)? })
}

/// The accounts that path or body name, and the checked body.
fn read(request: &Request, [one, several]: Schemas) -> Outcome<(NamedAccounts, Value)> {
    let single = !request.parameters.is_empty();
    let body = request.checked_json(if single { one } else { several })?;
    let named = if single {
        NamedAccounts::One(request.path_id(0)?.to_string())
    } else {
        let ids = body["accountIds"].as_array().into_iter().flatten();
        NamedAccounts::Several(ids.filter_map(|id| id.as_str().map(str::to_owned)).collect())
    };
    Ok((named, body))
}

fn details(body: Value) -> Outcome<Details> {
    serde_json::from_value(body).map_err(Fault::internal)
}

fn text(body: &Value, name: &str) -> Option<String> {
    body[name].as_str().map(str::to_owned)
}
