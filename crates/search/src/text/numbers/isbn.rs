//! International Standard Book Numbers.

/// The values under which an ISBN is found: the number without hyphens and blanks, then the number of the other length,
/// then what follows it (`(paper)`). Of what is no ISBN: itself, without blanks and hyphens between digits.
///
/// mod-search makes thirteen digits of ten, not ten of thirteen, so that a search for the ten digits does not find a
/// record that has only the thirteen; here it does. A small `x` is the check digit as well.
#[must_use]
pub fn isbn(value: &str) -> Vec<String> {
    let value = single_blanks(value);
    let Some((number, after)) = isbn_13(&value).or_else(|| isbn_10(&value)) else {
        return if value.is_empty() { Vec::new() } else { vec![without_gaps_in_numbers(&value)] };
    };
    // Groups behind 978 may have too few or too many digits.
    let other = match number.len() {
        10 if number.ends_with(check_10(&number[..9])) => Some(isbn_10_to_13(&number)),
        13 => isbn_13_to_10(&number),
        _ => None,
    };
    let qualifier = Some(after.trim().to_owned()).filter(|after| !after.is_empty());
    std::iter::once(number).chain(other).chain(qualifier).collect()
}

/// What is searched for: the number without hyphens and blanks, then what follows it. The number of the other length is not needed,
/// because records are found under both. Of a pattern (`978*`) and of what is no ISBN: itself, without blanks and hyphens between digits.
#[must_use]
pub fn isbn_search_term(term: &str) -> String {
    let term = single_blanks(term);
    match isbn_13(&term).or_else(|| isbn_10(&term)).filter(|_| !term.contains('*')) {
        Some((number, after)) => format!("{number} {}", after.trim()).trim_end().to_owned(),
        None => without_gaps_in_numbers(&term),
    }
}

