//! A record on its way through a job, and what is kept of one that came to an error.

use octavo_engine::{Context, metadata, statements};
use octavo_import::{Format, logged_title};
use octavo_marc::{Kind, Parsed, Remark};
use octavo_modules_inventory::source_records::SOURCE_RECORD;
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::check::{Profile, first_action, refused, refused_edifact, type_name};
use super::edifact;
use super::raw::{RawFormat, kind, read};
use crate::import::Incoming;
use crate::source_manager::journal::{Line, Short};

/// A record that was read, or could not be.
pub(super) struct Taken {
    pub incoming: Incoming,
    pub format: RawFormat,
    pub kind: Option<Kind>,
    /// Why nothing becomes of it.
    pub refusal: Option<String>,
    /// Whether it could be read.
    pub is_read: bool,
    /// What of its bytes is not in the record that was read.
    pub remark: Option<String>,
    /// The job's position behind it.
    pub position: i64,
}

/// A record that could be read.
pub(super) enum Read {
    Marc(Parsed),
    Edifact,
}

impl Read {
    pub(super) fn of(format: RawFormat, raw: &str) -> Result<Read, String> {
        match format {
            RawFormat::Edifact => edifact::parsed(raw).map(|_| Read::Edifact),
            _ => read(format, raw).map(Read::Marc),
        }
    }
}

/// A record as it stands in a file or a chunk.
pub(super) struct Found {
    pub place: i64,
    pub raw: String,
    pub format: RawFormat,
    pub read: Result<Read, String>,
    pub position: i64,
}

impl Found {
    pub(super) fn taken(self, id: Uuid, profile: Profile<'_>, keeps_ids: bool) -> Taken {
        let kind = match &self.read {
            Ok(Read::Marc(parsed)) => kind(&parsed.record),
            _ => None,
        };
        let remark = match &self.read {
            Ok(Read::Marc(parsed)) => losses(&parsed.remarks),
            _ => None,
        };
        let (refusal, is_read) = match &self.read {
            Err(why) => (Some(why.clone()), false),
            Ok(Read::Edifact) => (Some(refused_edifact(profile)), true),
            Ok(Read::Marc(parsed)) => match refused(profile, id, kind, &parsed.record, keeps_ids) {
                Some(refusal) => (Some(refusal.message), !refusal.is_unreadable),
                None => (None, true),
            },
        };
        let order = i32::try_from(self.place).unwrap_or(i32::MAX);
        let parsed = self.read.and_then(|read| match read {
            Read::Marc(parsed) => Ok(parsed.record),
            Read::Edifact => Err("it is no MARC record".to_owned()),
        });
        let incoming = Incoming { id, order, raw: self.raw, parsed };
        Taken { incoming, format: self.format, kind, refusal, is_read, remark, position: self.position }
    }
}

/// What is lost of a record, in one text.
fn losses(remarks: &[Remark]) -> Option<String> {
    let losses: Vec<String> =
        remarks.iter().filter(|remark| remark.is_loss()).map(ToString::to_string).collect();
    (!losses.is_empty()).then(|| losses.join("; "))
}

impl Taken {
    pub(super) fn place(&self) -> i64 {
        i64::from(self.incoming.order)
    }

    fn entity(&self) -> &'static str {
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

    /// The journal of a record, given what became of it.
    pub(super) fn lines(&self, snapshot: &Value, why: Option<&str>, done: Vec<Line>) -> Vec<Line> {
        let unreadable = why.filter(|_| !self.is_read);
        let mut lines = vec![Line::parsed(unreadable)];
        // A message that could be read is kept; the invoice is what does not come of it.
        let is_message = self.format == RawFormat::Edifact && self.is_read;
        if is_message {
            lines.push(Line {
                entity: self.entity().to_owned(),
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
            lines.push(line(if is_message { "INVOICE" } else { self.entity() }));
            // What was to come of a record that the profile takes has failed with it.
            if self.refusal.is_none() && matches!(record, "INSTANCE" | "HOLDINGS" | "ITEM" | "AUTHORITY") {
                lines.push(line(record));
            }
        }
        lines.extend(done);
        lines
    }

    /// The row that is kept of the record, without its raw form.
    pub(super) fn row(&self, short: &Short) -> Value {
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

    /// The source record of one that came to an error: as it came, with the reason.
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
            && let Ok(content) = edifact::parsed(&self.incoming.raw)
        {
            record["parsedRecord"] = json!({"id": id, "content": content});
        }
        record
    }
}

/// Keeps records that came to an error, each with the reason, as source records.
pub(super) fn keep_errors(context: &Context, job: Uuid, failed: &[(&Taken, &str)]) -> Option<Statement> {
    let documents: Vec<(Uuid, Value)> = failed
        .iter()
        .map(|(taken, why)| (taken.incoming.id, taken.error_record(context, job, why)))
        .collect();
    (!documents.is_empty()).then(|| statements::insert_all(&SOURCE_RECORD, &documents))
}

/// Keeps records as they came, with what became of each in short.
pub(super) fn keep_incoming(job: Uuid, rows: Vec<Value>) -> Statement {
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
