//! The entries as records. Changes answer 204 without a body; a list shows no content.

use octavo_engine::{ListRequest, Request, Response, statements};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PRINT_ENTRY, check_body};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = ListRequest::from_request(&request)?;
    let mut session = request.context.session().await?;
    octavo_engine::items_response(&mut session, &PRINT_ENTRY, &listing).await
}

fn entry_not_found() -> Fault {
    Fault::not_found_with("Not Found")
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let entry = Entry::read(request.json()?)?;
    let mut session = request.context.session().await?;
    let taken = session.rows(Statement::new(TAKEN).uuid(entry.id)).await?;
    if !taken.is_empty() {
        return Err(Fault::bad_request(format!("an entry with the id {} is there already", entry.id)));
    }
    session.transaction(entry.insert_statements()).await?;
    Ok(Response::no_content())
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    let mut session = request.context.session().await?;
    let found: Option<(Value, String)> = session.read(Statement::new(SHOW).uuid(id)).await?;
    let (mut entry, content) = found.ok_or_else(entry_not_found)?;
    entry["content"] = json!(content);
    Ok(Response::json(200, &entry))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, entry) = (id(&request)?, Entry::read(request.json()?)?);
    if entry.id != id {
        return Err(Fault::bad_request("id mismatch"));
    }
    let mut session = request.context.session().await?;
    if session.rows(Statement::new(TAKEN).uuid(id)).await?.is_empty() {
        return Err(entry_not_found());
    }
    let statements = vec![
        statements::overwrite(&PRINT_ENTRY, id, &entry.document),
        Statement::new(REPLACE).uuid(id).text(entry.content),
    ];
    session.transaction(statements).await?;
    Ok(Response::no_content())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let gone = session.rows(Statement::new(DELETE).uuids(vec![id(&request)?])).await?;
    if gone.is_empty() { Err(entry_not_found()) } else { Ok(Response::no_content()) }
}

/// Deletes the entries of `?ids=`, separated by commas; unknown ids are ignored.
pub(super) async fn delete_all(request: Request) -> Outcome<Response> {
    let missing = || Fault::bad_request("[Bad Request] Missing parameter ids in QUERY");
    let named = request.query("ids").ok_or_else(missing)?;
    let ids = named.split(',').map(str::trim).filter(|id| !id.is_empty()).map(uuid);
    let ids: Vec<Uuid> = ids.collect::<Outcome<_>>()?;
    let mut session = request.context.session().await?;
    session.rows(Statement::new(DELETE).uuids(ids)).await?;
    Ok(Response::no_content())
}

fn id(request: &Request) -> Outcome<Uuid> {
    uuid(request.path_parameter(0))
}

fn uuid(text: &str) -> Outcome<Uuid> {
    Uuid::parse_str(text).map_err(|_| Fault::bad_request(format!("Invalid UUID string: {text}")))
}

/// A new entry, with its content apart from it.
pub(super) struct Entry {
    pub(super) id: Uuid,
    document: Value,
    content: String,
}

impl Entry {
    fn read(body: Value) -> Outcome<Entry> {
        let mut document = check_body(PRINT_ENTRY.schema, body)?;
        let id = uuid(document["id"].as_str().unwrap_or_default())?;
        let kind = document["type"].as_str().unwrap_or_default();
        if kind != super::SINGLE && kind != super::BATCH {
            return Err(Fault::bad_request(format!("type is SINGLE or BATCH, not {kind}")));
        }
        let created = document["created"].as_str().unwrap_or_default();
        let at = parse_time(created)
            .ok_or_else(|| Fault::bad_request(format!("created is no time: {created}")))?;
        document["created"] = json!(folio_time(at));
        let content = document.as_object_mut().and_then(|document| document.remove("content"));
        let content = content.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Entry { id, document, content })
    }

    pub(super) fn new(
        id: Uuid,
        kind: &str,
        now: jiff::Timestamp,
        sorting: Option<&str>,
        pdf: &[u8],
    ) -> Entry {
        let mut document = json!({"id": id, "created": folio_time(now), "type": kind});
        if let Some(sorting) = sorting {
            document["sortingField"] = json!(sorting);
        }
        Entry { id, document, content: hexadecimal(pdf) }
    }

    pub(super) fn insert_statements(self) -> Vec<Statement> {
        self.insert_statements_for(None)
    }

    /// `notice` is its row in the ledger.
    pub(super) fn insert_statements_for(self, notice: Option<Uuid>) -> Vec<Statement> {
        vec![
            statements::insert(&PRINT_ENTRY, self.id, &self.document),
            Statement::new(CONTENT).uuid(self.id).text(self.content).uuids(notice.into_iter().collect()),
        ]
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)]));
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(bytes.iter().flat_map(digits));
    text
}

const TAKEN: &str = "select id from print_entry where id = $1";

const SHOW: &str = "\
select e.doc::text, c.content
from print_entry e
join print_content c on c.id = e.id
where e.id = $1";

const CONTENT: &str = "insert into print_content (id, content, notice_id) values ($1, $2, ($3::uuid[])[1])";
const REPLACE: &str = "update print_content set content = $2, tries = 0 where id = $1";
const DELETE: &str = "delete from print_entry where id = any($1) returning id";

octavo_pg::statements!(other = [TAKEN, SHOW, CONTENT, REPLACE, DELETE]);
