//! JMeter's variables as a workflow's values: which are known at a place, what they are called here, and which were used.
//!
//! In JMeter a variable belongs to a user, lives from loop to loop, and stands as it is written, `${name}`, until it is first
//! given. A value that is used where it was not taken just before therefore becomes a parameter with that text, and what is
//! taken later takes the parameter's place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use crate::workflow::BUILT_IN;

use super::csv::Csv;
use super::plan::Element;
use super::text::{closing, default, doubled};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// An answer or a script: which of all that are taken, by its number.
    Taken(usize),
    List(usize),
    Loop,
}

pub(super) type Files = dyn Fn(&str) -> Option<String>;

pub(super) struct Names {
    pub(super) csv: Vec<Csv>,
    /// The plan's own variables with their values.
    variables: Vec<(String, String)>,
    pub(super) parameters: Vec<(String, String)>,
    /// Differences from the plan that leave its calls as they are, each with its line.
    pub(super) notes: Vec<(usize, String)>,
    /// Parts of the plan that no workflow can do, or that need something which is not there, each with its line.
    pub(super) missing: Vec<(usize, String)>,
    known: Vec<(String, Origin)>,
    taken: usize,
    used: BTreeSet<usize>,
    /// Values that were taken in a part of a loop that not every loop goes through, and how many had been taken by then.
    inner: BTreeMap<String, usize>,
    /// Variables that are used where nothing is known of them, with the line.
    wanted: BTreeMap<String, usize>,
    /// Variables that something gives a value that was not read: its line, and what it is.
    pub(super) unread: BTreeMap<String, (usize, String)>,
    /// Variables that scripts draw: their texts, each with its share.
    pub(super) drawn: BTreeMap<String, Vec<(String, f64)>>,
    pub(super) files: Box<Files>,
}

impl Names {
    pub(super) fn new(files: Box<Files>) -> Names {
        Names {
            csv: Vec::new(),
            variables: Vec::new(),
            parameters: Vec::new(),
            notes: Vec::new(),
            missing: Vec::new(),
            known: Vec::new(),
            taken: 0,
            used: BTreeSet::new(),
            inner: BTreeMap::new(),
            wanted: BTreeMap::new(),
            unread: BTreeMap::new(),
            drawn: BTreeMap::new(),
            files,
        }
    }

