//! Logging in, answered with the whole user.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_pg::Session;
use serde_json::{Value, json};

use super::composite::{WantedParts, load_user_records, nothing_found};
use crate::login::{self, Credentials, LoggedIn};

/// The answer has the token in the header only.
pub(super) async fn legacy(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let user = check_log_in(&request, "/authn/login").await?;
    let mut session = context.session().await?;
    let composite = composite(context, &mut session, &user, WantedParts::from_request(&request)).await?;
    Ok(Response::json(201, &composite)
        .with_header("x-okapi-token", login::legacy_token(context, &user).await?))
}

/// The answer has the tokens in cookies.
pub(super) async fn with_expiry(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let user = check_log_in(&request, "/authn/login-with-expiry").await?;
    let mut session = context.session().await?;
    let mut composite = composite(context, &mut session, &user, WantedParts::from_request(&request)).await?;
    let pair = login::start_session(context, &mut session, &user).await?;
    composite["tokenExpiration"] = json!(pair.expirations);
    let response = Response::json(201, &composite);
    Ok(pair
        .cookies(context)
        .into_iter()
        .fold(response, |response, cookie| response.with_header("set-cookie", cookie)))
}

async fn check_log_in(request: &Request, endpoint: &str) -> Outcome<LoggedIn> {
    let credentials: Credentials = request.body()?;
    if credentials.username.is_none() || credentials.password.is_none() {
        return Err(Fault::bad_request("Improperly formatted request"));
    }
    login::log_in(request, &credentials).await.map_err(|fault| wrap_fault(fault, endpoint))
}

/// Wraps a text answer of mod-login in JSON that names the call. mod-users-bl, which makes that call in FOLIO, answers so.
fn wrap_fault(mut fault: Fault, endpoint: &str) -> Fault {
    if let Body::Text(text) = &fault.body {
        let told = json!({"endpoint": endpoint, "statusCode": fault.status, "errorMessage": text});
        fault.body = Body::Text(serde_json::to_string_pretty(&told).unwrap_or_default());
    }
    fault
}

async fn composite(
    context: &Context,
    session: &mut Session,
    user: &LoggedIn,
    wanted: WantedParts,
) -> Outcome<Value> {
    let id = user.id;
    let gathered = load_user_records(session, id).await?;
    let gathered =
        gathered.ok_or_else(|| nothing_found(&format!("/users?query=username=={}", user.username)))?;
    let mut composite = gathered.composite(context, session, wanted).await?;
    if wanted.permissions || wanted.expanded {
        let Some(permissions_user) = &gathered.permissions_user else {
            return Err(nothing_found(&format!("/perms/users?query=(userId=={id})")));
        };
        composite["permissions"] = match wanted.expanded {
            false => permissions_user.clone(),
            true => {
                let whole = gathered.permissions(session, wanted).await?;
                let mut permissions = json!({"permissions": whole});
                if wanted.permissions {
                    // The permissions user's id, under this name.
                    permissions["userId"] = permissions_user["id"].clone();
                }
                permissions
            }
        };
    }
    composite["tenant"] = json!(context.tenant.id.as_str());
    Ok(composite)
}
