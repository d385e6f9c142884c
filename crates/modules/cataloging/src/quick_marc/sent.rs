//! What the editor sends: a new record, or a changed one.

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Kind, Record};
use octavo_record::{Reading, Schema};
use serde_json::Value;
use uuid::Uuid;

use super::refused::{Refused, all_invalid, malformed};
use super::validate::{completed_leader, faults};
use super::view::{Sent, restore};
use crate::authorities::links::Link;
use crate::authorities::rules::rule;
use crate::words::said;

#[derive(Debug)]
pub(super) struct Body {
    pub kind: Kind,
    leader: String,
    fields: Vec<Sent>,
    pub suppressed: bool,
}

/// Which record is changed, and from which version.
#[derive(Debug)]
pub(super) struct Edited {
    pub parsed: Uuid,
    pub matched: Uuid,
    pub described: Uuid,
    pub version: i64,
}

/// The body of a request as JSON.
pub(super) fn json(request: &Request) -> Outcome<Value> {
    request.json().map_err(|fault| malformed(said(&fault.body)).into())
}

/// Refuses a body whose members are not of their types.
pub(super) fn conforms(body: &Value, table: &'static str) -> Outcome<()> {
    let checked = Schema::of(table).check(body.clone(), Reading::FromClient);
    checked.map(drop).map_err(|refusals| {
        let said = refusals.into_iter().next().map(|refusal| refusal.message);
        malformed(said.unwrap_or_default()).into()
    })
}

/// The name of a kind of record.
pub(super) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "BIBLIOGRAPHIC",
        Kind::Holdings => "HOLDINGS",
        Kind::Authority => "AUTHORITY",
    }
}

fn required<'a>(body: &'a Value, member: &str) -> Result<&'a Value, Refused> {
    match &body[member] {
        Value::Null => Err(malformed(format!("Parameter '{member}' must not be null"))),
        value => Ok(value),
    }
}

fn id(body: &Value, member: &str) -> Result<Uuid, Refused> {
    let text = required(body, member)?.as_str().unwrap_or_default();
    Uuid::parse_str(text).map_err(|_| malformed(format!("Parameter '{member}' is invalid")))
}

impl Edited {
    pub(super) fn read(body: &Value) -> Result<Edited, Refused> {
        let version = required(body, "relatedRecordVersion")?;
        let version = version.as_i64().or_else(|| version.as_str()?.trim().parse().ok());
        required(body, "externalHrid")?;
        Ok(Edited {
            parsed: id(body, "parsedRecordId")?,
            matched: id(body, "parsedRecordDtoId")?,
            described: id(body, "externalId")?,
            version: version.ok_or_else(|| malformed("Parameter 'relatedRecordVersion' is invalid"))?,
        })
    }
}

impl Body {
    /// Reads a record, fills in what of its leader has but one value, and refuses it if it breaks a rule.
    pub(super) fn read(body: &Value) -> Outcome<Body> {
        let body = Body::unchecked(body).map_err(Fault::from)?;
        all_invalid(faults(body.kind, &body.leader, &body.fields))?;
        Ok(body)
    }

    fn unchecked(body: &Value) -> Result<Body, Refused> {
        let format = required(body, "marcFormat")?.as_str().unwrap_or_default();
        let kind = [Kind::Bibliographic, Kind::Holdings, Kind::Authority]
            .into_iter()
            .find(|kind| name(*kind) == format)
            .ok_or_else(|| malformed(format!("Unexpected value '{format}'")))?;
        let leader = required(body, "leader")?.as_str().unwrap_or_default();
        if leader.chars().count() != 24 {
            return Err(malformed("Parameter 'leader' size must be between 24 and 24"));
        }
        let fields = required(body, "fields")?.as_array().map_or(&[][..], Vec::as_slice);
        let fields = fields.iter().enumerate().map(|(at, field)| Sent::read(at, field));
        Ok(Body {
            kind,
            leader: completed_leader(leader, kind),
            fields: fields.collect::<Result<Vec<Sent>, Refused>>()?,
            suppressed: body["suppressDiscovery"] == true,
        })
    }

    /// Leaves out what a new record does not bring with it: FOLIO's own field, empty ones, and the number of another record.
    pub(super) fn prepared(mut self) -> Body {
        let kind = self.kind;
        self.fields.retain(|field| {
            !field.is_empty() && field.tag != "999" && (field.tag != "001" || kind == Kind::Authority)
        });
        self
    }

    pub(super) fn record(&self, today: &str) -> Outcome<Record> {
        restore(&self.leader, &self.fields, self.kind, today).map_err(Fault::from)
    }

    /// The links of the fields; of bibliographic records only.
    pub(super) fn links(&self) -> Vec<Link> {
        if self.kind != Kind::Bibliographic {
            return Vec::new();
        }
        let links = self.fields.iter().filter_map(|field| {
            let authority = Uuid::parse_str(field.link["authorityId"].as_str()?).ok()?;
            let rule = rule(field.link["linkingRuleId"].as_i64()?)?;
            Some((authority, rule.id))
        });
        links.collect()
    }
}
