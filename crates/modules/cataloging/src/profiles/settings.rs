//! What belongs to no profile: which MARC fields an import leaves alone, how forms are set up, which entities there are.

use octavo_engine::{
    Listing, Request, Response, create, delete as remove, find, list, list_columns, replace,
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
    words: octavo_record::Words {
        read: "MARC field protection setting with id '{}' was not found",
        ..octavo_record::Words::unknown("MARC field protection with id '{}' was not found")
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
    unique: &[Unique::of(&["formName"])],
    ..RecordType::BASE
};

/// The server gives a setting its id.
pub(super) async fn protect(request: Request) -> Outcome<Response> {
    let mut setting = request.checked(PROTECTION.schema)?;
    setting["id"] = json!(request.context.fresh_id());
    let mut session = request.context.session().await?;
    let stored = create(&request.context, &mut session, &PROTECTION, setting).await?;
    Ok(Response::json(201, &stored))
}

pub(super) async fn change_protection(request: Request) -> Outcome<Response> {
    let setting = request.checked(PROTECTION.schema)?;
    let id = of_library(&request, "updated").await?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &PROTECTION, id, setting).await?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn unprotect(request: Request) -> Outcome<Response> {
    let id = of_library(&request, "deleted").await?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &PROTECTION, id).await?;
    Ok(Response::no_content())
}

/// The id of a setting that the library has made, not the system.
async fn of_library(request: &Request, done: &str) -> Outcome<Uuid> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    match find(&mut session, &PROTECTION, id).await? {
        None => Err(Fault::missing(PROTECTION.words.deleted.replace("{}", &id.to_string()))),
        Some(setting) if setting["source"] == "SYSTEM" => Err(Fault::bad_request(format!(
            "MARC field protection setting with source SYSTEM cannot be {done}"
        ))),
        Some(_) => Ok(id),
    }
}

pub(super) async fn forms(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (forms, _) = list(&mut session, &FORM, &Listing::everything()).await?;
    Ok(Response::json(200, &json!({"totalRecords": forms.len(), "formConfigs": forms})))
}

pub(super) async fn form(request: Request) -> Outcome<Response> {
    let (_, form) = form_named(&request, request.parameter(0)).await?;
    Ok(Response::json(200, &form))
}

pub(super) async fn set_form(request: Request) -> Outcome<Response> {
    let mut form = request.json()?;
    form["formName"] = json!(request.parameter(0));
    let (id, _) = form_named(&request, request.parameter(0)).await?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &FORM, id, form).await?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn remove_form(request: Request) -> Outcome<Response> {
    let (id, _) = form_named(&request, request.parameter(0)).await?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &FORM, id).await?;
    Ok(Response::no_content())
}

async fn form_named(request: &Request, name: &str) -> Outcome<(Uuid, Value)> {
    let quoted = name.replace('\\', "\\\\").replace(['"', '*', '?', '^'], "?");
    let page = octavo_record::Page { offset: 0, limit: 100 };
    let listing = Listing::searched(&format!("formName==\"{quoted}\""), page)?;
    let mut session = request.context.session().await?;
    let (rows, _) = list_columns(&mut session, &FORM, "t.id, t.doc::text", &listing).await?;
    let found = rows.iter().map(Row::read::<(Uuid, Value)>).find(|(_, form)| form["formName"] == name);
    found.ok_or_else(|| Fault::missing(format!("FormConfig with formName '{name}' was not found")))
}

/// FOLIO's list.
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
