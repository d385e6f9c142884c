//! The only place of the benchmark that reads clocks.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time that passes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a measurement is dated")]
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}
