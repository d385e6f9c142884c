//! Files that a tester writes: TOML, read with the line of everything, so that whatever is wrong in them is told with its
//! place and a suggestion, and all of it at once, before anything runs.

mod reader;
mod source;
mod suggest;

pub(crate) use reader::{Reader, as_number};
pub(crate) use source::{Problems, Source, text_of, write};
pub use suggest::nearest;
pub(crate) use suggest::or_one_of;
