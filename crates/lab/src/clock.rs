//! The laboratory reads the system's clock and makes random ids only in this module.

use std::time::Instant;

use jiff::Timestamp;

#[expect(clippy::disallowed_methods, reason = "a laboratory measures time that passes")]
pub fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a measurement is dated, and so is what it sends")]
pub fn timestamp_now() -> Timestamp {
    Timestamp::now()
}

#[expect(clippy::disallowed_methods, reason = "clients of FOLIO make ids of their own")]
pub(crate) fn new_uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// `2026-11-23`
pub fn date() -> String {
    timestamp_now().strftime("%Y-%m-%d").to_string()
}
