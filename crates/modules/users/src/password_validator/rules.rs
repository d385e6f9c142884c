//! The rules as records. POST and PUT both create or replace a rule; POST does not change the name of an existing one.

use octavo_engine::{Request, Response, create, find, replace};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{Field, Hooks, RecordMessages, RecordType, Unique};
use serde_json::Value;
use uuid::Uuid;

use octavo_engine::Method;

use super::judge::is_expression;
use super::validate::{REPEATABLE, body};

pub static RULE: RecordType = RecordType {
    name: "validation rule",
    table: "validation_rules",
    path: "/tenant/rules",
    collection: "rules",
    messages: RecordMessages { not_found_on_read: "", ..RecordMessages::RMB },
    schema: include_str!("../../../folio/records/mod-password-validator/validationRule.tsv"),
    fields: &[Field::exact("name")],
    unique: &[Unique::new(&["name"]).with_refusal("Key (name)=({}) already exists.", "name")],
    hooks: Hooks { default: Some(set_id), validate: Some(refuse_unworkable), ..Hooks::NONE },
    ..RecordType::BASE
};

/// FOLIO's own rules have their id under an older name.
fn set_id(rule: &mut Value) {
    let Some(rule) = rule.as_object_mut() else { return };
    if let Some(id) = rule.remove("ruleId") {
        rule.entry("id").or_insert(id);
    }
}

/// Refuses a rule that cannot be checked, which would let every password pass, or none.
fn refuse_unworkable(rule: &Value) -> Vec<Refusal> {
    let about = |message: &str, field: &str| {
        let value = rule[field].as_str().unwrap_or("null").to_owned();
        vec![Refusal::new(format!("{field} {message}")).about(field, value)]
    };
    let expression = rule["expression"].as_str().unwrap_or_default();
    match rule["type"].as_str() {
        Some("RegExp") if !is_expression(expression) => about("is no regular expression", "expression"),
        Some("Programmatic") if rule["implementationReference"] != REPEATABLE => {
            about("is no path that judges passwords", "implementationReference")
        }
        Some("PwnedPassword") if rule["state"] == "Enabled" => {
            about("cannot be enabled: nothing outside is asked about passwords", "type")
        }
        _ => Vec::new(),
    }
}

pub(super) async fn store(request: Request) -> Outcome<Response> {
    let mut rule = body(&request, RULE.schema())?;
    let context = &request.context;
    let id = rule["id"].as_str().map(Uuid::parse_str);
    let id = id.transpose().map_err(|_| Fault::bad_request("Invalid UUID string"))?;
    let mut session = context.session().await?;
    let known = match id {
        Some(id) => find(&mut session, &RULE, id).await?,
        None => None,
    };
    let stored = match (id, known) {
        (Some(id), Some(known)) => {
            if request.method == Method::Post {
                rule["name"] = known["name"].clone();
            }
            replace(context, &mut session, &RULE, id, rule).await?
        }
        _ => create(context, &mut session, &RULE, rule).await?,
    };
    Ok(Response::json(200, &stored))
}
