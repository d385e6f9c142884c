//! Custom fields: data about users that a library wants beyond FOLIO's own members. A user's values are stored in `customFields` under the
//! field's `refId`.
//!
//! Facts come from folio-custom-fields 2.1.0, the library in mod-users 19.3.1. The answer to an invalid definition is a single error
//! object, not a list `errors`. Changes of definitions wait for each other, so that no two fields get the same `refId` or the same place.

mod definition;
mod formats;
mod held;
mod values;

use octavo_engine::list as list_records;
use octavo_engine::{
    Context, ListRequest, RecordOperation, Request, Response, fault_from_db_error, find, invalidate_caches,
    metadata, notify_statements, statements,
};
use octavo_kernel::{Body, Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::records::CUSTOM_FIELD;
pub(super) use values::check as check_values;

/// Lists the fields in the order of their places. The order in a query counts only among fields with the same place.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = ListRequest::from_request(&request)?;
    let ordered = octavo_cql::parse(IN_ORDER).map_err(Fault::internal)?;
    let query = listing.query.get_or_insert_with(|| ordered.clone());
    if *query != ordered {
        query.sort.extend(ordered.sort);
    }
    let mut session = request.context.session().await?;
    let (fields, total) = list_records(&mut session, &CUSTOM_FIELD, &listing).await?;
    Ok(Response::json(200, &json!({"customFields": fields, "totalRecords": total.unwrap_or_default()})))
}

const IN_ORDER: &str = "cql.allRecords=1 sortby order/number";

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut field = validate(request.json()?)?;
    let mut session = context.session().await?;
    let mut all = LockedFields::lock(&mut session).await?;
    field["order"] = json!(all.last_place() + 1);
    let id = given_id(&field).unwrap_or_else(|| context.fresh_id());
    all.add(context, id, &mut field);
    all.write(context, session).await?;
    Ok(Response::json(201, &field))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (context, id) = (&request.context, request.path_id(0)?);
    let mut field = validate(request.json()?)?;
    let mut session = context.session().await?;
    let mut all = LockedFields::lock(&mut session).await?;
    let stored = all.get(id).ok_or_else(|| not_found(id))?;
    field["order"] = stored["order"].clone();
    all.change(context, &stored, field)?;
    all.write(context, session).await?;
    Ok(Response::no_content())
}

/// Writes the fields that `change` changes; returns all of them.
pub(crate) async fn amend(context: &Context, change: impl Fn(&mut Value)) -> Outcome<Vec<Value>> {
    let mut session = context.session().await?;
    let mut all = LockedFields::lock(&mut session).await?;
    for stored in all.fields.clone() {
        let mut field = stored.clone();
        change(&mut field);
        if field != stored {
            all.change(context, &stored, validate(field)?)?;
        }
    }
    let fields = all.fields.clone();
    all.write(context, session).await?;
    Ok(fields)
}

/// Replaces all fields of a type of record at once, in the order in which they were sent.
pub(super) async fn replace_all(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (kind, fields) = read_collection(&request)?;
    let mut session = context.session().await?;
    let mut all = LockedFields::lock(&mut session).await?;
    let sent: Vec<Uuid> = fields.iter().filter_map(given_id).collect();
    for stored in all.of_type(&kind) {
        if given_id(&stored).is_none_or(|id| !sent.contains(&id)) {
            all.remove(context, &stored);
        }
    }
    for (at, mut field) in fields.into_iter().enumerate() {
        field["order"] = json!(at + 1);
        let id = given_id(&field).unwrap_or_else(|| context.fresh_id());
        match all.get(id).filter(|stored| stored["entityType"] == kind.as_str()) {
            Some(stored) => all.change(context, &stored, field)?,
            None => all.add(context, id, &mut field),
        }
    }
    all.write(context, session).await?;
    Ok(Response::no_content())
}

/// Deletes a field with the values that users have in it; those after it move up.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let (context, id) = (&request.context, request.path_id(0)?);
    let mut session = context.session().await?;
    let mut all = LockedFields::lock(&mut session).await?;
    let stored = all.get(id).ok_or_else(|| not_found(id))?;
    all.remove(context, &stored);
    all.close_ranks();
    all.write(context, session).await?;
    Ok(Response::no_content())
}

pub(super) async fn statistic(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let field = read(&request, &mut session).await?;
    let count: Option<i64> = session.read(held::count(ref_id(&field))).await?;
    let answer = json!({"fieldId": field["id"], "entityType": field["entityType"], "count": count});
    Ok(Response::json(200, &answer))
}

