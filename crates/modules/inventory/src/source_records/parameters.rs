//! Query parameters of several calls, with FOLIO's error messages.

use jiff::Timestamp;
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use uuid::Uuid;

pub(super) const RECORD_TYPES: [&str; 4] = ["MARC_BIB", "MARC_AUTHORITY", "MARC_HOLDING", "EDIFACT"];
const STATES: [&str; 4] = ["ACTUAL", "OLD", "DRAFT", "DELETED"];

/// What an id belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdType {
    Instance,
    Holdings,
    Authority,
    External,
    /// The id that all generations of a record share.
    Record,
    SrsRecord,
}

impl IdType {
    pub(super) fn read(name: &str) -> Outcome<IdType> {
        Ok(match name {
            "INSTANCE" => IdType::Instance,
            "HOLDINGS" => IdType::Holdings,
            "AUTHORITY" => IdType::Authority,
            "EXTERNAL" => IdType::External,
            "" | "RECORD" => IdType::Record,
            "SRS_RECORD" => IdType::SrsRecord,
            _ => return Err(Fault::bad_request(format!("Unknown id type {name}"))),
        })
    }

    pub(super) fn from_request(request: &Request, default: &'static str) -> Outcome<IdType> {
        IdType::read(request.query("idType").unwrap_or(default))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            IdType::Instance => "INSTANCE",
            IdType::Holdings => "HOLDINGS",
            IdType::Authority => "AUTHORITY",
            IdType::External => "EXTERNAL",
            IdType::Record => "RECORD",
            IdType::SrsRecord => "SRS_RECORD",
        }
    }

    /// The SQL condition that a row `r` of `records_lb` has one of these ids. `ids` is SQL.
    pub(super) fn condition(self, ids: &str) -> String {
        let column = |name: &str| format!("r.{name:?} = any({ids})");
        let described = |name: &str, kind: &str| {
            format!("({} and {} = '{kind}')", column(&format!("externalIdsHolder.{name}")), RECORD_TYPE)
        };
        let all =
            [("instanceId", "MARC_BIB"), ("holdingsId", "MARC_HOLDING"), ("authorityId", "MARC_AUTHORITY")];
        let [instance, holdings, authority] = all.map(|(name, kind)| described(name, kind));
        match self {
            IdType::Instance => instance,
            IdType::Holdings => holdings,
            IdType::Authority => authority,
            IdType::External => format!("({instance} or {holdings} or {authority})"),
            IdType::Record => column("matchedId"),
            IdType::SrsRecord => column("id"),
        }
    }
}

/// The SQL of the type of a row `r`. Rows that were written before the column existed have the type only in the document.
pub(super) const RECORD_TYPE: &str = "coalesce(r.\"recordType\", r.doc ->> 'recordType')";

pub(super) fn record_type(name: Option<&str>) -> Outcome<&'static str> {
    known_value(name, &RECORD_TYPES, "record type").map(|found| found.unwrap_or("MARC_BIB"))
}

pub(super) fn state(name: Option<&str>) -> Outcome<Option<&'static str>> {
    known_value(name, &STATES, "record state")
}

pub(super) fn known_value(
    name: Option<&str>,
    names: &[&'static str],
    what: &str,
) -> Outcome<Option<&'static str>> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    match names.iter().find(|known| **known == name) {
        Some(known) => Ok(Some(known)),
        None => Err(Fault::bad_request(format!("Unknown {what} {name}"))),
    }
}

pub(super) fn parse_uuid(text: &str) -> Outcome<Uuid> {
    Uuid::parse_str(text).map_err(|_| Fault::bad_request(format!("Invalid UUID {text}")))
}

pub(super) fn parse_uuids<'a>(texts: impl Iterator<Item = &'a str>) -> Outcome<Vec<Uuid>> {
    texts.map(parse_uuid).collect()
}

/// The first of these parameters that the request has and that is not empty.
pub(super) fn first_parameter<'a>(request: &'a Request, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| request.query(name).filter(|value| !value.is_empty()))
}

pub(super) fn boolean_parameter(request: &Request, name: &str) -> Option<bool> {
    request.query(name).map(|value| value.eq_ignore_ascii_case("true"))
}

/// A time parameter, in the notation of records' metadata.
pub(super) fn time_parameter(request: &Request, name: &str) -> Outcome<Option<String>> {
    let Some(text) = request.query(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let time: Option<Timestamp> = parse_time(text);
    let wrong = || Fault::bad_request(format!("'{name}' parameter is incorrect. {text} is not a date"));
    time.map(|time| Some(folio_time(time))).ok_or_else(wrong)
}

/// The requested page: offset and limit.
pub(super) fn page_parameters(request: &Request) -> Outcome<(i64, i64)> {
    let most = 0..=i64::from(i32::MAX);
    Ok((request.query_number("offset", 0, most.clone())?, request.query_number("limit", 10, most)?))
}

/// The SQL order of rows `r` by the parameter `orderBy=order,ASC`, which may be repeated. `columns` are the allowed names with their SQL.
pub(super) fn order_sql(request: &Request, columns: &[(&str, &str)]) -> Outcome<Option<String>> {
    let asked = request.query.iter().filter(|(name, _)| name == "orderBy");
    let parts: Vec<String> = asked.map(|(_, text)| order_term_sql(text, columns)).collect::<Outcome<_>>()?;
    Ok((!parts.is_empty()).then(|| parts.join(", ")))
}

fn order_term_sql(text: &str, columns: &[(&str, &str)]) -> Outcome<String> {
    let mut parts = text.split(',');
    let (name, direction) = (parts.next().unwrap_or_default(), parts.next());
    let column = columns.iter().find(|(known, _)| *known == name || to_snake_case(known) == name);
    let direction = match direction {
        None | Some("DEFAULT") => Some(""),
        Some("ASC") => Some(" asc"),
        Some("DESC") => Some(" desc"),
        Some(_) => None,
    };
    match (column, direction) {
        (Some((_, sql)), Some(direction)) => Ok(format!("{sql}{direction}")),
        _ => Err(Fault::bad_request(format!("Invalid order by {text}"))),
    }
}

/// Converts a name from camel case to snake case: `recordType` to `record_type`.
fn to_snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for sign in name.chars() {
        if sign.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(sign.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_name_known_columns() {
        let columns = [("id", "r.id"), ("recordType", "r.\"recordType\"")];
        for (asked, sql) in [
            ("id", Ok("r.id")),
            ("id,ASC", Ok("r.id asc")),
            ("recordType,DESC", Ok("r.\"recordType\" desc")),
            ("record_type", Ok("r.\"recordType\"")),
            ("id,asc", Err("Invalid order by id,asc")),
            ("select * from table", Err("Invalid order by select * from table")),
            ("", Err("Invalid order by ")),
        ] {
            let found = order_term_sql(asked, &columns).map_err(|fault| fault.body.render());
            assert_eq!(found.as_deref().map_err(String::as_str), sql, "{asked}");
        }
    }
}
