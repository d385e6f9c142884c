//! The calls of mod-authtoken 2.15.1, by which other programs have tokens signed, exchanged and revoked. The check of tokens at every
//! route is the gateway's.
//!
//! FOLIO lets modules have tokens signed for any user. In Octavo a caller may have tokens signed only for users as whom the caller could
//! log in anyway, and tokens of no user only with permissions that the caller may give.

use octavo_engine::{Call, Context, Module, Request, Response, calls, find};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::grants;
use octavo_modules_base::tokens::{Claims, Kind, sign_with_current_key};
use octavo_modules_base::user_records::USER;
use octavo_pg::Session;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::login::{
    LoggedIn, RefreshToken, TokenPair, announce_end, end_all_statements, end_by_refresh_token_statements,
    exchange, legacy_token, start_session,
};
use crate::permissions::{may_give, may_take_the_place_of};

pub static MODULE: Module = Module { name: "mod-authtoken", calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/token" => sign_lasting;
    Post "/token/sign" => sign_pair;
    Post "/refreshtoken" => sign_refresh_token;
    Post "/token/refresh" => refresh;
    Post "/token/invalidate" => invalidate;
    Post "/token/invalidate-all" => invalidate_all;
};

/// FOLIO's older kind of token, which does not expire.
async fn sign_lasting(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let payload = request.json()?["payload"].take();
    subject(&payload)?;
    let token = match payload["dummy"] == true {
        true => sign_userless_token(context, &payload, Kind::Dummy).await?,
        false => legacy_token(context, &user_to_sign_for(context, &payload["user_id"]).await?.1).await?,
    };
    Ok(Response::json(201, &json!({"token": token})))
}

async fn sign_pair(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let payload = request.json()?["payload"].take();
    if payload["dummy"] == true {
        let token = sign_userless_token(context, &payload, Kind::DummyExpiring).await?;
        return Ok(Response::json(201, &json!({"token": token})));
    }
    subject(&payload)?;
    let (mut session, user) = user_to_sign_for(context, &payload["user_id"]).await?;
    pair_response(context, &mut session, &user).await
}

/// The refresh token of a new session.
async fn sign_refresh_token(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.json()?;
    subject(&body)?;
    let (mut session, user) = user_to_sign_for(context, &body["userId"]).await?;
    let pair = start_session(context, &mut session, &user).await?;
    // FOLIO declares the first, and answers with the second.
    Ok(Response::json(201, &json!({"token": pair.refresh, "refreshToken": pair.refresh})))
}

async fn refresh(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let token = sent_refresh_token(&request).await?;
    let mut session = context.session().await?;
    match exchange(context, &mut session, &token).await? {
        Ok(pair) => Ok(Response::json(201, &pair_to_json(context, &pair))),
        Err(_) => Err(invalid_token()),
    }
}

/// Ends the session of a refresh token.
async fn invalidate(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let token = sent_refresh_token(&request).await?;
    context.session().await?.transaction(end_by_refresh_token_statements(context, &token)).await?;
    announce_end(context, token.user);
    Ok(Response::no_content())
}

/// Ends all sessions of the caller.
async fn invalidate_all(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let user = context.caller.user_id.ok_or_else(invalid_token)?;
    context.session().await?.transaction(end_all_statements(context, user, None)).await?;
    announce_end(context, user);
    Ok(Response::no_content())
}

async fn pair_response(context: &Context, session: &mut Session, user: &LoggedIn) -> Outcome<Response> {
    Ok(Response::json(201, &pair_to_json(context, &start_session(context, session, user).await?)))
}

fn pair_to_json(context: &Context, pair: &TokenPair) -> Value {
    let mut answer = json!(pair.expirations);
    answer["accessToken"] = json!(pair.access);
    answer["refreshToken"] = json!(pair.refresh);
    answer["tenantId"] = json!(context.tenant.id.as_str());
    answer
}

async fn sent_refresh_token(request: &Request) -> Outcome<RefreshToken> {
    let body = request.json()?;
    let token = body["refreshToken"].as_str().ok_or_else(|| Fault::bad_request("refreshToken is missing"))?;
    RefreshToken::read(&request.context, token).await?.ok_or_else(invalid_token)
}

fn invalid_token() -> Fault {
    Fault::text(401, "Invalid token")
}

fn subject(payload: &Value) -> Outcome<&str> {
    payload["sub"].as_str().ok_or_else(|| Fault::bad_request("sub is missing"))
}

/// The user for whom a token is to be signed, if the caller may.
async fn user_to_sign_for(context: &Context, id: &Value) -> Outcome<(Session, LoggedIn)> {
    let unknown = || Fault::bad_request(format!("There is no user with the id {id}"));
    let id = id.as_str().and_then(|id| Uuid::parse_str(id).ok()).ok_or_else(unknown)?;
    let mut session = context.session().await?;
    let user = find(&mut session, &USER, id).await?.ok_or_else(unknown)?;
    may_take_the_place_of(context, &mut session, id).await?;
    let sessions = grants::parse_ended_sessions(session.read(grants::ended_sessions_statement(id)).await?);
    let username = user["username"].as_str().unwrap_or_default().to_owned();
    Ok((session, LoggedIn { id, username, generation: sessions.generation }))
}

/// A token of no user.
async fn sign_userless_token(context: &Context, payload: &Value, kind: Kind) -> Outcome<String> {
    let subject = subject(payload)?;
    let names = payload["extra_permissions"].as_array().into_iter().flatten();
    let names: Vec<String> = names.filter_map(Value::as_str).map(str::to_owned).collect();
    may_give(context, &mut context.session().await?, names.clone()).await?;
    let now = context.now.as_second();
    let exp = (kind == Kind::DummyExpiring).then(|| now + context.platform.settings.access_token_seconds);
    let claims = Claims {
        iat: now,
        exp,
        extra_permissions: names,
        ..Claims::new(kind, context.tenant.id.as_str(), subject)
    };
    sign_with_current_key(&context.platform, &claims, now).await
}
