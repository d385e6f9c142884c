//! Parts of a word, as OpenSearch's `word_delimiter_graph` makes them when it joins words that it took apart.
//!
//! A word ends where letters and digits meet, where a capital follows a small letter, and at everything that is neither;
//! `'s` at the end is left out. `PowerShot500` has the parts Power, Shot and 500. Letters that follow each other so are
//! one word as well: PowerShot.

use unicode_normalization::char::is_combining_mark;

use super::fold::ascii_digit;

/// A part of a word, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    pub(super) written: &'t str,
    pub(super) digits: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Small,
    Capital,
    /// A letter of a script without capitals.
    Letter,
    Digit,
    /// Belongs to the character before it.
    Mark,
    /// Neither letter nor digit.
    Between,
}

fn class(sign: char) -> Class {
    match sign {
        'a'..='z' => Class::Small,
        'A'..='Z' => Class::Capital,
        '0'..='9' | '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉' => Class::Digit,
        '\0'..='\x7f' => Class::Between,
        // The commonest of the others, quicker than by what follows.
        'À'..='Ö' | 'Ø'..='Þ' | '\u{400}'..='Я' => Class::Capital,
        'ß'..='ö' | 'ø'..='ÿ' | 'а'..='\u{45f}' => Class::Small,
        _ if is_combining_mark(sign) => Class::Mark,
        _ if ascii_digit(sign).is_some() => Class::Digit,
        // Roman numerals count as digits; fractions and digits in circles count as nothing.
        _ if sign.is_numeric() => {
            if sign.is_alphabetic() {
                Class::Digit
            } else {
                Class::Between
            }
        }
        _ if sign.is_uppercase() => Class::Capital,
        _ if sign.is_lowercase() => Class::Small,
        _ if sign.is_alphabetic() || sign.is_numeric() => Class::Letter,
        _ => Class::Between,
    }
}

/// Whether a part ends between characters of these classes.
fn ends(last: Class, next: Class) -> bool {
    match (last, next) {
        (_, Class::Between) | (Class::Small, Class::Capital) => true,
        (Class::Digit, next) => next != Class::Digit,
        (_, next) => next == Class::Digit,
    }
}

/// The parts of a word, in its order.
pub(super) fn parts(word: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|sign| class(sign) == Class::Between);
        let mut signs = rest.char_indices();
        let mut last = match class(signs.next()?.1) {
            Class::Mark => Class::Letter,
            class => class,
        };
        let digits = last == Class::Digit;
        let mut end = rest.len();
        for (at, sign) in signs {
            let next = class(sign);
            if next == Class::Mark {
                continue;
            }
            if ends(last, next) {
                end = at;
                break;
            }
            last = next;
        }
        let (written, after) = rest.split_at(end);
        rest = if digits { after } else { without_possessive(after) };
        Some(Part { written, digits })
    })
}

/// What follows the `'s` of an English possessive, or the text itself.
fn without_possessive(after: &str) -> &str {
    let owned = after.strip_prefix(['\'', '’', '＇']).and_then(|owned| owned.strip_prefix(['s', 'S']));
    owned
        .filter(|owned| owned.chars().next().is_none_or(|sign| class(sign) == Class::Between))
        .unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_where_the_kind_of_character_changes() {
        for (word, expected) in [
            ("PowerShot500", vec!["Power", "Shot", "500"]),
            ("PowerShot", vec!["Power", "Shot"]),
            ("PDFReader", vec!["PDFReader"]),
            ("XMLHttp2Request", vec!["XMLHttp", "2", "Request"]),
            ("j2se", vec!["j", "2", "se"]),
            ("O'Neil's", vec!["O", "Neil"]),
            ("O’Neil’s", vec!["O", "Neil"]),
            ("dogs'", vec!["dogs"]),
            ("cat's_eye", vec!["cat", "eye"]),
            ("it'sy", vec!["it", "sy"]),
            ("90's", vec!["90", "s"]),
            ("'s", vec!["s"]),
            ("U.S.A", vec!["U", "S", "A"]),
            ("3.14", vec!["3", "14"]),
            ("éÉ", vec!["é", "É"]),
            ("e\u{301}E\u{301}", vec!["e\u{301}", "E\u{301}"]),
            ("1\u{301}a", vec!["1\u{301}", "a"]),
            ("کتاب۱۲", vec!["کتاب", "۱۲"]),
            ("m²", vec!["m", "²"]),
            ("--", vec![]),
            ("½", vec![]),
            ("", vec![]),
        ] {
            let written: Vec<&str> = parts(word).map(|part| part.written).collect();
            assert_eq!(written, expected, "{word}");
        }
    }
}
