//! Query parameters that several calls have, with FOLIO's words for those that are wrong.

use jiff::Timestamp;
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use uuid::Uuid;

pub(super) const RECORD_TYPES: [&str; 4] = ["MARC_BIB", "MARC_AUTHORITY", "MARC_HOLDING", "EDIFACT"];
const STATES: [&str; 4] = ["ACTUAL", "OLD", "DRAFT", "DELETED"];

/// What an id is of.
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

    pub(super) fn asked(request: &Request, default: &'static str) -> Outcome<IdType> {
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

    /// Whether a row `r` of `records_lb` has one of these ids, given as SQL.
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

/// The type of a row `r`, also of a row that was written before there was a column for it.
pub(super) const RECORD_TYPE: &str = "coalesce(r.\"recordType\", r.doc ->> 'recordType')";

pub(super) fn record_type(name: Option<&str>) -> Outcome<&'static str> {
    known(name, &RECORD_TYPES, "record type").map(|found| found.unwrap_or("MARC_BIB"))
}

pub(super) fn state(name: Option<&str>) -> Outcome<Option<&'static str>> {
    known(name, &STATES, "record state")
}

pub(super) fn known(name: Option<&str>, names: &[&'static str], what: &str) -> Outcome<Option<&'static str>> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    match names.iter().find(|known| **known == name) {
        Some(known) => Ok(Some(known)),
        None => Err(Fault::bad_request(format!("Unknown {what} {name}"))),
    }
}

pub(super) fn uuid(text: &str) -> Outcome<Uuid> {
    Uuid::parse_str(text).map_err(|_| Fault::bad_request(format!("Invalid UUID {text}")))
}

pub(super) fn uuids<'a>(texts: impl Iterator<Item = &'a str>) -> Outcome<Vec<Uuid>> {
    texts.map(uuid).collect()
}

/// The first of these parameters that is there and not empty.
pub(super) fn first<'a>(request: &'a Request, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| request.query(name).filter(|value| !value.is_empty()))
}

pub(super) fn truth(request: &Request, name: &str) -> Option<bool> {
    request.query(name).map(|value| value.eq_ignore_ascii_case("true"))
}

/// A time, as records have it in their metadata.
pub(super) fn time(request: &Request, name: &str) -> Outcome<Option<String>> {
    let Some(text) = request.query(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let time: Option<Timestamp> = parse_time(text);
    let wrong = || Fault::bad_request(format!("'{name}' parameter is incorrect. {text} is not a date"));
    time.map(|time| Some(folio_time(time))).ok_or_else(wrong)
}

/// A page: how many rows are passed over, and how many are wanted.
pub(super) fn page(request: &Request) -> Outcome<(i64, i64)> {
    let most = 0..=i64::from(i32::MAX);
    Ok((request.number("offset", 0, most.clone())?, request.number("limit", 10, most)?))
}

/// An order of rows `r`: `orderBy=order,ASC`, given once or several times. `columns` are names with SQL for what they mean.
pub(super) fn order(request: &Request, columns: &[(&str, &str)]) -> Outcome<Option<String>> {
    let asked = request.query.iter().filter(|(name, _)| name == "orderBy");
    let parts: Vec<String> = asked.map(|(_, text)| ordered(text, columns)).collect::<Outcome<_>>()?;
    Ok((!parts.is_empty()).then(|| parts.join(", ")))
}

fn ordered(text: &str, columns: &[(&str, &str)]) -> Outcome<String> {
    let mut parts = text.split(',');
    let (name, direction) = (parts.next().unwrap_or_default(), parts.next());
    let column = columns.iter().find(|(known, _)| *known == name || snake(known) == name);
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

/// `record_type` of `recordType`.
fn snake(name: &str) -> String {
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
            let found = ordered(asked, &columns).map_err(|fault| fault.body.render());
            assert_eq!(found.as_deref().map_err(String::as_str), sql, "{asked}");
        }
    }
}
