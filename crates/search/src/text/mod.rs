//! From text to the terms of the index, the same way for values that are stored and for what is searched.
//!
//! - [`index_words`]: the words of a text by Unicode's word boundaries, split further as OpenSearch's `word_delimiter_graph` splits
//!   them, and folded: case, accents, ligatures, widths and digits of all scripts make no difference.
//! - [`query_pieces`] and [`query_phrases`]: the words that a query looks for, so that a text is found however it was written:
//!   `O'Neil`, `ONeil` and `oneil` find each other.
//! - [`stems`]: the stem of a word in one language, marked with the language.
//! - [`whole_term`], [`lowercase_term`], [`unchanged_word_term`]: values and words that are not split.
//! - [`numbers`]: ISBN, ISSN, OCLC and LC control numbers, call numbers as they are stored; [`apply_term_processor`]: as they are
//!   searched.
//!
//! Scripts that write no blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and Korean, are indexed as
//! pairs of signs that overlap, and as single signs at the same positions. A query of two signs or more asks for its
//! pairs side by side, a query of one sign for the sign. The index side makes every term that the query side may ask for.
//!
//! A word is cut after [`MAX_WORD_CHARACTERS`] characters and a whole value after [`MAX_VALUE_BYTES`] bytes, in the index as in the
//! query: a longer one is still found, together with others that differ only after that. All functions take time linear in the text.
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
pub use searched::apply_term_processor;
pub use stems::{Language, stems};
pub use values::{
    cut_value, lowercase_pattern_part, lowercase_term, unchanged_word_term, whole_pattern_part, whole_term,
};
pub use words::{
    AdjacentWords, QueryPiece, Word, and_for_ampersand, index_words, query_phrases, query_pieces,
};

/// The most characters of a word that are indexed.
pub const MAX_WORD_CHARACTERS: usize = 255;

/// The most bytes of a whole value that are indexed.
pub const MAX_VALUE_BYTES: usize = 8_191;

/// Separates the mark of a term (of a stem or an unchanged word) from its text. No word of a text contains this character.
pub const TERM_MARK: char = '\u{1}';

/// The beginning of a text, at most this many characters.
fn first_characters(text: &str, most: usize) -> &str {
    // So many bytes hold no more characters than that: the common case.
    if text.len() <= most {
        return text;
    }
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}
