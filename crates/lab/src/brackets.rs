//! Expressions, as conditions of SQL and scripts of JMeter have them: what stands in brackets or quotes is one thing.

/// A text without white space and the brackets around the whole.
pub(crate) fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let mut open = 0;
        let closes_more = depths(inner).any(|(_, depth)| {
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

/// The parts between a word that stands outside of brackets and quotes.
pub(crate) fn split<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let outside: Vec<usize> = depths(text).filter(|(_, depth)| *depth == 0).map(|(at, _)| at).collect();
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

/// How deep in brackets each character is that is in no quotes.
fn depths(text: &str) -> impl Iterator<Item = (usize, i32)> {
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
