//! The calls for associations of profiles: single associations, and the profiles above or below a profile.

use std::collections::HashMap;

use octavo_engine::{
    ListRequest, Request, Response, delete as remove, find, list_columns, list_response, statements,
};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Batch, Row};
use octavo_record::Page;
use serde_json::{Value, json};
use uuid::Uuid;

use super::changes::{LOCK, PLACES, PROFILES, THERE};
use super::kinds::{ASSOCIATION, Kind, WRAPPER};
use super::reads::{as_client_reads, find_related, narrow_query};
use super::refusals::{KINDS_MESSAGE, unknown_id_refusal};
use super::relations::{self, Side, assign_places, uuid_member};
use octavo_pg::Statement;

/// The kind of profile that a query parameter names.
pub(super) fn kind_parameter(request: &Request, parameter: &str) -> Outcome<Kind> {
    let Some(name) = request.query(parameter) else {
        return Err(Fault::bad_request(format!("Query parameter {parameter} is required")));
    };
    Kind::from_name(name).ok_or_else(|| {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        Fault::bad_request(format!("The specified type: {name} is wrong. It should be [{kinds}]"))
    })
}

fn kind_parameters(request: &Request) -> Outcome<(Kind, Kind)> {
    let (master, detail) = (kind_parameter(request, "master")?, kind_parameter(request, "detail")?);
    match relations::can_be_linked(master, detail) {
        true => Ok((master, detail)),
        false => Err(Fault::bad_request(KINDS_MESSAGE)),
    }
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (master, detail) = kind_parameters(&request)?;
    let clause = format!("masterProfileType=={} and detailProfileType=={}", master.name(), detail.name());
    let listing = ListRequest {
        query: Some(narrow_query(None, &clause)?),
        total: octavo_engine::CountMode::Exact,
        ..ListRequest::everything()
    };
    list_response(&request.context, &ASSOCIATION, &listing).await
}

/// The association in the request, completed with the kinds in the query.
fn sent_association(request: &Request, (master, detail): (Kind, Kind)) -> Outcome<Value> {
    let mut sent = request.checked_json(ASSOCIATION.schema)?;
    for (side, kind) in Side::BOTH.iter().zip([master, detail]) {
        if sent[side.kind].is_null() {
            sent[side.kind] = json!(kind.name());
        }
    }
    Ok(sent)
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let association = sent_association(&request, kind_parameters(&request)?)?;
    let context = &request.context;
    let mut session = context.session().await?;
    let named: Vec<Uuid> =
        Side::BOTH.iter().filter_map(|side| uuid_member(&association, side.profile)).collect();
    let given: Vec<Uuid> =
        Side::BOTH.iter().filter_map(|side| uuid_member(&association, side.wrapper)).collect();
    let mut batch = Batch::default();
    batch.ask::<()>(Statement::new(LOCK));
    let profiles = batch.ask::<(Uuid, Value)>(Statement::new(PROFILES).uuids(named.clone()));
    let places = batch.ask::<(Uuid, Uuid)>(Statement::new(PLACES).uuids(named));
    let there = batch.ask::<Uuid>(Statement::new(THERE).uuids(given));
    let answers = batch.begin(&mut session).await?;
    let profiles: HashMap<Uuid, Value> = answers.all(profiles).into_iter().collect();
    let there = answers.all(there);
    let mut known: HashMap<Uuid, Uuid> = HashMap::new();
    for (profile, place) in answers.all(places) {
        known.entry(profile).or_insert(place);
    }
    let lost = Side::BOTH.iter().find_map(|side| {
        let kind = association[side.kind].as_str().and_then(Kind::from_name)?;
        let profile = uuid_member(&association, side.profile).filter(|id| !profiles.contains_key(id));
        let profile = profile
            .map(|id| unknown_id_refusal(side.profile, &id.to_string(), kind.properties().record.table));
        let place = uuid_member(&association, side.wrapper).filter(|id| !there.contains(id));
        profile.or_else(|| place.map(|id| unknown_id_refusal(side.wrapper, &id.to_string(), WRAPPER.table)))
    });
    if let Some(refusal) = lost {
        session.rollback().await?;
        return Err(refusal.into());
    }
    let wired = assign_places(&[association], &known, || context.fresh_id());
    let id = context.fresh_id();
    let stored = relations::with_id(&wired.associations[0], id);
    let mut changes: Vec<Statement> =
        wired.wrappers.iter().map(|(id, wrapper)| statements::insert(&WRAPPER, *id, wrapper)).collect();
    changes.push(statements::insert(&ASSOCIATION, id, &stored));
    session.commit(changes).await?;
    Ok(Response::json(201, &stored))
}

/// The stored association, if it is between the kinds in the query.
async fn find_association(request: &Request) -> Outcome<Option<Value>> {
    let (id, (master, detail)) = (request.path_id(0)?, kind_parameters(request)?);
    let mut session = request.context.session().await?;
    let found = find(&mut session, &ASSOCIATION, id).await?;
    Ok(found.filter(|found| is_between(found, (master, detail))))
}

fn is_between(association: &Value, (master, detail): (Kind, Kind)) -> bool {
    association["masterProfileType"] == master.name() && association["detailProfileType"] == detail.name()
}

