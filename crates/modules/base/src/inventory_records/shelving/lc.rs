//! Library of Congress Classification: `PR9199.3 1920 .L33 1475 .A6`: letters, a number, perhaps a suffix, then cutters.

use super::sortable;

pub(super) fn key(text: &str) -> String {
    let text = text.trim();
    let letters = text.chars().take_while(char::is_ascii_alphabetic).count();
    let (class, rest) = text.split_at(letters);
    let mut key = class.to_ascii_uppercase();
    let rest = if letters > 0 { append_number(&mut key, rest.trim_start_matches(' ')) } else { rest };
    let rest = rest.trim();
    let (suffix, cutters) = rest.split_at(first_cutter(rest).unwrap_or(rest.len()));
    append_suffix(&mut key, suffix.trim());
    append_cutters(&mut key, &cutters.trim().to_uppercase());
    if key.ends_with(' ') {
        key.pop();
    }
    key
}

/// The class number, its whole part led by its length. Returns what comes after.
fn append_number<'t>(key: &mut String, text: &'t str) -> &'t str {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 {
        return text;
    }
    let (number, rest) = text.split_at(digits);
    key.push_str(&format!(" {digits}{number}"));
    let decimals =
        rest.strip_prefix('.').map_or(0, |rest| rest.chars().take_while(char::is_ascii_digit).count());
    if decimals == 0 {
        return rest;
    }
    let (decimal, rest) = rest.split_at(decimals + 1);
    key.push_str(decimal);
    rest
}

/// What stands between the class number and the first cutter; suffixes that begin with a letter sort after cutters.
fn append_suffix(key: &mut String, suffix: &str) {
    let Some(first) = suffix.chars().next() else { return };
    if !key.is_empty() {
        key.push(' ');
        if first.is_alphabetic() {
            key.push('_');
        }
    }
    sortable::append(key, &suffix.to_uppercase());
}

/// Where cutters begin: a letter with digits, perhaps after a point, or a pointed letter at the start or after a blank.
fn first_cutter(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let point = |at: usize| bytes.get(at) == Some(&b'.');
    let cutter = |at: usize| letter(at) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    (0..bytes.len()).find(|&at| {
        cutter(at)
            || (point(at) && cutter(at + 1))
            || (at == 0 && point(0) && letter(1))
            || (bytes[at] == b' ' && point(at + 1) && letter(at + 2))
    })
}

/// Cutters stand apart from each other and from what is between them.
fn append_cutters(key: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let mut done = 0;
    while done < bytes.len() {
        let found = (done..bytes.len())
            .find(|&at| bytes[at].is_ascii_alphabetic() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
        let start = found.unwrap_or(bytes.len());
        space(key);
        sortable::append(key, &text[done..start]);
        done = start;
        if start < bytes.len() {
            let digits = bytes[start + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            space(key);
            done = start + 1 + digits;
            key.push_str(&text[start..done]);
        }
    }
}

fn space(key: &mut String) {
    if !key.is_empty() && !key.ends_with(' ') {
        key.push(' ');
    }
}
