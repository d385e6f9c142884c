//! A place in the token list, and ANTLR's three ways to object to what stands there.

use super::RulesError;
use super::token::{Kind, Token};

pub(super) struct Cursor<'a> {
    source: &'a str,
    tokens: &'a [Token],
    index: usize,
}

impl<'a> Cursor<'a> {
    /// The list must close with [`Kind::End`].
    pub(super) fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        Cursor { source, tokens, index: 0 }
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

    pub(super) fn at(&self, kind: Kind) -> bool {
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
    pub(super) fn enter(&self, expected: &[Kind]) -> Result<(), RulesError> {
        if expected.contains(&self.kind()) {
            return Ok(());
        }
        Err(if expected.contains(&self.next_kind()) {
            self.extraneous(expected)
        } else {
            self.mismatch(expected)
        })
    }

    /// After a turn of a loop: whatever does not fit is extraneous.
    pub(super) fn repeat(&self, expected: &[Kind]) -> Result<(), RulesError> {
        if expected.contains(&self.kind()) { Ok(()) } else { Err(self.extraneous(expected)) }
    }

    /// One certain word. `follow` is what may come after it.
    pub(super) fn expect(&mut self, kind: Kind, follow: &[Kind]) -> Result<Token, RulesError> {
        if self.at(kind) {
            return Ok(self.advance());
        }
        Err(if self.next_kind() == kind {
            self.extraneous(&[kind])
        } else if follow.contains(&self.kind()) {
            self.complaint(format!("missing {} at '{}'", kind.label(), self.token().shown(self.source)))
        } else {
            self.mismatch(&[kind])
        })
    }

    pub(super) fn mismatch(&self, expected: &[Kind]) -> RulesError {
        self.unfit("mismatched", expected)
    }

    fn extraneous(&self, expected: &[Kind]) -> RulesError {
        self.unfit("extraneous", expected)
    }

    fn unfit(&self, how: &str, expected: &[Kind]) -> RulesError {
        let mut expected = expected.to_vec();
        expected.sort_by_key(|kind| if *kind == Kind::End { -1 } else { *kind as i32 });
        let labels: Vec<&str> = expected.iter().map(|kind| kind.label()).collect();
        let list = match labels.as_slice() {
            [one] => (*one).to_owned(),
            many => format!("{{{}}}", many.join(", ")),
        };
        self.complaint(format!("{how} input '{}' expecting {list}", self.token().shown(self.source)))
    }

    /// Quotes the text from the token at `start` up to the current one.
    pub(super) fn no_alternative(&self, start: usize) -> RulesError {
        self.no_alternative_at(start, self.index)
    }

    pub(super) fn no_alternative_at(&self, start: usize, offender: usize) -> RulesError {
        let token = self.tokens[offender];
        let mut quoted = self.source[self.tokens[start].start..token.end].to_owned();
        if token.start == token.end {
            quoted.push_str(&token.shown(self.source));
        }
        let quoted = quoted.replace('\r', "\\r").replace('\n', "\\n");
        RulesError::at(format!("no viable alternative at input '{quoted}'"), token.line, token.column + 1)
    }

    /// A message about the current token.
    pub(super) fn complaint(&self, message: impl Into<String>) -> RulesError {
        let token = self.token();
        RulesError::at(message, token.line, token.column + 1)
    }
}
