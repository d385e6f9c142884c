//! A text that is a term as it stands.

/// A text as a term of a query: what somebody has typed is never part of the query's grammar, and no wildcard.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '*' | '?' | '^') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_somebody_types_is_never_part_of_a_querys_grammar() {
        assert_eq!(quoted(r#"a" or cql.allRecords=1 "*\?^"#), r#""a\" or cql.allRecords=1 \"\*\\\?\^""#);
    }
}
