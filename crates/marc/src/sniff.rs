//! Recognises the format of a file by its first bytes.

use serde_json::Value;

use crate::split::is_whole_object;
use crate::{Encoding, Format};

/// What the first bytes of a file say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniffed {
    pub format: Format,
    pub encoding: Encoding,
    /// Bytes to pass over before the first record: a byte order mark.
    pub skip: u64,
}

/// Looks at the first bytes of a file, 64 kB if it has as many. The error says what the file is instead.
pub fn sniff(head: &[u8]) -> Result<Sniffed, String> {
    let (skip, body) = head.strip_prefix(b"\xEF\xBB\xBF").map_or((0, head), |rest| (3, rest));
    let found = |format, encoding| Ok(Sniffed { format, encoding, skip });
    if body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF") {
        return Err("it is in UTF-16; write it as UTF-8".to_owned());
    }
    if body.starts_with(b"\x1F\x8B") || body.starts_with(b"PK\x03\x04") {
        return Err("it is compressed; unpack it first".to_owned());
    }
    let body = body.trim_ascii_start();
    match body.first() {
        None if head.len() < 4096 => Err("it is empty".to_owned()),
        Some(b'<') => found(Format::Xml, xml_encoding(body)?),
        Some(b'[') => found(Format::JsonArray, Encoding::Utf8),
        Some(b'{') => {
            let line = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let format = if is_whole_object(line) { Format::JsonLines } else { Format::JsonValues };
            found(format, Encoding::Utf8)
        }
        Some(byte) if byte.is_ascii_digit() || body.contains(&0x1E) => {
            found(Format::Iso2709, Encoding::Declared)
        }
        _ => Err("it is neither MARC (ISO 2709, MARCXML, MARC-in-JSON) nor JSON".to_owned()),
    }
}

fn xml_encoding(body: &[u8]) -> Result<Encoding, String> {
    let head = String::from_utf8_lossy(&body[..body.len().min(200)]).to_lowercase();
    let declared = head.strip_prefix("<?xml").and_then(|rest| {
        let rest = rest.split("?>").next()?.split_once("encoding")?.1;
        rest.split(['"', '\'']).nth(1).map(str::to_owned)
    });
    match declared.as_deref() {
        None | Some("utf-8" | "utf8" | "us-ascii" | "ascii") => Ok(Encoding::Utf8),
        Some("iso-8859-1" | "latin1" | "latin-1") => Ok(Encoding::Latin1),
        Some(other) => Err(format!("it is XML in {other}; write it as UTF-8")),
    }
}

/// Whether an object is a MARC record, as MARC-in-JSON writes it.
pub fn is_marc_json(value: &Value) -> bool {
    value["leader"].is_string() && value["fields"].is_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_beginning() {
        let cases: [(&[u8], Result<Format, &str>); 12] = [
            (b"00714cam a2200205 a 4500", Ok(Format::Iso2709)),
            (b"\n 00714cam", Ok(Format::Iso2709)),
            (b"\xEF\xBB\xBF<?xml version='1.0' encoding='UTF-8'?><collection>", Ok(Format::Xml)),
            (
                b"<?xml version='1.0' encoding='windows-1252'?>",
                Err("it is XML in windows-1252; write it as UTF-8"),
            ),
            (b" [{\"a\": 1}]", Ok(Format::JsonArray)),
            (b"{\"a\": 1}\n{\"a\": 2}", Ok(Format::JsonLines)),
            (b"{\n  \"a\": 1\n}", Ok(Format::JsonValues)),
            (b"", Err("it is empty")),
            (b" \r\n", Err("it is empty")),
            (b"\x1F\x8B\x08", Err("it is compressed; unpack it first")),
            (b"\xFF\xFE<\0", Err("it is in UTF-16; write it as UTF-8")),
            (b"barcode,title", Err("it is neither MARC (ISO 2709, MARCXML, MARC-in-JSON) nor JSON")),
        ];
        for (head, expected) in cases {
            assert_eq!(sniff(head).map(|found| found.format), expected.map_err(str::to_owned), "{head:?}");
        }
        assert_eq!(
            sniff(b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>").unwrap().encoding,
            Encoding::Latin1
        );
    }
}
