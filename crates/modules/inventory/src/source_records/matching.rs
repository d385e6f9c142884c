//! Finds records that have one of several values in a field: an import matches incoming records with stored ones by this.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_record::{Param, Sql};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::expression::{any_term_sql, has_row_sql};
use super::identifiers::{FIELDS, candidates_sql};
use super::parameters::{IdType, RECORD_TYPE, parse_uuids};
use super::streamed::{AnswerFormat, WriteRow, stream_answer};
use super::terms;

const REQUEST: &str =
    include_str!("../../../folio/records/mod-source-record-storage/recordMatchingRqDto.tsv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Matching {
    filters: Vec<Filter>,
    record_type: String,
    limit: Option<i64>,
    offset: Option<i64>,
    return_total_records_count: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    values: Vec<String>,
    field: String,
    indicator1: Option<String>,
    indicator2: Option<String>,
    subfield: Option<String>,
    comparison_part_type: Option<String>,
}

pub(super) async fn find(request: Request) -> Outcome<Response> {
    let asked: Matching = request.checked_body(REQUEST)?;
    let [filter] = asked.filters.as_slice() else {
        let message = "Only one matching filter is allowed in the current API implementation";
        return Err(Fault::bad_request(message));
    };
    let member = match asked.record_type.as_str() {
        "MARC_HOLDING" => "holdingsId",
        "MARC_AUTHORITY" => "authorityId",
        _ => "instanceId",
    };
    let external = format!("r.\"externalIdsHolder.{member}\"");
    let mut sql = Sql::default();
    let kind = sql.bind(Param::Text(asked.record_type.clone()));
    let basic = format!("r.state = 'ACTUAL' and {RECORD_TYPE} = {kind}");
    let from = match id_condition(filter, &mut sql)? {
        Some(condition) => format!("from records_lb r\nwhere {condition} and {basic}"),
        None => {
            let basic = format!("{basic} and {external} is not null");
            let condition = value_condition(filter, &mut sql);
            let rows = candidates_sql(Some(&index_lookup_sql(filter)), &basic);
            format!("from ({rows}) r\n{FIELDS}\nwhere {}", has_row_sql(&condition))
        }
    };
    let mut session = request.context.session().await?;
    let total = match asked.return_total_records_count.unwrap_or(true) {
        true => {
            let count = Sql { text: format!("select count(*)\n{from}"), params: sql.params.clone() };
            session.read_once::<Option<i64>>(&count).await?
        }
        false => None,
    };
    let (offset, limit) = (asked.offset.unwrap_or(0).max(0), asked.limit.unwrap_or(1000));
    let text = format!("select r.id, {external}\n{from}\norder by r.id\noffset {offset}\nlimit {limit}");
    let found = Sql { text, params: sql.params };
    stream_answer(
        &request.context,
        session,
        &found,
        AnswerFormat::list("identifiers", total, identifier_writer()),
    )
    .await
}

fn identifier_writer() -> WriteRow {
    Box::new(|row, text| {
        let (id, external): (Uuid, Option<Uuid>) = row.read();
        let mut shown = json!({"recordId": id});
        if let Some(external) = external {
            shown["externalId"] = json!(external);
        }
        text.push_str(&json_text(&shown));
        Ok(())
    })
}

/// The SQL condition for fields that contain the id of the record or of what it describes. These have database columns. `None` for other
/// fields.
fn id_condition(filter: &Filter, sql: &mut Sql) -> Outcome<Option<String>> {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    let path = filter.field.clone()
        + &part(&filter.indicator1)
        + &part(&filter.indicator2)
        + &part(&filter.subfield);
    let values = || filter.values.iter().map(String::as_str);
    Ok(match path.as_str() {
        "999ffs" => Some(IdType::Record.condition(&sql.bind(Param::Uuids(parse_uuids(values())?)))),
        "999ffi" => Some(IdType::External.condition(&sql.bind(Param::Uuids(parse_uuids(values())?)))),
        "001" => {
            let hrids = sql.bind(Param::Texts(filter.values.clone()));
            Some(format!("r.\"externalHrid\" = any({hrids})"))
        }
        _ => None,
    })
}

fn index_lookup_sql(filter: &Filter) -> String {
    let numbers: Option<Vec<i32>> = match filter.comparison_part_type.as_deref() {
        Some("NUMERICS_ONLY") => None,
        _ => filter.values.iter().map(|value| terms::value_term(&filter.field, value)).collect(),
    };
    any_term_sql(&numbers.unwrap_or_else(|| vec![terms::tag_term(&filter.field)]))
}

/// The SQL condition on a row `m` of the record's fields.
fn value_condition(filter: &Filter, sql: &mut Sql) -> String {
    let only: fn(&str) -> String = match filter.comparison_part_type.as_deref() {
        Some("NUMERICS_ONLY") => |value| value.chars().filter(char::is_ascii_digit).collect(),
        Some("ALPHANUMERICS_ONLY") => terms::letters,
        _ => str::to_owned,
    };
    let stored = match filter.comparison_part_type.as_deref() {
        Some("NUMERICS_ONLY") => "regexp_replace(m.value, '[^0-9]', '', 'g')",
        Some("ALPHANUMERICS_ONLY") => "translate(m.value, ' !\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', '')",
        _ => "m.value",
    };
    let values = sql.bind(Param::Texts(filter.values.iter().map(|value| only(value)).collect()));
    let tag = sql.bind(Param::Text(filter.field.clone()));
    let mut parts = vec![format!("m.tag = {tag}"), format!("{stored} = any({values})")];
    if !filter.field.starts_with("00") {
        for (number, indicator) in [('1', &filter.indicator1), ('2', &filter.indicator2)] {
            let indicator = match indicator.as_deref().map(str::trim).unwrap_or_default() {
                "*" => continue,
                "" => "#",
                other => other,
            };
            parts.push(format!("m.ind{number} = {}", sql.bind(Param::Text(indicator.to_owned()))));
        }
        let code = filter.subfield.clone().unwrap_or_default();
        parts.push(format!("m.code = {}", sql.bind(Param::Text(code))));
    }
    parts.join(" and ")
}
