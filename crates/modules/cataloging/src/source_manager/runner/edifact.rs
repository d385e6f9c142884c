//! The syntax of EDIFACT: segments consist of data elements, which consist of components. Pure.

use serde_json::{Value, json};

use super::raw::to_storable_text;

/// The separator characters of an interchange; the segment UNA declares others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Signs {
    component: u8,
    element: u8,
    release: u8,
    end: u8,
}

const DEFAULT_SIGNS: Signs = Signs { component: b':', element: b'+', release: b'?', end: b'\'' };

/// Whether a file begins as an interchange.
pub(super) fn is_edifact(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    head.starts_with(b"UNA") || head.starts_with(b"UNB")
}

/// The position in a file, and the separators that are valid there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub at: usize,
    signs: Signs,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { at: 0, signs: DEFAULT_SIGNS }
    }
}

impl Reading {
    /// The next segment, including its terminator. Line ends between segments are skipped.
    pub(super) fn next<'a>(&mut self, file: &'a [u8]) -> Option<&'a [u8]> {
        self.at += file[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &file[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = match declared_signs(rest) {
            Some(signs) => {
                self.signs = signs;
                DECLARATION_BYTES
            }
            None => segment_length(rest, self.signs),
        };
        self.at += length;
        Some(&rest[..length])
    }

    /// Ends an interchange: the next one has the default separators, or declares its own.
    pub(super) fn end(&mut self) {
        self.signs = DEFAULT_SIGNS;
    }
}

/// The length in bytes of `UNA` and its six characters.
pub(super) const DECLARATION_BYTES: usize = 9;

fn declared_signs(rest: &[u8]) -> Option<Signs> {
    match rest.get(..DECLARATION_BYTES)? {
        [b'U', b'N', b'A', component, element, _, release, _, end] => {
            Some(Signs { component: *component, element: *element, release: *release, end: *end })
        }
        _ => None,
    }
}

fn segment_length(rest: &[u8], signs: Signs) -> usize {
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            byte if byte == signs.release => at += 2,
            byte if byte == signs.end => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A message in the JSON form in which FOLIO stores it.
pub(super) fn parse_message(raw: &str) -> Result<Value, String> {
    let bytes = raw.as_bytes();
    if !is_edifact(bytes) {
        return Err("it is no EDIFACT message: it begins with neither UNA nor UNB".to_owned());
    }
    let (mut reading, mut shown) = (Reading::default(), Vec::new());
    while let Some(segment) = reading.next(bytes) {
        let signs = reading.signs;
        if declared_signs(segment).is_some() {
            let data = json!([{"components": [{"data": to_storable_text(segment[3..].to_vec())}]}]);
            shown.push(json!({"tag": "UNA", "dataElements": data}));
            continue;
        }
        let segment = segment.strip_suffix(&[signs.end]).ok_or("the last segment does not end")?;
        let mut elements = split_unescaped(segment, signs.element, signs.release).into_iter();
        let tag = elements.next().map(|tag| unescape(tag, signs)).unwrap_or_default();
        let elements = elements.map(|element| {
            let components = split_unescaped(element, signs.component, signs.release).into_iter();
            let components = components.map(|data| json!({"data": unescape(data, signs)}));
            json!({"components": components.collect::<Vec<_>>()})
        });
        shown.push(json!({"tag": tag, "dataElements": elements.collect::<Vec<_>>()}));
    }
    Ok(json!({"segments": shown}))
}

fn split_unescaped(text: &[u8], sign: u8, release: u8) -> Vec<&[u8]> {
    let (mut all, mut from, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        if text[at] == release {
            at += 1;
        } else if text[at] == sign {
            all.push(&text[from..at]);
            from = at + 1;
        }
        at += 1;
    }
    all.push(&text[from..]);
    all
}

fn unescape(text: &[u8], signs: Signs) -> String {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        plain.extend(if byte == signs.release { bytes.next() } else { Some(byte) });
    }
    to_storable_text(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_into_its_parts() {
        let read = parse_message("UNB+A:1+x?+y'UNZ'").unwrap();
        let expected = json!({"segments": [
            {"tag": "UNB", "dataElements": [{"components": [{"data": "A"}, {"data": "1"}]}, {"components": [{"data": "x+y"}]}]},
            {"tag": "UNZ", "dataElements": []},
        ]});
        assert_eq!(read, expected);
        let other = parse_message("UNA.*,! ;UNB*A.1;").unwrap();
        assert_eq!(other["segments"][1]["dataElements"][0]["components"][1]["data"], "1");
        assert!(parse_message("no").is_err() && parse_message("UNB+1").is_err());
    }
}
