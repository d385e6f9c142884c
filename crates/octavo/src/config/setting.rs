//! The shape of a declaration.

use super::Surroundings;
use super::kind::Kind;

/// A setting whose value is a `T`.
pub(super) struct Setting<T: 'static> {
    /// Key in the file; `--name` is the flag, `OCTAVO_NAME` the environment variable.
    pub name: &'static str,
    pub kind: &'static Kind<T>,
    pub default: Default,
    /// One line, which ends without a full stop.
    pub doc: &'static str,
    /// Passwords in it are masked wherever it is shown.
    pub secret: bool,
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
    /// For people.
    pub(super) fn words(self) -> &'static str {
        match self {
            Default::Is(words) | Default::Unset(words) | Default::Depends(words, _) => words,
        }
    }
}

/// The parts of a setting's declaration that do not depend on its type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    pub name: &'static str,
    pub value_name: &'static str,
    pub must_be: &'static str,
    pub default: Default,
    pub doc: &'static str,
    pub secret: bool,
}

impl Fact {
    pub(super) fn flag(&self) -> String {
        format!("--{}", self.name)
    }

    pub(super) fn variable(&self) -> String {
        format!("OCTAVO_{}", self.name.to_uppercase().replace('-', "_"))
    }
}

pub(super) trait Declared: Sync {
    fn fact(&self) -> Fact;
    fn accepts(&self, raw: &str) -> bool;
}

impl<T> Declared for Setting<T> {
    fn fact(&self) -> Fact {
        Fact {
            name: self.name,
            value_name: self.kind.value_name,
            must_be: self.kind.must_be,
            default: self.default,
            doc: self.doc,
            secret: self.secret,
        }
    }

    fn accepts(&self, raw: &str) -> bool {
        (self.kind.parse)(raw).is_some()
    }
}
