//! Whether a password keeps a tenant's rules: those that are enabled, in their order, up to the first strong one that it
//! breaks.

use octavo_engine::{Context, Request, Response, find};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::user_records::USER;
use octavo_pg::{Session, Statement};
use octavo_record::{Reading, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

use super::judge::satisfies_rule;
use crate::login::was_used_before;
use crate::permissions::may_take_the_place_of;

const PASSWORD: &str = include_str!("../../../folio/records/mod-password-validator/password.tsv");

/// The only rule that is not an expression: whether the user had the password before.
pub(super) const REPEATABLE: &str = "/authn/password/repeatable";

pub(super) async fn validate(request: Request) -> Outcome<Response> {
    let body = body(&request, Schema::parse_cached(PASSWORD))?;
    let context = &request.context;
    let id = body["userId"].as_str().unwrap_or_default();
    let unknown = || {
        let parameters = json!([{"key": "userId", "value": id}]);
        let message = "User with given id not found";
        Fault::json(404, json!({"message": message, "type": "-2", "parameters": parameters}))
    };
    let user = Uuid::parse_str(id).map_err(|_| unknown())?;
    let mut session = context.session().await?;
    let found = find(&mut session, &USER, user).await?.ok_or_else(unknown)?;
    let told = match may_take_the_place_of(context, &mut session, user).await {
        Ok(()) => EarlierPasswords::Disclosed,
        Err(refused) if refused.status == 403 => EarlierPasswords::Hidden,
        Err(fault) => return Err(fault),
    };
    let username = found["username"].as_str().unwrap_or_default();
    let password = body["password"].as_str().unwrap_or_default();
    let messages = broken_rules(&mut session, user, username, password, told).await?;
    let result = if messages.is_empty() { "valid" } else { "invalid" };
    Ok(Response::json(200, &json!({"result": result, "messages": messages})))
}

/// The rules that a new password breaks; none in a tenant without this module.
pub(crate) async fn objections(
    context: &Context,
    user: Uuid,
    username: &str,
    password: &str,
) -> Outcome<Vec<String>> {
    if !context.tenant.has_module(super::MODULE.name) {
        return Ok(Vec::new());
    }
    broken_rules(&mut context.session().await?, user, username, password, EarlierPasswords::Disclosed).await
}

/// Whether the caller may learn that the user had the password before. Who may learn this could guess the user's passwords.
#[derive(Clone, Copy)]
enum EarlierPasswords {
    Disclosed,
    Hidden,
}

async fn broken_rules(
    session: &mut Session,
    user: Uuid,
    username: &str,
    password: &str,
    earlier: EarlierPasswords,
) -> Outcome<Vec<String>> {
    let mut rules: Vec<Value> = session.read(Statement::new(RULES)).await?;
    rules.retain(|rule| rule["state"] == "Enabled");
    rules.sort_by_key(|rule| rule["orderNo"].as_i64());
    let mut messages = Vec::new();
    for rule in rules {
        let kept = match rule["type"].as_str() {
            Some("RegExp") => {
                let expression = rule["expression"].as_str().unwrap_or_default();
                expression.trim().is_empty() || satisfies_rule(password, expression, username)
            }
            Some("Programmatic") => match earlier {
                EarlierPasswords::Disclosed => !was_used_before(session, user, password).await?,
                EarlierPasswords::Hidden => true,
            },
            _ => true,
        };
        if !kept {
            messages.push(rule["errMessageId"].as_str().unwrap_or_default().to_owned());
            if rule["validationType"] == "Strong" {
                break;
            }
        }
    }
    Ok(messages)
}

/// The body, or 422 in this module's words.
pub(super) fn body(request: &Request, schema: &Schema) -> Outcome<Value> {
    schema.check(request.json()?, Reading::FromClient).map(|checked| checked.0).map_err(|refusals| {
        let error = |refusal: &octavo_kernel::Refusal| {
            let (key, value) = refusal.parameters.first().cloned().unwrap_or_default();
            let message = format!("{key} {}", refusal.message);
            json!({"message": message, "type": "-1", "parameters": [{"key": key, "value": value}]})
        };
        let errors: Vec<Value> = refusals.iter().map(error).collect();
        Fault::json(422, json!({"errors": errors, "total_records": errors.len()}))
    })
}

const RULES: &str = "select doc::text from validation_rules";

octavo_pg::statements!(other = [RULES]);
