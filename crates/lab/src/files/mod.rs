//! TOML files that testers write. The readers keep the line of each value, so every mistake in a file is reported with its line and a
//! suggestion, all at once, before anything runs.

mod reader;
mod source;
mod suggest;

pub(crate) use reader::{Reader, as_number};
pub(crate) use source::{Problems, Source, read_text, write};
pub use suggest::nearest;
pub(crate) use suggest::suggestion;
