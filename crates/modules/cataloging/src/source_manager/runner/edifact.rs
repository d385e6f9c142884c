//! How EDIFACT is written: segments of data elements of components. Pure.

use serde_json::{Value, json};

use super::raw::as_text;

/// The signs of an interchange; UNA declares others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Signs {
    component: u8,
    element: u8,
    release: u8,
    end: u8,
}

const USUAL: Signs = Signs { component: b':', element: b'+', release: b'?', end: b'\'' };

/// Whether a file begins as an interchange.
pub(super) fn is_edifact(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    head.starts_with(b"UNA") || head.starts_with(b"UNB")
}

/// Where a file is read, and by which signs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub at: usize,
    signs: Signs,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { at: 0, signs: USUAL }
    }
}

impl Reading {
    /// The next segment with the sign that ends it. Line ends between segments are left out.
    pub(super) fn next<'a>(&mut self, file: &'a [u8]) -> Option<&'a [u8]> {
        self.at += file[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &file[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = match declared(rest) {
            Some(signs) => {
                self.signs = signs;
                DECLARATION
            }
            None => length(rest, self.signs),
        };
        self.at += length;
        Some(&rest[..length])
    }

    /// An interchange has ended: the next one declares other signs, or has the usual.
    pub(super) fn end(&mut self) {
        self.signs = USUAL;
    }
}

/// `UNA` and six signs.
pub(super) const DECLARATION: usize = 9;

fn declared(rest: &[u8]) -> Option<Signs> {
    match rest.get(..DECLARATION)? {
        [b'U', b'N', b'A', component, element, _, release, _, end] => {
            Some(Signs { component: *component, element: *element, release: *release, end: *end })
        }
        _ => None,
    }
}

fn length(rest: &[u8], signs: Signs) -> usize {
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

/// A message as FOLIO keeps it: segments of data elements of components.
pub(super) fn parsed(raw: &str) -> Result<Value, String> {
    let bytes = raw.as_bytes();
    if !is_edifact(bytes) {
        return Err("it is no EDIFACT message: it begins with neither UNA nor UNB".to_owned());
    }
    let (mut reading, mut shown) = (Reading::default(), Vec::new());
    while let Some(segment) = reading.next(bytes) {
        let signs = reading.signs;
        if declared(segment).is_some() {
            let data = json!([{"components": [{"data": as_text(segment[3..].to_vec())}]}]);
            shown.push(json!({"tag": "UNA", "dataElements": data}));
            continue;
        }
        let segment = segment.strip_suffix(&[signs.end]).ok_or("the last segment does not end")?;
        let mut elements = pieces(segment, signs.element, signs.release).into_iter();
        let tag = elements.next().map(|tag| unescaped(tag, signs)).unwrap_or_default();
        let elements = elements.map(|element| {
            let components = pieces(element, signs.component, signs.release).into_iter();
            let components = components.map(|data| json!({"data": unescaped(data, signs)}));
            json!({"components": components.collect::<Vec<_>>()})
        });
        shown.push(json!({"tag": tag, "dataElements": elements.collect::<Vec<_>>()}));
    }
    Ok(json!({"segments": shown}))
}

fn pieces(text: &[u8], sign: u8, release: u8) -> Vec<&[u8]> {
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

fn unescaped(text: &[u8], signs: Signs) -> String {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        plain.extend(if byte == signs.release { bytes.next() } else { Some(byte) });
    }
    as_text(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_into_its_parts() {
        let read = parsed("UNB+A:1+x?+y'UNZ'").unwrap();
        let expected = json!({"segments": [
            {"tag": "UNB", "dataElements": [{"components": [{"data": "A"}, {"data": "1"}]}, {"components": [{"data": "x+y"}]}]},
            {"tag": "UNZ", "dataElements": []},
        ]});
        assert_eq!(read, expected);
        let other = parsed("UNA.*,! ;UNB*A.1;").unwrap();
        assert_eq!(other["segments"][1]["dataElements"][0]["components"][1]["data"], "1");
        assert!(parsed("no").is_err() && parsed("UNB+1").is_err());
    }
}
