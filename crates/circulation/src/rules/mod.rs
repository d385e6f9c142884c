//! The circulation rules: a text of librarians that sets the five policies of a loan.
//!
//! The language, its messages and its scores are mod-circulation 24.2's. FOLIO compiles the text into a
//! rule engine; here it becomes a list sorted by score, in which the first rule that matches wins.
//! Whether the named policies exist is not known here: [`Rules::parse_checked`] asks its caller.

mod check;
mod compile;
mod cursor;
mod lexer;
mod line;
mod matching;
mod parser;
mod syntax;
mod token;

#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod matching_tests;

pub use matching::{AppliedConditions, Criteria, Match, PolicyIds, Rules};

/// What FOLIO answers to `PUT /circulation/rules` with status 422.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError {
    pub message: String,
    /// From 1.
    pub line: u32,
    /// From 1, but from 0 where FOLIO counts so: in errors about a list of policies.
    pub column: u32,
}

impl RulesError {
    fn new(message: impl Into<String>, line: u32, column: u32) -> Self {
        RulesError { message: message.into(), line, column }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PolicyKind {
    Loan,
    Request,
    Notice,
    OverdueFine,
    LostItemFee,
}

impl PolicyKind {
    /// All kinds, in the order in which FOLIO checks them.
    pub const ALL: [PolicyKind; 5] = [
        PolicyKind::Loan,
        PolicyKind::Request,
        PolicyKind::Notice,
        PolicyKind::OverdueFine,
        PolicyKind::LostItemFee,
    ];

    /// The letter in the rules text.
    pub fn letter(self) -> char {
        match self {
            PolicyKind::Loan => 'l',
            PolicyKind::Request => 'r',
            PolicyKind::Notice => 'n',
            PolicyKind::OverdueFine => 'o',
            PolicyKind::LostItemFee => 'i',
        }
    }

    fn from_letter(letter: &str) -> Option<PolicyKind> {
        let letter = letter.chars().next()?;
        PolicyKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

impl Rules {
    /// Parses rules without checking that the policies exist.
    pub fn parse(text: &str) -> Result<Rules, RulesError> {
        Self::parse_checked(text, |_, _| true)
    }

    /// Compiles the rules as FOLIO does on `PUT`: a policy that does not exist is an error, found in the same pass
    /// as the other faults of the rules.
    pub fn parse_checked(text: &str, exists: impl Fn(PolicyKind, &str) -> bool) -> Result<Rules, RulesError> {
        let lexed = lexer::lex(text);
        let file = match (parser::parse(text, &lexed.tokens), lexed.tabulator) {
            (Err(error), Some(tabulator)) => {
                // The tabulator is reported one column behind where it stands.
                let earlier = (error.line, error.column + 1) < (tabulator.line, tabulator.column);
                return Err(if earlier { error } else { tabulator });
            }
            (Ok(_), Some(tabulator)) => return Err(tabulator),
            (parsed, None) => parsed?,
        };
        check::check(text, &file, &exists)?;
        Ok(compile::compile(text, &file))
    }
}
