//! Conditions of JMeter, as far as a workflow has words for them: whether values have, or have not, given texts.

use crate::brackets;

use super::text::literal;

/// A comparison of one variable with a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) name: String,
    /// Whether its value is to be this text, or to be another one.
    pub(super) is: bool,
    pub(super) text: String,
}

/// The comparisons of a condition, every one of which must hold; none if it is more than comparisons.
pub(super) fn asked(condition: &str) -> Option<Vec<Asked>> {
    let mut inner = condition.trim();
    for function in ["${__groovy(", "${__jexl3(", "${__jexl2("] {
        if let Some(rest) = inner.strip_prefix(function) {
            inner = rest.strip_suffix(")}")?.trim_end_matches([',', ';', ' ', '\t', '\n']);
        }
    }
    if inner.is_empty() || inner.contains("||") {
        return None;
    }
    bare(inner).split("&&").map(one).collect()
}

fn one(term: &str) -> Option<Asked> {
    let term = bare(term);
    let (denied, term) = match term.strip_prefix('!') {
        Some(rest) => (true, bare(rest)),
        None => (false, term),
    };
    let (left, right, is) = if let Some((left, right)) = term.split_once(".equals(") {
        (left, right.trim().trim_end_matches(';').strip_suffix(')')?, true)
    } else if let Some((left, right)) = term.split_once("!=") {
        (left, right, false)
    } else {
        let (left, right) = term.split_once("==")?;
        (left, right, true)
    };
    let (name, text) = match (variable(left), variable(right)) {
        (Some(name), None) => (name, constant(right, name)?),
        (None, Some(name)) => (name, constant(left, name)?),
        _ => return None,
    };
    Some(Asked { name: name.to_owned(), is: is != denied, text })
}

/// A text without white space, brackets around the whole, and the semicolon that ends a statement.
fn bare(text: &str) -> &str {
    match brackets::bare(text.trim().trim_end_matches(';')) {
        inner if inner.len() < text.len() => bare(inner),
        whole => whole,
    }
}

/// `"${x}"`, `${x}`, `vars.get("x")`, `vars.remove("x")`.
fn variable(operand: &str) -> Option<&str> {
    let operand = operand.trim();
    for call in ["vars.get(", "vars.remove("] {
        if let Some(rest) = operand.strip_prefix(call) {
            return literal(rest.strip_suffix(')')?.trim());
        }
    }
    let name = literal(operand).unwrap_or(operand).strip_prefix("${")?.strip_suffix('}')?;
    (!name.starts_with("__") && !name.contains('$')).then_some(name)
}

/// The text that a variable is compared with. `null` stands for the text that JMeter leaves in place of a variable without a value.
fn constant(operand: &str, name: &str) -> Option<String> {
    match operand.trim() {
        "null" => Some(format!("${{{name}}}")),
        operand => literal(operand).filter(|text| !text.contains("${")).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_with_texts() {
        for (condition, expected) in [
            ("${__groovy(!\"NOT_FOUND\".equals(vars.get(\"loan\"));)}", vec![("loan", false, "NOT_FOUND")]),
            ("${__groovy( !vars.remove(\"user\").equals(\"none\");)}", vec![("user", false, "none")]),
            (
                "${__groovy( vars.get(\"user\") != null && !vars.get(\"user\").equals(\"\") ;)}",
                vec![("user", false, "${user}"), ("user", false, "")],
            ),
            ("${__groovy(vars.get('po') != \"none\")}", vec![("po", false, "none")]),
            ("${__jexl3((\"${loan}\" != \"not_found\"),)}", vec![("loan", false, "not_found")]),
            ("\"${way}\" == \"checkin\"", vec![("way", true, "checkin")]),
            (
                "${__jexl3(\"${a}\" != \"null\" && \"${b}\" != \"null\")}",
                vec![("a", false, "null"), ("b", false, "null")],
            ),
        ] {
            let expected = expected.into_iter().map(|(name, is, text)| Asked {
                name: name.to_owned(),
                is,
                text: text.to_owned(),
            });
            assert_eq!(asked(condition), Some(expected.collect()), "{condition}");
        }
    }

    #[test]
    fn what_is_more_than_that_is_not_read() {
        for condition in [
            "${__groovy(vars.get(\"n\").toInteger() > 5)}",
            "${__jexl3(${n} <= ${all},)}",
            "${__jexl3((\"${a}\" == \"x\" || \"${a}\" == \"y\"),)}",
            "\"${a}\" != \"${b}\"",
            "",
        ] {
            assert_eq!(asked(condition), None, "{condition}");
        }
    }
}
