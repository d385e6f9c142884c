//! Lists of records and of source records, as pages and as streams.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_pg::Row;
use octavo_record::{Param, Sql};
use serde_json::Value;

use super::SOURCE_RECORD;
use super::parameters::{
    RECORD_TYPE, boolean_parameter, first_parameter, order_sql, page_parameters, parse_uuid, record_type,
    state, time_parameter,
};
use super::streamed::{AnswerFormat, WriteRow, stream_answer};
use super::view::source_record;

/// The names by which lists can be ordered, with their SQL.
const COLUMNS: [(&str, &str); 15] = [
    ("id", "r.id"),
    ("snapshotId", "r.\"snapshotId\""),
    ("matchedId", "r.\"matchedId\""),
    ("generation", "r.generation"),
    ("recordType", RECORD_TYPE),
    (
        "externalId",
        "coalesce(r.\"externalIdsHolder.instanceId\", r.\"externalIdsHolder.holdingsId\", r.\"externalIdsHolder.authorityId\")",
    ),
    ("state", "array_position('{ACTUAL,OLD,DRAFT,DELETED}', r.state)"),
    ("leaderRecordStatus", LEADER_STATUS),
    ("order", "coalesce(r.\"order\", octavo.number(r.doc ->> 'order'))"),
    ("suppressDiscovery", SUPPRESSED),
    ("createdByUserId", "r.doc #>> '{metadata,createdByUserId}'"),
    ("createdDate", "r.doc #>> '{metadata,createdDate}'"),
    ("updatedByUserId", "r.doc #>> '{metadata,updatedByUserId}'"),
    ("updatedDate", UPDATED),
    ("externalHrid", "r.\"externalHrid\""),
];

// Rows that were written before these columns existed have the values only in their documents.
const LEADER_STATUS: &str = "coalesce(r.\"leaderRecordStatus\", r.doc ->> 'leaderRecordStatus')";
const SUPPRESSED: &str = "coalesce(r.\"additionalInfo.suppressDiscovery\", r.doc #>> '{additionalInfo,suppressDiscovery}', 'false')";
const UPDATED: &str = "coalesce(r.\"metadata.updatedDate\", r.doc #>> '{metadata,updatedDate}')";

/// Which records are listed: conditions on a row `r`, and their parameters.
struct RecordFilter {
    conditions: Vec<String>,
    sql: Sql,
}

impl RecordFilter {
    fn of_type(request: &Request) -> Outcome<RecordFilter> {
        let mut wanted = RecordFilter { conditions: Vec::new(), sql: Sql::default() };
        wanted.conditions.push(format!("{RECORD_TYPE} = '{}'", record_type(request.query("recordType"))?));
        if let Some(id) = first_parameter(request, &["snapshotId"]) {
            wanted.add_equal("r.\"snapshotId\"", Param::Uuid(parse_uuid(id)?));
        }
        Ok(wanted)
    }

    fn add_equal(&mut self, what: &str, value: Param) {
        let value = self.sql.bind(value);
        self.conditions.push(format!("{what} = {value}"));
    }

    /// The filter of a request for records.
    fn records(request: &Request) -> Outcome<RecordFilter> {
        let mut wanted = RecordFilter::of_type(request)?;
        if let Some(state) = state(request.query("state"))? {
            wanted.add_equal("r.state", Param::Text(state.to_owned()));
        }
        Ok(wanted)
    }

    /// The filter of a request for source records.
    fn source_records(request: &Request) -> Outcome<RecordFilter> {
        let kind = record_type(request.query("recordType"))?;
        let mut wanted = RecordFilter::of_type(request)?;
        if let Some(id) = first_parameter(request, &["recordId"]) {
            wanted.add_equal("r.\"matchedId\"", Param::Uuid(parse_uuid(id)?));
        }
        if let Some(id) = first_parameter(request, &["externalId", "instanceId", "holdingsId"]) {
            let member = match kind {
                "MARC_HOLDING" => "holdingsId",
                "MARC_AUTHORITY" => "authorityId",
                _ => "instanceId",
            };
            wanted.add_equal(&format!("r.\"externalIdsHolder.{member}\""), Param::Uuid(parse_uuid(id)?));
        }
        if let Some(hrid) = first_parameter(request, &["externalHrid", "instanceHrid", "holdingsHrid"]) {
            wanted.add_equal("r.\"externalHrid\"", Param::Text(hrid.to_owned()));
        }
        if let Some(suppressed) = boolean_parameter(request, "suppressFromDiscovery") {
            wanted.add_equal(SUPPRESSED, Param::Text(suppressed.to_string()));
        }
        wanted.conditions.push(state_condition(boolean_parameter(request, "deleted").unwrap_or(false)));
        if let Some(status) = request.query("leaderRecordStatus").filter(|status| !status.is_empty()) {
            if !["a", "c", "d", "n", "p", "o", "s", "x"].contains(&status) {
                return Err(Fault::bad_request(format!(
                    "'leaderRecordStatus' parameter is incorrect. parameter value {{{status}}} is not valid: must match \"^[acdnposx]$\""
                )));
            }
            wanted.add_equal(LEADER_STATUS, Param::Text(status.to_owned()));
        }
        for (name, sign) in [("updatedAfter", ">="), ("updatedBefore", "<=")] {
            if let Some(time) = time_parameter(request, name)? {
                let time = wanted.sql.bind(Param::Text(time));
                wanted.conditions.push(format!("{UPDATED} {sign} {time}"));
            }
        }
        if kind != "EDIFACT" {
            wanted.conditions.push(has_leader_status!().to_owned());
        }
        Ok(wanted)
    }

