//! `/isbn/...`: validates ISBNs and converts them between their two forms. Facts: mod-inventory 20.2.6, and the rules of Apache Commons
//! Validator for the places of hyphens.
//!
//! The places of hyphens (`hyphens=true`) depend on the number ranges of publishers, a table of the International ISBN Agency that
//! changes every month. Octavo does not have it and answers 501.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::json;

pub(super) async fn validate(request: Request) -> Outcome<Response> {
    let valid = match request.query.as_slice() {
        [(name, isbn)] if name == "isbn10" => digits_of_10(isbn).is_some(),
        [(name, isbn)] if name == "isbn13" => digits_of_13(isbn).is_some(),
        [(name, isbn)] if name == "isbn" => digits_of_10(isbn).or_else(|| digits_of_13(isbn)).is_some(),
        _ => {
            let message = "Only one of following query params must be specified: isbn, isbn10, isbn13";
            return Err(Fault::bad_request(message));
        }
    };
    Ok(Response::json(200, &json!({"isValid": valid})))
}

pub(super) async fn to_10(request: Request) -> Outcome<Response> {
    convert(&request, |isbn| {
        if digits_of_10(isbn).is_some() {
            return Some(isbn.to_owned());
        }
        let body = digits_of_13(isbn)?.strip_prefix("978")?[..9].to_owned();
        Some(format!("{body}{}", check_10(&body)))
    })
}

pub(super) async fn to_13(request: Request) -> Outcome<Response> {
    convert(&request, |isbn| {
        if digits_of_13(isbn).is_some() {
            return Some(isbn.to_owned());
        }
        let body = format!("978{}", &digits_of_10(isbn)?[..9]);
        Some(format!("{body}{}", check_13(&body)))
    })
}

fn convert(request: &Request, other_form: fn(&str) -> Option<String>) -> Outcome<Response> {
    let isbn = request.query("isbn").ok_or_else(|| Fault::bad_request("Isbn must be specified"))?;
    let hyphens = request.query("hyphens").map(str::to_lowercase);
    if !matches!(hyphens.as_deref(), None | Some("true" | "false")) {
        return Err(Fault::bad_request("Hyphens must be true or false"));
    }
    let invalid = || Fault::bad_request(format!("ISBN value {isbn} is invalid"));
    let converted = other_form(isbn).ok_or_else(invalid)?;
    if hyphens.as_deref() == Some("true") {
        let error = json!({"message": "ISBNs are not hyphenated by Octavo", "code": "NOT_BUILT"});
        return Err(Fault::json(501, json!({"errors": [error], "total_records": 1})));
    }
    Ok(Response::json(200, &json!({"isbn": converted})))
}

/// The ten characters of a valid ISBN-10, which has no hyphens or three.
fn digits_of_10(isbn: &str) -> Option<String> {
    let isbn = isbn.trim();
    let digits: String = parts(isbn, &[10], &[5, 7, 6, 1])?.concat();
    let (body, check) = digits.split_at_checked(9)?;
    let well_formed = digits.len() == 10 && body.bytes().all(|byte| byte.is_ascii_digit());
    (well_formed && check == check_10(body)).then_some(digits)
}

/// The thirteen digits of a valid ISBN-13, which has no hyphens or four.
fn digits_of_13(isbn: &str) -> Option<String> {
    let isbn = isbn.trim();
    let digits: String = parts(isbn, &[13], &[3, 5, 7, 6, 1])?.concat();
    let well_formed = digits.len() == 13 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let prefixed = digits.starts_with("978") || digits.starts_with("979");
    (well_formed && prefixed && digits[12..] == check_13(&digits[..12])).then_some(digits)
}

/// The parts between hyphens or spaces: one, or as many as an ISBN has, none longer than allowed.
fn parts<'a>(isbn: &'a str, whole: &[usize], separate: &[usize]) -> Option<Vec<&'a str>> {
    let parts: Vec<&str> = isbn.split(|c: char| c == '-' || c.is_whitespace()).collect();
    let longest = if parts.len() == 1 { whole } else { separate };
    let fits = parts.len() == longest.len()
        && parts.iter().zip(longest).all(|(part, longest)| (1..=*longest).contains(&part.len()));
    fits.then_some(parts)
}

/// The check digit of an ISBN-10, from its nine digits.
fn check_10(body: &str) -> String {
    let sum: u32 = digits(body).zip((2..=10).rev()).map(|(digit, weight)| digit * weight).sum();
    match (11 - sum % 11) % 11 {
        10 => "X".to_owned(),
        check => check.to_string(),
    }
}

/// The check digit of an ISBN-13, from its twelve digits.
fn check_13(body: &str) -> String {
    let sum: u32 = digits(body).zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    ((10 - sum % 10) % 10).to_string()
}

fn digits(text: &str) -> impl Iterator<Item = u32> {
    text.chars().filter_map(|c| c.to_digit(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_isbn_has_its_check_digit_and_hyphens_where_they_may_be() {
        for isbn in ["1-930110-99-5", "1930110995", "0-8044-2957-X", " 080442957X "] {
            assert!(digits_of_10(isbn).is_some(), "{isbn}");
        }
        for isbn in
            ["0318Y40648", "1-930110-99--5", "1930110996", "193011099-5", "", "X930110995", "é30110995"]
        {
            assert!(digits_of_10(isbn).is_none(), "{isbn}");
        }
        for isbn in ["9781930110991", "978-1-930110-99-1"] {
            assert!(digits_of_13(isbn).is_some(), "{isbn}");
        }
        for isbn in ["97819301109911", "9771930110991", "978193011099X", "978-1930110991"] {
            assert!(digits_of_13(isbn).is_none(), "{isbn}");
        }
    }

    #[test]
    fn check_digits_are_computed() {
        assert_eq!((check_10("193011099"), check_10("080442957")), ("5".into(), "X".into()));
        assert_eq!(check_13("978193011099"), "1");
    }
}
