//! The shape of a declaration.

use super::Surroundings;

/// A setting, whatever the type of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    /// Key in the file; `--name` is the flag, `OCTAVO_NAME` the environment variable.
    pub name: &'static str,
    /// The name of the value in `--help`.
    pub value_name: &'static str,
    /// Goes on from "must be".
    pub must_be: &'static str,
    /// Passwords in it are masked wherever it is shown.
    pub secret: bool,
    pub accepts: fn(&str) -> bool,
    pub default: Default,
    /// One line, which ends without a full stop.
    pub doc: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Default {
    Is(&'static str),
    /// May stay unset; says what happens then.
    Unset(&'static str),
    /// Depends on the machine; says how.
    Depends(&'static str, fn(&Surroundings) -> String),
}

impl Default {
    /// The default as pages and help show it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Default::Is(words) | Default::Unset(words) | Default::Depends(words, _) => words,
        }
    }
}

impl Setting {
    pub(super) fn flag(&self) -> String {
        format!("--{}", self.name)
    }

    pub(super) fn variable(&self) -> String {
        format!("OCTAVO_{}", self.name.to_uppercase().replace('-', "_"))
    }
}
