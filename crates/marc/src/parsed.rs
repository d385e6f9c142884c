//! A record that was read, and the defects that were found in its bytes.

use std::fmt;

use crate::Record;

/// The character encoding of a record's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// The encoding that each record's leader declares; UTF-8 if the leader declares MARC-8 and the bytes are UTF-8.
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

/// A defect of a record that was read all the same.
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

impl Parsed {
    pub(crate) fn without_remarks(record: Record) -> Parsed {
        Parsed { record, remarks: Vec::new() }
    }
}

pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
