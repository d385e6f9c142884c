//! The links of notes: lists the notes that are, or could be, linked to one record, and adds or removes links.

use octavo_engine::{Request, Response, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement, read_each};
use octavo_record::Schema;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{NOTE, body};

const UPDATES: &str = include_str!("../../../folio/records/mod-notes/noteLinkUpdateCollection.tsv");

/// A note that loses its last link is gone. Notes that are not there are overlooked.
pub(super) async fn update(request: Request) -> Outcome<Response> {
    let body = body::read(&request, Schema::parse_cached(UPDATES))?;
    let updates = body["notes"].as_array().map_or(&[][..], Vec::as_slice);
    let named = |update: &Value| Uuid::parse_str(update["id"].as_str()?).ok();
    let link = json!({"id": request.path_parameter(1), "type": request.path_parameter(0)});
    let mut session = request.context.session().await?;
    let ids = updates.iter().filter_map(named).collect();
    let answers = session.begin(vec![statements::lock_all(&NOTE).uuids(ids)]).await?;
    let mut changes = Vec::new();
    for (id, mut note) in answers.iter().flatten().map(Row::read::<(Uuid, Value)>) {
        let update = updates.iter().find(|update| named(update) == Some(id));
        let assigned = update.is_some_and(|update| update["status"] == "ASSIGNED");
        let mut links = note["links"].as_array().cloned().unwrap_or_default();
        links.retain(|known| *known != link);
        if assigned {
            links.push(link.clone());
        }
        let gone = links.is_empty();
        note["links"] = json!(links);
        changes.push(match gone {
            true => statements::delete(&NOTE, id),
            false => statements::overwrite(&NOTE, id, &note),
        });
    }
    session.commit(changes).await?;
    Ok(Response::no_content())
}

/// The most notes of one answer.
const MOST_NOTES: i64 = 1000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let bound = i64::from(i32::MAX);
    let offset = request.query_number("offset", 0, 0..=bound)?;
    let limit = request.query_number("limit", MOST_NOTES, 1..=bound)?.min(MOST_NOTES);
    let status = choice_parameter(&request, "status", &["all", "assigned", "unassigned"])?.unwrap_or("all");
    let order = order(&request)?;
    let search = request.query("search").filter(|search| !search.trim().is_empty());
    let pattern = search.map(|search| format!("%{}%", literal(search)));
    let types = request.query.iter().filter(|(name, _)| name == "noteType");
    let types: Vec<String> = types.flat_map(|(_, value)| value.split(',').map(str::to_owned)).collect();
    let found = |sql: String| {
        let of = Statement::new(sql).text(request.path_parameter(0)).text(request.path_parameter(1));
        of.text(request.path_parameter(2)).text(status).maybe_text(pattern.as_deref()).texts(types.clone())
    };
    let shown = NOTE.response_document_sql("t");
    let notes = format!("select ({shown})::text\n{FOUND}\norder by {order}, t.id\noffset $7\nlimit $8");
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![found(notes).long(offset).long(limit), found(format!("select count(*)\n{FOUND}"))])
        .await?;
    let (notes, total): (Vec<&str>, Option<i64>) = read_each(&answers);
    let (notes, total) = (notes.join(","), total.unwrap_or(0));
    Ok(Response::json_text(200, format!("{{\"notes\":[{notes}],\"totalRecords\":{total}}}")))
}

/// A pattern that matches only this text.
fn literal(text: &str) -> String {
    let escaped = |letter: char| {
        let escape = matches!(letter, '\\' | '%' | '_').then_some('\\');
        escape.into_iter().chain([letter])
    };
    text.chars().flat_map(escaped).collect()
}

/// A parameter that is one of some words, however they are written.
fn choice_parameter<'c>(request: &Request, name: &str, choices: &[&'c str]) -> Outcome<Option<&'c str>> {
    let Some(text) = request.query(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let known = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
    known.map(|choice| Some(*choice)).ok_or_else(|| {
        Fault::bad_request(format!(
            "Failed to convert value '{text}' of {name}: one of {}",
            choices.join(", ")
        ))
    })
}

fn order(request: &Request) -> Outcome<String> {
    let by = choice_parameter(request, "orderBy", &["title", "content", "noteType", "updatedDate"])?;
    let direction = choice_parameter(request, "order", &["asc", "desc"])?;
    let (column, usual) = match by {
        None => return Ok("t.doc #>> '{metadata,createdDate}'".to_owned()),
        Some("title") => ("t.title", "asc"),
        Some("content") => ("t.\"indexedContent\"", "asc"),
        Some("noteType") => ("y.doc ->> 'name'", "asc"),
        Some(_) => ("t.doc #>> '{metadata,updatedDate}'", "desc"),
    };
    Ok(format!("{column} {}, t.\"indexedContent\"", direction.unwrap_or(usual)))
}

const FOUND: &str = "\
from note t
join note_type y on y.id = t.\"typeId\"
where t.domain = octavo.fold($1)
and case $4
  when 'all' then true
  else ($4 = 'assigned') = exists (
    select from note_link l
    where l.object_type = $2
    and l.object_id = $3
    and l.note_id = t.id)
end
and ($5::text is null or t.\"indexedContent\" like octavo.fold($5))
and ($6::text[] = '{}' or y.doc ->> 'name' = any($6))";
