//! Parses those conditions of JMeter that a workflow can express: whether variables are equal, or not equal, to given texts.

use crate::brackets;

use super::text::unquote;

/// A comparison of one variable with a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VariableComparison {
    pub(super) name: String,
    /// True: the variable must be equal to the text. False: it must differ from the text.
    pub(super) is_equal: bool,
    pub(super) text: String,
}

/// Parses a condition that consists of comparisons joined by "and". None if it contains anything else.
pub(super) fn parse_comparisons(condition: &str) -> Option<Vec<VariableComparison>> {
    let mut inner = condition.trim();
    for function in ["${__groovy(", "${__jexl3(", "${__jexl2("] {
        if let Some(rest) = inner.strip_prefix(function) {
            inner = rest.strip_suffix(")}")?.trim_end_matches([',', ';', ' ', '\t', '\n']);
        }
    }
    if inner.is_empty() || inner.contains("||") {
        return None;
    }
    strip_wrapping(inner).split("&&").map(parse_comparison).collect()
}

fn parse_comparison(term: &str) -> Option<VariableComparison> {
    let term = strip_wrapping(term);
    let (denied, term) = match term.strip_prefix('!') {
        Some(rest) => (true, strip_wrapping(rest)),
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
    let (name, text) = match (parse_variable(left), parse_variable(right)) {
        (Some(name), None) => (name, parse_constant(right, name)?),
        (None, Some(name)) => (name, parse_constant(left, name)?),
        _ => return None,
    };
    Some(VariableComparison { name: name.to_owned(), is_equal: is != denied, text })
}

/// Removes white space, brackets around the whole text, and the semicolon that ends a statement.
fn strip_wrapping(text: &str) -> &str {
    match brackets::strip_brackets(text.trim().trim_end_matches(';')) {
        inner if inner.len() < text.len() => strip_wrapping(inner),
        whole => whole,
    }
}

/// The variable that an operand such as `"${x}"`, `${x}`, `vars.get("x")` or `vars.remove("x")` reads.
fn parse_variable(operand: &str) -> Option<&str> {
    let operand = operand.trim();
    for call in ["vars.get(", "vars.remove("] {
        if let Some(rest) = operand.strip_prefix(call) {
            return unquote(rest.strip_suffix(')')?.trim());
        }
    }
    let name = unquote(operand).unwrap_or(operand).strip_prefix("${")?.strip_suffix('}')?;
    (!name.starts_with("__") && !name.contains('$')).then_some(name)
}

/// The constant text of an operand. `null` means the text `${name}`, which JMeter leaves in place of a variable without a value.
fn parse_constant(operand: &str, name: &str) -> Option<String> {
    match operand.trim() {
        "null" => Some(format!("${{{name}}}")),
        operand => unquote(operand).filter(|text| !text.contains("${")).map(str::to_owned),
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
            let expected = expected.into_iter().map(|(name, is, text)| VariableComparison {
                name: name.to_owned(),
                is_equal: is,
                text: text.to_owned(),
            });
            assert_eq!(parse_comparisons(condition), Some(expected.collect()), "{condition}");
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
            assert_eq!(parse_comparisons(condition), None, "{condition}");
        }
    }
}
