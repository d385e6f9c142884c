//! Makes printable pages of the texts of notices, on threads that answer no requests.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_print::TooMuch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::entries::Entry;
use super::{SINGLE, check_body};

#[derive(Debug)]
pub(crate) struct Sheet {
    /// Its row in the ledger.
    pub(crate) notice: Option<Uuid>,
    /// The key by which the notices of a file are sorted.
    pub(crate) to: String,
    pub(crate) header: String,
    pub(crate) body: String,
    pub(crate) output_format: String,
}

#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) entry: Uuid,
    pub(crate) remark: Option<String>,
}

/// The name of a notice's recipient, as mod-sender writes it.
pub(crate) fn addressee(user: &Value) -> String {
    let part = |name: &str| user["personal"][name].as_str().unwrap_or_default();
    match user["personal"].is_object() {
        true => [part("lastName"), part("firstName"), part("email")].join(","),
        false => user["id"].as_str().unwrap_or_default().to_owned(),
    }
}

pub(crate) fn unprintable(too_much: TooMuch) -> String {
    format!("The notice cannot be printed: {too_much}")
}

/// Makes entries of notices, with the statements that store them. A notice that is too long does not stop the others.
pub(crate) async fn print(
    context: &Context,
    sheets: Vec<Sheet>,
) -> Outcome<(Vec<Result<Printed, TooMuch>>, Vec<Statement>)> {
    if sheets.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let drawn = tokio::task::spawn_blocking(|| {
        let draw = |sheet: Sheet| {
            let is_html = !sheet.output_format.trim().eq_ignore_ascii_case("text/plain");
            let file = octavo_print::notice(&sheet.header, &sheet.body, is_html);
            (sheet, file)
        };
        sheets.into_iter().map(draw).collect::<Vec<_>>()
    });
    let (mut printed, mut statements) = (Vec::new(), Vec::new());
    for (sheet, file) in drawn.await.map_err(Fault::internal)? {
        printed.push(file.map(|file| {
            let id = context.fresh_id();
            let entry = Entry::new(id, SINGLE, context.now, Some(&sheet.to), &file.pdf);
            statements.extend(entry.insert_statements_for(sheet.notice));
            Printed { entry: id, remark: remark(&file.missing_characters) }
        }));
    }
    Ok((printed, statements))
}

/// A remark about characters that the font lacks; it names the first fifty.
fn remark(missing: &[char]) -> Option<String> {
    let signs: Vec<String> = missing.iter().take(50).map(char::to_string).collect();
    let more = if missing.len() > signs.len() { " and others" } else { "" };
    (!signs.is_empty())
        .then(|| format!("On paper these signs are not as they should be: {}{more}", signs.join(" ")))
}

const MESSAGE: &str = include_str!("../../../folio/records/mod-batch-print/messageRequest.tsv");

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let message = check_body(MESSAGE, request.json()?)?;
    let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
    let sheet = Sheet {
        notice: None,
        to: text("to"),
        header: String::new(),
        body: text("body"),
        output_format: text("outputFormat"),
    };
    let (printed, statements) = print(&request.context, vec![sheet]).await?;
    let printed = printed.into_iter().collect::<Result<Vec<Printed>, TooMuch>>();
    let printed = printed.map_err(|too_much| Fault::bad_request(unprintable(too_much)))?;
    request.context.session().await?.transaction(statements).await?;
    let id = printed.first().map(|printed| printed.entry);
    Ok(Response::json(200, &json!({"id": id})))
}
