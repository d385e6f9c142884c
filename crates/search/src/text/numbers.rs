//! Numbers as the index holds them: what mod-search's processors make of the values of identifiers and call numbers.

mod call_number;
mod isbn;

pub use call_number::{call_number, shelving_order};
pub use isbn::{isbn, isbn_search_term};

/// The values under which an ISSN is found: in capitals, and with its hyphen too if it was written without.
///
/// mod-search compares ISSNs as they are written; a search that leaves out the hyphen finds nothing there.
#[must_use]
pub fn issn(value: &str) -> Vec<String> {
    let written = trimmed(value).to_uppercase();
    let bare = written.replacen('-', "", 1).into_bytes();
    let number = bare.len() == 8
        && bare[..7].iter().all(u8::is_ascii_digit)
        && (bare[7].is_ascii_digit() || bare[7] == b'X');
    let other = match (written.len(), written.find('-')) {
        (8, None) if number => Some(format!("{}-{}", &written[..4], &written[4..])),
        (9, Some(4)) if number => Some(written.replacen('-', "", 1)),
        _ => None,
    };
    Some(written).filter(|written| !written.is_empty()).into_iter().chain(other).collect()
}

/// The OCLC number without what stands before it: `(OCoLC)ocm00012345` is 12345. Digits after a blank are joined by a
/// hyphen; a `*` at the end, which makes a pattern of a term, stays. `None` if there is no digit but nought.
#[must_use]
pub fn oclc(value: &str) -> Option<String> {
    let number = trimmed(value);
    let begin = number.find(|sign: char| matches!(sign, '1'..='9'))?;
    let mut normal = String::new();
    let mut blank = false;
    for sign in number[begin..].chars() {
        if is_space(sign) {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) {
            normal.push('-');
        }
        if !sign.is_ascii_digit() && sign != '-' {
            break;
        }
        normal.push(sign);
    }
    if value.ends_with('*') {
        normal.push('*');
    }
    Some(normal)
}

/// The values under which an LC control number is found: without blanks in small letters, and its first digits alone.
#[must_use]
pub fn lccn(value: &str) -> Vec<String> {
    let mut values: Vec<String> = lccn_without_blanks(value).into_iter().collect();
    if !values.is_empty() {
        values.extend(first_number(value).filter(|number| *number != values[0]).map(str::to_owned));
    }
    values
}

/// The control number without blanks in small letters, as it is stored and searched. `None` if nothing is left.
pub(super) fn lccn_without_blanks(value: &str) -> Option<String> {
    let normal: String = value.chars().filter(|sign| !sign.is_whitespace()).collect();
    if normal.is_empty() { None } else { Some(normal.to_lowercase()) }
}

/// The first digits that begin with another digit than nought and are two or more.
fn first_number(value: &str) -> Option<&str> {
    let runs = value.split(|sign: char| !sign.is_ascii_digit());
    runs.map(|digits| digits.trim_start_matches('0')).find(|digits| digits.len() > 1)
}

/// Without the blanks and control characters at both ends.
fn trimmed(value: &str) -> &str {
    value.trim_matches(|sign| sign <= ' ')
}

/// What mod-search's expressions take for a blank.
fn is_space(sign: char) -> bool {
    matches!(sign, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn oclc_numbers_lose_what_stands_before_them() {
        for (value, normal) in [
            ("(OCoLC)842877062", Some("842877062")),
            ("OCoLC842877062", Some("842877062")),
            ("(OCoLC)ocm842877062", Some("842877062")),
            ("ocn842877062", Some("842877062")),
            ("on1234567890", Some("1234567890")),
            ("0842877062", Some("842877062")),
            ("(OCoLC)00060710867", Some("60710867")),
            ("ocm0012345 800630", Some("12345-800630")),
            ("0012345 800630", Some("12345-800630")),
            ("12345-800630", Some("12345-800630")),
            ("ocm   842877062  ", Some("842877062")),
            ("12345 abc", Some("12345-")),
            ("  0842877062", Some("842877062")),
            ("8428*", Some("8428*")),
            ("ocm", None),
            ("000", None),
            ("", None),
            ("  ", None),
        ] {
            assert_eq!(oclc(value).as_deref(), normal, "{value:?}");
        }
    }

    #[test]
    fn lccns_lose_blanks_and_are_found_by_their_digits() {
        for (value, values) in [
            ("  n  79021425 ", vec!["n79021425", "79021425"]),
            ("79021425", vec!["79021425"]),
            ("N79021425", vec!["n79021425", "79021425"]),
            ("no2004-123", vec!["no2004-123", "2004"]),
            ("n00012", vec!["n00012", "12"]),
            ("n1", vec!["n1"]),
            ("n 7 8", vec!["n78"]),
            (" ", vec![]),
        ] {
            assert_eq!(lccn(value), values, "{value:?}");
        }
    }

    #[test]
    fn issns_are_found_with_and_without_their_hyphen() {
        for (value, values) in [
            ("0747-0088", vec!["0747-0088", "07470088"]),
            (" 0747008x ", vec!["0747008X", "0747-008X"]),
            ("0747-00", vec!["0747-00"]),
            ("07470-088", vec!["07470-088"]),
            ("1234-567é", vec!["1234-567É"]),
            ("1234567é", vec!["1234567É"]),
            ("", vec![]),
        ] {
            assert_eq!(issn(value), values, "{value:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_them_fail(value in any::<String>()) {
            let _ = (issn(&value), oclc(&value), lccn(&value), isbn(&value), call_number(&value), shelving_order(&value));
        }

        #[test]
        fn no_number_makes_them_fail(value in "[0-9Xx nocm*()O -]{0,24}") {
            prop_assert!(issn(&value).iter().all(|issn| !issn.is_empty()));
            prop_assert!(lccn(&value).iter().all(|lccn| !lccn.contains(' ')));
            let _ = (oclc(&value), isbn(&value));
        }

        #[test]
        fn no_isbn_makes_them_fail(value in "(97[89])?([ -]?[0-9]{1,7}){0,5}[Xx]?") {
            let _ = (isbn(&value), isbn_search_term(&value));
        }
    }
}
