//! The way back from the issuer (OpenID Connect Core 1.0, 3.1.2.5 and on): the answer belongs to a log-in that this browser has begun, its
//! code is exchanged once, the token is believed, and one active user is found by its claims.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::attempt::{Attempt, COOKIE, Goal};
use super::begin::{cookie, going, to_desk};
use super::fetch::{NoAnswer, shown};
use super::folio;
use super::id_token::Expected;
use super::person::{find, tells_enough, value};
use super::provider::{Client, Exchanged, Provider};
use super::refused::Refused;
use super::settings::Settings;
use crate::login::events::{self, Event};
use crate::login::tokens::{Pair, start_session};

/// `GET /octavo/sso/callback`
pub(crate) async fn callback(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let keys = context.platform.token_keys.get().await?;
    let Some((attempt, key)) = attempt(&request, keys.accepted()) else {
        return Ok(to_desk(Refused::Expired));
    };
    let Some(settings) = Settings::active(context).await? else { return Ok(to_desk(Refused::Off)) };
    let arrived = arrive(&request, &settings, (&attempt, key)).await?;
    let response = match (&arrived, &attempt.goal) {
        (Ok(_), Goal::Path(path)) => going(path),
        (Err(refused), Goal::Path(_)) => to_desk(*refused),
        (Ok(pair), Goal::Interface(page)) => folio::landing(context, page, pair),
        (Err(refused), Goal::Interface(_)) => folio::refusal(*refused),
    };
    let response = response.with("set-cookie", cookie("", 0, &settings.cookie_path(context)));
    Ok(match arrived {
        Ok(pair) => pair
            .cookies(context)
            .into_iter()
            .fold(response, |response, cookie| response.with("set-cookie", cookie)),
        Err(_) => response,
    })
}

/// The log-in that this browser has begun and whose state comes back, with the key that signed it.
fn attempt<'k>(request: &Request, keys: impl IntoIterator<Item = &'k [u8]>) -> Option<(Attempt, &'k [u8])> {
    let context = &request.context;
    let (tenant, now) = (context.tenant.id.as_str(), context.now.as_second());
    let state = request.query("state")?;
    let cookies = cookies(request);
    keys.into_iter().find_map(|key| {
        let read = |cookie: &&str| Attempt::read(cookie, key, tenant, now);
        let attempt = cookies.iter().filter_map(read).find(|attempt| attempt.has_state(state, key))?;
        Some((attempt, key))
    })
}

/// The values of the cookie; a browser may have several, of different paths.
fn cookies(request: &Request) -> Vec<&str> {
    request
        .headers
        .iter()
        .filter(|(name, _)| name == "cookie")
        .flat_map(|(_, value)| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
        .collect()
}

async fn arrive(
    request: &Request,
    settings: &Settings,
    attempt: (&Attempt, &[u8]),
) -> Outcome<Result<Pair, Refused>> {
    let context = &request.context;
    if !is_first(context, attempt.0).await? {
        return Ok(refused(context, Refused::Expired, "the answer came before"));
    }
    if let Some(error) = request.query("error") {
        return Ok(refused(context, Refused::Declined, &shown(error)));
    }
    let claims = match claims(request, settings, attempt).await {
        Ok(claims) => claims,
        Err((why, cause)) => return Ok(refused(context, why, &cause)),
    };
    let found = match value(&claims, &settings.claim, settings.field) {
        Ok(value) => find(context, settings.field, &value).await?,
        Err(why) => Err(why),
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return Ok(refused(context, why, why.code())),
    };
    if !found.is_active {
        events::write(request, found.user.id, Event::LogInFailed).await;
        return Ok(refused(context, Refused::InactiveUser, "the user is not active"));
    }
    let pair = start_session(context, &mut context.session().await?, &found.user).await?;
    events::write(request, found.user.id, Event::LoggedIn).await;
    Ok(Ok(pair))
}

/// What the issuer vouches for.
async fn claims(
    request: &Request,
    settings: &Settings,
    (attempt, key): (&Attempt, &[u8]),
) -> Result<Value, (Refused, String)> {
    let context = &request.context;
    let platform = &context.platform;
    let unreachable = |why: NoAnswer| (Refused::Unreachable, why.to_string());
    let untrusted = |why: &str| (Refused::Untrusted, why.to_owned());
    let provider = Provider::of(platform, &settings.issuer, context.now).await.map_err(unreachable)?;
    match request.query("iss") {
        Some(issuer) if issuer != provider.issuer => return Err(untrusted("another issuer answers")),
        None if provider.names_itself => return Err(untrusted("the answer names no issuer")),
        _ => {}
    }
    let code = request.query("code").filter(|code| !code.is_empty()).ok_or_else(|| untrusted("no code"))?;
    let _turn = provider.turns.acquire().await.map_err(|error| (Refused::Unreachable, error.to_string()))?;
    let client = Client { id: &settings.client_id, secret: &settings.client_secret };
    let (redirect, verifier, nonce) = (settings.redirect(context), attempt.verifier(key), attempt.nonce(key));
    let Exchanged { id_token, access_token } =
        provider.exchange(platform, client, (code, &redirect, &verifier)).await.map_err(unreachable)?;
    let expected = Expected { issuer: &provider.issuer, client: client.id, nonce: &nonce, now: context.now };
    let believed = provider.believed(platform, &id_token, &expected).await.map_err(unreachable)?;
    let mut claims = believed.map_err(|wrong| untrusted(&format!("the token: {wrong:?}")))?;
    // Many issuers tell only the subject in the token, and the rest where they are asked for it.
    if !tells_enough(&claims, &settings.claim, settings.field)
        && let Some(access_token) = access_token
    {
        let told = provider.userinfo(platform, &access_token, &claims["sub"]).await.map_err(unreachable)?;
        claims = told.unwrap_or(claims);
    }
    Ok(claims)
}

/// Whether the answer to a log-in comes for the first time. Of those that came together, one is the first.
async fn is_first(context: &Context, attempt: &Attempt) -> Outcome<bool> {
    let expires = jiff::Timestamp::from_second(attempt.exp).map_or_else(|_| context.now_text(), folio_time);
    let document = json!({"id": attempt.jti, "expires": expires}).to_string();
    let answers = context
        .session()
        .await?
        .batch(vec![
            Statement::new(CLEAN_UP).text(context.now_text()),
            Statement::new(USE).uuid(attempt.jti).text(document),
        ])
        .await?;
    Ok(answers.get(1).is_some_and(|rows| !rows.is_empty()))
}

/// Notes why nobody was logged in; never who it would have been.
fn refused<T>(context: &Context, why: Refused, cause: &str) -> Result<T, Refused> {
    tracing::info!(tenant = %context.tenant.id, why = why.code(), cause, "a log-in elsewhere was refused");
    Err(why)
}

const CLEAN_UP: &str = "delete from sso_used where expires < $1";
const USE: &str = "\
insert into sso_used (id, doc) values ($1, $2::text::json)
on conflict (id) do nothing
returning 1";

octavo_pg::statements!(hot = [CLEAN_UP, USE]);
