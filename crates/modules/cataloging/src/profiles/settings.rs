//! Settings of imports besides profiles: which MARC fields are protected, the configuration of forms, the list of entity types.

use octavo_engine::{
    ListRequest, Request, Response, create, delete as remove, find, list, list_columns, replace,
};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Row;
use octavo_record::{RecordType, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) static PROTECTION: RecordType = RecordType {
    name: "MARC field protection setting",
    table: "marc_field_protection_settings",
    path: "/field-protection-settings/marc",
    collection: "marcFieldProtectionSettings",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/marcFieldProtectionSetting.tsv"),
    messages: octavo_record::RecordMessages {
        not_found_on_read: "MARC field protection setting with id '{}' was not found",
        ..octavo_record::RecordMessages::not_found("MARC field protection with id '{}' was not found")
    },
    ..RecordType::BASE
};

pub(crate) static FORM: RecordType = RecordType {
    name: "form configuration",
    table: "forms_configs",
    path: "/converter-storage/forms/configs",
    collection: "formConfigs",
    schema: include_str!("../../../folio/records/mod-di-converter-storage/formConfig.tsv"),
    fields: &[octavo_record::Field::exact("formName")],
    unique: &[Unique::new(&["formName"])],
    ..RecordType::BASE
};

/// Creates a protection setting. The server assigns its id.
pub(super) async fn protect(request: Request) -> Outcome<Response> {
    let mut setting = request.checked_json(PROTECTION.schema)?;
    setting["id"] = json!(request.context.fresh_id());
    let mut session = request.context.session().await?;
    let stored = create(&request.context, &mut session, &PROTECTION, setting).await?;
    Ok(Response::json(201, &stored))
}

pub(super) async fn change_protection(request: Request) -> Outcome<Response> {
    let setting = request.checked_json(PROTECTION.schema)?;
    let id = id_of_library_setting(&request, "updated").await?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &PROTECTION, id, setting).await?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn unprotect(request: Request) -> Outcome<Response> {
    let id = id_of_library_setting(&request, "deleted").await?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &PROTECTION, id).await?;
    Ok(Response::no_content())
}

/// The id of a setting that the library has created; an error if it is one of the system.
async fn id_of_library_setting(request: &Request, done: &str) -> Outcome<Uuid> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    match find(&mut session, &PROTECTION, id).await? {
        None => {
            Err(Fault::not_found_with(PROTECTION.messages.not_found_on_delete.replace("{}", &id.to_string())))
        }
        Some(setting) if setting["source"] == "SYSTEM" => Err(Fault::bad_request(format!(
            "MARC field protection setting with source SYSTEM cannot be {done}"
        ))),
        Some(_) => Ok(id),
    }
}

pub(super) async fn forms(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (forms, _) = list(&mut session, &FORM, &ListRequest::everything()).await?;
    Ok(Response::json(200, &json!({"totalRecords": forms.len(), "formConfigs": forms})))
}

pub(super) async fn form(request: Request) -> Outcome<Response> {
    let (_, form) = find_form(&request, request.path_parameter(0)).await?;
    Ok(Response::json(200, &form))
}

pub(super) async fn set_form(request: Request) -> Outcome<Response> {
    let mut form = request.checked_json(FORM.schema)?;
    form["formName"] = json!(request.path_parameter(0));
    let (id, _) = find_form(&request, request.path_parameter(0)).await?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &FORM, id, form).await?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn remove_form(request: Request) -> Outcome<Response> {
    let (id, _) = find_form(&request, request.path_parameter(0)).await?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &FORM, id).await?;
    Ok(Response::no_content())
}

async fn find_form(request: &Request, name: &str) -> Outcome<(Uuid, Value)> {
    let quoted = name.replace('\\', "\\\\").replace(['"', '*', '?', '^'], "?");
    let page = octavo_record::Page { offset: 0, limit: 100 };
    let listing = ListRequest::from_query(&format!("formName==\"{quoted}\""), page)?;
    let mut session = request.context.session().await?;
    let (rows, _) = list_columns(&mut session, &FORM, "t.id, t.doc::text", &listing).await?;
    let found = rows.iter().map(Row::read::<(Uuid, Value)>).find(|(_, form)| form["formName"] == name);
    found.ok_or_else(|| Fault::not_found_with(format!("FormConfig with formName '{name}' was not found")))
}

/// FOLIO's list of entity types.
const ENTITIES: [&str; 9] = [
    "INVENTORY_HOLDINGS",
    "INVENTORY_INSTANCE",
    "INVENTORY_ITEM",
    "INVOICE",
    "MARC_AUTHORITY_RECORD",
    "MARC_BIB_RECORD",
    "MARC_HOLDINGS_RECORD",
    "ORDER",
    "ERROR",
];

pub(super) async fn entities() -> Outcome<Response> {
    Ok(Response::json(200, &json!({"entityTypes": ENTITIES, "totalRecords": ENTITIES.len()})))
}

octavo_pg::statements!();
