//! The words of the rules language. Positions are ANTLR's: lines from 1, columns from 0, in characters.

/// The kinds of tokens, in the order in which messages list what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Priority,
    Colon,
    FirstLine,
    LastLine,
    Comma,
    Criterium,
    Open,
    Close,
    NumberOfCriteria,
    Plus,
    All,
    Not,
    FallbackPolicy,
    CriteriumLetter,
    PolicyType,
    Name,
    Newline,
    Indent,
    Dedent,
    End,
}

impl Kind {
    /// The name of the token in FOLIO's messages.
    pub(super) fn label(self) -> &'static str {
        match self {
            Kind::Priority => "'priority'",
            Kind::Colon => "':'",
            Kind::FirstLine => "'first-line'",
            Kind::LastLine => "'last-line'",
            Kind::Comma => "','",
            Kind::Criterium => "'criterium'",
            Kind::Open => "'('",
            Kind::Close => "')'",
            Kind::NumberOfCriteria => "'number-of-criteria'",
            Kind::Plus => "'+'",
            Kind::All => "'all'",
            Kind::Not => "'!'",
            Kind::FallbackPolicy => "'fallback-policy'",
            Kind::Indent => "INDENT",
            Kind::Dedent => "DEDENT",
            Kind::CriteriumLetter => "CRITERIUM_LETTER",
            Kind::PolicyType => "POLICY_TYPE",
            Kind::Name => "NAME",
            Kind::Newline => "NEWLINE",
            Kind::End => "<EOF>",
        }
    }

    /// A run of letters, digits and hyphens. Keywords win over names of the same length.
    pub(super) fn from_word(word: &str) -> Kind {
        match word {
            "priority" => Kind::Priority,
            "first-line" => Kind::FirstLine,
            "last-line" => Kind::LastLine,
            "criterium" => Kind::Criterium,
            "number-of-criteria" => Kind::NumberOfCriteria,
            "all" => Kind::All,
            "fallback-policy" => Kind::FallbackPolicy,
            "t" | "a" | "b" | "c" | "s" | "m" | "g" => Kind::CriteriumLetter,
            "l" | "r" | "n" | "o" | "i" => Kind::PolicyType,
            _ => Kind::Name,
        }
    }

    pub(super) fn from_sign(sign: char) -> Option<Kind> {
        Some(match sign {
            ':' => Kind::Colon,
            ',' => Kind::Comma,
            '(' => Kind::Open,
            ')' => Kind::Close,
            '+' => Kind::Plus,
            '!' => Kind::Not,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    /// Byte range in the text; empty for tokens that stand for a change of indentation.
    pub start: usize,
    pub end: usize,
    pub line: u32,
    pub column: u32,
    /// For `Indent` and `Dedent`: the indentation that follows.
    pub indentation: u32,
}

impl Token {
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }

    /// What FOLIO quotes in a message.
    pub(super) fn quoted(&self, source: &str) -> String {
        match self.kind {
            Kind::End => "<EOF>".to_owned(),
            Kind::Indent => format!("INDENT{}", self.indentation),
            Kind::Dedent => format!("DEDENT{}", self.indentation),
            Kind::Newline if self.start == self.end => "NEWLINE".to_owned(),
            _ => self.text(source).replace('\r', "\\r").replace('\n', "\\n"),
        }
    }
}
