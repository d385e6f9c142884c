//! Links between the fields of instances' MARC records and authorities. A link is an authority, an instance and a linking rule.

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, Refusal};
use octavo_marc::{Field, Record};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::control::AUTHORITY_ID_CODE;
use super::rules::rule_by_id;
use super::validation_fault;

const LINKS: &str = include_str!("../../../folio/records/mod-entities-links/instanceLinkDtoCollection.tsv");
const IDS: &str = include_str!("../../../folio/records/mod-entities-links/uuidCollection.tsv");

/// An authority and the rule by which it is linked.
pub(crate) type Link = (Uuid, i64);

/// A row of a link: its number, authority, natural id, rule, status and error.
pub(crate) type LinkRow = (i64, Uuid, Option<String>, i64, String, Option<String>);

/// Reads the links of an instance (`LinkRow`).
pub(crate) fn by_instance_statement(instance: Uuid) -> Statement {
    Statement::new(OF_INSTANCE).uuid(instance)
}

/// A row of the links of several instances: the instance, the authority with its natural id, and the rule.
pub(crate) type InstanceLinkRow = (Uuid, Uuid, Option<String>, i64);

/// Reads the links of instances (`InstanceLinkRow`).
pub(crate) fn by_instances_statement(instances: Vec<Uuid>) -> Statement {
    Statement::new(OF_INSTANCES).uuids(instances)
}

/// Statements that replace the links of an instance. A link that exists keeps its number; a link to an authority that does not exist is
/// left out.
pub(crate) fn replace_statements(instance: Uuid, links: &[Link]) -> Vec<Statement> {
    let authorities: Vec<Uuid> = links.iter().map(|(authority, _)| *authority).collect();
    let rules: Vec<String> = links.iter().map(|(_, rule)| rule.to_string()).collect();
    [REMOVE, ADD]
        .map(|sql| Statement::new(sql).uuid(instance).uuids(authorities.clone()).texts(rules.clone()))
        .to_vec()
}

/// Stores which links of an instance a job removes, because only `kept` remain.
pub(crate) fn note_ended_statement((job, place): (Uuid, i32), instance: Uuid, kept: &[Link]) -> Statement {
    let authorities = kept.iter().map(|(authority, _)| *authority).collect();
    let rules = kept.iter().map(|(_, rule)| rule.to_string()).collect();
    let note = Statement::new(NOTE_ENDED).uuid(instance).uuids(authorities).texts(rules);
    note.uuid(job).long(i64::from(place))
}

/// Stores which instances are linked to an authority that a job deletes.
pub(crate) fn note_ended_of_authority_statement((job, place): (Uuid, i32), authority: Uuid) -> Statement {
    Statement::new(NOTE_ENDED_OF_AUTHORITY).uuid(authority).uuid(job).long(i64::from(place))
}

/// Restores the links that a job has removed with a record of its file. If the heading has changed since then, it no longer agrees with the
/// field: the link gets an error.
pub(crate) fn restore_ended_statement(job: Uuid, place: i64) -> Statement {
    Statement::new(MAKE_ANEW).uuid(job).long(place)
}

/// The links of an instance whose field is still in its record: a field with the rule's tag that names the authority in subfield 9.
pub(crate) fn links_in_record(record: &Record, links: impl Iterator<Item = LinkRow>) -> Vec<Link> {
    let names = |field: &Field, authority: &str| match field {
        Field::Data { subfields, .. } => subfields.iter().any(|subfield| {
            subfield.code == AUTHORITY_ID_CODE && subfield.value.eq_ignore_ascii_case(authority)
        }),
        Field::Control { .. } => false,
    };
    let is_named = |authority: Uuid, id: i64| {
        let authority = authority.to_string();
        let of_rule = |field: &&Field| rule_by_id(id).is_some_and(|rule| field.tag() == rule.bib_field);
        record.fields.iter().filter(of_rule).any(|field| names(field, &authority))
    };
    let links = links.map(|(_, authority, _, rule, ..)| (authority, rule));
    links.filter(|(authority, rule)| is_named(*authority, *rule)).collect()
}

