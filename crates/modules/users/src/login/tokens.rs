//! Sessions: access tokens that expire after minutes, and a refresh token that can be exchanged for new ones once.
//!
//! A refresh token that is used again later was copied: its session ends, and all of the user's refresh tokens are revoked. Two pages of
//! one browser may refresh at the same moment, so for a few seconds it does not count as a copy.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Request, Response, SecurityEventKind, Sessions};
use octavo_kernel::{Fault, Outcome, Refusal, folio_time, parse_time};
use octavo_modules_base::grants;
use octavo_modules_base::tokens::{Claims, Kind, sign_with_current_key, verify};
use octavo_modules_base::user_records::is_active;
use octavo_pg::{Session, Statement, read_each};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ended_sessions::{announce_end, end_all_statements, end_one_statements};

const ACCESS_COOKIE: &str = "folioAccessToken";
const REFRESH_COOKIE: &str = "folioRefreshToken";
/// How long after its first use a refresh token may be used again.
const GRACE: SignedDuration = SignedDuration::from_secs(10);

/// A user whose password was right.
#[derive(Debug)]
pub struct LoggedIn {
    pub id: Uuid,
    pub username: String,
    /// The generation of the session: how often all sessions of the user had been ended before.
    pub generation: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expirations {
    pub(crate) access_token_expiration: String,
    pub(crate) refresh_token_expiration: String,
}

/// An access token with the refresh token that is exchanged for the next pair.
#[derive(Debug)]
pub(crate) struct TokenPair {
    pub(crate) access: String,
    pub(crate) refresh: String,
    pub(crate) expirations: Expirations,
}

/// The first pair of tokens of a new session.
pub(crate) async fn start_session(
    context: &Context,
    session: &mut Session,
    user: &LoggedIn,
) -> Outcome<TokenPair> {
    issue_tokens(context, session, user, context.fresh_id()).await
}

async fn issue_tokens(
    context: &Context,
    session: &mut Session,
    user: &LoggedIn,
    of: Uuid,
) -> Outcome<TokenPair> {
    let platform = &context.platform;
    let settings = &platform.settings;
    let (access, refresh) = (settings.access_token_seconds, settings.refresh_token_seconds);
    let id = context.fresh_id();
    let document =
        json!({"id": id, "userId": user.id, "session": of, "expires": time_after(context.now, refresh)});
    session
        .batch(vec![
            Statement::new(CLEAN_UP).uuid(user.id).text(folio_time(context.now)),
            Statement::new(STORE).uuid(id).text(document.to_string()),
        ])
        .await?;
    let now = context.now.as_second();
    let token = claims(context, user, Kind::Access, of);
    let refreshing = Claims { kind: Kind::Refresh, exp: Some(now + refresh), jti: Some(id), ..token.clone() };
    Ok(TokenPair {
        access: sign_with_current_key(platform, &Claims { exp: Some(now + access), ..token }, now).await?,
        refresh: sign_with_current_key(platform, &refreshing, now).await?,
        expirations: Expirations {
            access_token_expiration: java_instant_after(context.now, access),
            refresh_token_expiration: java_instant_after(context.now, refresh),
        },
    })
}

impl TokenPair {
    /// The cookies that carry the tokens.
    pub(crate) fn cookies(&self, context: &Context) -> [String; 2] {
        let settings = &context.platform.settings;
        [
            cookie(ACCESS_COOKIE, &self.access, settings.access_token_seconds, "/"),
            cookie(REFRESH_COOKIE, &self.refresh, settings.refresh_token_seconds, "/authn"),
        ]
    }
}

pub(super) fn pair_response(context: &Context, pair: &TokenPair) -> Response {
    let response = Response::json(201, &json!(pair.expirations));
    pair.cookies(context)
        .into_iter()
        .fold(response, |response, cookie| response.with_header("set-cookie", cookie))
}

/// FOLIO's older token, which does not expire.
pub(crate) async fn legacy_token(context: &Context, user: &LoggedIn) -> Outcome<String> {
    let claims = claims(context, user, Kind::LegacyAccess, context.fresh_id());
    sign_with_current_key(&context.platform, &claims, context.now.as_second()).await
}

fn claims(context: &Context, user: &LoggedIn, kind: Kind, session: Uuid) -> Claims {
    Claims {
        iat: context.now.as_second(),
        user_id: Some(user.id),
        session: Some(session),
        generation: user.generation,
        ..Claims::new(kind, context.tenant.id.as_str(), &user.username)
    }
}

pub(super) async fn refresh(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let token = sent_refresh_token(&request).await?;
    let mut session = context.session().await?;
    let pair = exchange(context, &mut session, &token).await?;
    pair.map(|pair| pair_response(context, &pair)).map_err(|why| unprocessable_refresh().because(why))
}

/// mod-login does not tell why mod-authtoken has refused to renew tokens.
fn unprocessable_refresh() -> Fault {
    let message = "Authorization server unable to process token refresh request";
    refusal_fault(422, message, "token.refresh.unprocessable")
}

/// Exchanges a refresh token for a new pair of tokens, or returns the reason of the refusal. The token is used up; if it is sent again
/// later, it counts as copied.
pub(crate) async fn exchange(
    context: &Context,
    session: &mut Session,
    token: &RefreshToken,
) -> Outcome<Result<TokenPair, &'static str>> {
    let (id, user) = (token.id, token.user);
    let answers = session
        .batch(vec![
            Statement::new(USE).uuid(id).uuid(user).text(folio_time(context.now)),
            // A statement of its own: it sees what another exchange at the same time has done.
            Statement::new(STATE).uuid(id).uuid(user),
            grants::ended_sessions_statement(user),
        ])
        .await?;
    let (taken, state, ended): (Vec<()>, Option<(Option<&str>, Option<Value>)>, _) = read_each(&answers);
    let (used, found) = state.unwrap_or_default();
    let sessions = grants::parse_ended_sessions(ended);
    match judge_refresh_token(!taken.is_empty(), used, context.now, token, &sessions) {
        RefreshVerdict::Ended => Ok(Err("Invalid token")),
        RefreshVerdict::Copied => {
            let mut changes = vec![Statement::new(TAKE_ALL_BACK).uuid(user)];
            if let Some(ended) = token.session {
                changes.extend(end_one_statements(context, user, ended, Some(last_access_expiry(context))));
            }
            session.transaction(changes).await?;
            announce_end(context, user);
            tracing::warn!(tenant = %context.tenant.id, %user, "a refresh token came twice; the user's sessions were ended");
            Ok(Err("Invalid token"))
        }
        RefreshVerdict::Valid => match found {
            Some(found) if is_active(&found) => {
                let username = found["username"].as_str().unwrap_or_default().to_owned();
                let user = LoggedIn { id: user, username, generation: sessions.generation };
                let of = token.session.unwrap_or_else(|| context.fresh_id());
                Ok(Ok(issue_tokens(context, session, &user, of).await?))
            }
            _ => Ok(Err("User is not active")),
        },
    }
}

