//! Messages that several modules use: that of a fault as text, for logs and for answers that can only hold a text, and that of
//! mod-source-record-manager about an id that has no MARC record, which mod-quick-marc passes on.

use octavo_kernel::Body;

/// The message of a fault.
pub(crate) fn fault_message(body: &Body) -> String {
    match body {
        Body::Text(text) => text.clone(),
        Body::Refusals(refusals) => {
            refusals.iter().map(|refusal| refusal.message.as_str()).collect::<Vec<&str>>().join("; ")
        }
        Body::Json(value) => value.to_string(),
    }
}

/// The message for an instance, holdings record or authority that does not exist or has no MARC record.
pub(crate) fn unknown_record_message(id: &str) -> String {
    format!("Error retrieving Record by externalId: '{id}', response code 404, Not Found")
}
