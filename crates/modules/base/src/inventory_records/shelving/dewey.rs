//! Dewey Decimal Classification: `621.56 W91m v.3`.

use super::sortable;

pub(super) fn key(text: &str) -> String {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let mut key = String::new();
    if digits == 0 {
        sortable::append(&mut key, text);
        return key;
    }
    let (class, rest) = text.split_at(digits);
    sortable::append_number(&mut key, class);
    let decimals =
        rest.strip_prefix('.').map_or(0, |rest| rest.chars().take_while(char::is_ascii_digit).count());
    let rest = if decimals > 0 {
        let (decimal, rest) = rest.split_at(decimals + 1);
        key.push_str(decimal);
        rest
    } else {
        rest
    };
    match cutter(rest) {
        Some((cutter, rest)) => {
            key.push(' ');
            key.push_str(cutter);
            append_rest(&mut key, rest);
        }
        None => append_rest(&mut key, rest),
    }
    key
}

fn append_rest(key: &mut String, rest: &str) {
    if !rest.is_empty() {
        key.push(' ');
        sortable::append(key, rest);
    }
}

/// Splits a cutter off: a capital, one to three digits, capitals. Returns it and the rest.
fn cutter(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    let text = text.strip_prefix('.').unwrap_or(text);
    let bytes = text.as_bytes();
    if !bytes.first()?.is_ascii_uppercase() {
        return None;
    }
    let digits = bytes[1..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let capitals = bytes[1 + digits..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let (cutter, rest) = text.split_at(1 + digits + capitals);
    Some((cutter, rest.trim_start_matches(' ')))
}
