//! A text that is a term as it stands.

/// Writes a text as a quoted term of a query, so that no character of what a user has typed is an operator or a wildcard.
pub fn quote_term(text: &str) -> String {
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
    use super::quote_term;

    #[test]
    fn what_somebody_types_is_never_part_of_a_querys_grammar() {
        assert_eq!(quote_term(r#"a" or cql.allRecords=1 "*\?^"#), r#""a\" or cql.allRecords=1 \"\*\\\?\^""#);
    }
}
