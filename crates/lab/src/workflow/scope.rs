//! Tracks which names are known at a place of a workflow, and whether they are used.

use crate::files::{Problems, suggestion};

use super::{Amount, BUILT_IN, Slot, Template};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Single,
    List,
    /// Taken from an answer that may lack it.
    Optional,
    Parameter,
}

struct KnownName {
    name: String,
    slot: Slot,
    kind: ValueKind,
    line: usize,
    used: bool,
    /// What messages about problems call it.
    what: &'static str,
}

pub(super) struct Scope<'a> {
    problems: &'a Problems<'a>,
    known: Vec<KnownName>,
    /// The name of every slot that was given out.
    pub(super) names: Vec<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(problems: &'a Problems<'a>) -> Scope<'a> {
        let mut scope = Scope { problems, known: Vec::new(), names: Vec::new() };
        for (name, _) in BUILT_IN {
            scope.add(name, ValueKind::Single, 0, "");
            scope.known.last_mut().expect("just added").used = true;
        }
        scope
    }

    pub(super) fn add(&mut self, name: &str, kind: ValueKind, line: usize, what: &'static str) -> Slot {
        if BUILT_IN.iter().any(|(taken, _)| *taken == name) && line > 0 {
            self.problems.add(line, format!("\"{name}\" has a meaning of its own; choose another name"));
        }
        if name.contains(['{', '}']) || name.is_empty() {
            self.problems.add(line, format!("\"{name}\" is no name"));
        }
        let slot = self.names.len();
        self.names.push(name.to_owned());
        self.known.push(KnownName { name: name.to_owned(), slot, kind, line, used: false, what });
        slot
    }

    /// Declares a value that is taken from an answer. If a parameter has this name, the value replaces the parameter's, also in later loops
    /// of that user.
    pub(super) fn assign(&mut self, name: &str, line: usize) -> Slot {
        match self.known.iter_mut().rev().find(|known| known.name == name) {
            Some(known) if known.kind == ValueKind::Parameter => {
                known.used = true;
                known.slot
            }
            _ => self.add(name, ValueKind::Single, line, "the value"),
        }
    }

    /// Starts a scope. Values that are declared from now on are forgotten when `leave` is called with the returned number.
    pub(super) fn enter(&self) -> usize {
        self.known.len()
    }

    /// Ends a scope and forgets its values. A value that was never used is a problem.
    pub(super) fn leave(&mut self, entered: usize) {
        for name in self.known.drain(entered..).filter(|name| !name.used) {
            self.problems.add(name.line, format!("{} \"{}\" is never used", name.what, name.name));
        }
    }

    /// The slot of a name of which a single value is expected.
    pub(super) fn single_value(&mut self, name: &str, line: usize) -> Slot {
        let Some(found) = self.find(name, line) else { return 0 };
        match found.1 {
            ValueKind::Single | ValueKind::Parameter => {}
            ValueKind::List => self.problems.add(
                line,
                format!("\"{name}\" is a list; loop over it with {{ for = \"...\", in = \"{name}\" }}"),
            ),
            ValueKind::Optional => self.problems.add(
                line,
                format!(
                    "\"{name}\" may be missing; write if = \"{name}\" in this step, or take it, not maybe"
                ),
            ),
        }
        found.0
    }

    pub(super) fn list_value(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind != ValueKind::List {
            self.problems
                .add(line, format!("\"{name}\" is one value; a list is taken with a path that has [*]"));
        }
        slot
    }

    /// The slot of an optional value on which an `if` depends. Within that `if` the value counts as present.
    pub(super) fn checked_optional(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind != ValueKind::Optional {
            self.problems
                .add(line, format!("\"{name}\" is always there; if is for what maybe was written for"));
        }
        self.known.push(KnownName {
            name: name.to_owned(),
            slot,
            kind: ValueKind::Single,
            line,
            used: true,
            what: "",
        });
        slot
    }

    /// The slot of a value whose text an `if` compares.
    pub(super) fn compared_value(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind == ValueKind::List {
            self.problems.add(line, format!("\"{name}\" is a list; is and not compare one value"));
        }
        slot
    }

    fn find(&mut self, name: &str, line: usize) -> Option<(Slot, ValueKind)> {
        if let Some(known) = self.known.iter_mut().rev().find(|known| known.name == name) {
            known.used = true;
            return Some((known.slot, known.kind));
        }
        let known: Vec<&str> = self.known.iter().map(|known| known.name.as_str()).collect();
        self.problems.add(
            line,
            format!("there is no value \"{name}\" here; {}", suggestion(name, known.iter().copied())),
        );
        None
    }

    pub(super) fn template(&mut self, text: &str, line: usize) -> Template<Slot> {
        match Template::parse(text) {
            Ok(template) => template.map(|name| self.single_value(&name, line)),
            Err(problem) => {
                self.problems.add(line, problem);
                Template(Vec::new())
            }
        }
    }

    /// `"{per-request}"`: a parameter alone.
    pub(super) fn amount(&mut self, text: &str, line: usize) -> Amount {
        let name = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let found = name.and_then(|name| self.find(name, line));
        match (name, found) {
            (Some(_), Some((slot, ValueKind::Parameter))) => return Amount::Parameter(slot),
            (Some(_), None) => {}
            _ => self.problems.add(
                line,
                format!(
                    "a whole number or a parameter such as \"{{per-request}}\" is expected, not \"{text}\""
                ),
            ),
        }
        Amount::Fixed(0)
    }
}
