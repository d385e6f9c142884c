//! Links by which a user sets a new password, or the first one: given out, checked, and used once.
//!
//! The link holds a token of no user, which opens this page alone; its subject names the password reset action of mod-login, which says
//! for whom the link is and how long. FOLIO's token ends after ten minutes, whatever was set; here the action's end counts.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Grant, Request, Response, find};
use octavo_kernel::{Caller, Fault, Outcome, Refusal};
use octavo_modules_base::grants;
use octavo_modules_base::tokens::{Claims, Kind, sign_with_current_key};
use octavo_modules_base::user_records::USER;
use octavo_pg::Session;
use serde_json::{Value, json};
use uuid::Uuid;

use super::account_mail;
use super::settings::Settings;
use crate::login::{ResetAction, load_password_hash, set_password_by_action};
use crate::password_validator::objections;
use crate::permissions::may_take_the_place_of;

const OF_LINK: &str = "UNDEFINED_USER__RESET_PASSWORD_";
const LINK_PERMISSIONS: [&str; 2] =
    ["users-bl.password-reset-link.validate", "users-bl.password-reset-link.reset"];
/// How long after its expiry a link is still answered as expired; afterwards it is answered like one that never existed.
const REMEMBERED_TIME: SignedDuration = SignedDuration::from_hours(7 * 24);

const LINK_REQUEST: &str = include_str!("../../../folio/records/mod-users-bl/generateLinkRequest.tsv");
const NEW_PASSWORD: &str = include_str!("../../../folio/records/mod-users-bl/passwordReset.tsv");

/// Answers with a link, and mails it to the user.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(LINK_REQUEST)?;
    let id = wanted["userId"].as_str().unwrap_or_default();
    let unknown = || Refusal::new(format!("User with id '{id}' not found")).code("user.not-found");
    let user = Uuid::parse_str(id).map_err(|_| unknown())?;
    let mut session = context.session().await?;
    let record = find(&mut session, &USER, user).await?.ok_or_else(unknown)?;
    may_take_the_place_of(context, &mut session, user).await?;
    let link = send(context, &mut session, &record, context.caller.user_id).await?;
    Ok(Response::json(200, &json!({"link": link})))
}

/// Creates a link and sends it to the user by e-mail. `issuer` is the user who gets the link in the answer, too.
pub(super) async fn send(
    context: &Context,
    session: &mut Session,
    user: &Value,
    issuer: Option<Uuid>,
) -> Outcome<String> {
    if user["username"].as_str().is_none_or(|name| name.trim().is_empty()) {
        let nameless = Refusal::new("User without username cannot reset password");
        return Err(nameless.code("user.absent-username").into());
    }
    let id = user["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let settings = Settings::read(session).await?;
    let validity = settings.validity()?;
    let action = ResetAction { user: id, expires: validity.end(context.now), issuer };
    let action_id = context.fresh_id();
    let token = sign_link_token(context, action_id, action.expires).await?;
    let link = format!("{}/{token}?tenant={}", settings.page(), context.tenant.id);
    let words = json!({
        "user": user,
        "link": link,
        "expirationTime": validity.number,
        "expirationUnitOfTime": validity.unit,
    });
    let event = match load_password_hash(session, id).await? {
        Some(_) => "RESET_PASSWORD_EVENT",
        None => "CREATE_PASSWORD_EVENT",
    };
    let snapshot = context.snapshot_over(session).await?;
    let mut changes = action.store(action_id);
    changes.extend(account_mail::email_statements(context, &snapshot, event, user, &words));
    session.transaction(changes).await?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    Ok(link)
}

async fn sign_link_token(context: &Context, action: Uuid, expires: Timestamp) -> Outcome<String> {
    let end = expires.checked_add(REMEMBERED_TIME).unwrap_or(expires);
    let now = context.now.as_second();
    let claims = Claims {
        iat: now,
        exp: Some(end.as_second()),
        extra_permissions: LINK_PERMISSIONS.map(str::to_owned).to_vec(),
        ..Claims::new(Kind::DummyExpiring, context.tenant.id.as_str(), format!("{OF_LINK}{action}"))
    };
    sign_with_current_key(&context.platform, &claims, now).await
}

pub(super) async fn validate(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (_, action) = find_action(&request.context, &mut session).await?;
    if find(&mut session, &USER, action.user).await?.is_none() {
        return Err(invalid_link_fault(format!("User with id = {} in not found", action.user)));
    }
    Ok(Response::no_content())
}

/// Sets the password for which the link was made, and tells the user by e-mail.
pub(super) async fn reset(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.checked_json(NEW_PASSWORD)?;
    let password = body["newPassword"].as_str().unwrap_or_default();
    let mut session = context.session().await?;
    let (id, action) = find_action(context, &mut session).await?;
    let user = find(&mut session, &USER, action.user).await?;
    let user = user.ok_or_else(|| invalid_link_fault(format!("User with id '{}' not found", action.user)))?;
    if let Some(issuer) = action.issuer {
        issuer_still_may(context, &mut session, issuer, action.user).await?;
    }
    drop(session);
    let name = user["username"].as_str().unwrap_or_default();
    let messages = objections(context, action.user, name, password).await?;
    if !messages.is_empty() {
        let refusals = messages.into_iter().map(|message| Refusal::new(&message).code(message));
        return Err(Fault::refused(refusals.collect()));
    }
    let snapshot = context.snapshot().await?;
    let mails = |first| {
        let (event, words) = match first {
            true => ("PASSWORD_CREATED_EVENT", json!({"user": user})),
            false => {
                ("PASSWORD_CHANGED_EVENT", json!({"user": user, "detailedDateTime": context.now_text()}))
            }
        };
        account_mail::email_statements(context, &snapshot, event, &user, &words)
    };
    let set = set_password_by_action(&request, id, password, mails).await?;
    set.ok_or_else(|| used_link_fault(id))?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    Ok(Response::no_content())
}

/// The action that the caller's token names, if it has not expired.
async fn find_action(context: &Context, session: &mut Session) -> Outcome<(Uuid, ResetAction)> {
    let named = context.caller.username.as_deref().and_then(|subject| subject.strip_prefix(OF_LINK));
    let id =
        named.and_then(|id| Uuid::parse_str(id).ok()).ok_or_else(|| invalid_link_fault("Invalid token."))?;
    let action = ResetAction::find(session, id).await?.ok_or_else(|| used_link_fault(id))?;
    if action.expires <= context.now {
        let expired = Refusal::new(format!("PasswordResetAction with id = {id} is expired"));
        return Err(expired.code("link.expired").into());
    }
    Ok((id, action))
}

/// Refuses a link if its user has got permissions since then that the issuer, who knows the link too, may not give.
async fn issuer_still_may(context: &Context, session: &mut Session, issuer: Uuid, user: Uuid) -> Outcome<()> {
    let standing = session
        .wait_without_connection(grants::standing(&context.platform, &context.tenant, issuer))
        .await??;
    let Grant::Active { permissions } = &standing.grant else {
        return Err(invalid_link_fault("Invalid token."));
    };
    let caller = Caller { user_id: Some(issuer), permissions: permissions.clone(), ..context.caller.clone() };
    may_take_the_place_of(&Context { caller, ..context.clone() }, session, user).await
}

fn invalid_link_fault(message: impl Into<String>) -> Fault {
    Refusal::new(message).code("link.invalid").into()
}

fn used_link_fault(id: Uuid) -> Fault {
    Refusal::new(format!("PasswordResetAction with id = {id} is not found")).code("link.used").into()
}
