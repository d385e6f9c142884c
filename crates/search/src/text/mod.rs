//! From text to the terms of the index, the same way for values that are stored and for what is searched.
//!
//! - [`words`]: words of a text by Unicode's word boundaries, split further as OpenSearch's `word_delimiter_graph` splits
//!   them, and folded: case, accents, ligatures, widths and digits of all scripts are of no account.
//! - [`sought`] and [`phrases`]: what a query has to find so that a text is found however it was written:
//!   `O'Neil`, `ONeil` and `oneil` find each other.
//! - [`stems`]: the stem of a word in one language, marked with the language.
//! - [`whole`], [`plain`], [`unchanged`]: values and words that are not taken apart.
//! - [`numbers`]: ISBN, ISSN, OCLC and LC control numbers, call numbers as they are stored; [`searched`]: as they are
//!   searched.
//!
//! Scripts that write no blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and Korean, are indexed as
//! pairs of signs that overlap, and as single signs at the same positions. A query of two signs or more asks for its
//! pairs side by side, a query of one sign for the sign. The index side makes every term that the query side may ask for.
//!
//! A word is cut after [`WORD_SIGNS`] characters and a whole value after [`VALUE_BYTES`] bytes, in the index as in the
//! query: what is longer is still found, together with what differs only beyond that. All takes time linear in the text.
//!
//! mod-search 3.2.6 differs here: its language analyzers leave out stop words, which are ordinary words here; Chinese,
//! Japanese and Thai go by dictionaries there; `’` is no apostrophe there, nor are `²` and `₂` digits.

mod delimiter;
mod fold;
mod fold_data;
pub mod numbers;
mod pieces;
mod searched;
mod stems;
mod values;
mod words;

pub use fold::fold;
pub use searched::searched;
pub use stems::{Language, stems};
pub use values::{cut, plain, plain_part, unchanged, whole, whole_part};
pub use words::{Sought, Way, Word, and_for_ampersand, phrases, sought, words};

/// The most characters of a word that are indexed.
pub const WORD_SIGNS: usize = 255;

/// The most bytes of a whole value that are indexed.
pub const VALUE_BYTES: usize = 8_191;

/// Parts a marked term (a stem, an unchanged word) from its mark. No word of a text contains it.
pub const MARK: char = '\u{1}';

/// The beginning of a text, at most this many characters.
fn first_signs(text: &str, most: usize) -> &str {
    // So many bytes hold no more characters than that: the common case.
    if text.len() <= most {
        return text;
    }
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}
