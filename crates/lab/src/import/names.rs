//! JMeter's variables as a workflow's values: which are known at a place, what they are called here, and which were used.

use std::collections::BTreeSet;

use super::plan::Element;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// An answer: which extraction, by its number.
    Taken(usize),
    /// The same, of an answer that may lack it.
    Maybe(usize),
    /// A list of an answer.
    List(usize),
    /// A loop, or an `if` that has asked for it.
    Sure,
}

pub(super) struct Csv {
    pub(super) feeder: String,
    pub(super) file: String,
    pub(super) delimiter: char,
    /// Names of its columns; those of the first line, if it has none.
    pub(super) columns: Vec<String>,
    pub(super) has_head: bool,
    pub(super) once: bool,
    pub(super) used: BTreeSet<String>,
    pub(super) line: usize,
}

#[derive(Default)]
pub(super) struct Names {
    pub(super) csv: Vec<Csv>,
    /// The plan's own variables with their values.
    pub(super) variables: Vec<(String, String)>,
    /// Those that became parameters.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) notes: Vec<(usize, String)>,
    known: Vec<(String, Origin)>,
    pub(super) taken: usize,
    pub(super) used: BTreeSet<usize>,
    /// Values that may be missing, and stand in what was just read.
    pub(super) unsure: Vec<String>,
}

impl Names {
    pub(super) fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push((line, text.into()));
    }

    pub(super) fn add(&mut self, name: &str, from: Origin) {
        self.known.push((name.to_owned(), from));
    }

    pub(super) fn enter(&self) -> usize {
        self.known.len()
    }

    pub(super) fn leave(&mut self, entered: usize) {
        self.known.truncate(entered);
    }

    pub(super) fn find(&self, name: &str) -> Option<Origin> {
        self.known.iter().rev().find(|(known, _)| known == name).map(|(_, from)| *from)
    }

    /// Text with `${names}` and functions, as a workflow writes it.
    pub(super) fn text(&mut self, text: &str, line: usize) -> String {
        let (mut done, mut rest) = (String::new(), text);
        while let Some(at) = rest.find("${") {
            done.push_str(&doubled(&rest[..at]));
            let inner = &rest[at + 2..];
            let end = closing(inner);
            let (name, after) = (&inner[..end], inner.get(end + 1..).unwrap_or_default());
            done.push_str(&self.value(name.trim(), line));
            rest = after;
        }
        done + &doubled(rest)
    }

    fn value(&mut self, name: &str, line: usize) -> String {
        if let Some(function) = name.strip_prefix("__") {
            return self.function(function, name, line);
        }
        match self.find(name) {
            Some(Origin::Taken(number)) => {
                self.used.insert(number);
                return format!("{{{name}}}");
            }
            Some(Origin::Maybe(number)) => {
                self.used.insert(number);
                self.unsure.push(name.to_owned());
                return format!("{{{name}}}");
            }
            Some(Origin::Sure) => return format!("{{{name}}}"),
            Some(Origin::List(_)) | None => {}
        }
        for csv in self.csv.iter_mut().rev() {
            if csv.columns.iter().any(|column| column == name) {
                csv.used.insert(name.to_owned());
                return format!("{{{}.{name}}}", csv.feeder);
            }
        }
        if let Some(value) = self.constant(name) {
            return self.parameter(name, &value);
        }
        self.note(
            line,
            format!("${{{name}}}: nothing that could be read gives it a value; it is a parameter to fill in"),
        );
        self.parameter(name, "")
    }

    /// The value of a variable of the plan's own, when it is a text without further ones, but for properties with a default.
    pub(super) fn constant(&self, name: &str) -> Option<String> {
        let (_, value) = self.variables.iter().rev().find(|(known, _)| known == name)?;
        let value = plain(value);
        (!value.contains("${")).then_some(value)
    }

    fn parameter(&mut self, name: &str, value: &str) -> String {
        if !self.parameters.iter().any(|(known, _)| known == name) {
            self.parameters.push((name.to_owned(), value.to_owned()));
        }
        format!("{{{name}}}")
    }

    fn function(&mut self, function: &str, whole: &str, line: usize) -> String {
        let (name, arguments) = function.split_once('(').unwrap_or((function, ""));
        match name {
            "UUID" => "{new-id}".to_owned(),
            "time" | "timeShift" => {
                if name == "timeShift" {
                    self.note(line, format!("${{{whole}}}: it is the time of the call, unshifted"));
                }
                "{now}".to_owned()
            }
            "threadNum" => "{user}".to_owned(),
            "P" | "property" => {
                let arguments = arguments.trim_end_matches(')');
                let mut parts = arguments.split(',').map(str::trim);
                let property = parts.next().unwrap_or_default();
                let default = if name == "P" { parts.next() } else { parts.nth(1) };
                self.parameter(property, default.unwrap_or_default())
            }
            _ => {
                self.note(
                    line,
                    format!("${{{whole}}}: this function was not read; it is a parameter to fill in"),
                );
                self.parameter(name, "")
            }
        }
    }

    /// A number that may stand in variables and properties; `3000 + ${offset}` is one, too.
    pub(super) fn number(&self, text: &str) -> Option<f64> {
        text.split('+').map(|term| self.term(term.trim())).sum()
    }

    fn term(&self, text: &str) -> Option<f64> {
        let name = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
        let value = match name {
            Some(name) if !name.starts_with("__") => self.constant(name)?,
            _ => plain(text),
        };
        value.trim().parse().ok()
    }

    /// The same for texts: names of files.
    pub(super) fn resolved(&self, text: &str) -> String {
        let (mut done, mut rest) = (String::new(), text);
        while let Some(at) = rest.find("${") {
            done.push_str(&rest[..at]);
            let inner = &rest[at + 2..];
            let end = closing(inner);
            let name = &inner[..end];
            let value = if name.starts_with("__") {
                plain(&format!("${{{name}}}"))
            } else {
                self.constant(name).unwrap_or_default()
            };
            done.push_str(&value);
            rest = inner.get(end + 1..).unwrap_or_default();
        }
        done + rest
    }

    pub(super) fn declare(&mut self, element: &Element<'_>) {
        for part in element.parts("Arguments.arguments") {
            self.variables
                .push((part.text("Argument.name").to_owned(), part.text("Argument.value").to_owned()));
        }
    }
}