fn unknown_association(request: &Request) -> Fault {
    Fault::not_found_with(format!(
        "Profile association with id '{}' was not found",
        request.path_parameter(0)
    ))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let found = find_association(&request).await?.ok_or_else(|| unknown_association(&request))?;
    Ok(Response::json(200, &found))
}

/// Replaces an association. Profiles that do not change keep their places, unless the client gives others.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, kinds) = (request.path_id(0)?, kind_parameters(&request)?);
    let mut association = sent_association(&request, kinds)?;
    let mut session = request.context.session().await?;
    let mut batch = Batch::default();
    batch.ask::<()>(Statement::new(LOCK));
    let stored = batch.ask::<(Uuid, Value)>(statements::lock_all(&ASSOCIATION).uuids(vec![id]));
    let stored = batch.begin(&mut session).await?.first(stored);
    let Some((_, stored)) = stored.filter(|(_, stored)| is_between(stored, kinds)) else {
        session.rollback().await?;
        let class = "class org.folio.rest.jaxrs.model.ProfileAssociation";
        return Err(Fault::not_found_with(format!("update:: {class} with id '{id}' was not found")));
    };
    for side in &Side::BOTH {
        if association[side.wrapper].is_null() && association[side.profile] == stored[side.profile] {
            association[side.wrapper] = stored[side.wrapper].clone();
        }
    }
    let wired = assign_places(&[association], &HashMap::new(), || request.context.fresh_id());
    let association = relations::with_id(&wired.associations[0], id);
    let given: Vec<Uuid> =
        Side::BOTH.iter().filter_map(|side| uuid_member(&association, side.wrapper)).collect();
    let mut changes: Vec<Statement> =
        wired.wrappers.iter().map(|(id, wrapper)| statements::insert(&WRAPPER, *id, wrapper)).collect();
    changes.push(Statement::new(THERE).uuids(given));
    let answers = session.batch(changes).await?;
    let there: Vec<Uuid> = answers.last().into_iter().flatten().map(Row::read).collect();
    let lost = Side::BOTH.iter().find_map(|side| {
        let place = uuid_member(&association, side.wrapper).filter(|place| !there.contains(place))?;
        Some(unknown_id_refusal(side.wrapper, &place.to_string(), WRAPPER.table))
    });
    if let Some(refusal) = lost {
        session.rollback().await?;
        return Err(refusal.into());
    }
    session.commit(vec![statements::overwrite(&ASSOCIATION, id, &association)]).await?;
    Ok(Response::json(200, &association))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    find_association(&request).await?.ok_or_else(|| unknown_association(&request))?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &ASSOCIATION, request.path_id(0)?)
        .await
        .map_err(|fault| if fault.status == 404 { unknown_association(&request) } else { fault })?;
    Ok(Response::no_content())
}

/// The profiles below a profile.
pub(super) async fn details(request: Request) -> Outcome<Response> {
    let kind = kind_parameter(&request, "masterType")?;
    related_response(request, kind, "detailType", true, "Master").await
}

/// The profiles above a profile.
pub(super) async fn masters(request: Request) -> Outcome<Response> {
    let kind = kind_parameter(&request, "detailType")?;
    related_response(request, kind, "masterType", false, "Detail").await
}

async fn related_response(
    request: Request,
    kind: Kind,
    other: &str,
    children: bool,
    called: &str,
) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let ListRequest { query, page, .. } = ListRequest::from_request(&request)?;
    let wanted = request.query(other).and_then(Kind::from_name);
    let mut session = request.context.session().await?;
    let root = find(&mut session, kind.properties().record, id).await?;
    let root =
        root.ok_or_else(|| Fault::not_found_with(format!("{called} profile with id '{id}' was not found")))?;
    let mut around = find_related(&mut session, vec![id]).await?;
    around.retain(|one| one.is_child == children && wanted.is_none_or(|kind| one.kind == kind));
    if let Some(query) = query {
        // The ids of the profiles that the query finds, with their positions in its order.
        let mut order: HashMap<Uuid, usize> = HashMap::new();
        for kind in Kind::ALL.into_iter().filter(|kind| around.iter().any(|one| one.kind == *kind)) {
            let listing = ListRequest { query: Some(query.clone()), ..ListRequest::everything() };
            let (rows, _) = list_columns(&mut session, kind.properties().record, "t.id", &listing).await?;
            for row in &rows {
                let next = order.len();
                order.insert(row.read(), next);
            }
        }
        around.retain(|one| order.contains_key(&one.profile));
        if !query.sort.is_empty() {
            around.sort_by_key(|one| order.get(&one.profile).copied());
        }
    }
    let Page { offset, limit } = page;
    let shown = around.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
    let shown: Vec<Value> =
        shown.take(usize::try_from(limit).unwrap_or(0)).map(super::reads::Related::into_json).collect();
    Ok(Response::json(
        200,
        &json!({
            "id": id,
            "contentType": kind.name(),
            "content": as_client_reads(kind, root),
            "order": 0,
            "childSnapshotWrappers": shown,
        }),
    ))
}

octavo_pg::statements!();
