//! Dates in subfields, as FOLIO reads them: `2024-01-31`, `01/31/2024`, `31-01-2024` and `31.01.2024` are one date.

/// The date in the form `2024-01-31`; the text unchanged if it is no date.
pub(super) fn to_iso_date(text: &str) -> String {
    parse_date(text).unwrap_or_else(|| text.to_owned())
}

fn parse_date(text: &str) -> Option<String> {
    if text.len() > 10 || text.len() < 8 {
        return None;
    }
    let mark = text.chars().find(|character| !character.is_ascii_digit())?;
    let parts: Vec<&str> = text.split(mark).collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (year, month, day) = match mark {
        '-' if first.len() == 4 => (first, second, third),
        '-' | '.' => (third, second, first),
        '/' => (third, first, second),
        _ => return None,
    };
    let number = |text: &str, longest: usize| {
        let fits = (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<i16>().ok()).flatten()
    };
    if year.len() != 4 {
        return None;
    }
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let date = jiff::civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some(date.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_written_as_the_standard_says() {
        for (text, expected) in [
            ("2024-01-31", "2024-01-31"),
            ("01/31/2024", "2024-01-31"),
            ("1/3/2024", "2024-01-03"),
            ("31-01-2024", "2024-01-31"),
            ("31.01.2024", "2024-01-31"),
            ("31/01/2024", "31/01/2024"),
            ("2024-02-30", "2024-02-30"),
            ("2024", "2024"),
            ("12-3-456", "12-3-456"),
            ("a-b-cdef", "a-b-cdef"),
            ("", ""),
        ] {
            assert_eq!(super::to_iso_date(text), expected, "{text}");
        }
    }
}
