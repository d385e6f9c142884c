//! Templates of notices and slips: Mustache as mod-template-engine 1.20 takes it, dates as the library's locale writes them,
//! barcodes as pictures.
//!
//! Knows no SQL, no HTTP and no clock, and not where templates and words come from.

mod barcode;
mod dates;
mod limits;
mod locale;
mod notice;
mod parse;
mod pictures;
mod png;
mod render;
mod tokens;

pub use barcode::{barcode_modules, barcode_png};
pub use limits::LONGEST_TEXT;
pub use locale::Locale;
pub use notice::{Notice, NoticeError, Wording, defects};
pub use parse::{Defect, Template};
pub use pictures::{Picture, missing_attachments, redraw_barcodes};
pub use render::{Escape, TooLong};
pub use tokens::{token_is_known, unknown_tokens};
