//! Maps JMeter's variables to values of a workflow: which values are known at a place, their names in the workflow, and which are used.
//!
//! In JMeter a variable belongs to a user, keeps its value from loop to loop, and is the text `${name}` until a value is first assigned. A
//! value that is used before it is taken therefore becomes a parameter with that text, and a value that is taken later replaces the
//! parameter's value.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use crate::workflow::BUILT_IN;

use super::csv::Csv;
use super::plan::Element;
use super::text::{closing_brace, escape_braces, resolve_default};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A value that is taken from an answer or set by a script, by its number among all such values.
    Taken(usize),
    List(usize),
    Loop,
}

pub(super) type FileLookup = dyn Fn(&str) -> Option<String>;

pub(super) struct Names {
    pub(super) csv: Vec<Csv>,
    /// The plan's own variables with their values.
    variables: Vec<(String, String)>,
    pub(super) parameters: Vec<(String, String)>,
    /// Differences from the plan that do not change its calls, with the plan's line.
    pub(super) notes: Vec<(usize, String)>,
    /// Parts of the plan that a workflow cannot express or that need a missing file, with the plan's line.
    pub(super) missing: Vec<(usize, String)>,
    known_values: Vec<(String, Origin)>,
    taken_count: usize,
    used_values: BTreeSet<usize>,
    /// Variables that were taken in a branch that not every loop enters, and how many values had been taken by the end of that branch.
    taken_in_branches: BTreeMap<String, usize>,
    /// Variables that are used before anything assigns them, with the line of the first use.
    unset_variables: BTreeMap<String, usize>,
    /// Variables that an untranslated element of the plan would assign: the element's line and its description.
    pub(super) unread_sources: BTreeMap<String, (usize, String)>,
    /// Variables that a script sets at random: the possible texts, each with its share in per cent.
    pub(super) drawn_texts: BTreeMap<String, Vec<(String, f64)>>,
    pub(super) read_file: Box<FileLookup>,
}

impl Names {
    pub(super) fn new(files: Box<FileLookup>) -> Names {
        Names {
            csv: Vec::new(),
            variables: Vec::new(),
            parameters: Vec::new(),
            notes: Vec::new(),
            missing: Vec::new(),
            known_values: Vec::new(),
            taken_count: 0,
            used_values: BTreeSet::new(),
            taken_in_branches: BTreeMap::new(),
            unset_variables: BTreeMap::new(),
            unread_sources: BTreeMap::new(),
            drawn_texts: BTreeMap::new(),
            read_file: files,
        }
    }

