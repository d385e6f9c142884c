//! Browses classification numbers, and the settings of a library's three lists of them.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::asked::BrowseRequest;
use super::headings::{CLASSIFICATIONS, classification_key};
use super::{Page, page_with_total};
use crate::asked::run_search;
use crate::indexes::{TITLES, index_of};
use crate::refusals::{
    checked_body, errors_fault, invalid_parameter, member_error_json, unexpected_value, unreadable_body,
};

pub(crate) const MIGRATION: Migration = Migration {
    number: 15,
    name: "lists of classification numbers",
    sql: include_str!("../../../migrations/15_lists_of_classification_numbers.sql"),
};

/// The three lists of a library, each with its default sorting algorithm.
const OPTIONS: [(&str, &str); 3] = [("all", "default"), ("lc", "lc"), ("dewey", "dewey")];

/// The settings of a list.
struct Config {
    option: &'static str,
    algorithm: String,
    /// The types of classification number that are listed. If there are none, all types are listed.
    types: Vec<String>,
}

pub(crate) async fn browse(request: Request) -> Outcome<Response> {
    let option = parse_option(request.path_parameter(0))?;
    let mut asked = BrowseRequest::read(&request, &CLASSIFICATIONS[0].1)?;
    if asked.key.is_empty() || asked.finds_nothing {
        return Ok(Page::default().to_response(Value::Array(Vec::new())));
    }
    let context = &request.context;
    let configs = load_configs(&mut context.session().await?).await?;
    let config = configs.into_iter().find(|config| config.option == option);
    let config = config.ok_or_else(|| Fault::internal("there are three lists"))?;
    let (algorithm, list) = CLASSIFICATIONS
        .iter()
        .find(|(algorithm, _)| *algorithm == config.algorithm)
        .unwrap_or(&CLASSIFICATIONS[0]);
    asked.key = classification_key(algorithm, &asked.term);
    asked.types = Some(config.types).filter(|types| !types.is_empty());
    let index = index_of(context, &TITLES).await?;
    let page = run_search(context, move |deadline| page_with_total(&*index, list, &asked, deadline)).await?;
    Ok(page.to_response(page.lines.iter().map(list.to_json).collect()))
}

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    check_browse_type(request.path_parameter(0))?;
    let configs = load_configs(&mut request.context.session().await?).await?;
    let shown: Vec<Value> = configs
        .iter()
        .map(|config| json!({"id": config.option, "shelvingAlgorithm": config.algorithm, "typeIds": config.types}))
        .collect();
    Ok(Response::json(200, &json!({"totalRecords": shown.len(), "configs": shown})))
}

const CONFIG: &str = include_str!("../../../folio/records/mod-search/browseConfig.tsv");

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    check_browse_type(request.path_parameter(0))?;
    let option = parse_option(request.path_parameter(1))?;
    let body: Value = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["id", "shelvingAlgorithm"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> =
        missing.map(|member| member_error_json("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(errors_fault(400, &missing));
    }
    let body = checked_body(&request, CONFIG)?;
    let id = body["id"].as_str().unwrap_or_default();
    if id != option {
        return Err(invalid_parameter(&format!("Body doesn't match path parameter: {option}"), "id", id));
    }
    let types = body["typeIds"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let types: Vec<Uuid> = types.filter_map(|id| Uuid::parse_str(id).ok()).collect();
    let mut session = request.context.session().await?;
    let known: Vec<Uuid> = session.read(Statement::new(KNOWN).uuids(types.clone())).await?;
    let unknown: Vec<String> = types.iter().filter(|id| !known.contains(id)).map(Uuid::to_string).collect();
    if !unknown.is_empty() {
        let unknown = format!("[{}]", unknown.join(", "));
        return Err(invalid_parameter("Classification type IDs don't exist", "typeIds", &unknown));
    }
    let algorithm = body["shelvingAlgorithm"].as_str().unwrap_or_default();
    session.rows(Statement::new(PUT).text(option).text(algorithm).uuids(types)).await?;
    Ok(Response { status: 200, ..Response::no_content() })
}

/// The settings of the three lists. Classification types that were deleted are left out.
async fn load_configs(session: &mut Session) -> Outcome<Vec<Config>> {
    let kept: Vec<(String, String, String)> = session.read(Statement::new(ALL)).await?;
    let config = |(option, algorithm): (&'static str, &str)| {
        let kept = kept.iter().find(|(id, ..)| id == option);
        let types = kept.map_or("", |(.., types)| types).split(',').filter(|id| !id.is_empty());
        Config {
            option,
            algorithm: kept.map_or(algorithm, |(_, algorithm, _)| algorithm).to_owned(),
            types: types.map(str::to_owned).collect(),
        }
    };
    Ok(OPTIONS.map(config).into())
}

/// The list that the path names.
fn parse_option(given: &str) -> Outcome<&'static str> {
    let known = OPTIONS.iter().find(|(option, _)| option.eq_ignore_ascii_case(given));
    known.map(|(option, _)| *option).ok_or_else(|| unexpected_value("BrowseOptionType", given))
}

/// Refuses any type of list but `instance-classification`, the only one that has settings.
fn check_browse_type(given: &str) -> Outcome<()> {
    let known = given.eq_ignore_ascii_case("instance-classification");
    if known { Ok(()) } else { Err(unexpected_value("BrowseType", given)) }
}

const ALL: &str = "\
select c.id, c.algorithm, coalesce((
  select string_agg(t.id::text, ',' order by array_position(c.types, t.id))
  from classification_type t
  where t.id = any(c.types)
), '')
from browse_config c";
const KNOWN: &str = "select id from classification_type where id = any($1)";
const PUT: &str = "\
insert into browse_config (id, algorithm, types) values ($1, $2, $3)
on conflict (id) do update set algorithm = excluded.algorithm, types = excluded.types";

octavo_pg::statements! {
    other = [ALL, KNOWN, PUT],
}
