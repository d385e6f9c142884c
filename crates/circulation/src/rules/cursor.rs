//! A position in the token list, and ANTLR's three kinds of errors about the token there.

use super::RulesError;
use super::token::{Kind, Token};

pub(super) struct Cursor<'a> {
    source: &'a str,
    tokens: &'a [Token],
    index: usize,
    /// The tokens that could have continued the last loop. ANTLR still lists them in an error about a later token.
    ended_loop: Option<Vec<Kind>>,
}

impl<'a> Cursor<'a> {
    /// The list must close with [`Kind::End`].
    pub(super) fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        Cursor { source, tokens, index: 0, ended_loop: None }
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    pub(super) fn token(&self) -> Token {
        self.tokens[self.index]
    }

    pub(super) fn kind(&self) -> Kind {
        self.token().kind
    }

    pub(super) fn is_at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn next_kind(&self) -> Kind {
        self.tokens[(self.index + 1).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        self.index = (self.index + 1).min(self.tokens.len() - 1);
        token
    }

    /// Before an alternative or a loop: one stray word is extraneous if what comes after it would fit.
    pub(super) fn enter(&mut self, expected: &[Kind]) -> Result<(), RulesError> {
        if expected.contains(&self.kind()) {
            self.forget_loop();
            return Ok(());
        }
        Err(if expected.contains(&self.next_kind()) {
            self.extraneous(expected)
        } else {
            self.mismatch(expected)
        })
    }

    /// After a turn of a loop: whatever does not fit is extraneous.
    pub(super) fn repeat(&mut self, expected: &[Kind]) -> Result<(), RulesError> {
        if expected.contains(&self.kind()) {
            self.forget_loop();
            Ok(())
        } else {
            Err(self.extraneous(expected))
        }
    }

    /// A loop ended here, because the current word does not go on with it.
    pub(super) fn end_loop(&mut self, expected: &[Kind]) {
        self.ended_loop.get_or_insert_with(|| expected.to_vec());
    }

    pub(super) fn forget_loop(&mut self) {
        self.ended_loop = None;
    }

    /// One certain word. `follow` is what may come after it.
    pub(super) fn expect(&mut self, kind: Kind, follow: &[Kind]) -> Result<Token, RulesError> {
        self.expect_any(&[kind], follow)
    }

    pub(super) fn expect_any(&mut self, kinds: &[Kind], follow: &[Kind]) -> Result<Token, RulesError> {
        if kinds.contains(&self.kind()) {
            return Ok(self.advance());
        }
        Err(if kinds.contains(&self.next_kind()) {
            self.extraneous(kinds)
        } else if follow.contains(&self.kind()) {
            self.error_here(format!("missing {} at '{}'", list(kinds), self.token().quoted(self.source)))
        } else {
            self.unfit("mismatched", self.ended_loop.as_deref().unwrap_or(kinds))
        })
    }

    pub(super) fn mismatch(&self, expected: &[Kind]) -> RulesError {
        self.unfit("mismatched", expected)
    }

    fn extraneous(&self, expected: &[Kind]) -> RulesError {
        self.unfit("extraneous", expected)
    }

    fn unfit(&self, how: &str, expected: &[Kind]) -> RulesError {
        let shown = self.token().quoted(self.source);
        self.error_here(format!("{how} input '{shown}' expecting {}", list(expected)))
    }

    /// Quotes the text from the token at `start` up to the current one.
    pub(super) fn no_alternative(&self, start: usize) -> RulesError {
        let token = self.token();
        let mut quoted = readable(&self.source[self.tokens[start].start..token.end]);
        if token.start == token.end && token.kind != Kind::End {
            quoted.push_str(&token.quoted(self.source));
        }
        let quoted = quoted.replace('\r', "\\r").replace('\n', "\\n");
        self.error_here(format!("no viable alternative at input '{quoted}'"))
    }

    /// A message about the current token.
    pub(super) fn error_here(&self, message: impl Into<String>) -> RulesError {
        let token = self.token();
        RulesError::new(message, token.line, token.column + 1)
    }
}

/// One word as it is, several in braces and in the grammar's order.
fn list(kinds: &[Kind]) -> String {
    let mut kinds = kinds.to_vec();
    kinds.sort_by_key(|kind| if *kind == Kind::End { -1 } else { *kind as i32 });
    let labels: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
    match labels.as_slice() {
        [one] => (*one).to_owned(),
        many => format!("{{{}}}", many.join(", ")),
    }
}

/// The text without the characters that the lexer passed over.
fn readable(text: &str) -> String {
    let mut in_comment = false;
    let kept = text.chars().filter(|c| {
        in_comment = match c {
            '\n' | '\r' => false,
            '#' | '/' => true,
            _ => in_comment,
        };
        let of_a_word = c.is_ascii_alphanumeric() || matches!(c, '-' | ' ' | '\n' | '\r');
        in_comment || of_a_word || Kind::from_sign(*c).is_some()
    });
    kept.collect()
}