/// The verdict on a refresh token with a valid signature.
#[derive(Debug, PartialEq)]
enum RefreshVerdict {
    Valid,
    /// The session of the token has ended.
    Ended,
    /// The token was used longer ago than `GRACE`, or revoked: somebody may have copied it.
    Copied,
}

/// Judges a refresh token. `first`: the token was not used before. `used`: when it was used; `None` if nothing is stored of the token.
fn judge_refresh_token(
    first: bool,
    used: Option<&str>,
    now: Timestamp,
    token: &RefreshToken,
    sessions: &Sessions,
) -> RefreshVerdict {
    let just_now = || used.and_then(parse_time).is_some_and(|used| now.duration_since(used) <= GRACE);
    if !sessions.accept(token.session, token.generation) {
        RefreshVerdict::Ended
    } else if first || just_now() {
        RefreshVerdict::Valid
    } else {
        RefreshVerdict::Copied
    }
}

/// Ends the session of the tokens in the request.
pub(super) async fn log_out(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut ended = Vec::new();
    if let (Some(user), Some(session)) = (context.caller.user_id, context.caller.session) {
        ended.push((user, session.id, session.expires.then(|| last_access_expiry(context))));
    }
    // Without a valid refresh token, there is no further session to end.
    let token = sent_refresh_token(&request).await.ok();
    let mut changes: Vec<Statement> = ended
        .iter()
        .flat_map(|(user, session, last)| end_one_statements(context, *user, *session, *last))
        .collect();
    if let Some(token) = token.as_ref().filter(|token| {
        token.session.is_none_or(|session| !ended.iter().any(|(_, known, _)| *known == session))
    }) {
        changes.extend(end_by_refresh_token_statements(context, token));
        ended.push((token.user, Uuid::nil(), None));
    }
    if !changes.is_empty() {
        context.session().await?.transaction(changes).await?;
    }
    for (user, ..) in ended {
        announce_end(context, user);
        request.note_security_event(SecurityEventKind::LoggedOut, Some(user), "");
    }
    Ok(clear_cookies_response())
}

/// The statements that end the session of a refresh token. After they have run, the caller has to call `announce_end`.
pub(crate) fn end_by_refresh_token_statements(context: &Context, token: &RefreshToken) -> Vec<Statement> {
    match token.session {
        Some(session) => end_one_statements(context, token.user, session, Some(last_access_expiry(context))),
        None => vec![Statement::new(TAKE_BACK).uuid(token.id).uuid(token.user)],
    }
}

pub(super) async fn log_out_everywhere(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let user = match context.caller.user_id {
        Some(user) => user,
        None => sent_refresh_token(&request).await?.user,
    };
    context.session().await?.transaction(end_all_statements(context, user, None)).await?;
    announce_end(context, user);
    request.note_security_event(SecurityEventKind::LoggedOut, Some(user), "Everywhere");
    Ok(clear_cookies_response())
}

/// When the last access token of a present session expires.
fn last_access_expiry(context: &Context) -> i64 {
    context.now.as_second() + context.platform.settings.access_token_seconds
}

