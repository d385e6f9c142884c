//! Reads the filter condition of a PostgreSQL plan, and proposes the columns of an index that would serve it.

use crate::brackets::{split_outside_brackets, strip_brackets};

/// The columns or expressions of an index in the order of its definition: first those that are compared for equality, then one with a range
/// or a prefix. None if no part of the condition compares a column of the table with a value that is known before the scan.
pub(super) fn index_columns(filter: &str, alias: &str) -> Option<Vec<String>> {
    let (mut equal, mut last) = (Vec::new(), None);
    for part in split_outside_brackets(strip_brackets(filter), " AND ") {
        let Some((expression, operator)) = parse_comparison(part, alias) else { continue };
        let column = index_column(&expression);
        match operator {
            "=" if !equal.contains(&column) => equal.push(column),
            "<" | ">" | "<=" | ">=" => last = last.or(Some(column)),
            "~~" => last = last.or_else(|| Some(format!("{column} text_pattern_ops"))),
            _ => {}
        }
    }
    equal.extend(last);
    (!equal.is_empty()).then_some(equal)
}

/// Parses a comparison such as `loan.item_id = $1`. Returns the side that belongs to the table (without its alias), and the operator as
/// seen from that side.
fn parse_comparison(part: &str, alias: &str) -> Option<(String, &'static str)> {
    let part = strip_brackets(part);
    for operator in [" = ANY ", " >= ", " <= ", " <> ", " = ", " < ", " > ", " ~~ "] {
        let sides = split_outside_brackets(part, operator);
        let [left, right] = sides[..] else { continue };
        let of = format!("{alias}.");
        let (is_left, is_right) = (mentions_alias(left, &of), mentions_alias(right, &of));
        let (side, turned) = match (is_left, is_right) {
            (true, false) => (left, false),
            (false, true) => (right, true),
            _ => return None,
        };
        // An expression that depends on what is asked for cannot be kept in an index.
        if side.contains('$') {
            return None;
        }
        let operator = match (operator.trim(), turned) {
            ("= ANY", false) | ("=", _) => "=",
            ("<", false) | (">", true) => "<",
            (">", false) | ("<", true) => ">",
            ("<=", false) | (">=", true) => "<=",
            (">=", false) | ("<=", true) => ">=",
            ("~~", false) => "~~",
            _ => return None,
        };
        return Some((side.replace(&of, ""), operator));
    }
    None
}

/// How an index definition writes an expression: a column by its name (also if it is only cast to text), any other expression in brackets.
fn index_column(expression: &str) -> String {
    let expression = strip_brackets(expression);
    let is_name = |text: &str| {
        let quoted = text.len() > 2 && text.starts_with('"') && text.ends_with('"');
        quoted || text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some((inner, "text")) = expression.rsplit_once("::")
        && is_name(strip_brackets(inner))
    {
        return strip_brackets(inner).to_owned();
    }
    if is_name(expression) { expression.to_owned() } else { format!("({expression})") }
}

/// Whether the text contains `alias.` as a word of its own, not as the end of a longer name.
fn mentions_alias(text: &str, of: &str) -> bool {
    text.match_indices(of).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_follows_from_the_condition() {
        for (filter, expected) in [
            ("(t.item_id = $1)", Some(vec!["item_id"])),
            ("((t.barcode)::text = $1)", Some(vec!["barcode"])),
            ("((t.user_id = $1) AND (t.status = 'Open'::text))", Some(vec!["user_id", "status"])),
            ("((t.due > $2) AND (t.user_id = ANY ($1)))", Some(vec!["user_id", "due"])),
            ("($1 < t.due)", Some(vec!["due"])),
            ("((t.doc ->> 'name'::text) = $1)", Some(vec!["(doc ->> 'name'::text)"])),
            ("(lower(t.name) ~~ $1)", Some(vec!["(lower(name)) text_pattern_ops"])),
            ("((t.name = 'a AND b'::text) AND (t.a = t.b))", Some(vec!["name"])),
            ("(t.\"Group\" = $1)", Some(vec!["\"Group\""])),
            ("((t.a = $1) OR (t.b = $1))", None),
            ("(at.a = $1)", None),
            ("(t.a <> $1)", None),
            ("(t.a IS NOT NULL)", None),
            ("((t.a + $2) = $1)", None),
        ] {
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(index_columns(filter, "t"), expected, "{filter}");
        }
    }
}