    pub(super) fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push((line, text.into()));
    }

    pub(super) fn note_of(&mut self, element: &Element<'_>, text: impl Display) {
        self.note(element.line, format!("{}: {text}", element.called()));
    }

    /// Something of an element that is missing; it names the element.
    pub(super) fn lack_of(&mut self, element: &Element<'_>, text: impl Display) {
        self.lack(element.line, format!("{}: {text}", element.called()));
    }

    pub(super) fn lack(&mut self, line: usize, text: impl Into<String>) {
        self.missing.push((line, text.into()));
    }

    /// A value that is taken from now on; its number says later whether it was used.
    pub(super) fn take(&mut self, name: &str, many: bool) -> usize {
        let number = self.taken;
        self.taken += 1;
        self.add(name, if many { Origin::List(number) } else { Origin::Taken(number) });
        number
    }

    pub(super) fn add(&mut self, name: &str, from: Origin) {
        self.known.push((name.to_owned(), from));
    }

    pub(super) fn enter(&self) -> usize {
        self.known.len()
    }

    /// Forgets what was taken since `enter` was called.
    pub(super) fn leave(&mut self, entered: usize) {
        for (name, from) in self.known.drain(entered..) {
            if matches!(from, Origin::Taken(_)) {
                self.inner.insert(name, self.taken);
            }
        }
    }

    /// Whether there is a list of this name, which counts as used from now on.
    pub(super) fn list(&mut self, name: &str) -> bool {
        let Some(Origin::List(number)) = self.find(name) else { return false };
        self.used.insert(number);
        true
    }

    fn find(&self, name: &str) -> Option<Origin> {
        self.known.iter().rev().find(|(known, _)| known == name).map(|(_, from)| *from)
    }

    /// Whether a value that was taken is used: in a workflow it is a mistake to take one that is not.
    pub(super) fn is_used(&self, number: usize, name: &str) -> bool {
        self.used.contains(&number) || self.parameters.iter().any(|(known, _)| known == called(name))
    }

    /// Text with `${names}` and functions, as a workflow writes it.
    pub(super) fn text(&mut self, text: &str, line: usize) -> String {
        filled(text, doubled, |name| self.value(name.trim(), line))
    }

    fn value(&mut self, name: &str, line: usize) -> String {
        if let Some(function) = name.strip_prefix("__") {
            return self.function(function, name, line);
        }
        format!("{{{}}}", self.place(name, line))
    }

    /// The name of a variable in the workflow, which has a value of this name from then on.
    pub(super) fn place(&mut self, name: &str, line: usize) -> String {
        match self.find(name) {
            Some(Origin::Taken(number)) => {
                self.used.insert(number);
                if self.inner.get(name).is_some_and(|later| number < *later) {
                    self.parameter(name, &self.first(name));
                }
                return called(name).to_owned();
            }
            Some(Origin::Loop) => return called(name).to_owned(),
            Some(Origin::List(_)) | None => {}
        }
        for csv in self.csv.iter_mut().rev() {
            if csv.columns.iter().any(|column| column == name) {
                csv.used.insert(name.to_owned());
                return format!("{}.{name}", csv.feeder);
            }
        }
        if self.constant(name).is_none() {
            self.wanted.entry(name.to_owned()).or_insert(line);
        }
        self.parameter(name, &self.first(name));
        called(name).to_owned()
    }

    /// The value of a variable before anything is put into it.
    fn first(&self, name: &str) -> String {
        self.constant(name).unwrap_or_else(|| format!("${{{name}}}"))
    }

    /// Tells, when all has been read, what has no value, and why. `given` are the names that something gives a value.
    pub(super) fn settle(&mut self, given: &BTreeSet<String>) {
        for (name, line) in std::mem::take(&mut self.wanted) {
            let whole = format!("${{{name}}}");
            if self.lacks_what_gives(&name, &whole, line) {
                continue;
            }
            let told = match given.contains(called(&name)) {
                true => " is sent as it stands until it is first taken, as JMeter does",
                false => ": nothing gives it a value; it is a parameter, sent as it stands, as JMeter does",
            };
            self.note(line, whole + told);
        }
    }

    /// Notes that what gives a variable its value was not read, if that is so.
    pub(super) fn lacks_what_gives(&mut self, name: &str, whole: &str, line: usize) -> bool {
        let Some((at, what)) = self.unread.get(name) else { return false };
        let told = format!("{whole}: nothing that could be read gives it a value; line {at} would: {what}");
        self.lack(line, told);
        true
    }

    /// The value of a variable of the plan's own, when it is a text without further ones, but for properties with a default.
    pub(super) fn constant(&self, name: &str) -> Option<String> {
        let (_, value) = self.variables.iter().rev().find(|(known, _)| known == name)?;
        let value = default(value);
        (!value.contains("${")).then_some(value)
    }

    pub(super) fn parameter(&mut self, name: &str, value: &str) {
        let name = called(name);
        if !self.parameters.iter().any(|(known, _)| known == name) {
            self.parameters.push((name.to_owned(), value.to_owned()));
        }
    }

    /// A number that may stand in variables and properties. What is no number after that, as `3000 + ${offset}`, is none to
    /// JMeter either.
    pub(super) fn number(&self, text: &str) -> Option<f64> {
        self.resolved(text).trim().parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A text that may stand in variables and properties: names of files, numbers.
    pub(super) fn resolved(&self, text: &str) -> String {
        self.replaced(text, |_| String::new())
    }

    /// The name of a call in reports: what varies stands in braces, as in `/users/{id}`.
    pub(super) fn label(&self, text: &str) -> String {
        self.replaced(text, |name| {
            let end = name.find('(').unwrap_or(name.len());
            format!("{{{}}}", name[..end].trim_start_matches("__"))
        })
    }

    fn replaced(&self, text: &str, unknown: impl Fn(&str) -> String) -> String {
        filled(text, str::to_owned, |name| {
            let whole = format!("${{{name}}}");
            let value = match name.starts_with("__") {
                true => Some(default(&whole)).filter(|value| *value != whole),
                false => self.constant(name).filter(|value| !value.is_empty()),
            };
            value.unwrap_or_else(|| unknown(name))
        })
    }

    pub(super) fn declare(&mut self, element: &Element<'_>) {
        for part in element.parts("Arguments.arguments") {
            self.variables
                .push((part.text("Argument.name").to_owned(), part.text("Argument.value").to_owned()));
        }
    }
}