pub(super) async fn option_statistic(request: Request) -> Outcome<Response> {
    let (option, mut session) = (request.path_parameter(1), request.context.session().await?);
    let field = read(&request, &mut session).await?;
    if !definition::is_selectable(&field) {
        let kinds = "SINGLE_SELECT_DROPDOWN, MULTI_SELECT_DROPDOWN, RADIO_BUTTON";
        let message = format!("The type of the custom field must be one of:{kinds}");
        return Err(refusal_fault(&message, Some(("type", &field["type"]))));
    }
    if !definition::option_ids(&field).contains(&option) {
        let id = field["id"].as_str().unwrap_or_default();
        let message = format!("Option with id '{option}' not found in custom field '{id}'");
        return Err(refusal_fault(&message, Some(("optId", &field["selectField"]["options"]))));
    }
    let count: Option<i64> = session.read(held::count_option(ref_id(&field), option)).await?;
    let answer = json!({
        "optionId": option, "customFieldId": field["id"], "entityType": field["entityType"], "count": count,
    });
    Ok(Response::json(200, &answer))
}

async fn read(request: &Request, session: &mut Session) -> Outcome<Value> {
    let id = request.path_id(0)?;
    find(session, &CUSTOM_FIELD, id).await?.ok_or_else(|| not_found(id))
}

fn not_found(id: Uuid) -> Fault {
    Fault::not_found_with(CUSTOM_FIELD.messages.not_found_on_read.replace("{}", &id.to_string()))
}

