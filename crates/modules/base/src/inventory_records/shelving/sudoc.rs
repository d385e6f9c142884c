//! Superintendent of Documents Classification: `T22.19/2:V88/989`: author symbol, office, series, then what follows the colon.

use super::sortable;

pub(super) fn key(text: &str) -> String {
    let text = text.trim();
    let mut key = String::new();
    let rest = match stem(text) {
        Some((parts, rest)) => {
            key.push_str(parts[0].trim());
            parts[1..].iter().for_each(|part| append(&mut key, part));
            rest
        }
        None => text,
    };
    append(&mut key, rest.strip_prefix(':').unwrap_or(rest));
    key
}

/// Splits the stem into author symbol, subordinate office, series and series part. Returns them and the rest.
fn stem(text: &str) -> Option<([&str; 4], &str)> {
    let (letters, rest) = split_leading(text, |c| c.is_ascii_alphabetic())?;
    let blanks = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
    let symbol = &text[..letters.len() + blanks];
    let (office, rest) = split_leading(&rest[blanks..], |c| c.is_ascii_digit())?;
    let after = skip_series(rest.strip_prefix('.')?)?;
    let (series, rest) = rest.split_at(rest.len() - after.len());
    let after = rest.strip_prefix('/').and_then(skip_part).unwrap_or(rest);
    let (part, rest) = rest.split_at(rest.len() - after.len());
    Some(([symbol, office, series, part], rest))
}

/// Skips a series: letters with or without digits after them, or digits. Returns the text after it.
fn skip_series(text: &str) -> Option<&str> {
    match split_leading(text, |c| c.is_ascii_alphabetic()) {
        Some((_, rest)) => Some(split_leading(rest, |c| c.is_ascii_digit()).map_or(rest, |(_, rest)| rest)),
        None => split_leading(text, |c| c.is_ascii_digit()).map(|(_, rest)| rest),
    }
}

/// Skips a series part: letters, digits or both, and after digits perhaps a hyphen and more digits. Returns the text after it.
fn skip_part(text: &str) -> Option<&str> {
    let letters = split_leading(text, |c| c.is_ascii_alphabetic()).map(|(_, rest)| rest);
    let Some((_, rest)) = split_leading(letters.unwrap_or(text), |c| c.is_ascii_digit()) else {
        return letters;
    };
    let range = rest.strip_prefix('-').and_then(|rest| split_leading(rest, |c| c.is_ascii_digit()));
    Some(range.map_or(rest, |(_, rest)| rest))
}

/// Splits the leading characters of a kind off, of which there must be one. Returns them and the rest.
fn split_leading(text: &str, kind: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|c| !kind(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Words stand after numbers, long numbers after short ones: a `!` before them says so.
fn append(key: &mut String, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let text = text.strip_prefix(['.', '/', '-', ':']).unwrap_or(text);
    for word in text.trim_end_matches(['.', '/', ' ', '-']).split(['.', '/', ' ', '-']) {
        if !key.is_empty() {
            key.push(' ');
        }
        let word = word.trim();
        match word.chars().next() {
            None => continue,
            Some(first) if first.is_alphabetic() => key.push_str(" !"),
            Some(_) if word.chars().count() >= 3 => key.push('!'),
            Some(_) => {}
        }
        sortable::append(key, word);
    }
}
