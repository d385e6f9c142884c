//! Why something was not imported, for the report.

use octavo_kernel::{Body, Fault};

/// The message of a fault as one line.
pub(super) fn reason(fault: &Fault) -> String {
    match &fault.body {
        Body::Refusals(refusals) => {
            refusals.iter().map(|refusal| refusal.message.as_str()).collect::<Vec<_>>().join("; ")
        }
        body => body.render(),
    }
}
