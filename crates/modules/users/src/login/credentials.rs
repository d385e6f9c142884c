//! Passwords of users, and those that were used before.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{DbError, Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ended_sessions::{announce_end, end_all_statements};
use super::events::{self, Event};
use super::log_in::{Credentials, check_password, find, no_user_message};
use crate::passwords::guessing::{self, Secret};
use crate::passwords::password::{self, Hashed};
use crate::permissions::may_take_the_place_of;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let credentials: Credentials = request.body()?;
    let password = credentials.password.as_deref().filter(|password| !password.is_empty());
    let Some(password) = password else {
        let value = credentials.user_id.unwrap_or_else(|| "null".to_owned());
        return Err(user_id_fault("Password is missing or empty".to_owned(), value));
    };
    let mut session = context.session().await?;
    let user = match &credentials.user_id {
        Some(id) => {
            let id = Uuid::parse_str(id)
                .map_err(|_| user_id_fault(format!("Invalid UUID string: {id}"), id.clone()))?;
            // Refuses a password for an unknown id: a user that is created later with this id would get it.
            let known = session.rows(Statement::new(IS_USER).uuid(id)).await?;
            if known.is_empty() {
                return Err(user_id_fault(format!("There is no user with id '{id}'"), id.to_string()));
            }
            id
        }
        None => {
            let found = find(&mut session, &credentials).await?;
            let unknown =
                || Fault::bad_request(format!("Error looking up user: {}", no_user_message(&credentials)));
            found.ok_or_else(unknown)?.id
        }
    };
    may_take_the_place_of(context, &mut session, user).await?;
    set_first_password(context, &mut session, user, password).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}

