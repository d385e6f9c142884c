//! Progress, on the stream that is not the result.

pub(crate) fn say(text: &str) {
    eprintln!("bench: {text}");
}
