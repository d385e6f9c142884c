//! The condition of a plan's filter, and which index would serve it.

use crate::brackets::{bare, split};

/// The columns or expressions of an index, as its definition has them: what is compared for equality first, and one range
/// or prefix behind. None where no part of the condition compares something of the table with something known before.
pub(super) fn columns(filter: &str, alias: &str) -> Option<Vec<String>> {
    let (mut equal, mut last) = (Vec::new(), None);
    for part in split(bare(filter), " AND ") {
        let Some((expression, operator)) = compared(part, alias) else { continue };
        let column = column(&expression);
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

/// `loan.item_id = $1`: the side that is the table's, without its alias, and the operator as seen from there.
fn compared(part: &str, alias: &str) -> Option<(String, &'static str)> {
    let part = bare(part);
    for operator in [" = ANY ", " >= ", " <= ", " <> ", " = ", " < ", " > ", " ~~ "] {
        let sides = split(part, operator);
        let [left, right] = sides[..] else { continue };
        let of = format!("{alias}.");
        let (is_left, is_right) = (mentions(left, &of), mentions(right, &of));
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

/// A column stands for itself, also where it is only taken for a text; an expression has brackets around it.
fn column(expression: &str) -> String {
    let expression = bare(expression);
    let is_name = |text: &str| {
        let quoted = text.len() > 2 && text.starts_with('"') && text.ends_with('"');
        quoted || text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some((inner, "text")) = expression.rsplit_once("::")
        && is_name(bare(inner))
    {
        return bare(inner).to_owned();
    }
    if is_name(expression) { expression.to_owned() } else { format!("({expression})") }
}

/// `alias.`, not as the end of a longer name.
fn mentions(text: &str, of: &str) -> bool {
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
            assert_eq!(columns(filter, "t"), expected, "{filter}");
        }
    }
}
