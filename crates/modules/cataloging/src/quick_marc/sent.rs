//! Reads what the editor sends: a new record, or a changed one.

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Kind, Record};
use octavo_record::{Reading, Schema};
use serde_json::Value;
use uuid::Uuid;

use super::refused::{EditorRefusal, check_all_valid, malformed};
use super::validate::{complete_leader, faults};
use super::view::{SentField, restore};
use crate::authorities::links::Link;
use crate::authorities::rules::rule_by_id;
use crate::words::fault_message;

#[derive(Debug)]
pub(super) struct Body {
    pub kind: Kind,
    leader: String,
    fields: Vec<SentField>,
    pub suppressed: bool,
}

/// The ids of a changed record, and the version from which it was changed.
#[derive(Debug)]
pub(super) struct Edited {
    pub parsed: Uuid,
    pub matched: Uuid,
    pub described: Uuid,
    pub version: i64,
}

/// The body of a request as JSON.
pub(super) fn json_body(request: &Request) -> Outcome<Value> {
    request.json().map_err(|fault| malformed(fault_message(&fault.body)).into())
}

/// Refuses a body whose members are not of their types.
pub(super) fn check_types(body: &Value, table: &'static str) -> Outcome<()> {
    let checked = Schema::parse_cached(table).check(body.clone(), Reading::FromClient);
    checked.map(drop).map_err(|refusals| {
        let said = refusals.into_iter().next().map(|refusal| refusal.message);
        malformed(said.unwrap_or_default()).into()
    })
}

/// The name of a kind of record.
pub(super) fn marc_format_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "BIBLIOGRAPHIC",
        Kind::Holdings => "HOLDINGS",
        Kind::Authority => "AUTHORITY",
    }
}

fn required_member<'a>(body: &'a Value, member: &str) -> Result<&'a Value, EditorRefusal> {
    match &body[member] {
        Value::Null => Err(malformed(format!("Parameter '{member}' must not be null"))),
        value => Ok(value),
    }
}

fn id_member(body: &Value, member: &str) -> Result<Uuid, EditorRefusal> {
    let text = required_member(body, member)?.as_str().unwrap_or_default();
    Uuid::parse_str(text).map_err(|_| malformed(format!("Parameter '{member}' is invalid")))
}

impl Edited {
    pub(super) fn read(body: &Value) -> Result<Edited, EditorRefusal> {
        let version = required_member(body, "relatedRecordVersion")?;
        let version = version.as_i64().or_else(|| version.as_str()?.trim().parse().ok());
        required_member(body, "externalHrid")?;
        Ok(Edited {
            parsed: id_member(body, "parsedRecordId")?,
            matched: id_member(body, "parsedRecordDtoId")?,
            described: id_member(body, "externalId")?,
            version: version.ok_or_else(|| malformed("Parameter 'relatedRecordVersion' is invalid"))?,
        })
    }
}

impl Body {
    /// Reads a record, corrects its leader by [`complete_leader`], and checks the MARC rules.
    pub(super) fn read(body: &Value) -> Outcome<Body> {
        let body = Body::unchecked(body).map_err(Fault::from)?;
        check_all_valid(faults(body.kind, &body.leader, &body.fields))?;
        Ok(body)
    }

    fn unchecked(body: &Value) -> Result<Body, EditorRefusal> {
        let format = required_member(body, "marcFormat")?.as_str().unwrap_or_default();
        let kind = [Kind::Bibliographic, Kind::Holdings, Kind::Authority]
            .into_iter()
            .find(|kind| marc_format_name(*kind) == format)
            .ok_or_else(|| malformed(format!("Unexpected value '{format}'")))?;
        let leader = required_member(body, "leader")?.as_str().unwrap_or_default();
        if leader.chars().count() != 24 {
            return Err(malformed("Parameter 'leader' size must be between 24 and 24"));
        }
        let fields = required_member(body, "fields")?.as_array().map_or(&[][..], Vec::as_slice);
        let fields = fields.iter().enumerate().map(|(at, field)| SentField::read(at, field));
        Ok(Body {
            kind,
            leader: complete_leader(leader, kind),
            fields: fields.collect::<Result<Vec<SentField>, EditorRefusal>>()?,
            suppressed: body["suppressDiscovery"] == true,
        })
    }

    /// Removes fields that a new record does not keep: FOLIO's 999, empty fields, and the number of another record in 001.
    pub(super) fn into_new_record(mut self) -> Body {
        let kind = self.kind;
        self.fields.retain(|field| {
            !field.is_empty() && field.tag != "999" && (field.tag != "001" || kind == Kind::Authority)
        });
        self
    }

    pub(super) fn record(&self, today: &str) -> Outcome<Record> {
        restore(&self.leader, &self.fields, self.kind, today).map_err(Fault::from)
    }

    /// The links of the fields. Only bibliographic records have links.
    pub(super) fn links(&self) -> Vec<Link> {
        if self.kind != Kind::Bibliographic {
            return Vec::new();
        }
        let links = self.fields.iter().filter_map(|field| {
            let authority = Uuid::parse_str(field.link["authorityId"].as_str()?).ok()?;
            let rule = rule_by_id(field.link["linkingRuleId"].as_i64()?)?;
            Some((authority, rule.id))
        });
        links.collect()
    }
}