    fn select_sql(&self, what: &str) -> String {
        format!("select {what}\nfrom records_lb r\nwhere {}", self.conditions.join("\nand "))
    }

    /// A page of the documents.
    fn page(&self, request: &Request) -> Outcome<Sql> {
        let (offset, limit) = page_parameters(request)?;
        let order = order_sql(request, &COLUMNS)?.unwrap_or_else(|| "r.id".to_owned());
        let text =
            format!("{}\norder by {order}\noffset {offset}\nlimit {limit}", self.select_sql("r.doc::text"));
        Ok(Sql { text, params: self.sql.params.clone() })
    }

    async fn list(&self, request: &Request, name: &str, show: WriteRow) -> Outcome<Response> {
        let page = self.page(request)?;
        let mut session = request.context.session().await?;
        let count = Sql { text: self.select_sql("count(*)"), params: self.sql.params.clone() };
        let total: Option<i64> = session.read_once(&count).await?;
        stream_answer(&request.context, session, &page, AnswerFormat::list(name, total, show)).await
    }

    async fn stream(&self, request: &Request, show: WriteRow) -> Outcome<Response> {
        let page = self.page(request)?;
        let session = request.context.session().await?;
        stream_answer(&request.context, session, &page, AnswerFormat::lines(show)).await
    }
}

/// The SQL condition that selects current records, or current and deleted records.
pub(super) fn state_condition(deleted: bool) -> String {
    match deleted {
        true => "r.state in ('ACTUAL', 'DELETED')".to_owned(),
        false => "r.state = 'ACTUAL'".to_owned(),
    }
}

pub(super) async fn records(request: Request) -> Outcome<Response> {
    RecordFilter::records(&request)?.list(&request, "records", document_writer("")).await
}

pub(super) async fn source_records(request: Request) -> Outcome<Response> {
    RecordFilter::source_records(&request)?
        .list(&request, "sourceRecords", source_record_writer("matchedId", ""))
        .await
}

pub(super) async fn stream_records(request: Request) -> Outcome<Response> {
    RecordFilter::records(&request)?.stream(&request, document_writer("\n")).await
}

pub(super) async fn stream_source_records(request: Request) -> Outcome<Response> {
    RecordFilter::source_records(&request)?.stream(&request, source_record_writer("id", "\n")).await
}

fn document_writer(end: &'static str) -> WriteRow {
    let schema = SOURCE_RECORD.schema();
    Box::new(move |row, text| {
        text.push_str(&schema.with_arrays(row.read()));
        text.push_str(end);
        Ok(())
    })
}

/// Writes a row as a source record, whose `recordId` is this member of the record.
pub(super) fn source_record_writer(id: &'static str, end: &'static str) -> WriteRow {
    Box::new(move |row: &Row, text| {
        let record: Value = serde_json::from_str(row.read()).map_err(Fault::internal)?;
        if let Some(shown) = source_record(&record, id) {
            text.push_str(&json_text(&shown));
            text.push_str(end);
        }
        Ok(())
    })
}

/// Answers with all documents that a statement finds, as a list with their total number.
pub(super) async fn list_all(
    context: &Context,
    name: &'static str,
    from: &str,
    sql: &Sql,
    show: WriteRow,
) -> Outcome<Response> {
    let mut session = context.session().await?;
    let count = Sql { text: format!("select count(*)\n{from}"), params: sql.params.clone() };
    let total: Option<i64> = session.read_once(&count).await?;
    let found =
        Sql { text: format!("select r.doc::text\n{from}\norder by r.id"), params: sql.params.clone() };
    stream_answer(context, session, &found, AnswerFormat::list(name, total, show)).await
}
