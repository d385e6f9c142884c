//! Lists of records and of source records, as pages and as streams.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_pg::Row;
use octavo_record::{Param, Sql};
use serde_json::Value;

use super::SOURCE_RECORD;
use super::parameters::{RECORD_TYPE, first, order, page, record_type, state, time, truth, uuid};
use super::streamed::{Form, Show, answer};
use super::view::source_record;

/// What lists can be ordered by.
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

// Rows that were written before there were columns for these have them in their documents.
const LEADER_STATUS: &str = "coalesce(r.\"leaderRecordStatus\", r.doc ->> 'leaderRecordStatus')";
const SUPPRESSED: &str = "coalesce(r.\"additionalInfo.suppressDiscovery\", r.doc #>> '{additionalInfo,suppressDiscovery}', 'false')";
const UPDATED: &str = "coalesce(r.\"metadata.updatedDate\", r.doc #>> '{metadata,updatedDate}')";

/// Which records are listed, as conditions on a row `r`.
struct Wanted {
    conditions: Vec<String>,
    sql: Sql,
}

impl Wanted {
    fn of_type(request: &Request) -> Outcome<Wanted> {
        let mut wanted = Wanted { conditions: Vec::new(), sql: Sql::default() };
        wanted.conditions.push(format!("{RECORD_TYPE} = '{}'", record_type(request.query("recordType"))?));
        if let Some(id) = first(request, &["snapshotId"]) {
            wanted.is("r.\"snapshotId\"", Param::Uuid(uuid(id)?));
        }
        Ok(wanted)
    }

    fn is(&mut self, what: &str, value: Param) {
        let value = self.sql.bind(value);
        self.conditions.push(format!("{what} = {value}"));
    }

    /// By the parameters of lists of records.
    fn records(request: &Request) -> Outcome<Wanted> {
        let mut wanted = Wanted::of_type(request)?;
        if let Some(state) = state(request.query("state"))? {
            wanted.is("r.state", Param::Text(state.to_owned()));
        }
        Ok(wanted)
    }

    /// By the parameters of lists of source records.
    fn source_records(request: &Request) -> Outcome<Wanted> {
        let kind = record_type(request.query("recordType"))?;
        let mut wanted = Wanted::of_type(request)?;
        if let Some(id) = first(request, &["recordId"]) {
            wanted.is("r.\"matchedId\"", Param::Uuid(uuid(id)?));
        }
        if let Some(id) = first(request, &["externalId", "instanceId", "holdingsId"]) {
            let member = match kind {
                "MARC_HOLDING" => "holdingsId",
                "MARC_AUTHORITY" => "authorityId",
                _ => "instanceId",
            };
            wanted.is(&format!("r.\"externalIdsHolder.{member}\""), Param::Uuid(uuid(id)?));
        }
        if let Some(hrid) = first(request, &["externalHrid", "instanceHrid", "holdingsHrid"]) {
            wanted.is("r.\"externalHrid\"", Param::Text(hrid.to_owned()));
        }
        if let Some(suppressed) = truth(request, "suppressFromDiscovery") {
            wanted.is(SUPPRESSED, Param::Text(suppressed.to_string()));
        }
        wanted.conditions.push(existing(truth(request, "deleted").unwrap_or(false)));
        if let Some(status) = request.query("leaderRecordStatus").filter(|status| !status.is_empty()) {
            if !["a", "c", "d", "n", "p", "o", "s", "x"].contains(&status) {
                return Err(Fault::bad_request(format!(
                    "'leaderRecordStatus' parameter is incorrect. parameter value {{{status}}} is not valid: must match \"^[acdnposx]$\""
                )));
            }
            wanted.is(LEADER_STATUS, Param::Text(status.to_owned()));
        }
        for (name, sign) in [("updatedAfter", ">="), ("updatedBefore", "<=")] {
            if let Some(time) = time(request, name)? {
                let time = wanted.sql.bind(Param::Text(time));
                wanted.conditions.push(format!("{UPDATED} {sign} {time}"));
            }
        }
        if kind != "EDIFACT" {
            wanted.conditions.push(format!("{LEADER_STATUS} is not null"));
        }
        Ok(wanted)
    }

    fn text(&self, what: &str) -> String {
        format!("select {what}\nfrom records_lb r\nwhere {}", self.conditions.join("\nand "))
    }

    /// A page of the documents.
    fn page(&self, request: &Request) -> Outcome<Sql> {
        let (offset, limit) = page(request)?;
        let order = order(request, &COLUMNS)?.unwrap_or_else(|| "r.id".to_owned());
        let text = format!("{}\norder by {order}\noffset {offset}\nlimit {limit}", self.text("r.doc::text"));
        Ok(Sql { text, params: self.sql.params.clone() })
    }

    async fn list(&self, request: &Request, name: &str, show: Show) -> Outcome<Response> {
        let page = self.page(request)?;
        let mut session = request.context.session().await?;
        let count = Sql { text: self.text("count(*)"), params: self.sql.params.clone() };
        let total: Option<i64> = session.read_once(&count).await?;
        answer(&request.context, session, &page, Form::list(name, total, show)).await
    }

    async fn stream(&self, request: &Request, show: Show) -> Outcome<Response> {
        let page = self.page(request)?;
        let session = request.context.session().await?;
        answer(&request.context, session, &page, Form::lines(show)).await
    }
}

/// Records that there are, or also deleted ones.
pub(super) fn existing(deleted: bool) -> String {
    match deleted {
        true => "r.state in ('ACTUAL', 'DELETED')".to_owned(),
        false => "r.state = 'ACTUAL'".to_owned(),
    }
}

pub(super) async fn records(request: Request) -> Outcome<Response> {
    Wanted::records(&request)?.list(&request, "records", shown("")).await
}

pub(super) async fn source_records(request: Request) -> Outcome<Response> {
    Wanted::source_records(&request)?.list(&request, "sourceRecords", shown_as_source("matchedId", "")).await
}

pub(super) async fn stream_records(request: Request) -> Outcome<Response> {
    Wanted::records(&request)?.stream(&request, shown("\n")).await
}

pub(super) async fn stream_source_records(request: Request) -> Outcome<Response> {
    Wanted::source_records(&request)?.stream(&request, shown_as_source("id", "\n")).await
}

fn shown(end: &'static str) -> Show {
    let schema = SOURCE_RECORD.schema();
    Box::new(move |row, text| {
        text.push_str(&schema.with_arrays(row.read()));
        text.push_str(end);
        Ok(())
    })
}

/// As source records, which are named by this member.
pub(super) fn shown_as_source(id: &'static str, end: &'static str) -> Show {
    Box::new(move |row: &Row, text| {
        let record: Value = serde_json::from_str(row.read()).map_err(Fault::internal)?;
        if let Some(shown) = source_record(&record, id) {
            text.push_str(&json_text(&shown));
            text.push_str(end);
        }
        Ok(())
    })
}

/// All documents that a statement finds, as a list with their number.
pub(super) async fn all(
    context: &Context,
    name: &'static str,
    from: &str,
    sql: &Sql,
    show: Show,
) -> Outcome<Response> {
    let mut session = context.session().await?;
    let count = Sql { text: format!("select count(*)\n{from}"), params: sql.params.clone() };
    let total: Option<i64> = session.read_once(&count).await?;
    let found =
        Sql { text: format!("select r.doc::text\n{from}\norder by r.id"), params: sql.params.clone() };
    answer(context, session, &found, Form::list(name, total, show)).await
}
