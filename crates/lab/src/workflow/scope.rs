//! Which names are known at a place of a workflow, and whether they are used.

use crate::files::{Problems, or_one_of};

use super::{Amount, BUILT_IN, Slot, Template};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    One,
    Many,
    /// Taken from an answer that may lack it.
    Maybe,
    Parameter,
}

struct Name {
    name: String,
    slot: Slot,
    kind: Kind,
    line: usize,
    used: bool,
    /// What messages about problems call it.
    what: &'static str,
}

pub(super) struct Scope<'a> {
    problems: &'a Problems<'a>,
    known: Vec<Name>,
    /// The name of every slot that was given out.
    pub(super) names: Vec<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(problems: &'a Problems<'a>) -> Scope<'a> {
        let mut scope = Scope { problems, known: Vec::new(), names: Vec::new() };
        for (name, _) in BUILT_IN {
            scope.add(name, Kind::One, 0, "");
            scope.known.last_mut().expect("just added").used = true;
        }
        scope
    }

    pub(super) fn add(&mut self, name: &str, kind: Kind, line: usize, what: &'static str) -> Slot {
        if BUILT_IN.iter().any(|(taken, _)| *taken == name) && line > 0 {
            self.problems.add(line, format!("\"{name}\" has a meaning of its own; choose another name"));
        }
        if name.contains(['{', '}']) || name.is_empty() {
            self.problems.add(line, format!("\"{name}\" is no name"));
        }
        let slot = self.names.len();
        self.names.push(name.to_owned());
        self.known.push(Name { name: name.to_owned(), slot, kind, line, used: false, what });
        slot
    }

    /// A value that is taken: under the name of a parameter it takes the parameter's place, also in later loops of that user.
    pub(super) fn put(&mut self, name: &str, line: usize) -> Slot {
        match self.known.iter_mut().rev().find(|known| known.name == name) {
            Some(known) if known.kind == Kind::Parameter => {
                known.used = true;
                known.slot
            }
            _ => self.add(name, Kind::One, line, "the value"),
        }
    }

    /// Values that are taken from now on are forgotten when `leave` is called with the returned number.
    pub(super) fn enter(&self) -> usize {
        self.known.len()
    }

    /// Forgets values that were taken since `enter`; one that was never used is a problem.
    pub(super) fn leave(&mut self, entered: usize) {
        for name in self.known.drain(entered..).filter(|name| !name.used) {
            self.problems.add(name.line, format!("{} \"{}\" is never used", name.what, name.name));
        }
    }

    /// The value of a name where one value is wanted.
    pub(super) fn one(&mut self, name: &str, line: usize) -> Slot {
        let Some(found) = self.find(name, line) else { return 0 };
        match found.1 {
            Kind::One | Kind::Parameter => {}
            Kind::Many => self.problems.add(
                line,
                format!("\"{name}\" is a list; loop over it with {{ for = \"...\", in = \"{name}\" }}"),
            ),
            Kind::Maybe => self.problems.add(
                line,
                format!(
                    "\"{name}\" may be missing; write if = \"{name}\" in this step, or take it, not maybe"
                ),
            ),
        }
        found.0
    }

    pub(super) fn many(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind != Kind::Many {
            self.problems
                .add(line, format!("\"{name}\" is one value; a list is taken with a path that has [*]"));
        }
        slot
    }

    /// A name that an `if` asks for, and that is sure to be there inside of it.
    pub(super) fn sure(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind != Kind::Maybe {
            self.problems
                .add(line, format!("\"{name}\" is always there; if is for what maybe was written for"));
        }
        self.known.push(Name { name: name.to_owned(), slot, kind: Kind::One, line, used: true, what: "" });
        slot
    }

    /// A name whose text an `if` compares.
    pub(super) fn compared(&mut self, name: &str, line: usize) -> Slot {
        let Some((slot, kind)) = self.find(name, line) else { return 0 };
        if kind == Kind::Many {
            self.problems.add(line, format!("\"{name}\" is a list; is and not compare one value"));
        }
        slot
    }

    fn find(&mut self, name: &str, line: usize) -> Option<(Slot, Kind)> {
        if let Some(known) = self.known.iter_mut().rev().find(|known| known.name == name) {
            known.used = true;
            return Some((known.slot, known.kind));
        }
        let known: Vec<&str> = self.known.iter().map(|known| known.name.as_str()).collect();
        self.problems.add(
            line,
            format!("there is no value \"{name}\" here; {}", or_one_of(name, known.iter().copied())),
        );
        None
    }

    pub(super) fn template(&mut self, text: &str, line: usize) -> Template<Slot> {
        match Template::parse(text) {
            Ok(template) => template.map(|name| self.one(&name, line)),
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
            (Some(_), Some((slot, Kind::Parameter))) => return Amount::Parameter(slot),
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
