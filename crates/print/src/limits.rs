//! How large a printed notice may be. The largest that a library writes is a list of all loans of a patron who has thousands.

/// Bytes of its text, HTML with its tags: as many as a template writes.
pub(crate) const TEXT: usize = octavo_template::LONGEST_TEXT;
pub(crate) const PAGES: usize = 1_000;
/// Paragraphs, cells of tables, and stretches of text in one face.
pub(crate) const PIECES: usize = 200_000;
/// Cells side by side.
pub(crate) const COLUMNS: usize = 30;
/// More than the pages hold, whatever the size of the type.
pub(crate) const LINES: usize = PAGES * 100;
/// Characters of the title in the file's properties.
pub(crate) const TITLE: usize = 200;

/// Why a text is not made into a PDF file, in words for the author of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    #[error("its text is longer than {} MB", TEXT >> 20)]
    Text,
    #[error("it would fill more than {PAGES} pages")]
    Pages,
    #[error("it has more than {PIECES} paragraphs, table cells and changes of type")]
    Pieces,
    #[error("it has a table of more than {COLUMNS} columns")]
    Columns,
}
