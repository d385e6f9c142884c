use octavo_marc::Field;

use super::dates::as_date;
use super::{Expression, MOST_VALUES, Part};
use crate::source::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Missing,
    Text(String),
    List(Vec<String>),
    /// What stands there is taken away.
    Remove,
}

/// How an expression is read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) source: Source<'a>,
    /// The value is a list, whatever there is of it.
    pub(crate) list: bool,
    /// The value is a list if a field gives more than one.
    pub(crate) repeatable: bool,
    /// In the time zone of the tenant.
    pub(crate) today: jiff::civil::Date,
}

impl Expression {
    /// `accepted` gives what stands for a value: the id of a type for its name.
    pub(crate) fn read(&self, reading: Reading<'_>, accepted: &dyn Fn(String) -> String) -> Value {
        for alternative in &self.alternatives {
            match read(alternative, reading, accepted) {
                Value::Missing => {}
                found => return found,
            }
        }
        Value::Missing
    }
}

fn read(parts: &[Part], reading: Reading<'_>, accepted: &dyn Fn(String) -> String) -> Value {
    let mut list: Vec<String> = Vec::new();
    // What is written before the list, or after it and not yet joined to its values.
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
                join(&mut list, &mut text, values);
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

/// Values of another field: one to each that is there if there are as many, or else after them.
fn join(list: &mut Vec<String>, text: &mut String, values: Vec<String>) {
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
        Part::Field { tag, code } => of_fields(source, tag, *code),
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

fn of_fields(source: Source<'_>, tag: &str, code: Option<char>) -> Vec<String> {
    let (mut fields, mut values) = (0, Vec::new());
    for field in source.fields(tag) {
        fields += 1;
        match field {
            Field::Control { value, .. } => values.push(value.clone()),
            Field::Data { subfields, .. } => {
                let with_code = subfields.iter().filter(|subfield| Some(subfield.code) == code);
                values.extend(with_code.map(|subfield| as_date(&subfield.value)));
            }
        }
        if values.len() >= MOST_VALUES {
            values.truncate(MOST_VALUES);
            break;
        }
    }
    // A value that every field repeats counts once, but values stay in step with their fields.
    let mut distinct: Vec<String> = Vec::new();
    for value in &values {
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    if distinct.len() > 1 && distinct.len() != fields { values } else { distinct }
}
