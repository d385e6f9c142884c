//! Seeds as lines of text, so that a difference between two versions can be read.

/// The bytes of every line that is neither empty nor a remark.
pub fn parse_seeds(lines: &str) -> Vec<Vec<u8>> {
    lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(parse_line).collect()
}

/// As `escape_ascii` writes; what it would have escaped and is not stands for its own bytes.
fn parse_line(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b'x') => {
                    let mut digit = || char::from(rest.next().unwrap_or_default()).to_digit(16);
                    let value = digit().zip(digit()).map(|(high, low)| high * 16 + low);
                    u8::try_from(value.unwrap_or_else(|| panic!("\\x without two digits: {line}")))
                        .unwrap_or(0)
                }
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(plain @ (b'\\' | b'"' | b'\'')) => plain,
                _ => panic!("an unknown escape: {line}"),
            },
            plain => plain,
        });
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::parse_seeds;

    #[test]
    fn every_byte_is_read_as_it_was_written() {
        let all: Vec<u8> = (0..=255).collect();
        let text = format!("# all bytes\n{}\n\nzwölf\n", all.escape_ascii());
        assert_eq!(parse_seeds(&text), [all, "zwölf".as_bytes().to_vec()]);
    }
}
