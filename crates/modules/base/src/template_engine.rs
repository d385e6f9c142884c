//! mod-template-engine 1.20.0: templates as records, and `POST /template-request`, which fills one in.
//!
//! What a template is and how it is filled in is in `octavo-template`.

mod render;

use octavo_engine::{Call, Module, Request, Response, calls, create, delete, replace};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{Hooks, RecordMessages, RecordType};
use octavo_template::{Wording, defects};
use serde_json::Value;
use uuid::Uuid;

pub use render::{Rendered, TemplateRequest, fill_template, locale, template_attachments};

pub static MODULE: Module =
    Module { name: "mod-template-engine", records: &[&TEMPLATE], calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/templates" => add;
    Put "/templates/{templateId}" => change;
    Delete "/templates/{templateId}" => remove;
    Post "/template-request" => render::answer;
};

pub static TEMPLATE: RecordType = RecordType {
    name: "template",
    table: "template",
    path: "/templates",
    collection: "templates",
    messages: RecordMessages::not_found("Template with id '{}' not found"),
    schema: include_str!("../../folio/records/mod-template-engine/template.tsv"),
    snapshot: true,
    // FOLIO's own interface keeps `name`, `category` and `active` in it, which the schema does not name.
    hooks: Hooks { validate: Some(refuse_unreadable), ..Hooks::NONE },
    ..RecordType::BASE
};

/// The one language of templates that FOLIO's module knows.
const RESOLVER: &str = "mustache";

/// Refuses a template that cannot be read. FOLIO finds out only when it should send a notice.
fn refuse_unreadable(template: &Value) -> Vec<Refusal> {
    let languages = template["localizedTemplates"].as_object().into_iter().flatten();
    let unreadable = |(language, localised): (&String, &Value)| {
        let defects = defects(wording(localised)).into_iter();
        let refusals = defects.map(|(part, defect)| {
            Refusal::new(format!("The {part} of the template cannot be read: {defect}"))
                .about(format!("localizedTemplates.{language}.{part}"), defect.to_string())
        });
        refusals.collect::<Vec<_>>()
    };
    languages.flat_map(unreadable).collect()
}

fn wording(localised: &Value) -> Wording<'_> {
    let text = |part: &str| localised[part].as_str().unwrap_or_default();
    Wording { header: text("header"), body: text("body") }
}

fn template_from_request(request: &Request) -> Outcome<Value> {
    let template = request.json()?;
    match template["templateResolver"].as_str() {
        Some(RESOLVER) | None => Ok(template),
        Some(other) => Err(Fault::bad_request(format!("Template resolver '{other}' is not supported"))),
    }
}

async fn add(request: Request) -> Outcome<Response> {
    let template = template_from_request(&request)?;
    let mut session = request.context.session().await?;
    let stored = create(&request.context, &mut session, &TEMPLATE, template).await?;
    Ok(Response::json(201, &stored))
}

async fn change(request: Request) -> Outcome<Response> {
    let (id, template) = (request.path_id(0)?, template_from_request(&request)?);
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &TEMPLATE, id, template).await?;
    Ok(Response::json(200, &stored))
}

/// Refuses to delete a template that a patron notice policy names.
async fn remove(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let snapshot = request.context.snapshot_over(&mut session).await?;
    let is_named = |notice: &Value| {
        let named = notice["templateId"].as_str().and_then(|named| Uuid::parse_str(named).ok());
        named == Some(id)
    };
    let names_it = |policy: &Value| {
        ["loanNotices", "requestNotices", "feeFineNotices"]
            .iter()
            .any(|kind| policy[kind].as_array().into_iter().flatten().any(is_named))
    };
    if snapshot.table("patron_notice_policy").any(|(_, policy)| names_it(policy)) {
        return Err(Fault::bad_request("Cannot delete template which is currently in use"));
    }
    delete(&request.context, &mut session, &TEMPLATE, id).await?;
    Ok(Response::no_content())
}
