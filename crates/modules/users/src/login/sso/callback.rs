//! The browser's return from the issuer (OpenID Connect Core 1.0, 3.1.2.5 and on). The answer has to belong to a log-in that this browser
//! has begun. Its code is exchanged once, the token is verified, and one active user is found by its claims.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::attempt::{Attempt, COOKIE, Goal};
use super::begin::{cookie, redirect_response, redirect_to_desk};
use super::fetch::{NoAnswer, oauth_code};
use super::folio;
use super::id_token::ExpectedClaims;
use super::person::{claim_value, find, has_needed_claims};
use super::provider::{Client, ExchangedTokens, Provider};
use super::refused::Refused;
use super::settings::Settings;
use crate::login::events::{self, Event};
use crate::login::tokens::{TokenPair, start_session};

/// `GET /octavo/sso/callback`
pub(crate) async fn callback(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let keys = context.platform.token_keys.get().await?;
    let Some((attempt, key)) = find_attempt(&request, keys.accepted_secrets()) else {
        return Ok(redirect_to_desk(Refused::Expired));
    };
    let Some(settings) = Settings::load_if_active(context).await? else {
        return Ok(redirect_to_desk(Refused::Off));
    };
    let arrived = complete_log_in(&request, &settings, (&attempt, key)).await?;
    let response = match (&arrived, &attempt.goal) {
        (Ok(_), Goal::Path(path)) => redirect_response(path),
        (Err(refused), Goal::Path(_)) => redirect_to_desk(*refused),
        (Ok(pair), Goal::Interface(page)) => folio::landing_response(context, page, pair),
        (Err(refused), Goal::Interface(_)) => folio::refusal_response(*refused),
    };
    let response = response.with_header("set-cookie", cookie("", 0, &settings.cookie_path(context)));
    Ok(match arrived {
        Ok(pair) => pair
            .cookies(context)
            .into_iter()
            .fold(response, |response, cookie| response.with_header("set-cookie", cookie)),
        Err(_) => response,
    })
}

/// The log-in that this browser has begun and whose state comes back, with the key that signed it.
fn find_attempt<'k>(
    request: &Request,
    keys: impl IntoIterator<Item = &'k [u8]>,
) -> Option<(Attempt, &'k [u8])> {
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

async fn complete_log_in(
    request: &Request,
    settings: &Settings,
    attempt: (&Attempt, &[u8]),
) -> Outcome<Result<TokenPair, Refused>> {
    let context = &request.context;
    if !is_first_answer(context, attempt.0).await? {
        return Ok(log_refusal(context, Refused::Expired, "the answer came before"));
    }
    if let Some(error) = request.query("error") {
        return Ok(log_refusal(context, Refused::Declined, &oauth_code(error)));
    }
    let claims = match claims(request, settings, attempt).await {
        Ok(claims) => claims,
        Err((why, cause)) => return Ok(log_refusal(context, why, &cause)),
    };
    let found = match claim_value(&claims, &settings.claim, settings.field) {
        Ok(value) => find(context, settings.field, &value).await?,
        Err(why) => Err(why),
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return Ok(log_refusal(context, why, why.code())),
    };
    if !found.is_active {
        events::write(request, found.user.id, Event::LogInFailed).await;
        return Ok(log_refusal(context, Refused::InactiveUser, "the user is not active"));
    }
    let pair = start_session(context, &mut context.session().await?, &found.user).await?;
    events::write(request, found.user.id, Event::LoggedIn).await;
    Ok(Ok(pair))
}

/// The claims about the person, from the issuer's token or from its userinfo endpoint.
async fn claims(
    request: &Request,
    settings: &Settings,
    (attempt, key): (&Attempt, &[u8]),
) -> Result<Value, (Refused, String)> {
    let context = &request.context;
    let platform = &context.platform;
    let unreachable = |why: NoAnswer| (Refused::Unreachable, why.to_string());
    let untrusted = |why: &str| (Refused::Untrusted, why.to_owned());
    let provider =
        Provider::find_or_discover(platform, &settings.issuer, context.now).await.map_err(unreachable)?;
    match request.query("iss") {
        Some(issuer) if issuer != provider.issuer => return Err(untrusted("another issuer answers")),
        None if provider.names_itself => return Err(untrusted("the answer names no issuer")),
        _ => {}
    }
    let code = request.query("code").filter(|code| !code.is_empty()).ok_or_else(|| untrusted("no code"))?;
    let _turn = provider.turns.acquire().await.map_err(|error| (Refused::Unreachable, error.to_string()))?;
    let client = Client { id: &settings.client_id, secret: &settings.client_secret };
    let (redirect, verifier, nonce) =
        (settings.redirect_uri(context), attempt.verifier(key), attempt.nonce(key));
    let ExchangedTokens { id_token, access_token } =
        provider.exchange(platform, client, (code, &redirect, &verifier)).await.map_err(unreachable)?;
    let expected =
        ExpectedClaims { issuer: &provider.issuer, client: client.id, nonce: &nonce, now: context.now };
    let believed = provider.verify_id_token(platform, &id_token, &expected).await.map_err(unreachable)?;
    let mut claims = believed.map_err(|wrong| untrusted(&format!("the token: {wrong:?}")))?;
    // Many issuers put only the subject into the token. The other claims have to be asked for at the userinfo endpoint.
    if !has_needed_claims(&claims, &settings.claim, settings.field)
        && let Some(access_token) = access_token
    {
        let told = provider.userinfo(platform, &access_token, &claims["sub"]).await.map_err(unreachable)?;
        claims = told.unwrap_or(claims);
    }
    Ok(claims)
}

/// Whether this is the first answer to a log-in. Of answers that arrive at the same time, only one counts as the first.
async fn is_first_answer(context: &Context, attempt: &Attempt) -> Outcome<bool> {
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

/// Writes to the server's log why a log-in was refused, without the name of the person.
fn log_refusal<T>(context: &Context, why: Refused, cause: &str) -> Result<T, Refused> {
    tracing::info!(tenant = %context.tenant.id, why = why.code(), cause, "a log-in elsewhere was refused");
    Err(why)
}

const CLEAN_UP: &str = "delete from sso_used where expires < $1";
const USE: &str = "\
insert into sso_used (id, doc) values ($1, $2::text::json)
on conflict (id) do nothing
returning 1";

octavo_pg::statements!(hot = [CLEAN_UP, USE]);