/// `${__P(VUSERS,8)}` is `8`.
fn plain(text: &str) -> String {
    let Some(call) = text.trim().strip_prefix("${__P(").and_then(|text| text.strip_suffix(")}")) else {
        return text.to_owned();
    };
    call.split_once(',').map_or("", |(_, default)| default).trim().to_owned()
}

/// Where the brace is that ends a name; functions may have braces of their own.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_values_and_braces_stay_themselves() {
        let mut names = Names::default();
        names.variables.push(("size".to_owned(), "${__P(SIZE,50)}".to_owned()));
        names.add("loan", Origin::Taken(0));
        let told = names
            .text("{\"a\": \"${loan}\", \"n\": ${size}, \"id\": \"${__UUID()}\", \"x\": \"${gone}\"}", 7);
        assert_eq!(told, "{{\"a\": \"{loan}\", \"n\": {size}, \"id\": \"{new-id}\", \"x\": \"{gone}\"}}");
        assert_eq!(names.parameters, [("size".into(), "50".into()), ("gone".into(), String::new())]);
        assert!(names.used.contains(&0));
        assert!(names.notes[0].0 == 7 && names.notes[0].1.starts_with("${gone}"), "{:?}", names.notes);
    }

    #[test]
    fn numbers_may_be_sums_of_variables() {
        let mut names = Names::default();
        names.variables.push(("offset".to_owned(), "200".to_owned()));
        assert_eq!(names.number("3000 + ${offset}"), Some(3200.0));
        assert_eq!(names.number("${__P(RAMP,10)}"), Some(10.0));
        assert_eq!(names.number("${other}"), None);
    }
}
