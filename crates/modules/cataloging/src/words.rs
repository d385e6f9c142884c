//! The message of a fault as text: for logs, and for answers that have no place for a fault.

use octavo_kernel::Body;

/// The words of a fault.
pub(crate) fn said(body: &Body) -> String {
    match body {
        Body::Text(text) => text.clone(),
        Body::Refusals(refusals) => {
            refusals.iter().map(|refusal| refusal.message.as_str()).collect::<Vec<&str>>().join("; ")
        }
        Body::Json(value) => value.to_string(),
    }
}
