//! The languages whose words a tenant finds by their stems, too, in titles that are in the language. A change of them has every process
//! make its index anew, while the one that is there goes on answering.

use octavo_engine::migrations::Migration;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, read_each};
use octavo_search::text::Language;
use serde_json::{Value, json};

use crate::indexes::{TITLES, made_anew};
use crate::refusals::{VIOLATION, error, of_member, refused, unreadable_body};

pub(crate) const MIGRATION: Migration = Migration {
    number: 11,
    name: "languages of searches",
    sql: include_str!("../../migrations/11_languages_of_searches.sql"),
};

/// So many languages a tenant may have.
const MOST: usize = 5;

/// What a code has to be like.
const PATTERN: &str = "must match \"[a-zA-Z]{3}\"";

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let all: Vec<(String, Option<String>)> =
        request.context.session().await?.read(Statement::new(ALL)).await?;
    let shown: Vec<Value> = all.iter().map(|(code, analyzer)| shown(code, analyzer.as_deref())).collect();
    Ok(Response::json(200, &json!({"totalRecords": shown.len(), "languageConfigs": shown})))
}

pub(crate) async fn add(request: Request) -> Outcome<Response> {
    let body = body(&request)?;
    let code = code(&body)?;
    if Language::of_code(code).is_none() {
        return Err(unprocessable("Language has no analyzer available", code));
    }
    // One after the other, so that two at once do not exceed the limit.
    let mut session = request.context.session().await?;
    let begun = session.begin(vec![Statement::new(LOCK), Statement::new(COUNT)]).await?;
    let ((), count): ((), Option<i64>) = read_each(&begun);
    if count.unwrap_or_default() >= MOST as i64 {
        session.rollback().await?;
        return Err(unprocessable(
            &format!("Tenant is allowed to have only {MOST} languages configured"),
            code,
        ));
    }
    session.commit(vec![put(code, &body), made_anew(&request.context.tenant.id, &TITLES)]).await?;
    Ok(Response::json(200, &shown(code, analyzer(&body))))
}

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    let wanted = of_path(&request, "updateLanguageConfig")?;
    let body = body(&request)?;
    let code = code(&body)?;
    if code != wanted {
        return Err(unprocessable("Request body language code must be the same as in the URL", code));
    }
    let mut session = request.context.session().await?;
    let there: Option<Option<String>> = session.read(Statement::new(ONE).text(code)).await?;
    let Some(there) = there else {
        let kind = ("EntityNotFoundException", "not_found_error");
        let message = format!("Language config not found for code: {code}");
        return Err(refused(404, &[error(kind, message, None)]));
    };
    if there.as_deref() != analyzer(&body) {
        session.rows(put(code, &body)).await?;
    }
    Ok(Response::json(200, &shown(code, analyzer(&body))))
}

pub(crate) async fn remove(request: Request) -> Outcome<Response> {
    let code = of_path(&request, "deleteLanguageConfig")?;
    let context: &Context = &request.context;
    let mut session = context.session().await?;
    session.begin(vec![Statement::new(REMOVE).text(code)]).await?;
    session.commit(vec![made_anew(&context.tenant.id, &TITLES)]).await?;
    Ok(Response::no_content())
}

fn body(request: &Request) -> Outcome<Value> {
    request.json().map_err(|why| unreadable_body(&why))
}

/// The code in a body.
fn code(body: &Value) -> Outcome<&str> {
    match body["code"].as_str() {
        None => Err(refused(400, &[of_member("must not be null", "code", "null")])),
        Some(code) if !is_code(code) => Err(refused(400, &[of_member(PATTERN, "code", code)])),
        Some(code) => Ok(code),
    }
}

/// The code in the path. `operation` is what mod-search calls the request.
fn of_path<'r>(request: &'r Request, operation: &str) -> Outcome<&'r str> {
    let code = request.parameter(0);
    let wrong = || refused(400, &[error(VIOLATION, format!("{operation}.code {PATTERN}"), None)]);
    if is_code(code) { Ok(code) } else { Err(wrong()) }
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Kept and shown; Octavo has one way to find the stems of a language.
fn analyzer(body: &Value) -> Option<&str> {
    body["languageAnalyzer"].as_str()
}

fn shown(code: &str, analyzer: Option<&str>) -> Value {
    let mut shown = json!({"code": code});
    if let Some(analyzer) = analyzer {
        shown["languageAnalyzer"] = analyzer.into();
    }
    shown
}

fn put(code: &str, body: &Value) -> Statement {
    Statement::new(PUT).text(code).maybe_text(analyzer(body))
}

fn unprocessable(message: &str, code: &str) -> Fault {
    refused(422, &[error(("ValidationException", "validation_error"), message, Some(("code", code)))])
}

const ALL: &str = "select code, analyzer from search_language order by code";
const ONE: &str = "select analyzer from search_language where code = $1";
const LOCK: &str = "lock table search_language in share row exclusive mode";
const COUNT: &str = "select count(*) from search_language";
const PUT: &str = "\
insert into search_language (code, analyzer) values ($1, $2)
on conflict (code) do update set analyzer = excluded.analyzer";
const REMOVE: &str = "delete from search_language where code = $1";

octavo_pg::statements! {
    other = [ALL, ONE, LOCK, COUNT, PUT, REMOVE],
}
