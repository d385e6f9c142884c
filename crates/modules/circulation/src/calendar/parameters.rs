//! Parameters of paths and query strings, read as Spring does; one that cannot be read is refused as `invalidParameter`.

use jiff::civil::Date;
use octavo_calendar::parse_date;
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use uuid::Uuid;

use super::faults::invalid_parameter;

pub(super) fn id(request: &Request) -> Outcome<Uuid> {
    uuid(request, request.path_parameter(0))
}

/// A parameter that may occur several times, or have several ids separated by commas; `None` if it is absent.
pub(super) fn ids(request: &Request, name: &str) -> Outcome<Option<Vec<Uuid>>> {
    let given = || request.query.iter().filter(|(key, _)| key == name);
    if given().next().is_none() {
        return Ok(None);
    }
    let texts = given().flat_map(|(_, value)| value.split(',')).map(str::trim);
    let ids = texts.filter(|text| !text.is_empty()).map(|text| uuid(request, text));
    ids.collect::<Outcome<Vec<Uuid>>>().map(Some)
}

pub(super) fn date(request: &Request, name: &str) -> Outcome<Option<Date>> {
    match request.query(name) {
        None | Some("") => Ok(None),
        Some(text) => parse_date(text).map(Some).ok_or_else(|| unreadable_parameter(request, text, "date")),
    }
}

pub(super) fn number(request: &Request, name: &str, default: u32) -> Outcome<u32> {
    match request.query(name) {
        None | Some("") => Ok(default),
        Some(text) => {
            let number = text.parse().ok().filter(|number| i32::try_from(*number).is_ok());
            number.ok_or_else(|| unreadable_parameter(request, text, "number of 0 or more"))
        }
    }
}

pub(super) fn boolean(request: &Request, name: &str) -> Outcome<Option<bool>> {
    match request.query(name).map(str::to_ascii_lowercase).as_deref() {
        None | Some("") => Ok(None),
        Some("true" | "on" | "yes" | "1") => Ok(Some(true)),
        Some("false" | "off" | "no" | "0") => Ok(Some(false)),
        Some(text) => Err(unreadable_parameter(request, text, "truth value")),
    }
}

pub(super) fn required<T>(request: &Request, name: &str, value: Option<T>) -> Outcome<T> {
    let why = || format!("Required request parameter '{name}' is not present");
    value.ok_or_else(|| invalid_parameter(request.context.now, &why()))
}

fn uuid(request: &Request, text: &str) -> Outcome<Uuid> {
    Uuid::parse_str(text)
        .map_err(|_| invalid_parameter(request.context.now, &format!("Invalid UUID string: {text}")))
}

fn unreadable_parameter(request: &Request, text: &str, wanted: &str) -> Fault {
    invalid_parameter(request.context.now, &format!("\"{text}\" is not a {wanted}"))
}
