//! How people call a type or a location: by its name, its code, or both.

/// Whether a label, `Annex (KU/CC/DI/A)`, is meant: by itself, by its name, by its code, by its code with the brackets.
pub(crate) fn stands_for(label: &str, value: &str) -> bool {
    if value.is_empty() || same(label, value) {
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
    last.is_some_and(|last| same(last, value))
        || with_brackets.is_some_and(|text| same(text, value))
        || shortest.is_some_and(|text| same(text, value))
        || (!name.is_empty() && same(name, value))
}

/// `ARL (Collection stats): books - Book, print (books)` by its code, `books`, or its name.
pub(crate) fn is_statistical_code(label: &str, value: &str) -> bool {
    let after_type = label.split_once(": ").map(|(_, rest)| rest);
    let code = after_type.and_then(|rest| rest.split_once(" - ")).map(|(code, _)| code);
    let name = label.split_once(" - ").map(|(_, name)| name);
    code == Some(value) || name == Some(value)
}

pub(crate) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || (!(one.is_ascii() && other.is_ascii())
            && one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase)))
}