/// Gives a first password to a user who has none.
pub async fn set_first_password(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    password: &str,
) -> Outcome<()> {
    let hashed = session.wait_without_connection(password::hash(password)).await??;
    let id = context.fresh_id();
    let insert = Statement::new(INSERT).uuid(id).text(hashed.to_document(id, user).to_string());
    match session.rows(insert).await {
        Ok(_) => Ok(()),
        Err(error) if error.has_code(DbError::UNIQUE) => Err(user_id_fault(
            format!("There already exists credentials for user id '{user}'"),
            user.to_string(),
        )),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let user = user_parameter(&request)?;
    let context = &request.context;
    let mut changes = vec![Statement::new(DELETE).uuid(user)];
    changes.extend(end_all_statements(context, user, None));
    let mut session = context.session().await?;
    may_take_the_place_of(context, &mut session, user).await?;
    let answers = session.transaction(changes).await?;
    announce_end(context, user);
    match answers[0].is_empty() {
        true => Err(Fault::not_found_with(format!("No credentials for userId {user} found"))),
        false => Ok(Response::no_content()),
    }
}

pub(super) async fn existence(request: Request) -> Outcome<Response> {
    let user = user_parameter(&request)?;
    let mut session = request.context.session().await?;
    let found = load_password_hash(&mut session, user).await?;
    Ok(Response::json(200, &json!({"credentialsExist": found.is_some()})))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Update {
    #[serde(flatten)]
    credentials: Credentials,
    new_password: Option<String>,
}

impl Update {
    pub(crate) fn new_password(&self) -> &str {
        self.new_password.as_deref().unwrap_or_default()
    }
}

/// A user changes their own password.
pub(super) async fn update(request: Request) -> Outcome<Response> {
    let update = request.body()?;
    let known = verify_old_password(&request, &update).await?;
    change_own_password(&request, known, &update).await?;
    Ok(Response::no_content())
}

/// A user who has proved that they know their password.
pub(crate) struct VerifiedUser {
    pub(crate) id: Uuid,
    pub(crate) username: String,
}

/// The user whose password is to be changed, if the old password is right.
pub(crate) async fn verify_old_password(request: &Request, update: &Update) -> Outcome<VerifiedUser> {
    let Update { credentials, .. } = update;
    if credentials.username.is_none() && credentials.user_id.is_none() {
        return Err(Fault::bad_request("You must provide a username or userId"));
    }
    if update.new_password().is_empty() {
        return Err(Fault::bad_request("You must provide a new password that isn't empty"));
    }
    let mut session = request.context.session().await?;
    let found = find(&mut session, credentials).await?;
    drop(session);
    let Some(found) = found else {
        guessing::count_attempt(request, Secret::Password, None).await?;
        return Err(Fault::bad_request(format!(
            "Error verifying user existence: {}",
            no_user_message(credentials)
        )));
    };
    if !found.is_active() {
        return Err(found.blocked_fault());
    }
    let invalid = || Fault::text(401, "Invalid credentials");
    let hashed = found.hashed.as_ref().ok_or_else(invalid)?;
    let password = credentials.password.as_deref().unwrap_or_default();
    check_password(request, &found, password, hashed).await?.map_err(|_| invalid())?;
    Ok(VerifiedUser { id: found.id, username: found.username })
}

/// Replaces the password of a user who has proved to know the old one. The session of this request goes on; the user's other sessions end.
pub(crate) async fn change_own_password(
    request: &Request,
    known: VerifiedUser,
    update: &Update,
) -> Outcome<()> {
    let context = &request.context;
    let mut session = context.session().await?;
    change_password(context, &mut session, known.id, update.new_password()).await?;
    drop(session);
    events::write(request, known.id, Event::PasswordChanged).await;
    Ok(())
}

/// Replaces a password, or sets the first one.
pub(super) async fn change_password(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    password: &str,
) -> Outcome<()> {
    let hashed = session.wait_without_connection(password::hash(password)).await??;
    session.transaction(replace_password_statements(context, &hashed, user)).await?;
    announce_end(context, user);
    Ok(())
}

/// Sets a password. The old one is stored in the history, and the user's sessions end, but for the caller's own.
pub(super) fn replace_password_statements(context: &Context, hashed: &Hashed, user: Uuid) -> Vec<Statement> {
    let (id, old) = (context.fresh_id(), context.fresh_id());
    let caller = &context.caller;
    let own = caller.session.filter(|_| caller.user_id == Some(user)).map(|session| session.id);
    let mut changes = vec![
        Statement::new(REMEMBER).uuid(old).uuid(user).text(context.now_text()),
        Statement::new(DELETE).uuid(user),
        Statement::new(INSERT).uuid(id).text(hashed.to_document(id, user).to_string()),
    ];
    changes.extend(end_all_statements(context, user, own));
    changes
}

/// Sets the password of a user without the old one; `None` if there is no such user.
pub async fn set_password(context: &Context, username: &str, password: &str) -> Outcome<Option<Uuid>> {
    let named = Credentials { username: Some(username.to_owned()), user_id: None, password: None };
    let mut session = context.session().await?;
    let Some(found) = find(&mut session, &named).await? else { return Ok(None) };
    change_password(context, &mut session, found.id, password).await?;
    Ok(Some(found.id))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Repeated {
    password: String,
    user_id: Uuid,
}

/// Answers whether a password is none of the user's last ones.
pub(super) async fn repeatable(request: Request) -> Outcome<Response> {
    let Repeated { password, user_id }: Repeated = request.body()?;
    let mut session = request.context.session().await?;
    may_take_the_place_of(&request.context, &mut session, user_id).await?;
    let result = if was_used_before(&mut session, user_id, &password).await? { "invalid" } else { "valid" };
    Ok(Response::json(200, &json!({"result": result})))
}

/// Whether a password is one of the user's last ones: ten, unless the library has set another number.
pub(crate) async fn was_used_before(session: &mut Session, user: Uuid, password: &str) -> Outcome<bool> {
    let earlier: Vec<Value> = session.read(Statement::new(LAST_PASSWORDS).uuid(user)).await?;
    let hashes: Vec<Hashed> = earlier.iter().filter_map(Hashed::read).collect();
    session.wait_without_connection(password::any_matches(password, hashes)).await?
}

pub(crate) async fn load_password_hash(session: &mut Session, user: Uuid) -> Outcome<Option<Hashed>> {
    let stored: Option<Value> = session.read(Statement::new(BY_USER).uuid(user)).await?;
    Ok(stored.as_ref().and_then(Hashed::read))
}

fn user_parameter(request: &Request) -> Outcome<Uuid> {
    let given = request.query("userId").unwrap_or_default();
    Uuid::parse_str(given).map_err(|_| {
        Fault::bad_request(format!(
            "'userId' parameter is incorrect. parameter value {{{given}}} is not valid: must match \"^[a-fA-F0-9]{{8}}-[a-fA-F0-9]{{4}}-[1-5][a-fA-F0-9]{{3}}-[89abAB][a-fA-F0-9]{{3}}-[a-fA-F0-9]{{12}}$\""
        ))
    })
}

fn user_id_fault(message: String, value: String) -> Fault {
    // The quotes round the key are FOLIO's.
    Refusal::rmb(message).about("'userId'", value).into()
}

const IS_USER: &str = "select 1 from users where id = $1";
const BY_USER: &str = "select doc::text from auth_credentials where \"userId\" = $1";
const INSERT: &str = "insert into auth_credentials (id, doc) values ($1, $2::text::json)";
const DELETE: &str = "delete from auth_credentials where \"userId\" = $1 returning 1";
const REMEMBER: &str = "\
insert into auth_credentials_history (id, doc)
select $1::uuid, doc::jsonb || jsonb_build_object('id', $1::uuid, 'date', $3::text)
from auth_credentials
where \"userId\" = $2";
/// The password of the user, and as many earlier ones as make ten together, or as many as a configuration entry says: a hundred at most,
/// since each has to be compared.
const LAST_PASSWORDS: &str = "\
(select doc::text from auth_credentials where \"userId\" = $1)
union all
(
  select doc::text
  from auth_credentials_history
  where \"userId\" = $1
  order by date desc
  limit coalesce(
    (
      select least(greatest((c.doc ->> 'value')::int8, 1), 100)
      from config_data c
      where c.\"configName\" = 'password.history.number'
        and c.doc ->> 'value' ~ '^[0-9]{1,9}$'
      order by c.id
      limit 1
    ),
    10
  ) - 1
)";

octavo_pg::statements!(hot = [IS_USER, BY_USER, INSERT, DELETE, REMEMBER], other = [LAST_PASSWORDS]);
