//! The calls about associations of profiles: single ones, and what is above or below a profile.

use std::collections::HashMap;

use octavo_engine::{
    Listing, Request, Response, collection, delete as remove, find, list_columns, statements,
};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Batch, Row};
use octavo_record::Page;
use serde_json::{Value, json};
use uuid::Uuid;

use super::changes::{LOCK, PLACES, PROFILES, THERE};
use super::kinds::{ASSOCIATION, Kind, WRAPPER};
use super::reads::{narrowed, related, with_arrays};
use super::refusals::{KINDS, nowhere};
use super::relations::{self, Side, uuid, wired};
use octavo_pg::Statement;

/// The kind that a query parameter names.
pub(super) fn kind_of(request: &Request, parameter: &str) -> Outcome<Kind> {
    let Some(name) = request.query(parameter) else {
        return Err(Fault::bad_request(format!("Query parameter {parameter} is required")));
    };
    Kind::named(name).ok_or_else(|| {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        Fault::bad_request(format!("The specified type: {name} is wrong. It should be [{kinds}]"))
    })
}

fn kinds_of(request: &Request) -> Outcome<(Kind, Kind)> {
    let (master, detail) = (kind_of(request, "master")?, kind_of(request, "detail")?);
    match relations::may_stand(master, detail) {
        true => Ok((master, detail)),
        false => Err(Fault::bad_request(KINDS)),
    }
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (master, detail) = kinds_of(&request)?;
    let clause = format!("masterProfileType=={} and detailProfileType=={}", master.name(), detail.name());
    let listing = Listing {
        query: Some(narrowed(None, &clause)?),
        total: octavo_engine::Total::Exact,
        ..Listing::everything()
    };
    collection(&request.context, &ASSOCIATION, &listing).await
}

/// The association that was sent, with the kinds that the query names where it says none.
fn sent(request: &Request, (master, detail): (Kind, Kind)) -> Outcome<Value> {
    let mut sent = request.checked(ASSOCIATION.schema)?;
    for (side, kind) in Side::BOTH.iter().zip([master, detail]) {
        if sent[side.kind].is_null() {
            sent[side.kind] = json!(kind.name());
        }
    }
    Ok(sent)
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let association = sent(&request, kinds_of(&request)?)?;
    let context = &request.context;
    let mut session = context.session().await?;
    let named: Vec<Uuid> = Side::BOTH.iter().filter_map(|side| uuid(&association, side.profile)).collect();
    let given: Vec<Uuid> = Side::BOTH.iter().filter_map(|side| uuid(&association, side.wrapper)).collect();
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
        let kind = association[side.kind].as_str().and_then(Kind::named)?;
        let profile = uuid(&association, side.profile).filter(|id| !profiles.contains_key(id));
        let profile = profile.map(|id| nowhere(side.profile, &id.to_string(), kind.words().record.table));
        let place = uuid(&association, side.wrapper).filter(|id| !there.contains(id));
        profile.or_else(|| place.map(|id| nowhere(side.wrapper, &id.to_string(), WRAPPER.table)))
    });
    if let Some(refusal) = lost {
        session.rollback().await?;
        return Err(refusal.into());
    }
    let wired = wired(&[association], &known, || context.fresh_id());
    let id = context.fresh_id();
    let stored = relations::stored(&wired.associations[0], id);
    let mut changes: Vec<Statement> =
        wired.wrappers.iter().map(|(id, wrapper)| statements::insert(&WRAPPER, *id, wrapper)).collect();
    changes.push(statements::insert(&ASSOCIATION, id, &stored));
    session.commit(changes).await?;
    Ok(Response::json(201, &stored))
}

/// The stored association, if it is between these kinds.
async fn found(request: &Request) -> Outcome<Option<Value>> {
    let (id, (master, detail)) = (request.id(0)?, kinds_of(request)?);
    let mut session = request.context.session().await?;
    let found = find(&mut session, &ASSOCIATION, id).await?;
    Ok(found.filter(|found| {
        found["masterProfileType"] == master.name() && found["detailProfileType"] == detail.name()
    }))
}

