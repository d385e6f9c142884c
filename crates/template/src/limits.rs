//! How large templates and notices may be, so that none takes more memory or time than the program has to give: a loop in a
//! loop over a long list would otherwise write without end.

/// Bytes of a template, and of what is written by it.
pub const LONGEST_TEXT: usize = 4 << 20;
/// Tokens of a template, sections among them.
pub(crate) const MOST_TOKENS: usize = 10_000;
/// Bytes of a token's name.
pub(crate) const LONGEST_NAME: usize = 100;
/// Sections in sections; templates of librarians have two or three.
pub(crate) const DEEPEST_SECTION: usize = 50;
/// How many values are looked at to fill a template in. A list of five thousand loans takes some hundred thousand.
pub(crate) const MOST_STEPS: usize = 2_000_000;
/// Pictures of barcodes in one notice.
pub(crate) const MOST_PICTURES: usize = 500;
/// Characters of a barcode; scanners read half of that.
pub(crate) const LONGEST_BARCODE: usize = 80;
/// How many missing pictures and unreadable barcodes of a notice are named.
pub(crate) const MOST_NAMED: usize = 50;
