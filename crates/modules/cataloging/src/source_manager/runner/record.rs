//! The records of a job between parsing and storing, and the rows that are stored of a failed record.

use octavo_engine::{Context, metadata, statements};
use octavo_import::{Format, logged_title};
use octavo_marc::{Kind, Parsed, Remark};
use octavo_modules_inventory::source_records::SOURCE_RECORD;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::check::{Profile, edifact_refusal, find_refusal, first_action, type_name};
use super::edifact;
use super::raw::{RawFormat, kind_of_record, read_record};
use crate::import::Incoming;
use crate::source_manager::journal::{Line, RecordSummary};

/// A record that was checked against the job's profile, whether it could be parsed or not.
pub(super) struct CheckedRecord {
    pub incoming: Incoming,
    pub format: RawFormat,
    pub kind: Option<Kind>,
    /// The reason why it is not imported.
    pub refusal: Option<String>,
    /// Whether it is logged as parsed; false also if `find_refusal` says that it counts as unreadable.
    pub is_read: bool,
    /// What was lost of the record when it was parsed.
    pub remark: Option<String>,
    /// The position of the job after this record: in the file in bytes, in a chunk in records.
    pub position: i64,
}

/// A record that could be parsed.
pub(super) enum ReadRecord {
    Marc(Parsed),
    Edifact,
}

impl ReadRecord {
    pub(super) fn from_raw(format: RawFormat, raw: &str) -> Result<ReadRecord, String> {
        match format {
            RawFormat::Edifact => edifact::parse_message(raw).map(|_| ReadRecord::Edifact),
            _ => read_record(format, raw).map(ReadRecord::Marc),
        }
    }
}

/// A record that was read from a file or a chunk.
pub(super) struct FoundRecord {
    pub place: i64,
    pub raw: String,
    pub format: RawFormat,
    pub read: Result<ReadRecord, String>,
    pub position: i64,
}

impl FoundRecord {
    pub(super) fn check_by_profile(self, id: Uuid, profile: Profile<'_>, keeps_ids: bool) -> CheckedRecord {
        let kind = match &self.read {
            Ok(ReadRecord::Marc(parsed)) => kind_of_record(&parsed.record),
            _ => None,
        };
        let remark = match &self.read {
            Ok(ReadRecord::Marc(parsed)) => losses_text(&parsed.remarks),
            _ => None,
        };
        let (refusal, is_read) = match &self.read {
            Err(why) => (Some(why.clone()), false),
            Ok(ReadRecord::Edifact) => (Some(edifact_refusal(profile)), true),
            Ok(ReadRecord::Marc(parsed)) => {
                match find_refusal(profile, id, kind, &parsed.record, keeps_ids) {
                    Some(refusal) => (Some(refusal.message), !refusal.is_unreadable),
                    None => (None, true),
                }
            }
        };
        let order = i32::try_from(self.place).unwrap_or(i32::MAX);
        let parsed = self.read.and_then(|read| match read {
            ReadRecord::Marc(parsed) => Ok(parsed.record),
            ReadRecord::Edifact => Err("it is no MARC record".to_owned()),
        });
        let incoming = Incoming { id, order, raw: self.raw, parsed, accepts_instance_id: keeps_ids };
        CheckedRecord {
            incoming,
            format: self.format,
            kind,
            refusal,
            is_read,
            remark,
            position: self.position,
        }
    }
}

/// The losses of a record, as one text.
fn losses_text(remarks: &[Remark]) -> Option<String> {
    let losses: Vec<String> =
        remarks.iter().filter(|remark| remark.is_loss()).map(ToString::to_string).collect();
    (!losses.is_empty()).then(|| losses.join("; "))
}

impl CheckedRecord {
    pub(super) fn place(&self) -> i64 {
        i64::from(self.incoming.order)
    }

