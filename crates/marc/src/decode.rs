//! From the bytes of one record to the record, with what had to be put right on the way.

use std::fmt;

use crate::{Format, Record, iso2709, json, xml};

/// What the bytes of a record stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// What each record says of itself; where it says MARC-8 and is UTF-8, UTF-8.
    #[default]
    Declared,
    Utf8,
    Marc8,
    Latin1,
}

/// A record that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub record: Record,
    pub remarks: Vec<Remark>,
}

/// What was not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Remark {
    /// The leader says MARC-8; it is UTF-8.
    MisdeclaredEncoding,
    /// The directory's lengths are wrong; fields were told apart by their end marks.
    WrongDirectory,
    /// Characters stand as U+FFFD.
    Unreadable { tag: String },
    /// A mark of a subfield is missing: what stands before the first one is left out.
    OutsideSubfields { tag: String },
    /// Fields are there that the directory does not list.
    Unlisted { fields: usize },
}

impl Remark {
    /// Whether something of the record is lost.
    pub fn is_loss(&self) -> bool {
        match self {
            Remark::MisdeclaredEncoding | Remark::WrongDirectory => false,
            Remark::Unreadable { .. } | Remark::OutsideSubfields { .. } | Remark::Unlisted { .. } => true,
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::MisdeclaredEncoding => f.write_str("the leader says MARC-8; it is UTF-8"),
            Remark::WrongDirectory => {
                f.write_str("the directory is wrong; the fields were told apart by their end marks")
            }
            Remark::Unreadable { tag } => {
                write!(f, "field {tag} has characters that are in no MARC-8 set; they stand as U+FFFD")
            }
            Remark::OutsideSubfields { tag } => {
                write!(f, "field {tag} has text before its first subfield; it is left out")
            }
            Remark::Unlisted { fields: 1 } => {
                f.write_str("a field is there that the directory does not list; it is left out")
            }
            Remark::Unlisted { fields } => {
                write!(f, "{fields} fields are there that the directory does not list; they are left out")
            }
        }
    }
}

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
            xml::decode(&text).map(Parsed::whole)
        }
        Format::JsonArray | Format::JsonLines | Format::JsonValues => {
            json::decode(utf8(raw)?).map(Parsed::whole)
        }
    }
}

impl Parsed {
    fn whole(record: Record) -> Parsed {
        Parsed { record, remarks: Vec::new() }
    }
}

pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn utf8(raw: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(raw).map_err(|error| {
        let at = error.valid_up_to();
        format!("it is not UTF-8: byte {:02X} at {at} of the record", raw.get(at).unwrap_or(&0))
    })
}
