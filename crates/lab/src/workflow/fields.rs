//! Keys that feeders and steps have in common: amounts and paths.

use crate::files::Reader;

use super::scope::Scope;
use super::{Amount, JsonPath};

/// A whole number, or a parameter's name in braces.
pub(super) fn amount(table: Reader<'_>, name: &str, default: u64, scope: &mut Scope<'_>) -> Amount {
    match table.value(name).map(|value| value.get_ref().as_str()) {
        None => Amount::Fixed(default),
        Some(Some(text)) => scope.amount(text, table.line_of(name)),
        Some(None) => Amount::Fixed(table.count(name).unwrap_or(default)),
    }
}

pub(super) fn path(table: Reader<'_>, name: &str, many: bool) -> Option<JsonPath> {
    let line = table.line_of(name);
    match JsonPath::parse(table.text(name)?) {
        Ok(path) if path.is_many() == many => Some(path),
        Ok(_) if many => {
            table.problems.add(line, format!("{name} must be a path to many, with [*]"));
            None
        }
        Ok(_) => {
            table.problems.add(line, format!("{name} must be a path to one value, without [*]"));
            None
        }
        Err(problem) => {
            table.problems.add(line, problem);
            None
        }
    }
}