/// Without blanks at the ends, and each run of blanks one blank.
fn single_blanks(value: &str) -> String {
    let words: Vec<&str> = value.split(|sign| sign <= ' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A number of thirteen digits at the beginning: 978 or 979, then ten digits or four groups.
fn isbn_13(value: &str) -> Option<(String, &str)> {
    let prefix = value.get(..3).filter(|prefix| matches!(*prefix, "978" | "979"))?;
    let rest = &value[3..];
    let (digits, after) = match leading_digits(rest) {
        run if run >= 10 => (rest[..10].to_owned(), &rest[10..]),
        _ => groups(rest.strip_prefix(['-', ' '])?, |sign| sign.is_ascii_digit())?,
    };
    Some((format!("{prefix}{digits}"), after))
}

/// A number of ten digits at the beginning whose check digit is right.
fn isbn_10(value: &str) -> Option<(String, &str)> {
    let is_check = |sign: char| sign.is_ascii_digit() || matches!(sign, 'X' | 'x');
    let (digits, after) = match value.get(..10) {
        Some(ten) if leading_digits(ten) >= 9 && ten.ends_with(is_check) => (ten.to_owned(), &value[10..]),
        _ => groups(value, is_check)?,
    };
    let digits = digits.to_uppercase();
    let right = digits.len() == 10 && digits.ends_with(check_10(&digits[..9]));
    right.then_some((digits, after))
}

/// Three groups of digits, of at most five, seven and six, each followed by a hyphen or blank, and the check digit.
fn groups(value: &str, is_check: impl Fn(char) -> bool) -> Option<(String, &str)> {
    let (mut digits, mut rest) = (String::new(), value);
    for most in [5, 7, 6] {
        let run = leading_digits(rest);
        if run == 0 || run > most {
            return None;
        }
        digits.push_str(&rest[..run]);
        rest = rest[run..].strip_prefix(['-', ' '])?;
    }
    let check = rest.chars().next().filter(|&sign| is_check(sign))?;
    digits.push(check);
    Some((digits, &rest[1..]))
}

fn leading_digits(value: &str) -> usize {
    value.bytes().take_while(u8::is_ascii_digit).count()
}

/// The ISBN of thirteen digits for one of ten.
fn isbn_10_to_13(ten: &str) -> String {
    let first = format!("978{}", &ten[..9]);
    let check = check_13(&first);
    format!("{first}{check}")
}

/// The ISBN of ten digits for one of thirteen; there is none for 979, nor for a number whose check digit is wrong.
fn isbn_13_to_10(thirteen: &str) -> Option<String> {
    let digits = thirteen.strip_prefix("978").filter(|_| thirteen.ends_with(check_13(&thirteen[..12])))?;
    let first = &digits[..9];
    Some(format!("{first}{}", check_10(first)))
}

fn check_10(first: &str) -> char {
    let sum: u32 = digit_values(first).zip((2..=10).rev()).map(|(digit, weight)| digit * weight).sum();
    char::from_digit((11 - sum % 11) % 11, 10).unwrap_or('X')
}

fn check_13(first: &str) -> char {
    let sum: u32 =
        digit_values(first).zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    char::from_digit((10 - sum % 10) % 10, 10).unwrap_or('0')
}

fn digit_values(digits: &str) -> impl Iterator<Item = u32> {
    digits.chars().filter_map(|digit| digit.to_digit(10))
}

/// Leaves out single blanks and hyphens between digits, so that no part of a wrong number is found as a word.
fn without_gaps_in_numbers(value: &str) -> String {
    let mut normal = String::with_capacity(value.len());
    let mut signs = value.chars().peekable();
    let mut before = ' ';
    while let Some(sign) = signs.next() {
        let after = signs.peek().copied().unwrap_or(' ');
        let gap = matches!(sign, ' ' | '-') && before.is_ascii_digit() && after.is_ascii_digit();
        if !gap {
            normal.push(sign);
        }
        before = sign;
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::isbn;

    #[test]
    fn isbns_are_found_by_both_their_lengths_and_by_what_follows_them() {
        for (value, values) in [
            ("", vec![]),
            ("  ", vec![]),
            ("047144250X", vec!["047144250X", "9780471442509"]),
            ("047144250x", vec!["047144250X", "9780471442509"]),
            ("1 86197 271-7", vec!["1861972717", "9781861972712"]),
            ("1 86197 271-7 (paper)", vec!["1861972717", "9781861972712", "(paper)"]),
            ("047144250X (paper)", vec!["047144250X", "9780471442509", "(paper)"]),
            ("978-0-471-44250-9", vec!["9780471442509", "047144250X"]),
            ("978 0 471 44250 9", vec!["9780471442509", "047144250X"]),
            ("978  0  471  44250  9", vec!["9780471442509", "047144250X"]),
            ("9780471442509 (alk. paper)", vec!["9780471442509", "047144250X", "(alk. paper)"]),
            ("978-0-471-44250-9 (alk. paper)", vec!["9780471442509", "047144250X", "(alk. paper)"]),
            ("9791234567896", vec!["9791234567896"]),
            // The check digit is wrong: there is no other length.
            ("9780471442500", vec!["9780471442500"]),
            // Digits are missing, or are too many.
            ("978-0-471-442-9", vec!["97804714429"]),
            ("978-1-2-3-4 (paper)", vec!["9781234", "(paper)"]),
            ("978-1-23-456-7", vec!["9781234567"]),
            ("978-0-471-442509-9", vec!["97804714425099"]),
        ] {
            assert_eq!(isbn(value), values, "{value:?}");
        }
    }

    #[test]
    fn what_is_no_isbn_is_kept_with_its_digits_together() {
        for (value, kept) in [
            ("1 86197 2717", "1861972717"),
            ("1-86-197 271-7", "1861972717"),
            ("  1-86-197 271-7  ", "1861972717"),
            ("1-86-1*", "1861*"),
            ("*86-1*", "*861*"),
            ("978-0-471*", "9780471*"),
            ("89780471442509 (alk. paper)", "89780471442509 (alk. paper)"),
            ("978-0 4712 442509 (alk. paper)", "97804712442509 (alk. paper)"),
            ("1 86197 2717 (paper)", "1861972717 (paper)"),
            ("1-86-197 2717 (paper)", "1861972717 (paper)"),
            ("0471442500", "0471442500"),
            ("123456", "123456"),
            ("97é", "97é"),
        ] {
            assert_eq!(isbn(value), [kept], "{value:?}");
        }
    }
}
