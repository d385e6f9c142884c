//! The masking language inside a term: `*`, `?`, `^` and the backslash that takes their meaning away.
//!
//! Facts from CQL 1.2 and from RAML Module Builder 35 (`Cql2SqlUtil`). A backslash before any other
//! character is dropped, as cql-java 1.13 drops it. What masking is allowed where is the field's matter:
//! FOLIO's LIKE and full-text searches take `^` as the plain character.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Char(char),
    /// `?`: any one character.
    AnyOne,
    /// `*`: any characters, or none.
    AnyMany,
    /// `^`: begin or end of the field.
    Anchor,
}

/// The pieces of a term as it stands in `Clause::term`.
///
/// # Errors
/// A last backslash that escapes nothing, in FOLIO's words.
pub fn parts(term: &str) -> Result<Vec<Part>, String> {
    let mut found = Vec::with_capacity(term.len());
    let mut rest = term.chars();
    while let Some(c) = rest.next() {
        found.push(match c {
            '*' => Part::AnyMany,
            '?' => Part::AnyOne,
            '^' => Part::Anchor,
            '\\' => Part::Char(rest.next().ok_or(UNTERMINATED)?),
            plain => Part::Char(plain),
        });
    }
    Ok(found)
}

/// The text that the term stands for, if it masks nothing and is well formed.
#[must_use]
pub fn literal(term: &str) -> Option<String> {
    let plain = |part| match part {
        Part::Char(c) => Some(c),
        Part::AnyOne | Part::AnyMany | Part::Anchor => None,
    };
    parts(term).ok()?.into_iter().map(plain).collect()
}

pub(crate) const UNTERMINATED: &str = "Unterminated \\-character";

/// Whether the text ends in a backslash that escapes nothing.
pub(crate) fn ends_in_lone_backslash(text: &str) -> bool {
    text.bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::{Part, ends_in_lone_backslash, literal, parts};

    fn compact(term: &str) -> String {
        let show = |part| match part {
            Part::Char(c) => c.to_string(),
            Part::AnyOne => "<one>".to_owned(),
            Part::AnyMany => "<many>".to_owned(),
            Part::Anchor => "<anchor>".to_owned(),
        };
        match parts(term) {
            Ok(found) => found.into_iter().map(show).collect(),
            Err(message) => format!("! {message}"),
        }
    }

    #[test]
    fn masks_are_read_and_escapes_are_resolved() {
        for (term, expected) in [
            ("", ""),
            ("abc", "abc"),
            ("abc*", "abc<many>"),
            ("*", "<many>"),
            ("m?n", "m<one>n"),
            ("^abc^", "<anchor>abc<anchor>"),
            (r"\*\?\^\\", r"*?^\"),
            (r#"*\"x\"*"#, r#"<many>"x"<many>"#),
            (r"\\*", r"\<many>"),
            (r"\a\ü", "aü"),
            (r"Müller\ 100%_", "Müller 100%_"),
            (r"abc\", r"! Unterminated \-character"),
            (r"\\\", r"! Unterminated \-character"),
        ] {
            assert_eq!(compact(term), expected, "{term}");
            assert_eq!(ends_in_lone_backslash(term), expected.starts_with('!'), "{term}");
        }
    }

    #[test]
    fn only_a_term_without_masks_is_literal() {
        assert_eq!(literal(""), Some(String::new()));
        assert_eq!(literal(r#"5\" \*"#), Some("5\" *".to_owned()));
        for masked in ["*", "a?", "^a", r"a\"] {
            assert_eq!(literal(masked), None, "{masked}");
        }
    }
}
