//! SIP2, the protocol of self-check machines, gates and sorters: messages as one declared table, read and written.
//!
//! Knows no socket, no library and no clock: bytes come in and go out. Facts: 3M Standard Interchange Protocol, document revision 2.12
//! (version 2.00 of the protocol), and the fields that 3M and library systems have added to it, with the names that FOLIO's edge-sip2
//! gives them.

mod checksum;
mod cp850;
mod encoding;
mod kinds;
mod lines;
mod message;
mod moment;
mod read;
mod wire;
mod write;

pub use encoding::Encoding;
pub use kinds::{KINDS, Kind, Sender, kind};
pub use lines::{Lines, TooLong};
pub use message::Message;
pub use moment::{Moment, Zone};
pub use read::Misread;
pub use wire::{ErrorDetection, Terminator, Wire};

/// The most characters of one field that are written; what is longer is cut. Version 2.00 allows 255.
pub const MAX_FIELD_CHARACTERS: usize = 255;
