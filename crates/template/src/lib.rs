//! Templates of notices and slips: Mustache as mod-template-engine 1.20 takes it, dates as the library's locale writes them,
//! barcodes as pictures.
//!
//! Knows no SQL, no HTTP and no clock, and not where templates and words come from.

mod barcode;
mod dates;
mod letter;
mod locale;
mod parse;
mod png;
mod render;
mod tokens;

pub use barcode::{barcode_modules, barcode_png};
pub use letter::{Letter, Picture, Wording, defects, unattached};
pub use locale::Locale;
pub use parse::{Defect, Template};
pub use render::Escape;
pub use tokens::{strange_tokens, token_is_known};
