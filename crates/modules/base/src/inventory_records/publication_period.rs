//! The years in which an instance was published, read from the dates of its first and last publication.
//!
//! Dates are as cataloguers write them: `1998-2005`, `[2003?]-`, `c1999 and 2001`, `2010, 2012`.
//! Facts: mod-inventory-storage 27.1.3.

use serde_json::{Value, json};

/// `{start, end}`, each where it can be read; an end that is not after the start is left out.
pub(super) fn publication_period(publications: &Value) -> Option<Value> {
    let publications = publications.as_array()?;
    let date = |publication: &Value| publication["dateOfPublication"].as_str().unwrap_or_default().to_owned();
    let (first, last) = (date(publications.first()?), date(publications.last()?));
    let start = start_year(&first).or_else(|| any_year(&first));
    let end = |date: &str| end_year(date).or_else(|| any_year(date));
    let end = end(&last).or_else(|| end(&first));
    let end = end.filter(|end| start.is_none_or(|start| start < *end));
    match (start, end) {
        (None, None) => None,
        (Some(start), None) => Some(json!({"start": start})),
        (None, Some(end)) => Some(json!({"end": end})),
        (Some(start), Some(end)) => Some(json!({"start": start, "end": end})),
    }
}

fn any_year(date: &str) -> Option<u32> {
    years(date).next().map(|(_, year)| year)
}

/// All runs of four digits, with their positions.
fn years(date: &str) -> impl Iterator<Item = (usize, u32)> {
    let bytes = date.as_bytes();
    (0..bytes.len().saturating_sub(3)).filter_map(|at| {
        let digits = bytes[at..at + 4].iter().all(u8::is_ascii_digit);
        digits.then(|| Some((at, date[at..at + 4].parse().ok()?)))?
    })
}

/// A year with something after it that says that more follows: `-`, `and`, a comma; one or two characters may stand between.
fn start_year(date: &str) -> Option<u32> {
    let follows = |rest: &str| {
        let trimmed = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
        trimmed.starts_with('-')
            || trimmed.starts_with(',')
            || (trimmed.len() < rest.len() && trimmed.starts_with("and"))
    };
    years(date)
        .find(|(at, _)| without_leading_word_characters(&date[at + 4..]).any(follows))
        .map(|(_, year)| year)
}

/// A year with something before it that says that it ends a span.
fn end_year(date: &str) -> Option<u32> {
    let joints = date.char_indices().filter_map(|(at, _)| {
        let rest = &date[at..];
        let after = rest.strip_prefix('-').or_else(|| rest.strip_prefix(','));
        let optional =
            |rest: &'_ str| rest.len() - rest.strip_prefix(char::is_whitespace).unwrap_or(rest).len();
        match after {
            Some(after) => Some(at + 1 + optional(after)),
            None => {
                let after = rest.strip_prefix("and")?;
                let blank = optional(after);
                (blank > 0).then_some(at + 3 + blank)
            }
        }
    });
    joints.into_iter().find_map(|at| {
        without_leading_word_characters(&date[at..])
            .find_map(|rest| years(rest).next().filter(|(at, _)| *at == 0).map(|(_, year)| year))
    })
}

/// The text without its first two characters, without the first one, and whole: as many as are word characters are left out at most.
fn without_leading_word_characters(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let run = text.chars().take_while(|c| word(*c)).count().min(2);
    (0..=run).rev().map(move |count| &text[count..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_from_dates_as_they_are_written() {
        let cases = [
            (vec!["1998"], json!({"start": 1998})),
            (vec!["1998-2005"], json!({"start": 1998, "end": 2005})),
            (vec!["c1998-c2005"], json!({"start": 1998, "end": 2005})),
            (vec!["1998 and 2001"], json!({"start": 1998, "end": 2001})),
            (vec!["1998, 2001"], json!({"start": 1998, "end": 2001})),
            (vec!["2005-1998"], json!({"start": 2005})),
            (vec!["1998", "2004"], json!({"start": 1998, "end": 2004})),
            (vec!["[1998?]", "no date"], json!({"start": 1998})),
            (vec!["no date", "2004"], json!({"end": 2004})),
        ];
        for (dates, period) in cases {
            let publications: Vec<Value> =
                dates.iter().map(|date| json!({"dateOfPublication": date})).collect();
            assert_eq!(publication_period(&json!(publications)), Some(period), "{dates:?}");
        }
        for none in [json!(null), json!([]), json!([{}]), json!([{"dateOfPublication": "öäü 19"}])] {
            assert_eq!(publication_period(&none), None, "{none}");
        }
    }
}
