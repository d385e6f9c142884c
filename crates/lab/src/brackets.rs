//! Splits expressions, such as conditions of SQL and scripts of JMeter. A part in brackets or quotes is never split.

/// Returns the text without white space at both ends, and without brackets that enclose the whole text.
pub(crate) fn strip_brackets(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let mut open = 0;
        let closes_more = bracket_depths(inner).any(|(_, depth)| {
            open = depth;
            depth < 0
        });
        if closes_more || open > 0 {
            break;
        }
        text = inner.trim();
    }
    text
}

/// Splits a text at each occurrence of `word` that is outside of brackets and quotes.
pub(crate) fn split_outside_brackets<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let outside: Vec<usize> =
        bracket_depths(text).filter(|(_, depth)| *depth == 0).map(|(at, _)| at).collect();
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, _) in text.match_indices(word) {
        if at >= from && outside.binary_search(&at).is_ok() {
            parts.push(&text[from..at]);
            from = at + word.len();
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The depth of brackets at each character that is outside of quotes, with the byte position of the character.
fn bracket_depths(text: &str) -> impl Iterator<Item = (usize, i32)> {
    let (mut depth, mut quoted) = (0, None);
    text.char_indices().filter_map(move |(at, character)| {
        match (quoted, character) {
            (None, '\'' | '"') => quoted = Some(character),
            (Some(quote), _) if quote == character => quoted = None,
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        quoted.is_none().then_some((at, depth))
    })
}
