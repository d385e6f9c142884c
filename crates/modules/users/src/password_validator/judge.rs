//! Whether a password keeps a rule that is a regular expression. Pure.
//!
//! The expressions are Java's, with look-ahead and back references, and match a whole password. The time for one is bounded; a rule that
//! takes longer counts as broken.

use fancy_regex::{Regex, RegexBuilder, escape};

/// Stands for the user's name in an expression.
const USER_NAME: &str = "<USER_NAME>";
/// How often the search for a match may backtrack.
const MAX_BACKTRACKS: usize = 100_000;

pub(super) fn satisfies_rule(password: &str, expression: &str, username: &str) -> bool {
    // FOLIO takes the name as an expression, too: with some names no password would do.
    let expression = expression.replace(USER_NAME, &escape(username));
    compile_rule(&expression).is_some_and(|rule| rule.is_match(password).unwrap_or(false))
}

pub(super) fn is_expression(text: &str) -> bool {
    compile_rule(&text.replace(USER_NAME, "name")).is_some()
}

fn compile_rule(expression: &str) -> Option<Regex> {
    RegexBuilder::new(&format!(r"\A(?:{expression})\z")).backtrack_limit(MAX_BACKTRACKS).build().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn rules() -> Vec<Value> {
        let text = include_str!("../../../../../data/reference/mod-password-validator/validation-rules.json");
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn folios_rules_are_read_and_kept_or_broken() {
        let good = "Quiet-Please7";
        for (name, broken) in [
            ("password_length", "Abc-12"),
            ("alphabetical_letters", "PASSWORD-1"),
            ("numeric_symbol", "Password-"),
            ("special_character", "Password1"),
            ("no_user_name", "My-ada-1815"),
            ("keyboard_sequence", "qwerty12"),
            ("repeating_characters", "password"),
            ("no_white_space_character", "pas sword"),
            ("no_consecutive_whitespaces", "Michael   Jordan"),
        ] {
            let rules = rules();
            let rule = rules.iter().find(|rule| rule["name"] == name).expect(name);
            let expression = rule["expression"].as_str().expect(name);
            assert!(is_expression(expression), "{name}");
            assert!(!satisfies_rule(broken, expression, "ada"), "{name}");
            assert!(satisfies_rule(good, expression, "ada"), "{name}");
        }
    }

    #[test]
    fn a_name_is_no_expression_and_no_rule_takes_for_ever() {
        assert!(satisfies_rule("Quiet-Please7", "^(?:(?!<USER_NAME>).)+$", "a(b"));
        assert!(!satisfies_rule("xa(bx", "^(?:(?!<USER_NAME>).)+$", "a(b"));
        assert!(!is_expression("(unclosed"));
        assert!(!satisfies_rule(&"a".repeat(200), r"(?=(a+)+\1b)a*", "ada"));
    }
}
