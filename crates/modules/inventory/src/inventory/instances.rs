//! `/inventory/instances`: one query reads a page of instances with all their relations.

use octavo_engine::{Context, PageFormat, Request, Response, page_response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::instance_view::{COLUMNS, row_to_json};
use super::items::{listing, query_to_delete};
use super::marc_fields::refuse_instance_change;
use super::relations::{Relations, refuse_untitled};
use crate::inventory_storage::instances::delete_where as delete_instances;
use crate::source_records;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = listing(&request)?;
    page_response(
        &request.context,
        &INSTANCE,
        COLUMNS,
        &listing,
        PageFormat::json_values("instances", row_to_json),
    )
    .await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())?;
    let mut session = request.context.session().await?;
    let instance = load_instance(&mut session, id).await?.ok_or_else(not_found)?;
    Ok(Response::json(200, &instance))
}

pub(super) async fn load_instance(session: &mut Session, id: Uuid) -> Outcome<Option<Value>> {
    let one = format!("select {COLUMNS}\nfrom instance t\nwhere t.id = $1");
    let rows = session.rows(Statement::new(one).uuid(id)).await?;
    Ok(rows.first().map(row_to_json))
}

fn not_found() -> Fault {
    Fault::not_found_with("Not Found")
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    if body["title"].as_str().is_none_or(|title| title.trim().is_empty()) {
        return Err(Fault::bad_request("Title must be provided for an instance"));
    }
    refuse_untitled(&body)?;
    let context = &request.context;
    let mut session = context.session().await?;
    let id = create_with_relations(context, &mut session, &body).await?;
    Ok(Response { status: 201, ..Response::no_content() }
        .with_header("location", format!("/inventory/instances/{id}")))
}

/// Creates an instance with its relations. Returns its id.
pub(super) async fn create_with_relations(
    context: &Context,
    session: &mut Session,
    body: &Value,
) -> Outcome<Uuid> {
    let mut instance = known_members(body);
    // A text that is no UUID becomes the nil UUID, which is refused when the instance is stored.
    let sent = body["id"].as_str().map(|id| Uuid::parse_str(id).unwrap_or_default());
    let id = sent.unwrap_or_else(|| context.fresh_id());
    if sent.is_none() {
        instance["id"] = json!(id);
    }
    let relations = relation_statements(context, body, id, false)?;
    octavo_engine::create_with(context, session, &INSTANCE, instance, |_| relations).await?;
    Ok(id)
}

/// The members of the body that mod-inventory-storage knows.
pub(super) fn known_members(body: &Value) -> Value {
    INSTANCE.schema().root.without_unknown_members(body.clone())
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    refuse_untitled(&body)?;
    let not_found = || Fault::not_found_with("Instance not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())?;
    let context = &request.context;
    let mut session = context.session().await?;
    let before = load_instance(&mut session, id).await?.ok_or_else(not_found)?;
    refuse_instance_change(&before, &body)?;
    if before["hrid"] != body["hrid"] {
        return Err(Refusal::new("HRID can not be updated").about("hrid", body["hrid"].as_str()).into());
    }
    let mut with = relation_statements(context, &body, id, true)?;
    if body["source"] == "MARC" {
        let suppressed = body["discoverySuppress"] == true;
        with.push(source_records::suppress_by_instance_statement(context, id, suppressed));
    }
    octavo_engine::replace_with(context, &mut session, &INSTANCE, id, known_members(&body), &with).await?;
    Ok(Response::no_content())
}

/// The statements that write the relations of an instance.
fn relation_statements(
    context: &Context,
    body: &Value,
    id: Uuid,
    replacing: bool,
) -> Outcome<Vec<Statement>> {
    let relations = Relations::read(body, id, context.platform.entropy.id).checked()?;
    let metadata = octavo_engine::metadata(context, None, &context.now_text());
    Ok(relations.statements(id, replacing, &metadata))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    octavo_engine::delete(&request.context, &mut session, &INSTANCE, id).await?;
    Ok(Response::no_content())
}

pub(super) async fn delete_where(request: Request) -> Outcome<Response> {
    query_to_delete(&request)?;
    delete_instances(request).await
}

/// Suppresses an instance from patrons and staff without deleting it, and marks its MARC record as deleted.
pub(super) async fn mark_deleted(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())?;
    let context = &request.context;
    let mut session = context.session().await?;
    let user = context.caller.user_id;
    let metadata = json!({"updatedDate": context.now_text(), "updatedByUserId": user});
    let changed = metadata.to_string();
    let rows = session
        .transaction(vec![
            Statement::new(MARK_DELETED).uuid(id).text(&changed),
            source_records::delete_by_instance_statement(id, changed),
        ])
        .await?;
    if rows[0].is_empty() { Err(not_found()) } else { Ok(Response::no_content()) }
}

const MARK_DELETED: &str = "\
update instance set doc = doc::jsonb || jsonb_build_object(
  'staffSuppress', true,
  'discoverySuppress', true,
  '_version', coalesce((doc ->> '_version')::int, 0) + 1,
  'metadata', coalesce((doc -> 'metadata')::jsonb, '{}') || jsonb_strip_nulls($2::text::jsonb))
where id = $1
returning 1";

octavo_pg::statements!(hot = [MARK_DELETED]);
