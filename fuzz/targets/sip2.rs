//! Any bytes are SIP2 messages or are refused: what `crates/sip2/tests/fuzz` asks of damaged inputs, asked of those that reach code not reached before.

#![no_main]

#[allow(dead_code)]
#[path = "../../crates/sip2/tests/fuzz/main.rs"]
mod kept;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(kept::check(bytes)));
