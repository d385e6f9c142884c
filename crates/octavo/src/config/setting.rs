//! The shape of a declaration.

use super::ProcessEnvironment;

/// A setting, whatever the type of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    /// Key in the file; `--name` is the flag, `OCTAVO_NAME` the environment variable.
    pub name: &'static str,
    /// The name of the value in `--help`.
    pub value_name: &'static str,
    /// The rest of a sentence that begins with "must be".
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
    /// The setting may stay unset; the text says what happens then.
    Unset(&'static str),
    /// The default depends on the machine; the text says how.
    Depends(&'static str, fn(&ProcessEnvironment) -> String),
}

impl Default {
    /// The default as a text for documentation and `--help`.
    pub(super) fn description(self) -> &'static str {
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