pub(crate) fn link_to_json(instance: Uuid, link: &LinkRow) -> Value {
    let (id, authority, natural_id, rule, status, error) = link;
    let mut shown = json!({
        "id": id, "authorityId": authority, "authorityNaturalId": natural_id, "instanceId": instance,
        "linkingRuleId": rule, "status": status,
    });
    if let Some(error) = error {
        shown["errorCause"] = json!(error);
    }
    shown
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let instance = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let links: Vec<LinkRow> = session.read(by_instance_statement(instance)).await?;
    let shown: Vec<Value> = links.iter().map(|link| link_to_json(instance, link)).collect();
    Ok(Response::json(200, &json!({"links": shown, "totalRecords": shown.len()})))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (instance, body) = (request.path_id(0)?, request.checked_json(LINKS)?);
    let sent = body["links"].as_array().map_or(&[][..], Vec::as_slice);
    let of_another = sent.iter().filter_map(|link| {
        let id = link["instanceId"].as_str().unwrap_or_default();
        (Uuid::parse_str(id) != Ok(instance)).then(|| ("instanceId", id.to_owned()))
    });
    let of_another: Vec<(&str, String)> = of_another.collect();
    if !of_another.is_empty() {
        return Err(validation_fault(&format!("Link should have instanceId = {instance}"), of_another));
    }
    let unknown = || Refusal::new("Unknown constraint.").code("-1");
    let mut links: Vec<Link> = Vec::with_capacity(sent.len());
    for link in sent {
        let authority = link["authorityId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let rule = link["linkingRuleId"].as_i64().filter(|id| rule_by_id(*id).is_some());
        let (Some(authority), Some(rule)) = (authority, rule) else { return Err(unknown().into()) };
        links.push((authority, rule));
    }
    let mut authorities: Vec<Uuid> = links.iter().map(|(authority, _)| *authority).collect();
    authorities.sort_unstable();
    authorities.dedup();
    let asked = authorities.len();
    let mut session = request.context.session().await?;
    let there: Vec<Uuid> = session.read(Statement::new(THERE).uuids(authorities)).await?;
    if there.len() < asked {
        return Err(unknown().into());
    }
    session.transaction(replace_statements(instance, &links)).await?;
    Ok(Response::no_content())
}

/// How many instances are linked to each of some authorities.
pub(super) async fn count(request: Request) -> Outcome<Response> {
    let body = request.checked_json(IDS)?;
    let ids = body["ids"].as_array().map_or(&[][..], Vec::as_slice);
    let mut ids: Vec<Uuid> = ids.iter().filter_map(|id| Uuid::parse_str(id.as_str()?).ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut session = request.context.session().await?;
    let counted: Vec<(Uuid, i64)> = session.read(Statement::new(COUNT).uuids(ids)).await?;
    let links = counted.iter().map(|(id, links)| json!({"id": id, "totalLinks": links}));
    Ok(Response::json(200, &json!({"links": links.collect::<Vec<Value>>()})))
}

const OF_INSTANCE: &str = "\
select l.id, l.authority, a.doc ->> 'naturalId', l.rule, l.status, l.error
from instance_authority_link l
join authority a on a.id = l.authority
where l.instance = $1
order by l.id";

const OF_INSTANCES: &str = "\
select l.instance, l.authority, a.doc ->> 'naturalId', l.rule
from instance_authority_link l
join authority a on a.id = l.authority
where l.instance = any($1)
order by l.id";

const THERE: &str = "select id from authority where id = any($1) for key share";

const REMOVE: &str = "\
delete from instance_authority_link l
where l.instance = $1
and not exists (
  select
  from unnest($2::uuid[], $3::text[]) n (authority, rule)
  where n.authority = l.authority
  and n.rule::bigint = l.rule)";

const NOTE_ENDED: &str = "\
insert into import_unlinked (job, place, instance, authority, rule)
select $4::uuid, $5::int8, l.instance, l.authority, l.rule
from instance_authority_link l
where l.instance = $1
and not exists (
  select
  from unnest($2::uuid[], $3::text[]) n (authority, rule)
  where n.authority = l.authority
  and n.rule::bigint = l.rule)
on conflict do nothing";

const NOTE_ENDED_OF_AUTHORITY: &str = "\
insert into import_unlinked (job, place, instance, authority, rule)
select $2::uuid, $3::int8, l.instance, l.authority, l.rule
from instance_authority_link l
where l.authority = $1
on conflict do nothing";

const MAKE_ANEW: &str = "\
insert into instance_authority_link (instance, authority, rule, status, error)
select
  u.instance,
  u.authority,
  u.rule,
  case when changed.is_so then 'ERROR' else 'ACTUAL' end,
  case when changed.is_so then 'The heading has changed while the link was ended' end
from import_unlinked u
join job_execution j on j.id = u.job
cross join lateral (
  select exists (select from heading_change c where c.authority = u.authority and c.started > j.started) as is_so
) changed
where u.job = $1
and u.place = $2::int8
and exists (select from authority a where a.id = u.authority)
and exists (select from instance i where i.id = u.instance)
on conflict do nothing";

const ADD: &str = "\
insert into instance_authority_link (instance, authority, rule)
select $1::uuid, n.authority, n.rule::bigint
from unnest($2::uuid[], $3::text[]) with ordinality n (authority, rule, place)
where exists (select from authority a where a.id = n.authority)
and not exists (
  select
  from instance_authority_link l
  where l.instance = $1::uuid
  and l.authority = n.authority
  and l.rule = n.rule::bigint)
group by n.authority, n.rule
order by min(n.place)
on conflict do nothing";

const COUNT: &str = "\
select n.id, (
  select count(distinct l.instance)
  from instance_authority_link l
  where l.authority = n.id
  and exists (select from authority a where a.id = n.id))
from unnest($1::uuid[]) n (id)";

octavo_pg::statements!(
    other = [
        OF_INSTANCE,
        OF_INSTANCES,
        THERE,
        REMOVE,
        NOTE_ENDED,
        NOTE_ENDED_OF_AUTHORITY,
        MAKE_ANEW,
        ADD,
        COUNT
    ]
);
