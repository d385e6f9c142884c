//! Features of searches that a tenant switches on or off. `search.all.fields` fills what `cql.all` searches, and
//! `browse.classifications` the lists of classification numbers, so a change of them has every process make its
//! index anew. Those of lists of call numbers are kept and change nothing.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};

use crate::browse::headings::CLASSIFICATIONS_FEATURE;
use crate::indexes::{TITLES, made_anew};
use crate::refusals::{ARGUMENT, bad, error, invalid, of_member, refused, unreadable_body};

pub(crate) const MIGRATION: Migration = Migration {
    number: 13,
    name: "features of searches",
    sql: include_str!("../../migrations/13_features_of_searches.sql"),
};

/// The features that change what is indexed.
const INDEXED: [&str; 2] = ["search.all.fields", CLASSIFICATIONS_FEATURE];

/// The features that mod-search knows.
const KNOWN: [&str; 4] = [
    "search.all.fields",
    "browse.cn.intermediate.values",
    "browse.cn.intermediate.remove.duplicates",
    CLASSIFICATIONS_FEATURE,
];

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let all: Vec<(String, bool)> = request.context.session().await?.read(Statement::new(ALL)).await?;
    let features: Vec<Value> = all.iter().map(|(feature, enabled)| shown(feature, *enabled)).collect();
    Ok(Response::json(200, &json!({"totalRecords": features.len(), "features": features})))
}

pub(crate) async fn add(request: Request) -> Outcome<Response> {
    let (feature, enabled) = body(&request)?;
    let added = write(&request, ADD, &feature, enabled).await?;
    if !added {
        return Err(invalid("Feature configuration already exists", "feature", &feature));
    }
    Ok(Response::json(200, &shown(&feature, enabled)))
}

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    let wanted = known(request.parameter(0))?;
    let (feature, enabled) = body(&request)?;
    if feature != wanted {
        return Err(invalid("Request body feature must be the same as in the URL", "feature", wanted));
    }
    let changed = write(&request, CHANGE, &feature, enabled).await?;
    if changed { Ok(Response::json(200, &shown(&feature, enabled))) } else { Err(unknown(&feature)) }
}

pub(crate) async fn remove(request: Request) -> Outcome<Response> {
    let feature = known(request.parameter(0))?;
    let removed = write(&request, REMOVE, feature, false).await?;
    if removed { Ok(Response::no_content()) } else { Err(unknown(feature)) }
}

/// Runs the statement, and has the index made anew if that changes what is in it. Whether the statement found its row.
async fn write(request: &Request, sql: &'static str, feature: &str, enabled: bool) -> Outcome<bool> {
    let context = &request.context;
    let mut session = context.session().await?;
    let statement = Statement::new(sql).text(feature).text(enabled.to_string());
    let answers = session.begin(vec![statement]).await?;
    let found = answers.first().is_some_and(|rows| !rows.is_empty());
    let anew = (found && INDEXED.contains(&feature)).then(|| made_anew(&context.tenant.id, &TITLES));
    session.commit(anew.into_iter().collect()).await?;
    Ok(found)
}

fn body(request: &Request) -> Outcome<(String, bool)> {
    let body = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["feature", "enabled"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> = missing.map(|member| of_member("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(refused(400, &missing));
    }
    let feature = known(body["feature"].as_str().unwrap_or_default())?;
    let enabled = body["enabled"].as_bool().ok_or_else(|| {
        bad(
            ("HttpMessageNotReadableException", "validation_error"),
            "JSON parse error: enabled is no boolean",
        )
    })?;
    Ok((feature.to_owned(), enabled))
}

fn known(feature: &str) -> Outcome<&str> {
    let unexpected = || bad(ARGUMENT, format!("Unexpected value '{feature}'"));
    if KNOWN.contains(&feature) { Ok(feature) } else { Err(unexpected()) }
}

fn unknown(feature: &str) -> Fault {
    let kind = ("EntityNotFoundException", "not_found_error");
    refused(404, &[error(kind, format!("Feature configuration not found for id: {feature}"), None)])
}

fn shown(feature: &str, enabled: bool) -> Value {
    json!({"feature": feature, "enabled": enabled})
}

const ALL: &str = "select feature, enabled from search_feature order by feature";
const ADD: &str = "\
insert into search_feature (feature, enabled) values ($1, $2::text::boolean)
on conflict (feature) do nothing
returning feature";
const CHANGE: &str =
    "update search_feature set enabled = $2::text::boolean where feature = $1 returning feature";
const REMOVE: &str =
    "delete from search_feature where feature = $1 and $2::text is not null returning feature";

octavo_pg::statements! {
    other = [ALL, ADD, CHANGE, REMOVE],
}