    pub(super) fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push((line, text.into()));
    }

    pub(super) fn note_element(&mut self, element: &Element<'_>, text: impl Display) {
        self.note(element.line, format!("{}: {text}", element.description()));
    }

    /// Notes that a part of an element is missing. The note names the element.
    pub(super) fn note_missing_part(&mut self, element: &Element<'_>, text: impl Display) {
        self.note_missing(element.line, format!("{}: {text}", element.description()));
    }

    pub(super) fn note_missing(&mut self, line: usize, text: impl Into<String>) {
        self.missing.push((line, text.into()));
    }

    /// Declares a value that is taken from an answer or script. `is_used` tells by its number later whether it was used.
    pub(super) fn add_taken(&mut self, name: &str, many: bool) -> usize {
        let number = self.taken_count;
        self.taken_count += 1;
        self.add_known(name, if many { Origin::List(number) } else { Origin::Taken(number) });
        number
    }

    pub(super) fn add_known(&mut self, name: &str, from: Origin) {
        self.known_values.push((name.to_owned(), from));
    }

    pub(super) fn enter_scope(&self) -> usize {
        self.known_values.len()
    }

    /// Forgets what was taken since `enter` was called.
    pub(super) fn leave_scope(&mut self, entered: usize) {
        for (name, from) in self.known_values.drain(entered..) {
            if matches!(from, Origin::Taken(_)) {
                self.taken_in_branches.insert(name, self.taken_count);
            }
        }
    }

    /// Whether a list of this name is known. It counts as used from now on.
    pub(super) fn use_list(&mut self, name: &str) -> bool {
        let Some(Origin::List(number)) = self.find(name) else { return false };
        self.used_values.insert(number);
        true
    }

    fn find(&self, name: &str) -> Option<Origin> {
        self.known_values.iter().rev().find(|(known, _)| known == name).map(|(_, from)| *from)
    }

    /// Whether a taken value is used. A workflow must not take a value that it does not use.
    pub(super) fn is_used(&self, number: usize, name: &str) -> bool {
        self.used_values.contains(&number)
            || self.parameters.iter().any(|(known, _)| known == workflow_name(name))
    }

    /// Text with `${names}` and functions, as a workflow writes it.
    pub(super) fn translate_text(&mut self, text: &str, line: usize) -> String {
        replace_in_text(text, escape_braces, |name| self.translate_reference(name.trim(), line))
    }

    fn translate_reference(&mut self, name: &str, line: usize) -> String {
        if let Some(function) = name.strip_prefix("__") {
            return self.translate_function(function, name, line);
        }
        format!("{{{}}}", self.use_variable(name, line))
    }

    /// Returns the name that a variable has in the workflow, and makes sure that the workflow has a value of that name.
    pub(super) fn use_variable(&mut self, name: &str, line: usize) -> String {
        match self.find(name) {
            Some(Origin::Taken(number)) => {
                self.used_values.insert(number);
                if self.taken_in_branches.get(name).is_some_and(|later| number < *later) {
                    self.add_parameter(name, &self.initial_value(name));
                }
                return workflow_name(name).to_owned();
            }
            Some(Origin::Loop) => return workflow_name(name).to_owned(),
            Some(Origin::List(_)) | None => {}
        }
        for csv in self.csv.iter_mut().rev() {
            if csv.columns.iter().any(|column| column == name) {
                csv.used_columns.insert(name.to_owned());
                return format!("{}.{name}", csv.feeder);
            }
        }
        if self.constant_value(name).is_none() {
            self.unset_variables.entry(name.to_owned()).or_insert(line);
        }
        self.add_parameter(name, &self.initial_value(name));
        workflow_name(name).to_owned()
    }

    /// The value of a variable before the plan assigns it.
    fn initial_value(&self, name: &str) -> String {
        self.constant_value(name).unwrap_or_else(|| format!("${{{name}}}"))
    }

    /// Notes, at the end of the import, each variable that is used before it is assigned. `given` are the names of all variables that some
    /// step assigns.
    pub(super) fn note_unset_variables(&mut self, given: &BTreeSet<String>) {
        for (name, line) in std::mem::take(&mut self.unset_variables) {
            let whole = format!("${{{name}}}");
            if self.note_unread_source(&name, &whole, line) {
                continue;
            }
            let told = match given.contains(workflow_name(&name)) {
                true => " is sent as it stands until it is first taken, as JMeter does",
                false => ": nothing gives it a value; it is a parameter, sent as it stands, as JMeter does",
            };
            self.note(line, whole + told);
        }
    }

    /// If only an untranslated element would assign the variable, notes that as missing and returns true.
    pub(super) fn note_unread_source(&mut self, name: &str, whole: &str, line: usize) -> bool {
        let Some((at, what)) = self.unread_sources.get(name) else { return false };
        let told = format!("{whole}: nothing that could be read gives it a value; line {at} would: {what}");
        self.note_missing(line, told);
        true
    }

    /// The value that the plan declares for a variable, if it is a constant text. A property with a default counts as its default.
    pub(super) fn constant_value(&self, name: &str) -> Option<String> {
        let (_, value) = self.variables.iter().rev().find(|(known, _)| known == name)?;
        let value = resolve_default(value);
        (!value.contains("${")).then_some(value)
    }

    pub(super) fn add_parameter(&mut self, name: &str, value: &str) {
        let name = workflow_name(name);
        if !self.parameters.iter().any(|(known, _)| known == name) {
            self.parameters.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Parses a number that may be written by variables and properties. A text such as `3000 + ${offset}` is no number, as in JMeter.
    pub(super) fn parse_number(&self, text: &str) -> Option<f64> {
        self.resolve_text(text).trim().parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Replaces variables and properties in a text, such as a file name or a number.
    pub(super) fn resolve_text(&self, text: &str) -> String {
        self.replace_references(text, |_| String::new())
    }

    /// The name of a call in reports: what varies stands in braces, as in `/users/{id}`.
    pub(super) fn call_label(&self, text: &str) -> String {
        self.replace_references(text, |name| {
            let end = name.find('(').unwrap_or(name.len());
            format!("{{{}}}", name[..end].trim_start_matches("__"))
        })
    }

    fn replace_references(&self, text: &str, unknown: impl Fn(&str) -> String) -> String {
        replace_in_text(text, str::to_owned, |name| {
            let whole = format!("${{{name}}}");
            let value = match name.starts_with("__") {
                true => Some(resolve_default(&whole)).filter(|value| *value != whole),
                false => self.constant_value(name).filter(|value| !value.is_empty()),
            };
            value.unwrap_or_else(|| unknown(name))
        })
    }

    pub(super) fn declare_variables(&mut self, element: &Element<'_>) {
        for part in element.parts("Arguments.arguments") {
            self.variables
                .push((part.text("Argument.name").to_owned(), part.text("Argument.value").to_owned()));
        }
    }
}

/// Replaces each `${name}` of a text by the result of `value`, and the text between them by the result of `plain`.
fn replace_in_text(
    text: &str,
    plain: impl Fn(&str) -> String,
    mut value: impl FnMut(&str) -> String,
) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some((before, inner)) = rest.split_once("${") {
        let end = closing_brace(inner);
        done += &plain(before);
        done += &value(&inner[..end]);
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    done + &plain(rest)
}

/// The name of a variable in the workflow. A name that is built into workflows gets another one.
pub(super) fn workflow_name(name: &str) -> &str {
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
        names.add_taken("loan", false);
        let told = names.translate_text(
            "{\"a\": \"${loan}\", \"n\": ${size}, \"id\": \"${__UUID()}\", \"x\": \"${gone}\"}",
            7,
        );
        assert_eq!(told, "{{\"a\": \"{loan}\", \"n\": {size}, \"id\": \"{new-id}\", \"x\": \"{gone}\"}}");
        // As JMeter sends what nothing gives a value.
        assert_eq!(names.parameters, [("size".into(), "50".into()), ("gone".into(), "${gone}".into())]);
        assert!(names.is_used(0, "loan"));
        names.note_unset_variables(&BTreeSet::new());
        assert!(names.notes[0].0 == 7 && names.notes[0].1.starts_with("${gone}"), "{:?}", names.notes);
    }

    #[test]
    fn numbers_may_be_variables_and_a_sum_is_none() {
        let mut names = names();
        names.variables.push(("offset".to_owned(), "200".to_owned()));
        assert_eq!(names.parse_number("${offset}"), Some(200.0));
        assert_eq!(names.parse_number("${__P(RAMP,10)}"), Some(10.0));
        assert_eq!(names.parse_number("${__property(RAMP,,10)}"), Some(10.0));
        // JMeter puts the variable's value in its place and reads "3000 + 200".
        assert_eq!(names.parse_number("3000 + ${offset}"), None);
        assert_eq!(names.parse_number("${other}"), None);
    }

    #[test]
    fn files_are_sent_as_they_are_and_labels_keep_what_varies_in_braces() {
        let mut names = names();
        names.variables.push(("base".to_owned(), "/data".to_owned()));
        assert_eq!(names.translate_text("[${__FileToString(${base}/ids.csv,,)}]", 1), "[\"a\",\n\"b\"]");
        assert!(names.missing.is_empty(), "{:?}", names.missing);
        assert_eq!(
            names.call_label("GET_rtac/${instance} of ${base} ${__UUID()}"),
            "GET_rtac/{instance} of /data {UUID}"
        );
    }

    #[test]
    fn what_is_taken_in_a_branch_is_kept_for_what_follows_it() {
        let mut names = names();
        let before = names.add_taken("item", false);
        let entered = names.enter_scope();
        let inside = names.add_taken("item", false);
        names.leave_scope(entered);
        assert_eq!(names.translate_text("${item}", 3), "{item}");
        assert!(names.is_used(before, "item") && names.is_used(inside, "item"));
        assert_eq!(names.parameters, [("item".to_owned(), "${item}".to_owned())]);
    }
}
