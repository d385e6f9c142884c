//! Turns the bytes of one record into a record, and lists what was repaired on the way.

use crate::parsed::latin1;
use crate::{Encoding, Format, Parsed, iso2709, json, xml};

/// Reads the bytes of one [`crate::Frame`]. The error says in words why they are no record.
pub fn decode(format: Format, encoding: Encoding, raw: &[u8]) -> Result<Parsed, String> {
    match format {
        Format::Iso2709 => iso2709::decode(raw, encoding),
        Format::Xml => {
            let text = match encoding {
                Encoding::Latin1 => latin1(raw),
                Encoding::Marc8 => return Err("MARCXML is never in MARC-8".to_owned()),
                Encoding::Declared | Encoding::Utf8 => utf8(raw)?.to_owned(),
            };
            xml::decode(&text).map(Parsed::without_remarks)
        }
        Format::JsonArray | Format::JsonLines | Format::JsonValues => {
            json::decode(utf8(raw)?).map(Parsed::without_remarks)
        }
    }
}

fn utf8(raw: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(raw).map_err(|error| {
        let at = error.valid_up_to();
        format!("it is not UTF-8: byte {:02X} at {at} of the record", raw.get(at).unwrap_or(&0))
    })
}
