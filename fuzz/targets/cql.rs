//! Any text is a query or an error inside it: what `crates/cql/tests/fuzz` asks of damaged inputs, asked of those that reach code not reached before.

#![no_main]

#[allow(dead_code)]
#[path = "../../crates/cql/tests/fuzz/main.rs"]
mod kept;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(kept::check(bytes)));