    fn entity_name(&self) -> &'static str {
        match (self.kind, self.format) {
            (Some(Kind::Holdings), _) => "MARC_HOLDINGS",
            (Some(Kind::Authority), _) => "MARC_AUTHORITY",
            (_, RawFormat::Edifact) => "EDIFACT",
            _ => "MARC_BIBLIOGRAPHIC",
        }
    }

    pub(super) fn type_name(&self) -> Option<&'static str> {
        match self.format {
            RawFormat::Edifact => Some("EDIFACT"),
            _ => self.kind.map(type_name),
        }
    }

    fn title(&self) -> Option<String> {
        let format = match (self.kind, self.format) {
            (_, RawFormat::Edifact) => return None,
            (Some(Kind::Holdings), _) => Format::Holdings,
            (Some(Kind::Authority), _) => Format::Authority,
            _ => Format::Bibliographic,
        };
        logged_title(format, self.incoming.parsed.as_ref().ok())
    }

    /// The journal lines of a record. `done` are the lines of the import, `why` is the reason if it failed.
    pub(super) fn journal_lines(&self, snapshot: &Value, why: Option<&str>, done: Vec<Line>) -> Vec<Line> {
        let unreadable = why.filter(|_| !self.is_read);
        let mut lines = vec![Line::parsed(unreadable)];
        // An EDIFACT message that could be parsed is stored; only its invoice is not created.
        let is_message = self.format == RawFormat::Edifact && self.is_read;
        if is_message {
            lines.push(Line {
                entity: self.entity_name().to_owned(),
                action: "CREATE".to_owned(),
                entity_id: Some(self.incoming.id),
                ..Line::default()
            });
        }
        if let Some(why) = why {
            let title = self.title();
            let (action, record) = first_action(snapshot).unwrap_or(("CREATE", ""));
            let line = |entity: &str| Line {
                entity: entity.to_owned(),
                action: action.to_owned(),
                error: why.to_owned(),
                title: title.clone(),
                ..Line::default()
            };
            lines.push(line(if is_message { "INVOICE" } else { self.entity_name() }));
            // The record that the first action would have created has failed too.
            if self.refusal.is_none() && matches!(record, "INSTANCE" | "HOLDINGS" | "ITEM" | "AUTHORITY") {
                lines.push(line(record));
            }
        }
        lines.extend(done);
        lines
    }

    /// The row for the table of incoming records.
    pub(super) fn row_json(&self, short: &RecordSummary) -> Value {
        let mut row = json!({
            "id": self.incoming.id,
            "place": self.place(),
            "format": self.format.name(),
            "raw": self.incoming.raw,
            "entities": short.entities,
            "errors": short.errors,
        });
        let [source, instance, holdings, item, order, invoice] = short.statuses;
        let texts = [
            ("kind", self.type_name().unwrap_or_default()),
            ("title", short.title.as_deref().unwrap_or_default()),
            ("source_status", source),
            ("instance_status", instance),
            ("holdings_status", holdings),
            ("item_status", item),
            ("order_status", order),
            ("invoice_status", invoice),
            ("error", &short.error),
            ("remark", self.remark.as_deref().unwrap_or_default()),
        ];
        for (name, text) in texts {
            if !text.is_empty() {
                row[name] = json!(text);
            }
        }
        row
    }

    /// The source record for a failed record: its raw content, with the reason.
    fn error_record(&self, context: &Context, job: Uuid, why: &str) -> Value {
        let id = self.incoming.id;
        let mut record = json!({
            "id": id,
            "snapshotId": job,
            "matchedId": id,
            "generation": 0,
            "recordType": self.type_name().unwrap_or("MARC_BIB"),
            "rawRecord": {"id": id, "content": self.incoming.raw},
            "errorRecord": {"id": id, "description": why, "content": self.incoming.raw},
            "deleted": false,
            "order": self.incoming.order,
            "additionalInfo": {"suppressDiscovery": false},
            "state": "ACTUAL",
            "metadata": metadata(context, None, &context.now_text()),
        });
        if self.format == RawFormat::Edifact
            && let Ok(content) = edifact::parse_message(&self.incoming.raw)
        {
            record["parsedRecord"] = json!({"id": id, "content": content});
        }
        record
    }
}

/// Inserts failed records, each with the reason, as source records.
pub(super) fn insert_errors_statement(
    context: &Context,
    job: Uuid,
    failed: &[(&CheckedRecord, &str)],
) -> Option<Statement> {
    let documents: Vec<(Uuid, Value)> = failed
        .iter()
        .map(|(taken, why)| (taken.incoming.id, taken.error_record(context, job, why)))
        .collect();
    (!documents.is_empty()).then(|| statements::insert_all(&SOURCE_RECORD, &documents))
}

/// Inserts raw records, each with the summary of its import.
pub(super) fn insert_incoming_statement(job: Uuid, rows: Vec<Value>) -> Statement {
    Statement::new(KEEP).uuid(job).text(Value::from(rows).to_string())
}

const KEEP: &str = "\
insert into incoming_record (
  job, id, place, kind, format, raw, title, entities, errors, source_status, instance_status, holdings_status, item_status,
  order_status, invoice_status, error, remark)
select
  $1, id, place, kind, format, raw, title, entities, errors, source_status, instance_status, holdings_status, item_status,
  order_status, invoice_status, error, remark
from json_to_recordset($2::text::json) r (
  id uuid, place bigint, kind text, format text, raw text, title text, entities bigint, errors bigint, source_status text,
  instance_status text, holdings_status text, item_status text, order_status text, invoice_status text, error text, remark text)";

octavo_pg::statements!(other = [KEEP]);