fn given_id(field: &Value) -> Option<Uuid> {
    field["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}

fn ref_id(field: &Value) -> &str {
    field["refId"].as_str().unwrap_or_default()
}

/// Validates a definition by its schema and by the rules of its type, and adds the members that the server sets.
fn validate(field: Value) -> Outcome<Value> {
    let mut field = CUSTOM_FIELD.schema().check(field, Reading::FromClient).map_err(Fault::refused)?.0;
    if let Some(mistake) = definition::mistake(&field) {
        return Err(refusal_fault(&mistake, None));
    }
    definition::complete(&mut field);
    Ok(field)
}

/// The type of record and its fields, of a body that holds a whole collection.
fn read_collection(request: &Request) -> Outcome<(String, Vec<Value>)> {
    let mut body = request
        .checked_json(include_str!("../../../folio/records/mod-users/putCustomFieldCollection.tsv"))?;
    let kind = body["entityType"].as_str().unwrap_or_default().to_owned();
    let Value::Array(sent) = body["customFields"].take() else { return Ok((kind, Vec::new())) };
    let mut fields = Vec::with_capacity(sent.len());
    for (at, field) in sent.into_iter().enumerate() {
        fields.push(validate(field).map_err(|fault| with_collection_index(fault, at))?);
    }
    let mut kinds: Vec<&str> = Vec::new();
    for field in &fields {
        let other = field["entityType"].as_str().unwrap_or_default();
        if !kinds.contains(&other) {
            kinds.push(other);
        }
    }
    match kinds.as_slice() {
        [_, _, ..] => {
            Err(refusal_fault(&format!("Multiple entityTypes found: [{}]", kinds.join(", ")), None))
        }
        [other] if *other != kind => {
            let message =
                format!("Collection entityType '{kind}' does not match custom fields entityType '{other}'");
            Err(refusal_fault(&message, None))
        }
        _ if fields.iter().enumerate().any(|(at, field)| {
            let id = given_id(field);
            id.is_some() && fields[..at].iter().any(|other| given_id(other) == id)
        }) =>
        {
            Err(refusal_fault("Each id may stand for one custom field only", None))
        }
        _ => Ok((kind, fields)),
    }
}

/// Adds the place of a field in the collection to the names of members in a refusal.
fn with_collection_index(mut fault: Fault, at: usize) -> Fault {
    if let Body::Refusals(refusals) = &mut fault.body {
        for (key, _) in refusals.iter_mut().flat_map(|refusal| &mut refusal.parameters) {
            *key = format!("customFields[{at}].{key}");
        }
    }
    fault
}

/// 422 with a single error object, not a list `errors`.
fn refusal_fault(message: &str, about: Option<(&str, &Value)>) -> Fault {
    let refusal = Refusal::rmb(message);
    let refusal = match about {
        Some((member, value)) => refusal.about(member, value.to_string()),
        None => refusal,
    };
    Fault::json(422, refusal.to_json())
}

/// The definitions of a tenant under a lock, and what a call does to them.
struct LockedFields {
    fields: Vec<Value>,
    statements: Vec<Statement>,
}

impl LockedFields {
    async fn lock(session: &mut Session) -> Outcome<LockedFields> {
        session.begin(vec![Statement::new(LOCK)]).await?;
        let fields: Vec<Value> = session.read(Statement::new(READ)).await?;
        Ok(LockedFields { fields, statements: Vec::new() })
    }

    fn get(&self, id: Uuid) -> Option<Value> {
        self.fields.iter().find(|field| given_id(field) == Some(id)).cloned()
    }

    fn of_type(&self, kind: &str) -> Vec<Value> {
        self.fields.iter().filter(|field| field["entityType"] == kind).cloned().collect()
    }

    fn last_place(&self) -> i64 {
        self.fields.iter().filter_map(|field| field["order"].as_i64()).max().unwrap_or(0)
    }

    fn add(&mut self, context: &Context, id: Uuid, field: &mut Value) {
        let name = field["name"].as_str().unwrap_or_default();
        let free = definition::ref_id(name, self.fields.iter().map(ref_id));
        field["refId"] = json!(free);
        field["id"] = json!(id);
        field["metadata"] = metadata_with_usernames(context, None);
        self.statements.push(statements::insert(&CUSTOM_FIELD, id, field));
        self.fields.push(field.clone());
    }

    /// Writes a new state of a field, whose type and format stay as they were.
    fn change(&mut self, context: &Context, stored: &Value, mut field: Value) -> Outcome<()> {
        for (member, what, new, old) in [
            ("type", "type", &field["type"], &stored["type"]),
            (
                "fieldFormat",
                "format",
                &field["textField"]["fieldFormat"],
                &stored["textField"]["fieldFormat"],
            ),
        ] {
            if new != old {
                let (text, before) = (new.as_str().unwrap_or("null"), old.as_str().unwrap_or("null"));
                let of = if what == "type" { ("newType", "oldType") } else { ("newFormat", "oldFormat") };
                let message = format!(
                    "The {what} of the custom field can not be changed: {} = {text}, {} = {before}",
                    of.0, of.1
                );
                return Err(refusal_fault(&message, Some((member, new))));
            }
        }
        field["id"] = stored["id"].clone();
        field["refId"] = stored["refId"].clone();
        field["metadata"] = metadata_with_usernames(context, Some(stored));
        self.statements.extend(held::clear_options(stored, &field, &context.now_text()));
        self.update(&field);
        Ok(())
    }

    fn update(&mut self, field: &Value) {
        let Some(id) = given_id(field) else { return };
        self.statements.push(statements::overwrite(&CUSTOM_FIELD, id, field));
        self.fields
            .iter_mut()
            .filter(|other| given_id(other) == Some(id))
            .for_each(|other| *other = field.clone());
    }

    fn remove(&mut self, context: &Context, stored: &Value) {
        let Some(id) = given_id(stored) else { return };
        self.statements.push(held::clear(ref_id(stored), &context.now_text()));
        self.statements.push(statements::delete(&CUSTOM_FIELD, id));
        self.fields.retain(|field| given_id(field) != Some(id));
    }

    /// Numbers the places anew, from 1.
    fn close_ranks(&mut self) {
        let mut fields = self.fields.clone();
        fields.sort_by_key(|field| field["order"].as_i64());
        for (at, mut field) in fields.into_iter().enumerate() {
            if field["order"] != at + 1 {
                field["order"] = json!(at + 1);
                self.update(&field);
            }
        }
    }

    async fn write(mut self, context: &Context, mut session: Session) -> Outcome<()> {
        self.statements.extend(notify_statements(context, &CUSTOM_FIELD, Uuid::nil()));
        let written = session.commit(self.statements).await;
        written.map_err(|error| {
            fault_from_db_error(context, error, RecordOperation::Creating, &CUSTOM_FIELD, &Value::Null)
        })?;
        invalidate_caches(context, &CUSTOM_FIELD, Uuid::nil());
        Ok(())
    }
}

/// `metadata`, with the name of the user who made the field, or who changed it, beside the id.
fn metadata_with_usernames(context: &Context, stored: Option<&Value>) -> Value {
    let mut metadata = metadata(context, stored, &context.now_text());
    if let Some(name) = &context.caller.username {
        let member = if stored.is_none() { "createdByUsername" } else { "updatedByUsername" };
        metadata[member] = json!(name);
    }
    metadata
}

/// Lets one change of definitions at a time run. Readers do not wait.
const LOCK: &str = "lock table custom_fields in share row exclusive mode";
const READ: &str = "select doc from custom_fields";

octavo_pg::statements!(other = [READ], within = [held]);
