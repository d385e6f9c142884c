//! Words on their way into the index: our own analysis has made them, and the index has only to take them apart again.
//!
//! A text of words is each word after a character that says how many positions it stands after the word before.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// The name under which an index finds this tokenizer.
pub(super) const TOKENIZER: &str = "words";

/// Ends a word. No word contains it.
const WORD_END: char = '\0';

/// Words, put together to one text.
#[derive(Default)]
pub(super) struct WordText {
    text: String,
    position: usize,
    pub(super) count: usize,
}

impl WordText {
    /// Adds a word at a position, which is not before that of the word added last.
    pub(super) fn add(&mut self, position: usize, word: &str) {
        let step = position.saturating_sub(self.position);
        self.position = position;
        self.count += 1;
        self.text.push(char::from_u32(u32::try_from(step + 1).unwrap_or(1)).unwrap_or('\u{1}'));
        self.text.push_str(word);
        self.text.push(WORD_END);
    }

    /// The position of the word added last.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// Takes such a text apart.
#[derive(Clone, Default)]
pub(super) struct WordsTokenizer;

impl Tokenizer for WordsTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream { rest: text, token: Token { position: 0, ..Token::default() } }
    }
}

pub(super) struct WordStream<'a> {
    rest: &'a str,
    token: Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        let mut signs = self.rest.chars();
        let Some(step) = signs.next() else { return false };
        let rest = signs.as_str();
        let (word, rest) = rest.split_once(WORD_END).unwrap_or((rest, ""));
        self.token.position = self.token.position.wrapping_add(step as usize - 1);
        self.token.text.clear();
        self.token.text.push_str(word);
        self.rest = rest;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_out_as_they_went_in() {
        let words = [(0, "the"), (0, "eng\u{1}the"), (1, "sea"), (101, "日本"), (101, "日"), (4000, "")];
        let mut text = WordText::default();
        for (position, word) in words {
            text.add(position, word);
        }
        let text = text.into_text();
        let mut tokenizer = WordsTokenizer;
        let (mut stream, mut out) = (tokenizer.token_stream(&text), Vec::new());
        while stream.advance() {
            out.push((stream.token().position, stream.token().text.clone()));
        }
        let expected: Vec<(usize, String)> =
            words.iter().map(|(at, word)| (*at, (*word).to_owned())).collect();
        assert_eq!(out, expected);
    }
}
