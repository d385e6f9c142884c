//! Converts between the lines of PostgreSQL's COPY with one column and their values.

/// What the line stands for. COPY writes no other escapes than these.
pub(super) fn unescape(line: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut bytes = line.iter().copied();
    while let Some(byte) = bytes.next() {
        let plain = match byte {
            b'\\' => match bytes.next() {
                Some(b'b') => 8,
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'v') => 11,
                Some(b'f') => 12,
                Some(b'r') => b'\r',
                Some(other) => other,
                None => b'\\',
            },
            other => other,
        };
        out.push(plain);
    }
}

/// The value as a column of a line.
pub(super) fn escape(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            other => out.push(*other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_comes_back() {
        for value in
            [r#"{"a":"b"}"#, r#"{"a":"\"\\ \n \u0041"}"#, "\ttab\r\nbreak\\", "", "\\N", "\u{8}\u{b}\u{c}"]
        {
            let (mut line, mut back) = (Vec::new(), Vec::new());
            escape(value.as_bytes(), &mut line);
            assert!(!line.contains(&b'\n') && !line.contains(&b'\t'), "{value}");
            unescape(&line, &mut back);
            assert_eq!(back, value.as_bytes());
        }
        let mut back = Vec::new();
        unescape(br"\b\v\f\x", &mut back);
        assert_eq!(back, b"\x08\x0b\x0cx");
    }
}
