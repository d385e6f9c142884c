//! Which letters of a word are set in which type: Helvetica where it has all of them, else a font that has them, else Helvetica
//! again, which leaves accents out or writes a question mark.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::fonts::{self, FontIndex};
use crate::typeface::{helvetica_has, is_silent};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Helvetica(&'t str),
    /// `breaks`: lines may end at any of its letters, as in Chinese and Japanese.
    Font {
        number: FontIndex,
        text: &'t str,
        breaks: bool,
    },
}

/// The most letters that a font shapes at once, because the time for this may grow faster than the number of letters.
const MOST_LETTERS_AT_ONCE: usize = 200;

/// The text with accents joined to their letters (Unicode NFC), tabs as blanks, and without control characters except line breaks.
pub(crate) fn tidy_text(text: &str) -> String {
    let shown = |letter: &char| *letter == '\n' || !letter.is_control();
    text.replace('\t', " ").nfc().filter(shown).collect()
}

/// `turned`: it is read from the right, which Helvetica cannot do.
pub(crate) fn pieces(word: &str, bold: bool, turned: bool) -> Vec<Piece<'_>> {
    if !turned && word.chars().all(|letter| helvetica_has(letter) || is_silent(letter)) {
        return vec![Piece::Helvetica(word)];
    }
    let mut pieces: Vec<(Option<FontIndex>, &str)> = Vec::new();
    for part in split_long_word(word) {
        match fonts::find_font(part, bold) {
            Some(number) => pieces.push((Some(number), part)),
            None => {
                for cluster in split_clusters(part) {
                    let number = if helvetica_has_all(cluster) && !turned {
                        None
                    } else {
                        fonts::find_font(cluster, bold)
                    };
                    pieces.push((number, cluster));
                }
            }
        }
    }
    let piece = |(number, text)| match number {
        None => Piece::Helvetica(text),
        Some(number) => Piece::Font { number, text, breaks: text.chars().any(is_ideograph) },
    };
    pieces.into_iter().map(piece).collect()
}

fn helvetica_has_all(text: &str) -> bool {
    text.chars().all(helvetica_has)
}

/// Splits a long word into parts that a font shapes at once; where possible, not between a letter and its accents.
fn split_long_word(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = word;
    while let Some((end, _)) = rest.char_indices().nth(MOST_LETTERS_AT_ONCE) {
        let base = rest[..end].char_indices().rfind(|(_, letter)| !is_combining_mark(*letter));
        let joined = rest[end..].starts_with(is_combining_mark);
        let at = base.map_or(end, |(at, _)| if joined && at > 0 { at } else { end });
        parts.push(&rest[..at]);
        rest = &rest[at..];
    }
    parts.push(rest);
    parts
}

/// Letters with their accents.
fn split_clusters(text: &str) -> Vec<&str> {
    let mut clusters = Vec::new();
    let mut begun = 0;
    for (at, letter) in text.char_indices().skip(1) {
        if !is_combining_mark(letter) {
            clusters.push(&text[begun..at]);
            begun = at;
        }
    }
    if !text.is_empty() {
        clusters.push(&text[begun..]);
    }
    clusters
}

/// Chinese characters, kana, hangul and their punctuation.
fn is_ideograph(letter: char) -> bool {
    matches!(u32::from(letter), 0x2e80..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_set_in_one_type_where_one_has_all_of_it() {
        assert_eq!(pieces("Müller", false, false), [Piece::Helvetica("Müller")]);
        for word in ["Dvořák", "Толстой", "Καζαντζάκης", "עגנון", "محفوظ"] {
            let font = |number| [Piece::Font { number, text: word, breaks: false }];
            assert_eq!(pieces(word, false, false), font(0));
            assert_eq!(pieces(word, true, false), font(1));
        }
    }

    #[test]
    fn what_no_font_has_stands_alone() {
        assert_eq!(pieces("a𓀀", false, false), [Piece::Helvetica("a"), Piece::Helvetica("𓀀")]);
    }

    #[test]
    fn long_words_are_set_in_parts_that_keep_letters_and_accents_together() {
        let word = "т\u{323}".repeat(150);
        let parts = split_long_word(&word);
        assert_eq!(parts.concat(), word);
        assert!(parts.len() == 2 && parts.iter().all(|part| part.starts_with('т')), "{parts:?}");
        assert_eq!(super::split_long_word(&"\u{323}".repeat(450)).len(), 3);
    }
}
