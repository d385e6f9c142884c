//! The beginning of a log-in: the browser is sent to the issuer.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};

use super::attempt::{Attempt, COOKIE, Goal, LIFETIME_SECONDS, local_path};
use super::provider::Provider;
use super::refused::Refused;
use super::settings::Settings;

/// The address at the issuer to which the browser goes, and the cookie that the browser keeps until it comes back.
pub(super) struct StartedLogIn {
    pub(super) location: String,
    pub(super) cookie: String,
}

/// `GET /octavo/sso/start`: a browser is sent to the issuer, and afterwards to the path `returnTo`.
pub(crate) async fn start(request: Request) -> Outcome<Response> {
    let wanted = request.query("returnTo").unwrap_or(DESK);
    let path = local_path(wanted)
        .ok_or_else(|| Fault::bad_request("returnTo has to be a path of this server, such as /desk"))?;
    Ok(match begin(&request.context, Goal::Path(path.to_owned())).await? {
        Ok(begun) => redirect_response(&begun.location).with_header("set-cookie", begun.cookie),
        Err(refused) => redirect_to_desk(refused),
    })
}

/// Begins a log-in at the tenant's issuer.
pub(super) async fn begin(context: &Context, goal: Goal) -> Outcome<Result<StartedLogIn, Refused>> {
    let Some(settings) = Settings::load_if_active(context).await? else { return Ok(Err(Refused::Off)) };
    let provider = match Provider::find_or_discover(&context.platform, &settings.issuer, context.now).await {
        Ok(provider) => provider,
        Err(why) => {
            tracing::warn!(tenant = %context.tenant.id, %why, "a log-in elsewhere was not begun");
            return Ok(Err(Refused::Unreachable));
        }
    };
    let now = context.now.as_second();
    let keys = context.platform.token_keys.get().await?;
    let key = keys.signing_secret(now);
    let attempt = Attempt::new(context.tenant.id.as_str(), context.fresh_id(), goal, now);
    let location = provider.authorization_url(&[
        ("response_type", "code"),
        ("client_id", &settings.client_id),
        ("redirect_uri", &settings.redirect_uri(context)),
        ("scope", &settings.scopes),
        ("state", &attempt.state(key)),
        ("nonce", &attempt.nonce(key)),
        ("code_challenge", &attempt.challenge(key)),
        ("code_challenge_method", "S256"),
    ]);
    let cookie = cookie(&attempt.to_signed_cookie(key), LIFETIME_SECONDS, &settings.cookie_path(context));
    Ok(Ok(StartedLogIn { location, cookie }))
}

/// The cookie of a log-in that has begun. The browser sends it when the issuer leads it back, which is a GET from another site: hence
/// `Lax`.
pub(super) fn cookie(value: &str, seconds: i64, path: &str) -> String {
    format!("{COOKIE}={value}; Max-Age={seconds}; Path={path}; Secure; HttpOnly; SameSite=Lax")
}

const DESK: &str = "/desk";

/// A redirect of the browser. No cache keeps it, and the browser does not tell the other server from which page it comes.
pub(super) fn redirect_response(location: &str) -> Response {
    Response { content_type: "", ..Response::text(303, "") }
        .with_header("location", location)
        .with_header("cache-control", "no-store")
        .with_header("referrer-policy", "no-referrer")
}

/// Sends the browser to the desk with the code of the reason. The desk shows the reason in the language of its user.
pub(super) fn redirect_to_desk(refused: Refused) -> Response {
    redirect_response(&format!("{DESK}?signOn={}", refused.code()))
}
