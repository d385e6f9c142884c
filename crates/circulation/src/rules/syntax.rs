//! The syntax of a parsed rules text, before it is checked and compiled.

use super::token::Token;

#[derive(Debug)]
pub(super) struct File {
    pub priority: Priority,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub(super) enum Priority {
    FirstLine,
    LastLine,
    /// Criterium priorities, first slot first, then the line priority.
    Slots(Vec<Slot>, LinePriority),
    /// Seven letters alone: criterium, then number of criteria, then last line.
    Letters(Vec<Token>),
}

#[derive(Debug)]
pub(super) struct Slot {
    pub at: Token,
    /// None for `number-of-criteria`.
    pub letters: Option<Vec<Token>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinePriority {
    FirstLine,
    LastLine,
}

#[derive(Debug)]
pub(super) enum Statement {
    Rule(Rule),
    Fallback { at: Token, policies: PolicyList },
    Indentation(u32),
}

#[derive(Debug)]
pub(super) struct Rule {
    pub criteria: Vec<Criterium>,
    pub policies: Option<PolicyList>,
    /// Has an indented block below it, and so needs no policies of its own.
    pub has_block: bool,
}

#[derive(Debug)]
pub(super) struct Criterium {
    pub letter: Token,
    pub names: Names,
}

#[derive(Debug)]
pub(super) enum Names {
    All,
    AnyOf(Vec<Token>),
    NoneOf(Vec<Token>),
}

#[derive(Debug)]
pub(super) struct PolicyList {
    /// The colon.
    pub at: Token,
    /// Letter and name.
    pub policies: Vec<(Token, Token)>,
}
