//! Reads values that both feeders and steps use: amounts and JSON paths.

use crate::files::Reader;

use super::scope::Scope;
use super::{Amount, JsonPath};

/// A whole number, or a parameter's name in braces.
pub(super) fn read_amount(table: Reader<'_>, name: &str, default: u64, scope: &mut Scope<'_>) -> Amount {
    match table.value(name).map(|value| value.get_ref().as_str()) {
        None => Amount::Fixed(default),
        Some(Some(text)) => scope.amount(text, table.line_of(name)),
        Some(None) => Amount::Fixed(table.count(name).unwrap_or(default)),
    }
}

/// A JSON path to one value, or to many.
pub(super) fn read_path(table: Reader<'_>, name: &str, many: bool) -> Option<JsonPath> {
    let problem = match JsonPath::parse(table.text(name)?) {
        Ok(path) if path.is_many() == many => return Some(path),
        Ok(_) if many => format!("{name} must be a path to many, with [*]"),
        Ok(_) => format!("{name} must be a path to one value, without [*]"),
        Err(problem) => problem,
    };
    table.problem_at(name, problem);
    None
}
