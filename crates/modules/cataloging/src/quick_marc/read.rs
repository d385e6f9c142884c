//! `GET /records-editor/records`: a MARC record in the editor's form, with its links and protected fields. One round trip.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_inventory::has_next_generation;
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::protection::{Setting, mark_protected};
use super::refused::{EditorRefusal, malformed, not_found};
use super::sent::marc_format_name;
use super::view::{show_fields, show_leader};
use crate::authorities::links::{self, LinkRow};
use crate::authorities::rules::rule_by_id;
use crate::current;
use crate::import::PROTECTIONS;
use crate::words::unknown_record_message;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = id_parameter(&request, "externalId")?;
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![
            current::read_statement(vec![id]),
            links::by_instance_statement(id),
            Statement::new(CHANGED_BY).uuid(id),
            Statement::new(PROTECTIONS),
        ])
        .await?;
    let found = current::from_rows(&answers[0]).into_iter().next().ok_or_else(|| unknown_record(id))?;
    let mut fields = show_fields(&found.record, found.kind);
    let settings: Vec<Setting> = answers[3].iter().map(|row| Setting::read(&row.read::<Value>())).collect();
    mark_protected(&mut fields, &settings);
    let links: Vec<LinkRow> = answers[1].iter().map(Row::read).collect();
    add_link_details(&mut fields, &links);
    let hrid = found.hrid.as_deref().or_else(|| found.record.control_field("001"));
    let mut update = json!({"recordState": "ACTUAL"});
    let changed = [&found.metadata["updatedDate"], &found.metadata["createdDate"]];
    if let Some(date) = changed.into_iter().find(|date| !date.is_null()) {
        update["updateDate"] = date.clone();
    }
    if let Some(user) = answers[2].first().map(Row::read::<Value>) {
        update["updatedBy"] = user;
    }
    let view = json!({
        "_actionType": "view", "leader": show_leader(&found.record.leader), "fields": fields, "suppressDiscovery": found.suppressed,
        "marcFormat": marc_format_name(found.kind), "parsedRecordId": found.id, "parsedRecordDtoId": found.matched, "externalId": id,
        "externalHrid": hrid, "updateInfo": update,
    });
    Ok(Response::json(200, &view))
}

/// The id in a parameter of the query.
pub(super) fn id_parameter(request: &Request, name: &str) -> Outcome<Uuid> {
    let text = request.query(name).filter(|text| !text.is_empty());
    let text =
        text.ok_or_else(|| malformed(format!("Parameter '{name}' is required"))).map_err(Fault::from)?;
    Uuid::parse_str(text).map_err(|_| malformed(format!("Parameter '{name}' is invalid")).into())
}

pub(super) fn unknown_record(id: Uuid) -> EditorRefusal {
    not_found("-2", unknown_record_message(&id.to_string()))
}

/// Adds the details of links to the fields that name the authority of a link. The only field of the link's tag gets them if it names any
/// authority.
fn add_link_details(fields: &mut [Value], links: &[LinkRow]) {
    for (_, authority, natural_id, by, status, error) in links {
        let Some(rule) = rule_by_id(*by) else { continue };
        let authority = authority.to_string();
        let of_rule: Vec<&mut Value> =
            fields.iter_mut().filter(|field| field["tag"] == rule.bib_field).collect();
        let is_only = of_rule.len() == 1;
        for field in of_rule {
            let named = field["linkDetails"]["authorityId"].as_str();
            if named.is_none_or(|named| !is_only && named != authority) {
                continue;
            }
            field["linkDetails"] = json!({
                "authorityId": authority, "authorityNaturalId": natural_id, "linkingRuleId": rule.id, "status": status,
            });
            if let Some(error) = error {
                field["linkDetails"]["errorCause"] = json!(error);
            }
        }
    }
}

const CHANGED_BY: &str = concat!(
    "\
select jsonb_strip_nulls(jsonb_build_object(
  'userId', u.id,
  'username', u.doc ->> 'username',
  'lastName', u.doc #>> '{personal,lastName}',
  'firstName', u.doc #>> '{personal,firstName}',
  'middleName', u.doc #>> '{personal,middleName}'))::text
from records_lb r
join users u on u.id = (r.doc #>> '{metadata,updatedByUserId}')::uuid
where (r.\"externalIdsHolder.instanceId\" = $1
  or r.\"externalIdsHolder.holdingsId\" = $1
  or r.\"externalIdsHolder.authorityId\" = $1)
and ",
    has_next_generation!("r"),
    "
order by r.state
limit 1"
);

octavo_pg::statements!(other = [CHANGED_BY]);
