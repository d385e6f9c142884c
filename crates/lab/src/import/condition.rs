//! Conditions of JMeter, as far as a workflow has a word for them: whether a value was found.

/// The value whose being there is asked for: one variable alone, compared with something that stands for its absence.
pub(super) fn asked(condition: &str) -> Option<String> {
    let mut names = variables(condition);
    names.dedup();
    let [name] = names.as_slice() else { return None };
    let compact: String = condition.chars().filter(|letter| !letter.is_whitespace()).collect();
    let denied = compact.contains("!=")
        || compact.contains("!vars")
        || compact.contains("(!")
        || compact.contains("!\"");
    let lower = compact.to_lowercase().replace(['_', '-'], "");
    let absent = ["notfound", "null", "\"\"", "''", "none"].iter().any(|word| lower.contains(word));
    // Two negations that are not the same are somebody else's to read.
    let single = !compact.contains("||");
    (denied && absent && single).then(|| name.clone())
}

/// `${x}`, `vars.get("x")`, `vars.remove("x")`.
fn variables(condition: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in condition.match_indices("${") {
        let inner = &condition[at + 2..];
        if !inner.starts_with("__") {
            found.extend(inner.split_once('}').map(|(name, _)| name.to_owned()));
        }
    }
    for opening in ["vars.get(", "vars.remove("] {
        for (at, _) in condition.match_indices(opening) {
            let inner = condition[at + opening.len()..].trim_start_matches(['"', '\'']);
            found.extend(inner.split(['"', '\'']).next().map(str::to_owned));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whether_a_value_was_found_can_be_asked() {
        for (condition, name) in [
            ("${__groovy(!\"NOT_FOUND\".equals(vars.get(\"loan\"));)}", Some("loan")),
            ("${__groovy( vars.get(\"user\") != null && !vars.get(\"user\").equals(\"\") ;)}", Some("user")),
            ("${__jexl3(\"${loan}\" != \"not_found\",)}", Some("loan")),
            ("${__groovy(vars.get(\"n\").toInteger() > 5)}", None),
            ("\"${way}\" == \"checkin\"", None),
            ("${__jexl3(\"${a}\" != \"null\" && \"${b}\" != \"null\")}", None),
        ] {
            assert_eq!(asked(condition).as_deref(), name, "{condition}");
        }
    }
}
