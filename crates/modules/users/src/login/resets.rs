//! Password reset actions: permissions to set a new password once, which expire.

use jiff::Timestamp;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{DbError, Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::credentials::{load_password_hash, replace_password_statements};
use super::ended_sessions::announce_end;
use super::events::{self, Event};
use super::records::RESET;
use crate::passwords::password;
use crate::permissions::may_take_the_place_of;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ActionRequest {
    id: Uuid,
    user_id: Uuid,
    expiration_time: String,
}

/// The text about an id that another action has.
const ID_TAKEN: &str = "Error while saving the logging event to the db | message: \
    ERROR: duplicate key value violates unique constraint \"auth_password_action_pkey\" (23505)";

/// Creates an action, which replaces the user's earlier one.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let wanted: ActionRequest = request.checked_body(RESET.schema)?;
    let expires = parse_time(&wanted.expiration_time).ok_or_else(|| {
        Fault::bad_request(format!("expirationTime is not an instant: {}", wanted.expiration_time))
    })?;
    let mut session = request.context.session().await?;
    may_take_the_place_of(&request.context, &mut session, wanted.user_id).await?;
    let action = ResetAction { user: wanted.user_id, expires, issuer: None };
    session.transaction(action.store(wanted.id)).await.map_err(|error| {
        match error.has_code(DbError::UNIQUE) {
            true => Fault::bad_request(ID_TAKEN),
            false => error.into(),
        }
    })?;
    let exists = load_password_hash(&mut session, wanted.user_id).await?.is_some();
    Ok(Response::json(201, &json!({"passwordExists": exists})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let unknown =
        || Fault::not_found_with(format!("Password action with ID: `{id}` was not found in the db"));
    let action = Uuid::parse_str(id).map_err(|_| unknown())?;
    let mut session = request.context.session().await?;
    let found = ResetAction::find(&mut session, action).await?.ok_or_else(unknown)?;
    Ok(Response::json(200, &found.document(action)))
}

/// The right to set a user's password once.
#[derive(Debug)]
pub(crate) struct ResetAction {
    pub(crate) user: Uuid,
    pub(crate) expires: Timestamp,
    /// The user who got the link in the answer, and who therefore can set the password, too.
    pub(crate) issuer: Option<Uuid>,
}

impl ResetAction {
    pub(crate) async fn find(session: &mut Session, id: Uuid) -> Outcome<Option<ResetAction>> {
        let stored: Option<Value> = session.read(Statement::new(BY_ID).uuid(id)).await?;
        Ok(stored.and_then(|stored| {
            let id = |name: &str| Uuid::parse_str(stored[name].as_str()?).ok();
            let expires = parse_time(stored["expirationTime"].as_str()?)?;
            Some(ResetAction { user: id("userId")?, expires, issuer: id("issuer") })
        }))
    }

    /// The statements that store the action in place of the user's earlier one. They fail if the id is taken.
    pub(crate) fn store(&self, id: Uuid) -> Vec<Statement> {
        let mut document = self.document(id);
        if let Some(issuer) = self.issuer {
            document["issuer"] = json!(issuer);
        }
        vec![
            Statement::new(REMOVE).uuid(self.user).uuid(id),
            Statement::new(STORE).uuid(id).text(document.to_string()),
        ]
    }

    fn document(&self, id: Uuid) -> Value {
        json!({"id": id, "userId": self.user, "expirationTime": folio_time(self.expires)})
    }
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
    let meant = ResetAction::find(&mut session, action).await?.ok_or_else(unknown)?;
    // The user may have got further permissions after the action was created.
    may_take_the_place_of(context, &mut session, meant.user).await?;
    drop(session);
    let set = set_password_by_action(&request, action, &new_password, |_| Vec::new()).await?;
    let first = set.ok_or_else(unknown)?;
    Ok(Response::json(201, &json!({"isNewPassword": first})))
}

/// Deletes an action and sets the password in one transaction, together with the statements that `follows` makes from whether the user had
/// no password before. Returns whether they had none; `None` if there is no such action, or it has expired.
pub(crate) async fn set_password_by_action(
    request: &Request,
    action: Uuid,
    password: &str,
    follows: impl FnOnce(bool) -> Vec<Statement>,
) -> Outcome<Option<bool>> {
    let context = &request.context;
    let hashed = password::hash(password).await?;
    let mut session = context.session().await?;
    session.begin(Vec::new()).await?;
    let taken: Option<Uuid> =
        session.read(Statement::new(TAKE).uuid(action).text(context.now_text())).await?;
    let Some(user) = taken else {
        session.rollback().await?;
        return Ok(None);
    };
    let first = load_password_hash(&mut session, user).await?.is_none();
    let mut changes = replace_password_statements(context, &hashed, user);
    changes.extend(follows(first));
    session.commit(changes).await?;
    drop(session);
    announce_end(context, user);
    let event = if first { Event::PasswordCreated } else { Event::PasswordReset };
    events::write(request, user, event).await;
    Ok(Some(first))
}

const BY_ID: &str = "select doc::text from auth_password_action where id = $1";
const TAKE: &str = "\
delete from auth_password_action
where id = $1 and \"expirationTime\" > $2
returning \"userId\"";

const REMOVE: &str = "delete from auth_password_action where \"userId\" = $1 and id <> $2";

const STORE: &str = "insert into auth_password_action (id, doc) values ($1, $2::text::json)";

octavo_pg::statements!(hot = [BY_ID, TAKE, REMOVE, STORE]);
