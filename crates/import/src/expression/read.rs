use octavo_marc::Field;

use super::dates::to_iso_date;
use super::{Expression, MOST_VALUES, Part};
use crate::source::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Missing,
    Text(String),
    List(Vec<String>),
    /// The field of the record is removed.
    Remove,
}

/// The MARC record that an expression is evaluated for, and the form of the result.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) source: Source<'a>,
    /// The result is a list, even if there is only one value.
    pub(crate) list: bool,
    /// The result is a list if the MARC record gives more than one value.
    pub(crate) repeatable: bool,
    /// The current date in the time zone of the tenant.
    pub(crate) today: jiff::civil::Date,
}

impl Expression {
    /// `accepted` replaces each value by what is to be stored: the name of a type by its id.
    pub(crate) fn evaluate(&self, reading: Reading<'_>, accepted: &dyn Fn(String) -> String) -> Value {
        for alternative in &self.alternatives {
            match evaluate_parts(alternative, reading, accepted) {
                Value::Missing => {}
                found => return found,
            }
        }
        Value::Missing
    }
}

fn evaluate_parts(parts: &[Part], reading: Reading<'_>, accepted: &dyn Fn(String) -> String) -> Value {
    let mut list: Vec<String> = Vec::new();
    // The text before the list, or the text after it that is not yet appended to its values.
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Remove => return Value::Remove,
            Part::Today => text.push_str(&reading.today.to_string()),
            Part::Text(constant) => text.push_str(&accepted(constant.clone())),
            Part::Field { .. } | Part::Positions { .. } => {
                let values = values(part, reading.source);
                let several = reading.list || (reading.repeatable && values.len() > 1);
                if !several {
                    text.extend(values.into_iter().next().map(accepted));
                    continue;
                }
                let values: Vec<String> = values.into_iter().map(accepted).collect();
                append_values(&mut list, &mut text, values);
            }
        }
    }
    for value in &mut list {
        value.push_str(&text);
    }
    list.retain(|value| !value.trim().is_empty());
    list.truncate(MOST_VALUES);
    if !list.is_empty() {
        Value::List(list)
    } else if text.trim().is_empty() {
        Value::Missing
    } else if reading.list {
        Value::List(vec![text])
    } else {
        Value::Text(text)
    }
}

/// Adds the values of another field: if the list has as many values, each is appended to the one at its position, else to the end of the
/// list.
fn append_values(list: &mut Vec<String>, text: &mut String, values: Vec<String>) {
    if values.is_empty() {
        return;
    }
    if !list.is_empty() && list.len() == values.len() {
        for (value, more) in list.iter_mut().zip(values) {
            value.push_str(text);
            value.push_str(&more);
        }
        text.clear();
    } else if list.is_empty() {
        list.extend(values.into_iter().map(|value| format!("{text}{value}")));
        text.clear();
    } else {
        list.extend(values);
    }
}

fn values(part: &Part, source: Source<'_>) -> Vec<String> {
    let values = match part {
        Part::Field { tag, code } => values_of_fields(source, tag, *code),
        Part::Positions { tag: None, from, to } => vec![characters(&source.leader(), *from, *to)],
        Part::Positions { tag: Some(tag), from, to } => {
            let first = source.fields(tag).find_map(|field| match field {
                Field::Control { value, .. } => Some(characters(value, *from, *to)),
                Field::Data { .. } => None,
            });
            first.into_iter().collect()
        }
        Part::Text(_) | Part::Today | Part::Remove => Vec::new(),
    };
    values.into_iter().filter(|value| !value.trim().is_empty()).collect()
}

fn characters(text: &str, from: usize, to: usize) -> String {
    text.chars().skip(from).take(to - from).collect()
}

fn values_of_fields(source: Source<'_>, tag: &str, code: Option<char>) -> Vec<String> {
    let (mut fields, mut values) = (0, Vec::new());
    for field in source.fields(tag) {
        fields += 1;
        match field {
            Field::Control { value, .. } => values.push(value.clone()),
            Field::Data { subfields, .. } => {
                let with_code = subfields.iter().filter(|subfield| Some(subfield.code) == code);
                values.extend(with_code.map(|subfield| to_iso_date(&subfield.value)));
            }
        }
        if values.len() >= MOST_VALUES {
            values.truncate(MOST_VALUES);
            break;
        }
    }
    // A value that all fields repeat is taken once. If the values differ, none is left out, so that the nth value stays that of the nth
    // field.
    let mut distinct: Vec<String> = Vec::new();
    for value in &values {
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    if distinct.len() > 1 && distinct.len() != fields { values } else { distinct }
}
