//! Any text is pages of a notice or is refused: what `crates/print/tests/fuzz` asks of damaged inputs, asked of those that reach code not reached before.

#![no_main]

#[allow(dead_code)]
#[path = "../../crates/print/tests/fuzz/main.rs"]
mod kept;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(kept::check_notice(bytes)));
