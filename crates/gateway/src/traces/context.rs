//! What a client says about the trace that its request belongs to. Facts: Trace Context, a recommendation of the W3C, level 1.

use std::fmt;

pub(super) const HEADER: &str = "traceparent";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TraceParent {
    pub(super) trace: u128,
    /// The span of the caller.
    pub(super) span: u64,
    pub(super) is_sampled: bool,
}

impl TraceParent {
    /// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. Later versions may have more behind it.
    pub(super) fn parse(text: &str) -> Option<TraceParent> {
        let mut parts = text.trim().split('-');
        let mut part = |length: usize| {
            let part = parts.next()?;
            let plain = part.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
            (part.len() == length && plain).then_some(part)
        };
        let (version, trace, span, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        if version == "ff" || (version == "00" && parts.next().is_some()) {
            return None;
        }
        let trace = u128::from_str_radix(trace, 16).ok().filter(|trace| *trace != 0)?;
        let span = u64::from_str_radix(span, 16).ok().filter(|span| *span != 0)?;
        let flags = u8::from_str_radix(flags, 16).ok()?;
        Some(TraceParent { trace, span, is_sampled: flags & 1 == 1 })
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace, self.span, u8::from(self.is_sampled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_about_a_trace_is_read_or_ignored() {
        const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        const SPAN: &str = "00f067aa0ba902b7";
        for (text, sampled) in [
            (format!("00-{TRACE}-{SPAN}-01"), Some(true)),
            (format!("00-{TRACE}-{SPAN}-00"), Some(false)),
            (format!("01-{TRACE}-{SPAN}-03-more"), Some(true)),
            (format!("00-{TRACE}-{SPAN}-01-more"), None),
            (format!("ff-{TRACE}-{SPAN}-01"), None),
            (format!("00-{}-{SPAN}-01", "0".repeat(32)), None),
            (format!("00-{TRACE}-{}-01", "0".repeat(16)), None),
            (format!("00-{}-{SPAN}-01", TRACE.to_uppercase()), None),
            (format!("00-{TRACE}-{SPAN}"), None),
            ("00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(TraceParent::parse(&text).map(|read| read.is_sampled), sampled, "{text}");
        }
        let text = format!("00-{TRACE}-{SPAN}-01");
        assert_eq!(TraceParent::parse(&text).unwrap().to_string(), text);
    }
}