fn unknown(request: &Request) -> Fault {
    Fault::missing(format!("Profile association with id '{}' was not found", request.parameter(0)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let found = found(&request).await?.ok_or_else(|| unknown(&request))?;
    Ok(Response::json(200, &found))
}

/// Replaces an association. Where the client does not say so, its profiles keep their places.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, kinds) = (request.id(0)?, kinds_of(&request)?);
    let mut association = sent(&request, kinds)?;
    let stored = found(&request).await?.ok_or_else(|| {
        let class = "class org.folio.rest.jaxrs.model.ProfileAssociation";
        Fault::missing(format!("update:: {class} with id '{id}' was not found"))
    })?;
    for side in &Side::BOTH {
        if association[side.wrapper].is_null() && association[side.profile] == stored[side.profile] {
            association[side.wrapper] = stored[side.wrapper].clone();
        }
    }
    let mut session = request.context.session().await?;
    let wired = wired(&[association], &HashMap::new(), || request.context.fresh_id());
    let association = relations::stored(&wired.associations[0], id);
    let given: Vec<Uuid> = Side::BOTH.iter().filter_map(|side| uuid(&association, side.wrapper)).collect();
    let mut changes = vec![Statement::new(LOCK)];
    changes.extend(wired.wrappers.iter().map(|(id, wrapper)| statements::insert(&WRAPPER, *id, wrapper)));
    let answers = session.begin([changes, vec![Statement::new(THERE).uuids(given.clone())]].concat()).await?;
    let there: Vec<Uuid> = answers.last().into_iter().flatten().map(Row::read).collect();
    let lost = Side::BOTH.iter().find_map(|side| {
        let place = uuid(&association, side.wrapper).filter(|place| !there.contains(place))?;
        Some(nowhere(side.wrapper, &place.to_string(), WRAPPER.table))
    });
    if let Some(refusal) = lost {
        session.rollback().await?;
        return Err(refusal.into());
    }
    session.commit(vec![statements::overwrite(&ASSOCIATION, id, &association)]).await?;
    Ok(Response::json(200, &association))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    found(&request).await?.ok_or_else(|| unknown(&request))?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &ASSOCIATION, request.id(0)?)
        .await
        .map_err(|fault| if fault.status == 404 { unknown(&request) } else { fault })?;
    Ok(Response::no_content())
}

/// What is below a profile.
pub(super) async fn details(request: Request) -> Outcome<Response> {
    let kind = kind_of(&request, "masterType")?;
    around(request, kind, "detailType", true, "Master").await
}

/// What is above a profile.
pub(super) async fn masters(request: Request) -> Outcome<Response> {
    let kind = kind_of(&request, "detailType")?;
    around(request, kind, "masterType", false, "Detail").await
}

async fn around(
    request: Request,
    kind: Kind,
    other: &str,
    children: bool,
    called: &str,
) -> Outcome<Response> {
    let id = request.id(0)?;
    let Listing { query, page, .. } = Listing::of(&request)?;
    let wanted = request.query(other).and_then(Kind::named);
    let mut session = request.context.session().await?;
    let root = find(&mut session, kind.words().record, id).await?;
    let root =
        root.ok_or_else(|| Fault::missing(format!("{called} profile with id '{id}' was not found")))?;
    let mut around = related(&mut session, vec![id]).await?;
    around.retain(|one| one.is_child == children && wanted.is_none_or(|kind| one.kind == kind));
    if let Some(query) = query {
        // The places of the profiles that the query finds, in its order.
        let mut order: HashMap<Uuid, usize> = HashMap::new();
        for kind in Kind::ALL.into_iter().filter(|kind| around.iter().any(|one| one.kind == *kind)) {
            let listing = Listing { query: Some(query.clone()), ..Listing::everything() };
            let (rows, _) = list_columns(&mut session, kind.words().record, "t.id", &listing).await?;
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
        shown.take(usize::try_from(limit).unwrap_or(0)).map(super::reads::Related::shown).collect();
    Ok(Response::json(
        200,
        &json!({
            "id": id,
            "contentType": kind.name(),
            "content": with_arrays(kind, root),
            "order": 0,
            "childSnapshotWrappers": shown,
        }),
    ))
}

octavo_pg::statements!();
