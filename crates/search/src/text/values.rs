//! Whole values, and words that are not changed: mod-search's keyword fields and the `plain_` values beside its words.

use super::{MAX_VALUE_BYTES, MAX_WORD_CHARACTERS, TERM_MARK, first_characters};
use crate::fields::Index;

/// The beginning of a value, as far as the index holds it.
#[must_use]
pub fn cut_value(value: &str) -> &str {
    &value[..value.floor_char_boundary(MAX_VALUE_BYTES)]
}

/// The term of a whole value in a field that is indexed so. Fields that are indexed by words have theirs in lower case, as
/// mod-search's `plain_` values are; words between blanks unchanged.
#[must_use]
pub fn whole_term(index: Index, value: &str) -> String {
    let trimmed = match index {
        Index::KeywordLowercase
        | Index::KeywordUppercase
        | Index::Multilang
        | Index::Standard
        | Index::Whitespace => value.trim_matches(is_blank),
        Index::Keyword | Index::Bool | Index::Date | Index::Long | Index::Source => value,
    };
    cut_value(&whole_pattern_part(index, cut_value(trimmed))).to_owned()
}

/// A part of a pattern of whole values, in the case in which [`whole_term`] writes them. Blanks at its ends stay.
#[must_use]
pub fn whole_pattern_part(index: Index, part: &str) -> String {
    match index {
        Index::KeywordLowercase | Index::Multilang | Index::Standard => part.chars().map(lower).collect(),
        Index::KeywordUppercase => part.chars().map(upper).collect(),
        _ => part.to_owned(),
    }
}

/// The whole value of a field that is indexed by words: in lower case, without blanks at its ends.
#[must_use]
pub fn lowercase_term(value: &str) -> String {
    whole_term(Index::Standard, value)
}

/// A part of a pattern of such values.
#[must_use]
pub fn lowercase_pattern_part(part: &str) -> String {
    whole_pattern_part(Index::Standard, part)
}

/// The term of a word that is kept as it is written, marked so that it is never taken for a folded word.
#[must_use]
pub fn unchanged_word_term(word: &str) -> String {
    format!("{TERM_MARK}{}", first_characters(word, MAX_WORD_CHARACTERS))
}

/// Lucene changes case character by character: a character stays one, `ß` stays `ß`, `Σ` is always `σ`.
fn lower(sign: char) -> char {
    sign.to_lowercase().next().unwrap_or(sign)
}

fn upper(sign: char) -> char {
    let mut upper = sign.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => sign,
    }
}

/// What Java calls white space: not the blanks that forbid a break of the line, but the separators U+001C to U+001F.
fn is_blank(sign: char) -> bool {
    match sign {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        '\u{1c}'..='\u{1f}' => true,
        _ => sign.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_values_are_compared_as_their_field_is_indexed() {
        for (index, value, expected) in [
            (Index::Keyword, " In00000A ", " In00000A "),
            (Index::KeywordLowercase, " In00000A ", "in00000a"),
            (Index::KeywordUppercase, " 0747-008x ", "0747-008X"),
            (Index::Multilang, "\tDer Große ÄRGER\n", "der große ärger"),
            (Index::Standard, "ΟΔΟΣ", "οδοσ"),
            (Index::Standard, "İ", "i"),
            (Index::KeywordUppercase, "straße ŉ", "STRAßE ŉ"),
            (Index::Whitespace, " A b ", "A b"),
            (Index::KeywordLowercase, "\u{1f}a\u{a0}", "a\u{a0}"),
            (Index::Bool, "true", "true"),
        ] {
            assert_eq!(whole_term(index, value), expected, "{index:?} {value:?}");
        }
        assert_eq!(lowercase_term(" The Sea "), "the sea");
    }

    #[test]
    fn parts_of_patterns_keep_their_blanks() {
        assert_eq!(lowercase_pattern_part("The "), "the ");
        assert_eq!(whole_pattern_part(Index::KeywordUppercase, " x"), " X");
        assert_eq!(whole_pattern_part(Index::Keyword, " x"), " x");
    }

    #[test]
    fn values_are_cut_between_characters() {
        let long = "é".repeat(MAX_VALUE_BYTES);
        assert_eq!(cut_value(&long).len(), MAX_VALUE_BYTES - 1);
        assert_eq!(whole_term(Index::KeywordUppercase, &long), "É".repeat(MAX_VALUE_BYTES / 2));
        // Small letters may take more bytes than capitals.
        assert!(lowercase_term(&"Ⱥ".repeat(MAX_VALUE_BYTES)).len() <= MAX_VALUE_BYTES);
    }

    #[test]
    fn unchanged_words_are_never_folded_words() {
        assert_eq!(unchanged_word_term("PS3552"), "\u{1}PS3552");
        assert_eq!(unchanged_word_term(&"é".repeat(300)).chars().count(), 1 + MAX_WORD_CHARACTERS);
    }

    proptest! {
        #[test]
        fn what_is_normal_stays(text in any::<String>()) {
            for index in [Index::Keyword, Index::KeywordLowercase, Index::Multilang, Index::Whitespace] {
                let once = whole_term(index, &text);
                prop_assert_eq!(whole_term(index, &once), once);
            }
        }
    }
}
