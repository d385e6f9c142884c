//! Search features that a tenant enables or disables. `search.all.fields` indexes the fields that `cql.all` searches;
//! `browse.classifications` indexes the lists of classification numbers. Changing one of these two has every process rebuild its index. The
//! features for lists of call numbers are stored and have no effect.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};

use crate::browse::headings::CLASSIFICATIONS_FEATURE;
use crate::indexes::{TITLES, rebuild_statement};
use crate::refusals::{
    ARGUMENT, bad_request, error_json, errors_fault, invalid_parameter, member_error_json, unreadable_body,
};

pub(crate) const MIGRATION: Migration = Migration {
    number: 13,
    name: "features of searches",
    sql: include_str!("../../migrations/13_features_of_searches.sql"),
};

/// The features that change what the index contains.
const INDEXED_FEATURES: [&str; 2] = ["search.all.fields", CLASSIFICATIONS_FEATURE];

/// The features that mod-search knows.
const KNOWN_FEATURES: [&str; 4] = [
    "search.all.fields",
    "browse.cn.intermediate.values",
    "browse.cn.intermediate.remove.duplicates",
    CLASSIFICATIONS_FEATURE,
];

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let all: Vec<(String, bool)> = request.context.session().await?.read(Statement::new(ALL)).await?;
    let features: Vec<Value> =
        all.iter().map(|(feature, enabled)| feature_to_json(feature, *enabled)).collect();
    Ok(Response::json(200, &json!({"totalRecords": features.len(), "features": features})))
}

pub(crate) async fn add(request: Request) -> Outcome<Response> {
    let (feature, enabled) = feature_in_body(&request)?;
    let added = write_feature(&request, ADD, &feature, enabled).await?;
    if !added {
        return Err(invalid_parameter("Feature configuration already exists", "feature", &feature));
    }
    Ok(Response::json(200, &feature_to_json(&feature, enabled)))
}

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    let wanted = known_feature(request.path_parameter(0))?;
    let (feature, enabled) = feature_in_body(&request)?;
    if feature != wanted {
        return Err(invalid_parameter(
            "Request body feature must be the same as in the URL",
            "feature",
            wanted,
        ));
    }
    let changed = write_feature(&request, CHANGE, &feature, enabled).await?;
    if changed {
        Ok(Response::json(200, &feature_to_json(&feature, enabled)))
    } else {
        Err(unknown_feature_fault(&feature))
    }
}

pub(crate) async fn remove(request: Request) -> Outcome<Response> {
    let feature = known_feature(request.path_parameter(0))?;
    let removed = write_feature(&request, REMOVE, feature, false).await?;
    if removed { Ok(Response::no_content()) } else { Err(unknown_feature_fault(feature)) }
}

/// Runs the statement. If it has changed what the index contains, orders a rebuild of the index. Returns whether the statement found its
/// row.
async fn write_feature(request: &Request, sql: &'static str, feature: &str, enabled: bool) -> Outcome<bool> {
    let context = &request.context;
    let mut session = context.session().await?;
    let statement = Statement::new(sql).text(feature).text(enabled.to_string());
    let answers = session.begin(vec![statement]).await?;
    let found = answers.first().is_some_and(|rows| !rows.is_empty());
    let anew = (found && INDEXED_FEATURES.contains(&feature))
        .then(|| rebuild_statement(&context.tenant.id, &TITLES));
    session.commit(anew.into_iter().collect()).await?;
    Ok(found)
}

fn feature_in_body(request: &Request) -> Outcome<(String, bool)> {
    let body = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["feature", "enabled"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> =
        missing.map(|member| member_error_json("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(errors_fault(400, &missing));
    }
    let feature = known_feature(body["feature"].as_str().unwrap_or_default())?;
    let enabled = body["enabled"].as_bool().ok_or_else(|| {
        bad_request(
            ("HttpMessageNotReadableException", "validation_error"),
            "JSON parse error: enabled is no boolean",
        )
    })?;
    Ok((feature.to_owned(), enabled))
}

fn known_feature(feature: &str) -> Outcome<&str> {
    let unexpected = || bad_request(ARGUMENT, format!("Unexpected value '{feature}'"));
    if KNOWN_FEATURES.contains(&feature) { Ok(feature) } else { Err(unexpected()) }
}

fn unknown_feature_fault(feature: &str) -> Fault {
    let kind = ("EntityNotFoundException", "not_found_error");
    errors_fault(404, &[error_json(kind, format!("Feature configuration not found for id: {feature}"), None)])
}

fn feature_to_json(feature: &str, enabled: bool) -> Value {
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
