//! The fee/fine types that are charged automatically. Their ids are FOLIO's, and clients cannot change them.

use octavo_kernel::{Fault, Outcome, Refusal};
use serde_json::Value;

/// Overdue fine, replacement processing fee, lost item fee, lost item processing fee, lost item fee (actual cost),
/// reminder fee.
const AUTOMATIC: &[&str] = &[
    "9523cb96-e752-40c2-89da-60f3961a488d",
    "d20df2fb-45fd-4184-b238-0d25747ffdd9",
    "cf238f9f-7018-47b7-b815-bb2db798e19f",
    "c7dede15-aa48-45ed-860b-f996540180e0",
    "73785370-d3bd-4d92-942d-ae2268e02ded",
    "6b830703-f828-4e38-a0bb-ee81deacbd03",
];

pub(super) fn refuse_automatic_change(stored: &Value, _: &Value) -> Outcome<()> {
    refuse_automatic(stored["id"].as_str().unwrap_or_default())
}

pub fn refuse_automatic(id: &str) -> Outcome<()> {
    match AUTOMATIC.iter().any(|automatic| automatic.eq_ignore_ascii_case(id)) {
        true => Err(Fault::from(Refusal::new("Attempt to change an automatic fee/fine type"))),
        false => Ok(()),
    }
}
