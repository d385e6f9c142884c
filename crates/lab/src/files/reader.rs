//! Reads one table of a TOML file by names and types of values. A missing, unknown or mistyped value is recorded as a problem, and reading
//! continues.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Problems, suggestion};

type Value<'a> = Spanned<DeValue<'a>>;

#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    table: &'a DeTable<'a>,
    pub(crate) line: usize,
    pub(crate) problems: &'a Problems<'a>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(table: &'a Spanned<DeTable<'a>>, problems: &'a Problems<'a>) -> Reader<'a> {
        Reader { table: table.get_ref(), line: problems.line_number(table.span().start), problems }
    }

    pub(crate) fn from_value(value: &'a Value<'a>, problems: &'a Problems<'a>) -> Option<Reader<'a>> {
        let line = problems.line_number(value.span().start);
        let table = value.get_ref().as_table();
        if table.is_none() {
            problems.add(line, format!("a table is expected here, not {}", describe_kind(value)));
        }
        Some(Reader { table: table?, line, problems })
    }

    pub(crate) fn problem(&self, text: impl Into<String>) {
        self.problems.add(self.line, text);
    }

    pub(crate) fn problem_at(&self, name: &str, text: impl Into<String>) {
        self.problems.add(self.line_of(name), text);
    }

    /// Names that are not in the list are problems.
    pub(crate) fn check_keys(&self, known: &[&str]) {
        for key in self.table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let meant = suggestion(key.get_ref(), known.iter().copied());
                let line = self.problems.line_number(key.span().start);
                self.problems.add(line, format!("there is no \"{}\" here; {meant}", key.get_ref()));
            }
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = (&'a str, usize)> + use<'a> {
        let problems = self.problems;
        self.table.keys().map(move |key| (key.get_ref().as_ref(), problems.line_number(key.span().start)))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(crate) fn value(&self, name: &str) -> Option<&'a Value<'a>> {
        self.table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
    }

    pub(crate) fn line_of(&self, name: &str) -> usize {
        self.value(name).map_or(self.line, |value| self.problems.line_number(value.span().start))
    }

    fn wrong_kind<T>(&self, name: &str, expected: &str) -> Option<T> {
        let value = self.value(name)?;
        self.problem_at(name, format!("{name} must be {expected}, not {}", describe_kind(value)));
        None
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        let text = self.value(name)?.get_ref().as_str();
        text.or_else(|| self.wrong_kind(name, "a text in quotes"))
    }

    pub(crate) fn required_text(&self, name: &str) -> Option<&'a str> {
        if !self.has(name) {
            self.problem(format!("\"{name}\" is missing"));
        }
        self.text(name)
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let number = as_number(self.value(name)?.get_ref()).filter(|number| *number >= 0.0);
        number.or_else(|| self.wrong_kind(name, "a number that is not negative"))
    }

    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        let number = self.value(name)?.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        number.or_else(|| self.wrong_kind(name, "a whole number"))
    }

    pub(crate) fn boolean(&self, name: &str) -> Option<bool> {
        let truth = self.value(name)?.get_ref().as_bool();
        truth.or_else(|| self.wrong_kind(name, "true or false"))
    }

    /// `"30 min"`, `"45 s"`, `"24 h"`.
    pub(crate) fn time(&self, name: &str) -> Option<Duration> {
        let time = self.value(name)?.get_ref().as_str().and_then(parse_duration);
        time.or_else(|| self.wrong_kind(name, "a time such as \"30 min\", \"45 s\" or \"24 h\""))
    }

    pub(crate) fn list(&self, name: &str) -> Option<Vec<&'a Value<'a>>> {
        let list = self.value(name)?.get_ref().as_array();
        let list = list.map(|list| list.iter().collect());
        list.or_else(|| self.wrong_kind(name, "a list"))
    }

    pub(crate) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let numbers: Option<Vec<f64>> =
            self.list(name)?.into_iter().map(|value| as_number(value.get_ref())).collect();
        numbers.or_else(|| self.wrong_kind(name, "a list of numbers"))
    }

    pub(crate) fn texts(&self, name: &str) -> Option<Vec<&'a str>> {
        let texts: Option<Vec<&str>> =
            self.list(name)?.into_iter().map(|value| value.get_ref().as_str()).collect();
        texts.or_else(|| self.wrong_kind(name, "a list of texts"))
    }

    /// A range of numbers: one number, or a list of the least and the most.
    pub(crate) fn number_or_range(&self, name: &str) -> Option<(f64, f64)> {
        match as_number(self.value(name)?.get_ref()) {
            Some(number) if number >= 0.0 => Some((number, number)),
            _ => self.range(name),
        }
    }

    /// Two numbers, the first not greater than the second.
    pub(crate) fn range(&self, name: &str) -> Option<(f64, f64)> {
        match self.numbers(name)?.as_slice() {
            [from, to] if from <= to && *from >= 0.0 => Some((*from, *to)),
            _ => self.wrong_kind(name, "[least, most]"),
        }
    }

    pub(crate) fn table(&self, name: &str) -> Option<Reader<'a>> {
        Reader::from_value(self.value(name)?, self.problems)
    }

    pub(crate) fn tables(&self, name: &str) -> Vec<Reader<'a>> {
        let list = self.list(name).unwrap_or_default();
        list.into_iter().filter_map(|value| Reader::from_value(value, self.problems)).collect()
    }
}

fn describe_kind(value: &Value<'_>) -> String {
    match value.get_ref().as_str() {
        Some(text) => format!("the text \"{text}\""),
        None => format!("of type {}", value.get_ref().type_str()),
    }
}

pub(crate) fn as_number(value: &DeValue<'_>) -> Option<f64> {
    let integer = value.as_integer().map(|number| number.as_str().replace('_', ""));
    integer.or_else(|| value.as_float().map(|number| number.as_str().replace('_', "")))?.parse().ok()
}

fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let number: f64 = text[..digits].parse().ok()?;
    let seconds = match text[digits..].trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [("30 min", 1800.0), ("45s", 45.0), ("1.5 h", 5400.0), ("200 ms", 0.2)] {
            assert_eq!(parse_duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["30", "min", "30 days", ""] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
