//! Printed notices: makes PDF pages of a notice's text, HTML or plain, and merges many files into one.
//!
//! Pages are A4. The type is Helvetica, which every program that shows PDF has; it writes the languages of Western Europe. Words
//! with other letters are set in fonts that the file then carries ([`fonts`]). What none of them has loses its accents, or
//! stands as a question mark, and is reported. The layout is of running text: paragraphs, headings, lists, tables, emphasis, barcodes.
//! Of other elements of HTML only the text is printed.
//!
//! Time and memory grow with the length of the text and no faster, and [`TooMuch`] says where they end.
//!
//! Knows no SQL, no HTTP and no clock, and not who reads the notices.

mod blocks;
mod direction;
mod embed;
mod entities;
mod fonts;
mod html;
mod layout;
mod limits;
mod lines;
mod merge;
mod pages;
mod tags;
mod typeface;
mod words;

pub use limits::TooMuch;
pub use merge::{Merged, merge};

/// A notice as a PDF file, ready to be printed.
#[derive(Debug)]
pub struct Printed {
    pub pdf: Vec<u8>,
    /// Characters that no font could write as they are.
    pub missing_characters: Vec<char>,
}

/// Makes a PDF file of a notice. `title` is the title in the file's properties; it is not printed on the page.
pub fn notice(title: &str, text: &str, is_html: bool) -> Result<Printed, TooMuch> {
    if text.len() > limits::TEXT {
        return Err(TooMuch::Text);
    }
    let blocks = if is_html { html::blocks(text)? } else { html::plain_text_blocks(text) };
    let (pages, used) = layout::lay_out(&blocks)?;
    let missing = typeface::missing_characters(characters_of(&blocks)).into_iter();
    let missing =
        missing.filter(|letter| fonts::find_font(letter.encode_utf8(&mut [0; 4]), false).is_none()).collect();
    drop(blocks);
    Ok(Printed { pdf: pages::pdf_file(title, pages, used), missing_characters: missing })
}

fn characters_of(blocks: &[blocks::Block]) -> impl Iterator<Item = char> {
    blocks
        .iter()
        .flat_map(blocks::Block::paragraphs)
        .flat_map(|paragraph| &paragraph.spans)
        .flat_map(|span| span.text.chars())
}

#[cfg(test)]
mod tests;
