//! Password reset actions: permissions to set a new password once, which expire.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::credentials::{change_password, stored};
use super::records::RESET;
use crate::permissions::may_take_the_place_of;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    id: Uuid,
    user_id: Uuid,
    expiration_time: String,
}

/// Creates an action, which replaces the user's earlier one.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let action: Action = request.checked_body(RESET.schema)?;
    let expires = parse_time(&action.expiration_time).ok_or_else(|| {
        Fault::bad_request(format!("expirationTime is not an instant: {}", action.expiration_time))
    })?;
    let document = json!({"id": action.id, "userId": action.user_id, "expirationTime": folio_time(expires)});
    let mut session = request.context.session().await?;
    may_take_the_place_of(&request.context, &mut session, action.user_id).await?;
    session
        .transaction(vec![
            Statement::new(REMOVE).uuid(action.user_id).uuid(action.id),
            Statement::new(STORE).uuid(action.id).text(document.to_string()),
        ])
        .await?;
    let exists = stored(&mut session, action.user_id).await?.is_some();
    Ok(Response::json(201, &json!({"passwordExists": exists})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.parameter(0);
    let unknown = || Fault::missing(format!("Password action with ID: `{id}` was not found in the db"));
    let action = Uuid::parse_str(id).map_err(|_| unknown())?;
    let mut session = request.context.session().await?;
    let stored: Option<String> = session.read(Statement::new(BY_ID).uuid(action)).await?;
    Ok(Response::json_text(200, stored.ok_or_else(unknown)?))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reset {
    password_reset_action_id: String,
    new_password: String,
}

const NEW_PASSWORD: &str = include_str!("../../../folio/records/mod-login/passwordResetAction.tsv");

pub(super) async fn reset(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let Reset { password_reset_action_id: id, new_password }: Reset = request.checked_body(NEW_PASSWORD)?;
    let unknown = || Fault::bad_request(format!("Password action with ID: `{id}` was not found in the db"));
    let action = Uuid::parse_str(&id).map_err(|_| unknown())?;
    let mut session = context.session().await?;
    let meant: Option<Value> = session.read(Statement::new(BY_ID).uuid(action)).await?;
    let meant = meant.ok_or_else(unknown)?;
    let meant = meant["userId"].as_str().and_then(|id| Uuid::parse_str(id).ok()).ok_or_else(unknown)?;
    // The user may have got further permissions after the action was created.
    may_take_the_place_of(context, &mut session, meant).await?;
    let user: Option<Uuid> = session.read(Statement::new(TAKE).uuid(action).text(context.now_text())).await?;
    let user = user.ok_or_else(unknown)?;
    let first = change_password(context, &mut session, user, &new_password).await?;
    Ok(Response::json(201, &json!({"isNewPassword": first})))
}

const BY_ID: &str = "select doc::text from auth_password_action where id = $1";
const TAKE: &str = "\
delete from auth_password_action
where id = $1 and \"expirationTime\" > $2
returning \"userId\"";

const REMOVE: &str = "delete from auth_password_action where \"userId\" = $1 or id = $2";

const STORE: &str = "insert into auth_password_action (id, doc) values ($1, $2::text::json)";

octavo_pg::statements!(hot = [BY_ID, TAKE, REMOVE, STORE]);
