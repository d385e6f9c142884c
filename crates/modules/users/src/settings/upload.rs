//! Many entries at once: an entry of the same scope, key and user gets the new value, the others are new.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement};
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ENTRY;
use super::access::{Access, check_access};

/// Stores all entries or none. FOLIO stores them one after the other, up to the first that it refuses.
pub(super) async fn upload(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let Value::Array(entries) = request.json()? else {
        return Err(Fault::bad_request("An array of entries is expected"));
    };
    let mut upserts = Vec::with_capacity(entries.len());
    let mut ids = Vec::with_capacity(entries.len());
    for mut entry in entries {
        if !entry["id"].is_null() {
            return Err(Fault::bad_request("No id must supplied for upload"));
        }
        check_access(&context.caller, &entry, Access::Write)?;
        let id = context.fresh_id();
        if let Some(entry) = entry.as_object_mut() {
            entry.insert("id".to_owned(), json!(id));
        }
        let checked = ENTRY.schema().check(entry, Reading::FromClient);
        let as_text = |refusals| Fault::bad_request(Fault::refused(refusals).body.render());
        let entry = checked.map_err(as_text)?.0;
        ids.push(id);
        upserts.push(Statement::new(UPSERT).uuid(id).text(entry.to_string()));
    }
    let answers = context.session().await?.transaction(upserts).await?;
    let stored = answers.iter().filter_map(|rows| rows.first().map(Row::read::<Uuid>));
    let inserted = stored.zip(&ids).filter(|(stored, id)| stored == *id).count();
    Ok(Response::json(200, &json!({"inserted": inserted, "updated": ids.len() - inserted})))
}

const UPSERT: &str = "\
insert into settings as s (id, doc) values ($1, $2::text::json)
on conflict (scope, key, owner) do update
set doc = s.doc::jsonb || jsonb_build_object('value', excluded.doc -> 'value')
returning id";

octavo_pg::statements!(other = [UPSERT]);
