//! Parsed records by ids, with selected fields; and which hrids have no MARC record.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_pg::Statement;
use octavo_record::{Param, Sql};
use serde_json::{Value, json};

use super::lists::list_all;
use super::parameters::{IdType, RECORD_TYPE, parse_uuids};
use super::source::texts_in_body;
use super::streamed::WriteRow;
use super::view::without_raw_form;

const REQUEST: &str =
    include_str!("../../../folio/records/mod-source-record-storage/fetchParsedRecordsBatchRequest.tsv");

pub(super) async fn fetch(request: Request) -> Outcome<Response> {
    let asked = request.checked_json(REQUEST)?;
    let kind = IdType::read(asked["conditions"]["idType"].as_str().unwrap_or("null"))?;
    let ids = asked["conditions"]["ids"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let ranges: Vec<(u32, u32)> =
        asked["data"].as_array().into_iter().flatten().map(parse_range).collect::<Outcome<_>>()?;
    let mut sql = Sql::default();
    let ids = sql.bind(Param::Uuids(parse_uuids(ids)?));
    let record_type = sql.bind(Param::Text(asked["recordType"].as_str().unwrap_or_default().to_owned()));
    let from = format!(
        "from records_lb r\nwhere {}\nand r.state = 'ACTUAL'\nand {RECORD_TYPE} = {record_type}",
        kind.condition(&ids)
    );
    let show: WriteRow = Box::new(move |row, text| {
        let record: Value = serde_json::from_str(row.read()).map_err(Fault::internal)?;
        text.push_str(&json_text(&without_raw_form(&record, &ranges)));
        Ok(())
    });
    list_all(&request.context, "records", &from, &sql, show).await
}

fn parse_range(data: &Value) -> Outcome<(u32, u32)> {
    let number = |name: &str| {
        let text = data[name].as_str().unwrap_or_default();
        text.parse::<u32>().map_err(|_| Fault::bad_request(format!("For input string: \"{text}\"")))
    };
    Ok((number("from")?, number("to")?))
}

/// The hrids of instances for which there is no MARC record.
pub(super) async fn verify(request: Request) -> Outcome<Response> {
    let hrids = texts_in_body(&request)?;
    if hrids.len() > i16::MAX as usize {
        return Err(Fault::bad_request("The number of IDs should not exceed 32767"));
    }
    let mut session = request.context.session().await?;
    let unknown: Vec<String> = session.read(Statement::new(UNKNOWN).texts(hrids)).await?;
    Ok(Response::json(200, &json!({"invalidMarcBibIds": unknown})))
}

const UNKNOWN: &str = "\
select distinct h.hrid
from unnest($1::text[]) h (hrid)
where not exists (
  select
  from records_lb r
  where r.\"externalHrid\" = h.hrid
  and r.\"recordType\" = 'MARC_BIB')
order by h.hrid";

octavo_pg::statements!(other = [UNKNOWN]);
