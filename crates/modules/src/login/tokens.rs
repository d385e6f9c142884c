//! Sessions: an access token that lives minutes, and a refresh token that can be exchanged for new ones once.
//!
//! A refresh token that comes a second time has been copied: all of the user's are then taken back.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal, folio_time};
use octavo_pg::{Row, Session, Statement};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::log_in::{LoggedIn, answer};
use crate::tokens::{Claims, Kind, sign, verify};

const ACCESS: &str = "folioAccessToken";
const REFRESH: &str = "folioRefreshToken";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expirations {
    access_token_expiration: String,
    refresh_token_expiration: String,
}

/// A fresh pair of tokens: when they end, and the cookies that carry them.
pub(crate) async fn start_session(
    context: &Context,
    session: &mut Session,
    user: &LoggedIn,
) -> Outcome<(Expirations, [String; 2])> {
    let settings = &context.platform.settings;
    let (access, refresh) = (settings.access_token_seconds, settings.refresh_token_seconds);
    let id = context.fresh_id();
    let document = json!({"id": id, "userId": user.id, "expires": after(context.now, refresh)});
    session
        .batch(vec![
            Statement::new(CLEAN_UP).uuid(user.id).text(folio_time(context.now)),
            Statement::new("insert into refresh_tokens (id, doc) values ($1, $2::text::json)")
                .uuid(id)
                .text(document.to_string()),
        ])
        .await?;
    let now = context.now.as_second();
    let token = claims(context, user, Kind::Access);
    let access_token = signed(context, &Claims { exp: Some(now + access), ..token.clone() });
    let refresh_token =
        signed(context, &Claims { kind: Kind::Refresh, exp: Some(now + refresh), jti: Some(id), ..token });
    let expirations = Expirations {
        access_token_expiration: after_plain(context.now, access),
        refresh_token_expiration: after_plain(context.now, refresh),
    };
    Ok((
        expirations,
        [cookie(ACCESS, &access_token, access, "/"), cookie(REFRESH, &refresh_token, refresh, "/authn")],
    ))
}

/// FOLIO's older token, which does not expire.
pub(crate) fn legacy_token(context: &Context, user: &LoggedIn) -> String {
    signed(context, &claims(context, user, Kind::LegacyAccess))
}

fn claims(context: &Context, user: &LoggedIn, kind: Kind) -> Claims {
    Claims {
        kind,
        iat: context.now.as_second(),
        tenant: context.tenant.id.to_string(),
        sub: user.username.clone(),
        user_id: Some(user.id),
        exp: None,
        jti: None,
    }
}

fn signed(context: &Context, claims: &Claims) -> String {
    sign(claims, &context.platform.settings.token_key)
}

/// `POST /authn/refresh`
pub(super) async fn refresh(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (id, user) = refresh_token(&request)?;
    let mut session = context.session().await?;
    let rows = session.rows(Statement::new(USE).uuid(id).uuid(user)).await?;
    match rows.first().map_or(State::Unknown, State::of) {
        State::Fresh { username } => {
            let (expirations, cookies) =
                start_session(context, &mut session, &LoggedIn { id: user, username }).await?;
            Ok(answer(&expirations, cookies))
        }
        State::Inactive => Err(refused(422, "User is not active", "token.refresh.unprocessable")),
        State::Unknown => {
            session.rows(Statement::new(REVOKE_ALL).uuid(user)).await?;
            tracing::warn!(tenant = %context.tenant.id, %user, "a refresh token came twice; the user's sessions were ended");
            Err(refused(422, "Invalid token", "token.refresh.unprocessable"))
        }
    }
}

/// What became of a refresh token that we signed.
#[derive(Debug, PartialEq)]
enum State {
    /// Just used, for the first time.
    Fresh {
        username: String,
    },
    Inactive,
    /// Used before, or taken back.
    Unknown,
}

impl State {
    fn of(row: &Row) -> State {
        match row.json(0) {
            Some(user) if user["active"] != false => {
                State::Fresh { username: user["username"].as_str().unwrap_or_default().to_owned() }
            }
            _ => State::Inactive,
        }
    }
}

/// `POST /authn/logout`
pub(super) async fn log_out(request: Request) -> Outcome<Response> {
    // A session whose refresh token is gone or old has ended already.
    if let Ok((id, user)) = refresh_token(&request) {
        let mut session = request.context.session().await?;
        session.rows(Statement::new(REVOKE).uuid(id).uuid(user)).await?;
    }
    Ok(without_cookies())
}

/// `POST /authn/logout-all`
pub(super) async fn log_out_everywhere(request: Request) -> Outcome<Response> {
    let user = match request.context.caller.user_id {
        Some(user) => user,
        None => refresh_token(&request)?.1,
    };
    let mut session = request.context.session().await?;
    session.rows(Statement::new(REVOKE_ALL).uuid(user)).await?;
    Ok(without_cookies())
}

fn without_cookies() -> Response {
    let gone = |name: &str, path: &str| {
        format!(
            "{name}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path={path}; Secure; HTTPOnly; SameSite=None"
        )
    };
    Response::no_content().with("set-cookie", gone(ACCESS, "/")).with("set-cookie", gone(REFRESH, "/authn"))
}

/// The token in the cookie: its row and its user.
fn refresh_token(request: &Request) -> Outcome<(Uuid, Uuid)> {
    let context = &request.context;
    let mut found = request
        .headers
        .iter()
        .filter(|(name, _)| name == "cookie")
        .flat_map(|(_, value)| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == REFRESH)
        .map(|(_, value)| value.trim_matches('"'));
    let (Some(token), None) = (found.next(), found.next()) else {
        return Err(refused(400, "Bad request", "token.parse.failure"));
    };
    verify(token, &context.platform.settings.token_key, context.now.as_second())
        .filter(|claims| claims.kind == Kind::Refresh && claims.tenant == context.tenant.id.as_str())
        .and_then(|claims| Some((claims.jti?, claims.user_id?)))
        .ok_or_else(|| refused(422, "Invalid token", "token.refresh.unprocessable"))
}

fn refused(status: u16, message: &str, code: &str) -> Fault {
    let mut fault = Fault::from(Refusal::new(message).kind("error").code(code));
    fault.status = status;
    fault
}

fn cookie(name: &str, token: &str, seconds: i64, path: &str) -> String {
    format!("{name}={token}; Max-Age={seconds}; Path={path}; Secure; HTTPOnly; SameSite=Lax")
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

fn after(now: Timestamp, seconds: i64) -> Value {
    json!(folio_time(later(now, seconds)))
}

/// An instant as Java's `Instant` writes it: whole seconds, `Z`.
fn after_plain(now: Timestamp, seconds: i64) -> String {
    later(now, seconds).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

const CLEAN_UP: &str = "delete from refresh_tokens where \"userId\" = $1 and expires < $2";
const REVOKE: &str = "delete from refresh_tokens where id = $1 and \"userId\" = $2";
const REVOKE_ALL: &str = "delete from refresh_tokens where \"userId\" = $1";

// Of two exchanges at the same time, one finds the token unused.
const USE: &str = "\
with used as (
  update refresh_tokens
  set doc = doc::jsonb || '{\"used\": \"true\"}'
  where id = $1 and \"userId\" = $2 and used is null
  returning 1
)
select (select doc::text from users where id = $2)
from used";