fn clear_cookies_response() -> Response {
    let gone = |name: &str, path: &str| {
        format!(
            "{name}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path={path}; Secure; HTTPOnly; SameSite=None"
        )
    };
    Response::no_content()
        .with_header("set-cookie", gone(ACCESS_COOKIE, "/"))
        .with_header("set-cookie", gone(REFRESH_COOKIE, "/authn"))
}

#[derive(Debug)]
pub(crate) struct RefreshToken {
    id: Uuid,
    pub(crate) user: Uuid,
    session: Option<Uuid>,
    generation: i64,
}

impl RefreshToken {
    /// Parses a refresh token; `None` unless this server signed it for this tenant and it has not expired.
    pub(crate) async fn read(context: &Context, token: &str) -> Outcome<Option<RefreshToken>> {
        let keys = context.platform.token_keys.get().await?;
        let claims = verify(token, keys.accepted_secrets(), context.now.as_second());
        Ok(claims.and_then(|claims| RefreshToken::from_claims(context, &claims)))
    }

    fn from_claims(context: &Context, claims: &Claims) -> Option<RefreshToken> {
        let fits = claims.kind == Kind::Refresh && claims.tenant == context.tenant.id.as_str();
        let &Claims { session, generation, .. } = claims;
        let token = RefreshToken { id: claims.jti?, user: claims.user_id?, session, generation };
        fits.then_some(token)
    }
}

async fn sent_refresh_token(request: &Request) -> Outcome<RefreshToken> {
    let mut found = request
        .headers
        .iter()
        .filter(|(name, _)| name == "cookie")
        .flat_map(|(_, value)| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == REFRESH_COOKIE)
        .map(|(_, value)| value.trim_matches('"'));
    let (Some(token), None) = (found.next(), found.next()) else {
        return Err(refusal_fault(400, "Bad request", "token.parse.failure"));
    };
    RefreshToken::read(&request.context, token).await?.ok_or_else(unprocessable_refresh)
}

fn refusal_fault(status: u16, message: &str, code: &str) -> Fault {
    let mut fault = Fault::from(Refusal::new(message).kind("error").code(code));
    fault.status = status;
    fault
}

fn cookie(name: &str, token: &str, seconds: i64, path: &str) -> String {
    format!("{name}={token}; Max-Age={seconds}; Path={path}; Secure; HTTPOnly; SameSite=Lax")
}

fn add_seconds(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

fn time_after(now: Timestamp, seconds: i64) -> Value {
    json!(folio_time(add_seconds(now, seconds)))
}

/// An instant as Java's `Instant` writes it: whole seconds, `Z`.
fn java_instant_after(now: Timestamp, seconds: i64) -> String {
    add_seconds(now, seconds).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

const CLEAN_UP: &str = "delete from refresh_tokens where \"userId\" = $1 and expires < $2";
const TAKE_BACK: &str = "delete from refresh_tokens where id = $1 and \"userId\" = $2";
const TAKE_ALL_BACK: &str = "delete from refresh_tokens where \"userId\" = $1";

// Marks a refresh token as used. If it is exchanged twice at the same time, only one exchange finds it unused.
const USE: &str = "\
update refresh_tokens
set doc = doc::jsonb || jsonb_build_object('used', $3::text)
where id = $1 and \"userId\" = $2 and used is null
returning 1";
const STATE: &str = "\
select (select used from refresh_tokens where id = $1 and \"userId\" = $2),
  (select doc::text from users where id = $2)";

const STORE: &str = "insert into refresh_tokens (id, doc) values ($1, $2::text::json)";

octavo_pg::statements!(hot = [CLEAN_UP, TAKE_BACK, TAKE_ALL_BACK, USE, STATE, STORE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_token_is_exchanged_once_and_for_some_seconds_again() {
        let now: Timestamp = "2026-11-23T12:00:10Z".parse().unwrap();
        let token = |session: Option<u128>, generation| RefreshToken {
            id: Uuid::nil(),
            user: Uuid::nil(),
            session: session.map(Uuid::from_u128),
            generation,
        };
        let sessions =
            Sessions { generation: 1, ended_sessions: [Uuid::from_u128(9)].into(), ..Sessions::default() };
        let time = |text| Some(text);
        for (first, used, token, expected) in [
            (true, time("2026-11-23T12:00:10.000+00:00"), token(Some(1), 1), RefreshVerdict::Valid),
            (false, time("2026-11-23T12:00:00.000+00:00"), token(Some(1), 1), RefreshVerdict::Valid),
            (false, time("2026-11-23T11:59:59.000+00:00"), token(Some(1), 1), RefreshVerdict::Copied),
            // The first release noted only that it was used.
            (false, time("true"), token(None, 1), RefreshVerdict::Copied),
            (false, None, token(Some(1), 1), RefreshVerdict::Copied),
            (true, time("2026-11-23T12:00:10.000+00:00"), token(Some(9), 1), RefreshVerdict::Ended),
            (false, None, token(Some(9), 1), RefreshVerdict::Ended),
            (true, time("2026-11-23T12:00:10.000+00:00"), token(Some(1), 0), RefreshVerdict::Ended),
        ] {
            assert_eq!(
                judge_refresh_token(first, used, now, &token, &sessions),
                expected,
                "{first} {used:?} {token:?}"
            );
        }
    }
}
