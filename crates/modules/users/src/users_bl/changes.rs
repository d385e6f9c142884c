//! Creates and changes a user together with the permissions that they are given.
//!
//! mod-users-bl declares both calls and has no code for them. Here they do what it declares: of the record that it answers with, they
//! write the user and the names of the permissions. What has calls of its own is refused rather than left out.

use octavo_engine::{Context, Request, Response, invalidate_caches};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::permissions::{PERMISSION_USER, grant_statements};
use crate::users;

/// Parts of the record that are written elsewhere.
const OF_OTHER_CALLS: [(&str, &str); 2] =
    [("proxiesFor", "/proxiesfor"), ("servicePointsUser", "/service-points-users")];

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let Parts { mut user, permissions } = Parts::read(&request, "perms.users.item.post")?;
    let id = match user["id"].as_str() {
        Some(id) => id.to_owned(),
        None => context.fresh_id().to_string(),
    };
    user["id"] = json!(id);
    let grant = permission_statements(context, &id, permissions.as_ref()).await?;
    let stored = users::add(context, user, grant).await?;
    invalidate_caches(context, &PERMISSION_USER, Uuid::nil());
    let permissions = permissions.unwrap_or_else(|| json!([]));
    let answer = json!({"user": stored, "permissions": {"permissions": permissions}, "proxiesFor": []});
    Ok(Response::json(201, &answer).with_header("location", format!("/bl-users/by-id/{id}")))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let Parts { user, permissions } = Parts::read(&request, "perms.users.item.put")?;
    let path = request.path_parameter(0);
    let grant = permission_statements(context, path, permissions.as_ref()).await?;
    users::change(context, path, user, &grant).await?;
    invalidate_caches(context, &PERMISSION_USER, Uuid::nil());
    Ok(Response::no_content())
}

struct Parts {
    user: Value,
    /// The names, where the caller sent any.
    permissions: Option<Value>,
}

impl Parts {
    fn read(request: &Request, right: &str) -> Outcome<Parts> {
        let mut body = request.json()?;
        if !body["user"].is_object() {
            return Err(Refusal::rmb("must not be null").about("user", "null").into());
        }
        for (part, path) in OF_OTHER_CALLS {
            let empty = body[part].is_null() || body[part].as_array().is_some_and(Vec::is_empty);
            if !empty {
                return Err(Refusal::rmb(format!("is written by {path}"))
                    .about(part, body[part].to_string())
                    .into());
            }
        }
        let mut user = body["user"].take();
        if user["patronGroup"].is_null() && body["patronGroup"]["id"].is_string() {
            user["patronGroup"] = body["patronGroup"]["id"].take();
        }
        let permissions = Some(body["permissions"]["permissions"].take()).filter(|names| !names.is_null());
        if permissions.is_some() && !request.context.caller.permissions.has(right) {
            return Err(Fault::text(403, format!("Permissions are given by who has the permission {right}")));
        }
        Ok(Parts { user, permissions })
    }
}

async fn permission_statements(
    context: &Context,
    user: &str,
    permissions: Option<&Value>,
) -> Outcome<Vec<Statement>> {
    // An id that is none is refused by what stores the user.
    let (Some(names), Ok(user)) = (permissions, Uuid::parse_str(user)) else { return Ok(Vec::new()) };
    if !names.as_array().is_some_and(|names| names.iter().all(Value::is_string)) {
        return Err(Refusal::rmb("must be names").about("permissions.permissions", names.to_string()).into());
    }
    grant_statements(context, &mut context.session().await?, user, names).await
}
