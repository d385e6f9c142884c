//! A password or client secret in the settings for another server. It is stored and never sent to clients. It stays as it is if a client
//! sends none, and it is only used for the server and the account that it was given for.

use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Serialize;
use serde_json::{Value, json};

/// The settings as JSON for clients: without the secret member, and with a member `<name>Set` that tells whether it is set.
pub(super) fn to_json_without_secret(settings: &impl Serialize, member: &str) -> Outcome<Value> {
    let mut shown = serde_json::to_value(settings).map_err(Fault::internal)?;
    let secret = shown.as_object_mut().and_then(|members| members.remove(member));
    let is_set = secret.is_some_and(|secret| secret.as_str().is_some_and(|secret| !secret.is_empty()));
    shown[format!("{member}Set")] = json!(is_set);
    Ok(shown)
}

/// The secret to store: the one that the client sent, or else the stored one if it is for the same server and account.
pub(super) fn sent_or_stored(
    sent: &Value,
    member: &str,
    stored: &str,
    is_for_the_same: bool,
) -> Outcome<String> {
    match sent[member].as_str() {
        Some(secret) => Ok(secret.to_owned()),
        None if is_for_the_same || stored.is_empty() => Ok(stored.to_owned()),
        None => {
            let why = "It has to be sent again, or an empty one, when it would go to another server or is for another account";
            Err(Refusal::new(why).about(member, "").into())
        }
    }
}
