//! MARC 21 records: read from ISO 2709 (MARC-8 or UTF-8), MARCXML and MARC-in-JSON, written as ISO 2709 and MARCXML, and mapped
//! to FOLIO's instances by FOLIO's own mapping rules, which are data.
//!
//! Reading has two steps, so that the second can run elsewhere: [`Splitter`] finds where one record ends and the next
//! begins, [`decode`] makes a [`Record`] of the bytes between. Neither stops at an error: a record that cannot be read is reported with its
//! place in the file, and the next record is read. This crate uses no tokio, no SQL, no HTTP and no clock.
//! Facts: MARC 21 Specifications for Record Structure, Character Sets and Exchange Media; the Library of Congress's code
//! tables; mod-source-record-manager 3.8 (rules), data-import-processing-core 4.2 (what they mean).

mod decode;
mod iso2709;
mod json;
mod leader;
mod mapping;
mod marc8;
mod own;
mod parsed;
mod record;
mod sniff;
mod split;
mod text;
mod written;
mod xml;

pub use decode::decode;
pub use iso2709::{TooLong, encode};
pub use json::from_json;
pub use leader::Leader;
pub use mapping::{Kind, Lookups, Mapped, Mapper, derived_id};
pub use marc8::decode as decode_marc8;
pub use parsed::{Encoding, Parsed, Remark};
pub use record::{Field, Record, Subfield};
pub use sniff::{Sniffed, is_marc_json, sniff};
pub use split::{Format, Frame, Splitter};
pub use written::{NAMESPACE, write_marcxml};