/// A text with values in the places of `${names}`.
fn filled(text: &str, plain: impl Fn(&str) -> String, mut value: impl FnMut(&str) -> String) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some((before, inner)) = rest.split_once("${") {
        let end = closing(inner);
        done += &plain(before);
        done += &value(&inner[..end]);
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    done + &plain(rest)
}

/// A name that means something in every workflow is another one there.
pub(super) fn called(name: &str) -> &str {
    match name {
        "now" => "now-value",
        "new-id" => "new-id-value",
        "user" => "user-value",
        "loop" => "loop-value",
        "server" => "server-value",
        _ => {
            debug_assert!(BUILT_IN.iter().all(|(taken, _)| *taken != name));
            name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(Box::new(|file| (file == "ids.csv").then(|| "\"a\",\n\"b\"".to_owned())))
    }

    #[test]
    fn variables_become_values_and_braces_stay_themselves() {
        let mut names = names();
        names.variables.push(("size".to_owned(), "${__P(SIZE,50)}".to_owned()));
        names.take("loan", false);
        let told = names
            .text("{\"a\": \"${loan}\", \"n\": ${size}, \"id\": \"${__UUID()}\", \"x\": \"${gone}\"}", 7);
        assert_eq!(told, "{{\"a\": \"{loan}\", \"n\": {size}, \"id\": \"{new-id}\", \"x\": \"{gone}\"}}");
        // As JMeter sends what nothing gives a value.
        assert_eq!(names.parameters, [("size".into(), "50".into()), ("gone".into(), "${gone}".into())]);
        assert!(names.is_used(0, "loan"));
        names.settle(&BTreeSet::new());
        assert!(names.notes[0].0 == 7 && names.notes[0].1.starts_with("${gone}"), "{:?}", names.notes);
    }

    #[test]
    fn numbers_may_be_variables_and_a_sum_is_none() {
        let mut names = names();
        names.variables.push(("offset".to_owned(), "200".to_owned()));
        assert_eq!(names.number("${offset}"), Some(200.0));
        assert_eq!(names.number("${__P(RAMP,10)}"), Some(10.0));
        assert_eq!(names.number("${__property(RAMP,,10)}"), Some(10.0));
        // JMeter puts the variable's value in its place and reads "3000 + 200".
        assert_eq!(names.number("3000 + ${offset}"), None);
        assert_eq!(names.number("${other}"), None);
    }

    #[test]
    fn files_are_sent_as_they_are_and_labels_keep_what_varies_in_braces() {
        let mut names = names();
        names.variables.push(("base".to_owned(), "/data".to_owned()));
        assert_eq!(names.text("[${__FileToString(${base}/ids.csv,,)}]", 1), "[\"a\",\n\"b\"]");
        assert!(names.missing.is_empty(), "{:?}", names.missing);
        assert_eq!(
            names.label("GET_rtac/${instance} of ${base} ${__UUID()}"),
            "GET_rtac/{instance} of /data {UUID}"
        );
    }

    #[test]
    fn what_is_taken_in_a_branch_is_kept_for_what_follows_it() {
        let mut names = names();
        let before = names.take("item", false);
        let entered = names.enter();
        let inside = names.take("item", false);
        names.leave(entered);
        assert_eq!(names.text("${item}", 3), "{item}");
        assert!(names.is_used(before, "item") && names.is_used(inside, "item"));
        assert_eq!(names.parameters, [("item".to_owned(), "${item}".to_owned())]);
    }
}
