//! Compares the ways in which people write a type or a location: by name, by code, or by both.

/// Whether a value stands for the label `Annex (KU/CC/DI/A)`: it is the label, the name, the code, or the code in brackets.
pub(crate) fn label_matches(label: &str, value: &str) -> bool {
    if value.is_empty() || equals_ignoring_case(label, value) {
        return !value.is_empty();
    }
    let (Some(open), Some(close)) = (label.rfind('('), label.rfind(')')) else {
        return false;
    };
    let last = label.get(open + 1..close);
    let with_brackets =
        label.find('(').zip(label.rfind(')')).and_then(|(open, close)| label.get(open..=close));
    let shortest = label.find('(').zip(label.find(')')).and_then(|(open, close)| label.get(open..=close));
    let bare = label.trim();
    let bare = bare.strip_prefix('(').unwrap_or(bare);
    let name = bare.split(['(', ')']).next().unwrap_or_default().trim();
    last.is_some_and(|last| equals_ignoring_case(last, value))
        || with_brackets.is_some_and(|text| equals_ignoring_case(text, value))
        || shortest.is_some_and(|text| equals_ignoring_case(text, value))
        || (!name.is_empty() && equals_ignoring_case(name, value))
}

/// Whether a value stands for the label `ARL (Collection stats): books - Book, print (books)`: it is the code, `books`, or the name.
pub(crate) fn statistical_code_matches(label: &str, value: &str) -> bool {
    let after_type = label.split_once(": ").map(|(_, rest)| rest);
    let code = after_type.and_then(|rest| rest.split_once(" - ")).map(|(code, _)| code);
    let name = label.split_once(" - ").map(|(_, name)| name);
    code == Some(value) || name == Some(value)
}

pub(crate) fn equals_ignoring_case(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || (!(one.is_ascii() && other.is_ascii())
            && one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase)))
}
