//! Text to tokens, with indentation as tokens of its own, as in Python.
//!
//! Blank lines and lines with only a comment do not count. As in FOLIO's lexer, a character that begins no token is ignored; only the
//! tabulator is an error.

use super::RulesError;
use super::token::{Kind, Token};

pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    /// The error about a tabulator, which stops the lexer. The text before it is parsed first, because an error there is reported first.
    pub tabulator: Option<RulesError>,
}

pub(super) fn lex(source: &str) -> Lexed {
    let mut lexer = Lexer {
        source,
        position: 0,
        line: 1,
        column: 0,
        tokens: Vec::new(),
        at_line_start: true,
        indentation: 0,
        indentation_column: None,
        open_blocks: Vec::new(),
    };
    let tabulator = lexer.run();
    Lexed { tokens: lexer.tokens, tabulator }
}

struct Lexer<'a> {
    source: &'a str,
    position: usize,
    line: u32,
    column: u32,
    tokens: Vec<Token>,
    at_line_start: bool,
    indentation: u32,
    /// Where the first spaces or word of the line stand.
    indentation_column: Option<u32>,
    open_blocks: Vec<u32>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Option<RulesError> {
        while let Some(next) = self.source[self.position..].chars().next() {
            match next {
                '\n' | '\r' => self.newline(),
                ' ' => {
                    let column = self.column;
                    let length = self.advance_while(|c| c == ' ');
                    if self.at_line_start {
                        self.indentation += length;
                        self.indentation_column.get_or_insert(column);
                    }
                }
                '\t' => {
                    self.mark(Kind::End, self.position, self.column, 0);
                    return Some(RulesError::new(
                        "Tabulator character is not allowed, use spaces instead.",
                        self.line,
                        // Behind the tabulator, counted from 1: FOLIO's lexer has read it by then.
                        self.column + 2,
                    ));
                }
                '#' | '/' => {
                    self.advance_while(|c| c != '\n' && c != '\r');
                }
                c if c.is_ascii_alphanumeric() || c == '-' => {
                    let (start, column) = (self.position, self.column);
                    self.advance_while(|c| c.is_ascii_alphanumeric() || c == '-');
                    let kind = Kind::from_word(&self.source[start..self.position]);
                    self.push(kind, start, column);
                }
                c => {
                    let (start, column) = (self.position, self.column);
                    self.position += c.len_utf8();
                    self.column += 1;
                    if let Some(kind) = Kind::from_sign(c) {
                        self.push(kind, start, column);
                    }
                }
            }
        }
        self.end();
        None
    }

    fn advance_while(&mut self, wanted: impl Fn(char) -> bool) -> u32 {
        let rest = &self.source[self.position..];
        let bytes = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        let characters = rest[..bytes].chars().count() as u32;
        self.position += bytes;
        self.column += characters;
        characters
    }

    fn newline(&mut self) {
        let length = if self.source[self.position..].starts_with("\r\n") { 2 } else { 1 };
        if !self.at_line_start {
            let (start, end) = (self.position, self.position + length);
            let (line, column) = (self.line, self.column);
            self.tokens.push(Token { kind: Kind::Newline, start, end, line, column, indentation: 0 });
        }
        self.position += length;
        self.at_line_start = true;
        self.indentation = 0;
        self.indentation_column = None;
        // A lone carriage return ends a rule but, for ANTLR, not the line that is counted.
        if self.source[..self.position].ends_with('\n') {
            self.line += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
    }

    fn push(&mut self, kind: Kind, start: usize, column: u32) {
        if self.at_line_start {
            self.change_indentation(start, column);
            self.at_line_start = false;
        }
        let end = self.position;
        self.tokens.push(Token { kind, start, end, line: self.line, column, indentation: 0 });
    }

    /// Tokens of indentation stand where the line starts.
    fn change_indentation(&mut self, start: usize, column: u32) {
        let column = self.indentation_column.unwrap_or(column);
        loop {
            let current = self.open_blocks.last().copied().unwrap_or(0);
            if self.indentation > current {
                self.open_blocks.push(self.indentation);
                self.mark(Kind::Indent, start, column, self.indentation);
            } else if self.indentation < current {
                self.open_blocks.pop();
                let outer = self.open_blocks.last().copied().unwrap_or(0);
                self.mark(Kind::Dedent, start, column, outer);
            } else {
                return;
            }
        }
    }

    fn mark(&mut self, kind: Kind, start: usize, column: u32, indentation: u32) {
        self.tokens.push(Token { kind, start, end: start, line: self.line, column, indentation });
    }

    fn end(&mut self) {
        let (start, column) = (self.position, self.column);
        if !self.at_line_start {
            self.mark(Kind::Newline, start, column, 0);
        }
        self.indentation = 0;
        self.change_indentation(start, column);
        self.mark(Kind::End, start, column, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Kind> {
        lex(source).tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn indentation_opens_and_closes_blocks() {
        use Kind::{CriteriumLetter as L, Dedent, End, Indent, Name as N, Newline};
        assert_eq!(
            kinds("m book\n  # remark\n\n   g all-staff\n   g x\nt y"),
            [L, N, Newline, Indent, L, N, Newline, L, N, Newline, Dedent, L, N, Newline, End]
        );
    }

    #[test]
    fn a_return_to_no_known_level_closes_and_opens() {
        let marks: Vec<(Kind, u32)> = lex("m x\n    m y\n  m z")
            .tokens
            .iter()
            .filter(|token| matches!(token.kind, Kind::Indent | Kind::Dedent))
            .map(|token| (token.kind, token.indentation))
            .collect();
        assert_eq!(marks, [(Kind::Indent, 4), (Kind::Dedent, 0), (Kind::Indent, 2), (Kind::Dedent, 0)]);
    }

    #[test]
    fn keywords_are_whole_words_only() {
        assert_eq!(
            kinds("all allx a ab"),
            [Kind::All, Kind::Name, Kind::CriteriumLetter, Kind::Name, Kind::Newline, Kind::End]
        );
    }

    #[test]
    fn a_tabulator_is_reported_behind_where_it_stands() {
        let error = lex("m x\n  \t m book").tabulator.unwrap();
        assert_eq!((error.line, error.column), (2, 4));
    }
}
