//! Passwords of users: given, changed, removed; and those that were used before.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{DbError, Session, Statement};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::log_in::{Credentials, find, no_user};
use super::password::{self, Hashed};

/// `POST /authn/credentials`
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let credentials: Credentials = request.body()?;
    let password = credentials.password.as_deref().filter(|password| !password.is_empty());
    let Some(password) = password else {
        let value = credentials.user_id.unwrap_or_else(|| "null".to_owned());
        return Err(about_user("Password is missing or empty".to_owned(), value));
    };
    let mut session = context.session().await?;
    let user = match &credentials.user_id {
        // FOLIO does not ask whether there is such a user.
        Some(id) => {
            Uuid::parse_str(id).map_err(|_| about_user(format!("Invalid UUID string: {id}"), id.clone()))?
        }
        None => {
            let found = find(&mut session, &credentials).await?;
            let unknown = || Fault::bad_request(format!("Error looking up user: {}", no_user(&credentials)));
            found.ok_or_else(unknown)?.id
        }
    };
    give_password(context, &mut session, user, password).await?;
    Ok(Response { status: 201, ..Response::no_content() })
}

/// Gives a first password to a user who has none.
pub async fn give_password(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    password: &str,
) -> Outcome<()> {
    let hashed = session.meanwhile(password::hash(password)).await??;
    let id = context.fresh_id();
    let insert = Statement::new(INSERT).uuid(id).text(hashed.document(id, user).to_string());
    match session.rows(insert).await {
        Ok(_) => Ok(()),
        Err(error) if error.is(DbError::UNIQUE) => Err(about_user(
            format!("There already exists credentials for user id '{user}'"),
            user.to_string(),
        )),
        Err(error) => Err(error.into()),
    }
}

/// `DELETE /authn/credentials?userId=`
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let user = user_parameter(&request)?;
    let mut session = request.context.session().await?;
    let rows = session.rows(Statement::new(DELETE).uuid(user)).await?;
    match rows.is_empty() {
        true => Err(Fault::text(404, format!("No credentials for userId {user} found"))),
        false => Ok(Response::no_content()),
    }
}

/// `GET /authn/credentials-existence?userId=`
pub(super) async fn existence(request: Request) -> Outcome<Response> {
    let user = user_parameter(&request)?;
    let mut session = request.context.session().await?;
    let found = stored(&mut session, user).await?;
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

    /// Whose password it is, by id and name, if there is such a user.
    pub(crate) async fn user(&self, context: &Context) -> Outcome<Option<(Uuid, String)>> {
        let found = find(&mut context.session().await?, &self.credentials).await?;
        Ok(found.map(|found| (found.id, found.username)))
    }
}

/// `POST /authn/update`: a user changes their own password.
pub(super) async fn update(request: Request) -> Outcome<Response> {
    change_own_password(&request.context, request.body()?).await?;
    Ok(Response::no_content())
}

/// Replaces a password by one who knows it.
pub(crate) async fn change_own_password(context: &Context, update: Update) -> Outcome<()> {
    let Update { credentials, new_password } = update;
    if credentials.username.is_none() && credentials.user_id.is_none() {
        return Err(Fault::bad_request("You must provide a username or userId"));
    }
    let new_password = new_password.filter(|password| !password.is_empty());
    let Some(new_password) = new_password else {
        return Err(Fault::bad_request("You must provide a new password that isn't empty"));
    };
    let mut session = context.session().await?;
    let Some(found) = find(&mut session, &credentials).await? else {
        return Err(Fault::bad_request(format!("Error verifying user existence: {}", no_user(&credentials))));
    };
    let invalid = || Fault::text(401, "Invalid credentials");
    let hashed = found.hashed.ok_or_else(invalid)?;
    let password = credentials.password.as_deref().unwrap_or_default();
    if !session.meanwhile(password::verify(password, &hashed)).await?? {
        return Err(invalid());
    }
    change_password(context, &mut session, found.id, &new_password).await?;
    Ok(())
}

/// Replaces a password, or gives the first one; the old one is remembered. Whether there was none.
pub(super) async fn change_password(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    password: &str,
) -> Outcome<bool> {
    let hashed = session.meanwhile(password::hash(password)).await??;
    let (id, old) = (context.fresh_id(), context.fresh_id());
    let answers = session
        .transaction(vec![
            Statement::new(REMEMBER).uuid(old).uuid(user).text(context.now_text()),
            Statement::new(DELETE).uuid(user),
            Statement::new(INSERT).uuid(id).text(hashed.document(id, user).to_string()),
            // Whoever knew the old password is to be logged out.
            Statement::new("delete from refresh_tokens where \"userId\" = $1").uuid(user),
        ])
        .await?;
    Ok(answers[1].is_empty())
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Repeated {
    password: String,
    user_id: Uuid,
}

/// `POST /authn/password/repeatable`: whether a password is none of the user's last ten.
pub(super) async fn repeatable(request: Request) -> Outcome<Response> {
    let Repeated { password, user_id }: Repeated = request.body()?;
    let mut session = request.context.session().await?;
    let result = if used_before(&mut session, user_id, &password).await? { "invalid" } else { "valid" };
    Ok(Response::json(200, &json!({"result": result})))
}

/// Whether a password is one of the user's last ten.
pub(crate) async fn used_before(session: &mut Session, user: Uuid, password: &str) -> Outcome<bool> {
    let rows = session.rows(Statement::new(LAST_TEN).uuid(user)).await?;
    let hashes: Vec<Hashed> =
        rows.iter().filter_map(|row| row.json(0)).filter_map(|document| Hashed::read(&document)).collect();
    session.meanwhile(password::any_matches(password, hashes)).await?
}

/// What is stored of a user's password.
pub(super) async fn stored(session: &mut Session, user: Uuid) -> Outcome<Option<Hashed>> {
    let rows = session.rows(Statement::new(BY_USER).uuid(user)).await?;
    Ok(rows.first().and_then(|row| row.json(0)).as_ref().and_then(Hashed::read))
}

fn user_parameter(request: &Request) -> Outcome<Uuid> {
    let given = request.query("userId").unwrap_or_default();
    Uuid::parse_str(given).map_err(|_| {
        Fault::bad_request(format!(
            "'userId' parameter is incorrect. parameter value {{{given}}} is not valid: must match \"^[a-fA-F0-9]{{8}}-[a-fA-F0-9]{{4}}-[1-5][a-fA-F0-9]{{3}}-[89abAB][a-fA-F0-9]{{3}}-[a-fA-F0-9]{{12}}$\""
        ))
    })
}

fn about_user(message: String, value: String) -> Fault {
    // The quotes round the key are FOLIO's.
    Refusal::new(message).kind("1").code("-1").about("'userId'", value).into()
}

const BY_USER: &str = "select doc::text from auth_credentials where \"userId\" = $1";
const INSERT: &str = "insert into auth_credentials (id, doc) values ($1, $2::text::json)";
const DELETE: &str = "delete from auth_credentials where \"userId\" = $1 returning 1";
const REMEMBER: &str = "\
insert into auth_credentials_history (id, doc)
select $1::uuid, doc::jsonb || jsonb_build_object('id', $1::uuid, 'date', $3::text)
from auth_credentials
where \"userId\" = $2";
const LAST_TEN: &str = "\
(select doc::text from auth_credentials where \"userId\" = $1)
union all
(select doc::text from auth_credentials_history where \"userId\" = $1 order by date desc limit 9)";
