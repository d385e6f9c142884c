//! Conditions of JMeter, as far as a workflow has words for them: whether values have, or have not, given texts.

/// What is asked of one variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) name: String,
    /// Whether its value is to be this text, or to be another one.
    pub(super) is: bool,
    pub(super) text: String,
}

/// All that is asked, every one of which must hold; None where it is more than this.
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

/// Without white space and brackets around the whole.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches(';').trim();
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match inner {
        Some(inner) if is_whole(inner) => bare(inner),
        _ => text,
    }
}

/// Whether no bracket in it ends what began before it.
fn is_whole(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth >= 0
    }) && depth == 0
}

/// `"${x}"`, `${x}`, `vars.get("x")`, `vars.remove("x")`.
fn variable(operand: &str) -> Option<&str> {
    let operand = operand.trim();
    for call in ["vars.get(", "vars.remove("] {
        if let Some(rest) = operand.strip_prefix(call) {
            return quoted(rest.strip_suffix(')')?.trim());
        }
    }
    let name = quoted(operand).unwrap_or(operand).strip_prefix("${")?.strip_suffix('}')?;
    (!name.starts_with("__") && !name.contains('$')).then_some(name)
}

/// What a variable that was never given is compared with, where `null` is written, is what JMeter leaves in its place.
fn constant(operand: &str, name: &str) -> Option<String> {
    match operand.trim() {
        "null" => Some(format!("${{{name}}}")),
        operand => quoted(operand).filter(|text| !text.contains("${")).map(str::to_owned),
    }
}

fn quoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|mark| {
        let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains(mark)).then_some(inner)
    })
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
