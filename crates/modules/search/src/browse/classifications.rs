//! Classification numbers in their order, and how a library wants its three lists of them.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::asked::Asked;
use super::headings::{CLASSIFICATIONS, classification_key};
use super::{Page, counted};
use crate::asked::find;
use crate::indexes::{TITLES, index_of};
use crate::refusals::{checked, invalid, of_member, refused, unexpected, unreadable_body};

pub(crate) const MIGRATION: Migration = Migration {
    number: 15,
    name: "lists of classification numbers",
    sql: include_str!("../../../migrations/15_lists_of_classification_numbers.sql"),
};

/// The lists that a library has, with the algorithms by which they are sorted at first.
const OPTIONS: [(&str, &str); 3] = [("all", "default"), ("lc", "lc"), ("dewey", "dewey")];

/// How a library wants a list.
struct Config {
    option: &'static str,
    algorithm: String,
    /// The types of number that are listed; all, if there are none.
    types: Vec<String>,
}

pub(crate) async fn browse(request: Request) -> Outcome<Response> {
    let option = option(request.parameter(0))?;
    let mut asked = Asked::read(&request, &CLASSIFICATIONS[0].1)?;
    if asked.key.is_empty() || asked.finds_nothing {
        return Ok(Page::default().answer(Value::Array(Vec::new())));
    }
    let context = &request.context;
    let configs = configs(&mut context.session().await?).await?;
    let config = configs.into_iter().find(|config| config.option == option);
    let config = config.ok_or_else(|| Fault::internal("there are three lists"))?;
    let (algorithm, list) = CLASSIFICATIONS
        .iter()
        .find(|(algorithm, _)| *algorithm == config.algorithm)
        .unwrap_or(&CLASSIFICATIONS[0]);
    asked.key = classification_key(algorithm, &asked.term);
    asked.types = Some(config.types).filter(|types| !types.is_empty());
    let index = index_of(context, &TITLES).await?;
    let page = find(context, move |deadline| counted(&*index, list, &asked, deadline)).await?;
    Ok(page.answer(page.lines.iter().map(list.show).collect()))
}

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    of_type(request.parameter(0))?;
    let configs = configs(&mut request.context.session().await?).await?;
    let shown: Vec<Value> = configs
        .iter()
        .map(|config| json!({"id": config.option, "shelvingAlgorithm": config.algorithm, "typeIds": config.types}))
        .collect();
    Ok(Response::json(200, &json!({"totalRecords": shown.len(), "configs": shown})))
}

const CONFIG: &str = include_str!("../../../folio/records/mod-search/browseConfig.tsv");

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    of_type(request.parameter(0))?;
    let option = option(request.parameter(1))?;
    let body: Value = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["id", "shelvingAlgorithm"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> = missing.map(|member| of_member("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(refused(400, &missing));
    }
    let body = checked(&request, CONFIG)?;
    let id = body["id"].as_str().unwrap_or_default();
    if id != option {
        return Err(invalid(&format!("Body doesn't match path parameter: {option}"), "id", id));
    }
    let types = body["typeIds"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let types: Vec<Uuid> = types.filter_map(|id| Uuid::parse_str(id).ok()).collect();
    let mut session = request.context.session().await?;
    let known: Vec<Uuid> = session.read(Statement::new(KNOWN).uuids(types.clone())).await?;
    let unknown: Vec<String> = types.iter().filter(|id| !known.contains(id)).map(Uuid::to_string).collect();
    if !unknown.is_empty() {
        let unknown = format!("[{}]", unknown.join(", "));
        return Err(invalid("Classification type IDs don't exist", "typeIds", &unknown));
    }
    let algorithm = body["shelvingAlgorithm"].as_str().unwrap_or_default();
    session.rows(Statement::new(PUT).text(option).text(algorithm).uuids(types)).await?;
    Ok(Response { status: 200, ..Response::no_content() })
}

/// How the library wants its lists. Types that were deleted are left out.
async fn configs(session: &mut Session) -> Outcome<Vec<Config>> {
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
fn option(given: &str) -> Outcome<&'static str> {
    let known = OPTIONS.iter().find(|(option, _)| option.eq_ignore_ascii_case(given));
    known.map(|(option, _)| *option).ok_or_else(|| unexpected("BrowseOptionType", given))
}

/// The only kind of list that can be set up.
fn of_type(given: &str) -> Outcome<()> {
    let known = given.eq_ignore_ascii_case("instance-classification");
    if known { Ok(()) } else { Err(unexpected("BrowseType", given)) }
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
