//! The languages for which a tenant's titles are also found by the stems of their words. Changing the languages has every process rebuild
//! its index, while the former index goes on answering.

use octavo_engine::migrations::Migration;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, read_each};
use octavo_search::text::Language;
use serde_json::{Value, json};

use crate::indexes::{TITLES, rebuild_statement};
use crate::refusals::{VIOLATION, error_json, errors_fault, member_error_json, unreadable_body};

pub(crate) const MIGRATION: Migration = Migration {
    number: 11,
    name: "languages of searches",
    sql: include_str!("../../migrations/11_languages_of_searches.sql"),
};

/// The most languages that a tenant may configure.
const MAX_LANGUAGES: usize = 5;

/// The message about a code that is not three letters.
const PATTERN: &str = "must match \"[a-zA-Z]{3}\"";

pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let all: Vec<(String, Option<String>)> =
        request.context.session().await?.read(Statement::new(ALL)).await?;
    let shown: Vec<Value> =
        all.iter().map(|(code, analyzer)| language_to_json(code, analyzer.as_deref())).collect();
    Ok(Response::json(200, &json!({"totalRecords": shown.len(), "languageConfigs": shown})))
}

pub(crate) async fn add(request: Request) -> Outcome<Response> {
    let body = json_body(&request)?;
    let code = code_in_body(&body)?;
    if Language::from_code(code).is_none() {
        return Err(unprocessable("Language has no analyzer available", code));
    }
    // Requests wait for each other, so that two at the same time do not exceed the limit.
    let mut session = request.context.session().await?;
    let begun = session.begin(vec![Statement::new(LOCK), Statement::new(COUNT)]).await?;
    let ((), count): ((), Option<i64>) = read_each(&begun);
    if count.unwrap_or_default() >= MAX_LANGUAGES as i64 {
        session.rollback().await?;
        return Err(unprocessable(
            &format!("Tenant is allowed to have only {MAX_LANGUAGES} languages configured"),
            code,
        ));
    }
    session
        .commit(vec![upsert_statement(code, &body), rebuild_statement(&request.context.tenant.id, &TITLES)])
        .await?;
    Ok(Response::json(200, &language_to_json(code, analyzer(&body))))
}

pub(crate) async fn change(request: Request) -> Outcome<Response> {
    let wanted = code_in_path(&request, "updateLanguageConfig")?;
    let body = json_body(&request)?;
    let code = code_in_body(&body)?;
    if code != wanted {
        return Err(unprocessable("Request body language code must be the same as in the URL", code));
    }
    let mut session = request.context.session().await?;
    let there: Option<Option<String>> = session.read(Statement::new(ONE).text(code)).await?;
    let Some(there) = there else {
        let kind = ("EntityNotFoundException", "not_found_error");
        let message = format!("Language config not found for code: {code}");
        return Err(errors_fault(404, &[error_json(kind, message, None)]));
    };
    if there.as_deref() != analyzer(&body) {
        session.rows(upsert_statement(code, &body)).await?;
    }
    Ok(Response::json(200, &language_to_json(code, analyzer(&body))))
}

pub(crate) async fn remove(request: Request) -> Outcome<Response> {
    let code = code_in_path(&request, "deleteLanguageConfig")?;
    let context: &Context = &request.context;
    let mut session = context.session().await?;
    session.begin(vec![Statement::new(REMOVE).text(code)]).await?;
    session.commit(vec![rebuild_statement(&context.tenant.id, &TITLES)]).await?;
    Ok(Response::no_content())
}

fn json_body(request: &Request) -> Outcome<Value> {
    request.json().map_err(|why| unreadable_body(&why))
}

/// The code in a body.
fn code_in_body(body: &Value) -> Outcome<&str> {
    match body["code"].as_str() {
        None => Err(errors_fault(400, &[member_error_json("must not be null", "code", "null")])),
        Some(code) if !is_code(code) => Err(errors_fault(400, &[member_error_json(PATTERN, "code", code)])),
        Some(code) => Ok(code),
    }
}

/// The code in the path. `operation` is what mod-search calls the request.
fn code_in_path<'r>(request: &'r Request, operation: &str) -> Outcome<&'r str> {
    let code = request.path_parameter(0);
    let wrong = || errors_fault(400, &[error_json(VIOLATION, format!("{operation}.code {PATTERN}"), None)]);
    if is_code(code) { Ok(code) } else { Err(wrong()) }
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The name of an analyzer is stored and shown without effect: Octavo has one way to find the stems of a language.
fn analyzer(body: &Value) -> Option<&str> {
    body["languageAnalyzer"].as_str()
}

fn language_to_json(code: &str, analyzer: Option<&str>) -> Value {
    let mut shown = json!({"code": code});
    if let Some(analyzer) = analyzer {
        shown["languageAnalyzer"] = analyzer.into();
    }
    shown
}

fn upsert_statement(code: &str, body: &Value) -> Statement {
    Statement::new(PUT).text(code).maybe_text(analyzer(body))
}

fn unprocessable(message: &str, code: &str) -> Fault {
    errors_fault(
        422,
        &[error_json(("ValidationException", "validation_error"), message, Some(("code", code)))],
    )
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
