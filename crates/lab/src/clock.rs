//! The only place of the laboratory that reads clocks and draws at random.

use std::time::Instant;

use jiff::Timestamp;

#[expect(clippy::disallowed_methods, reason = "a laboratory measures time that passes")]
pub fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a measurement is dated, and so is what it sends")]
pub fn today() -> Timestamp {
    Timestamp::now()
}

#[expect(clippy::disallowed_methods, reason = "clients of FOLIO make ids of their own")]
pub(crate) fn fresh_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// `2026-11-23`
pub fn date() -> String {
    today().strftime("%Y-%m-%d").to_string()
}
