//! The message of a fault as text: for logs, and for answers that can only hold a text.

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
