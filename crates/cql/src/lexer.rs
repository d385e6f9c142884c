//! Query text to words, quoted strings and signs.
//!
//! As in cql-java, only space, tab and line ends separate words; only `()/<>=` end a word without a space;
//! a quotation mark counts only at the beginning of a word, and a backslash only between quotation marks.
//! So dates with colons, `[]`, `abc*` and UUIDs need no quotation marks, and a slash always does.

use crate::term::ends_in_lone_backslash;
use crate::{Comparator, CqlError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Word,
    Quoted,
    And,
    Or,
    Not,
    Prox,
    SortBy,
    Sign(Comparator),
    Open,
    Close,
    Slash,
    End,
}

/// A piece of the query text. Of a quoted string `text` is what stands between the quotation marks.
#[derive(Debug, Clone)]
pub(crate) struct Token<'a> {
    pub(crate) shape: Shape,
    pub(crate) text: &'a str,
    /// Characters before it in the query text.
    pub(crate) position: usize,
}

const SIGNS: [(&str, Comparator); 7] = [
    // Longest first.
    ("==", Comparator::Exact),
    ("<=", Comparator::LessEqual),
    (">=", Comparator::GreaterEqual),
    ("<>", Comparator::NotEqual),
    ("=", Comparator::Scr),
    ("<", Comparator::Less),
    (">", Comparator::Greater),
];

pub(crate) struct Lexer<'a> {
    rest: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text, position: 0 }
    }

    /// How many bytes of the query text are still to be read.
    pub(crate) fn remaining_bytes(&self) -> usize {
        self.rest.len()
    }

    /// The next piece; at the end of the text always `End`.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, CqlError> {
        let space = self.rest.len() - self.rest.trim_start_matches(is_space).len();
        self.take(space);
        let position = self.position;
        let token = |shape, text| Token { shape, text, position };
        let single = match self.rest.chars().next() {
            None => return Ok(token(Shape::End, "")),
            Some('"') => return self.quoted().map(|text| token(Shape::Quoted, text)),
            Some('(') => Some(Shape::Open),
            Some(')') => Some(Shape::Close),
            Some('/') => Some(Shape::Slash),
            Some(_) => None,
        };
        if let Some(shape) = single {
            return Ok(token(shape, self.take(1)));
        }
        if let Some((sign, comparator)) = SIGNS.iter().find(|(sign, _)| self.rest.starts_with(sign)) {
            return Ok(token(Shape::Sign(comparator.clone()), self.take(sign.len())));
        }
        let word = self.take(self.rest.find(ends_word).unwrap_or(self.rest.len()));
        Ok(token(word_shape(word), word))
    }

    fn quoted(&mut self) -> Result<&'a str, CqlError> {
        let opened = self.position;
        self.take(1);
        let mut escaped = false;
        for (i, c) in self.rest.char_indices() {
            if c == '"' && !escaped {
                let text = self.take(i);
                self.take(1);
                return Ok(text);
            }
            escaped = c == '\\' && !escaped;
        }
        Err(CqlError::new(opened, "unclosed quotation mark"))
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.position += taken.chars().count();
        taken
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn ends_word(c: char) -> bool {
    is_space(c) || matches!(c, '(' | ')' | '/' | '<' | '>' | '=')
}

fn word_shape(word: &str) -> Shape {
    let keywords = [
        ("and", Shape::And),
        ("or", Shape::Or),
        ("not", Shape::Not),
        ("prox", Shape::Prox),
        ("sortby", Shape::SortBy),
    ];
    let mut found = keywords.into_iter().filter(|(name, _)| word.eq_ignore_ascii_case(name));
    found.next().map_or(Shape::Word, |(_, shape)| shape)
}

/// The kind of token that a text would be without quotation marks; `None` if it would not be one word.
pub(crate) fn bare_shape(text: &str) -> Option<Shape> {
    let whole =
        !text.is_empty() && !text.contains(ends_word) && !text.contains('"') && !ends_in_lone_backslash(text);
    whole.then(|| word_shape(text))
}
