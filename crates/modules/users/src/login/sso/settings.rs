//! A tenant's settings of single sign-on: the issuer, the client id and secret of Octavo there, and the claim by which the user is found.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Session;
use octavo_remote::Address;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fetch::endpoint;
use super::person::Field;
use super::provider::Provider;
use super::records::{ISSUER, read_settings, write_settings};
use crate::login::kept_secret;
use crate::permissions::may_take_the_place_of_anybody;

const REQUEST: &str = include_str!("../../../../octavo/records/mod-login/sso-settings-request.tsv");

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Settings {
    pub(crate) active: bool,
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) scopes: String,
    pub(crate) claim: String,
    pub(crate) field: Field,
    pub(crate) button_text: String,
    /// This server's address as browsers see it.
    pub(crate) public_url: String,
    /// The address of FOLIO's user interface, if that logs in here as well.
    pub(crate) user_interface_url: String,
}

const CLIENT_SECRET: &str = "clientSecret";
const USUAL_SCOPES: &str = "openid profile email";
const USUAL_CLAIM: &str = "preferred_username";

impl Settings {
    /// Loads the tenant's settings, whether single sign-on is on or off.
    pub(crate) async fn load(session: &mut Session) -> Outcome<Settings> {
        let stored: Option<Value> = session.read(read_settings(ISSUER)).await?;
        Ok(stored.and_then(|stored| serde_json::from_value(stored).ok()).unwrap_or_else(|| Settings {
            scopes: USUAL_SCOPES.to_owned(),
            claim: USUAL_CLAIM.to_owned(),
            ..Settings::default()
        }))
    }

    /// Loads the tenant's settings; `None` if single sign-on is off.
    pub(crate) async fn load_if_active(context: &Context) -> Outcome<Option<Settings>> {
        let stored = Settings::load(&mut context.session().await?).await?;
        Ok(Some(stored).filter(|settings| settings.active))
    }

    /// The address to which the issuer sends browsers back.
    pub(crate) fn redirect_uri(&self, context: &Context) -> String {
        format!("{}{}", self.public_url.trim_end_matches('/'), callback_path(context))
    }

    /// The path below which the browser sends its cookie, as the browser sees it.
    pub(crate) fn cookie_path(&self, context: &Context) -> String {
        let base = Address::parse(&self.public_url).map(|address| address.target("")).unwrap_or_default();
        format!("{base}{}", callback_path(context))
    }

    fn to_json(&self, context: &Context) -> Outcome<Value> {
        let mut shown = kept_secret::to_json_without_secret(self, CLIENT_SECRET)?;
        shown["redirectUri"] = json!(self.redirect_uri(context));
        Ok(shown)
    }

    /// Whether both settings name the same issuer and the same client.
    fn has_same_issuer_and_client(&self, other: &Settings) -> bool {
        (&self.issuer, &self.client_id) == (&other.issuer, &other.client_id)
    }

    /// Refusals of settings that are to be switched on and are incomplete or wrong.
    fn refusals(&self) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        for (name, value) in [
            ("issuer", &self.issuer),
            ("clientId", &self.client_id),
            ("claim", &self.claim),
            ("publicUrl", &self.public_url),
        ] {
            if value.is_empty() {
                refusals.push(Refusal::new("Single sign-on needs this").about(name, value));
            }
        }
        if !self.scopes.split_ascii_whitespace().any(|scope| scope == "openid") {
            refusals.push(Refusal::new("The scopes lack openid").about("scopes", &self.scopes));
        }
        for (name, url) in [("publicUrl", &self.public_url), ("userInterfaceUrl", &self.user_interface_url)] {
            if let Some(Err(why)) = (!url.is_empty()).then(|| Address::parse(url)) {
                refusals.push(Refusal::new(why).about(name, url));
            }
        }
        if let Some(Err(why)) = (!self.issuer.is_empty()).then(|| endpoint(&self.issuer)) {
            refusals.push(Refusal::new(why).about("issuer", &self.issuer));
        }
        refusals
    }
}

/// The callback names the tenant in its path, since the browser comes without a header.
fn callback_path(context: &Context) -> String {
    format!("/_/invoke/tenant/{}/octavo/sso/callback", context.tenant.id)
}

/// `GET /octavo/sso`: what a page for logging in shows before anybody has logged in.
pub(crate) async fn offered(request: Request) -> Outcome<Response> {
    let settings = Settings::load_if_active(&request.context).await?;
    Ok(Response::json(
        200,
        &match settings {
            Some(settings) => json!({"active": true, "buttonText": settings.button_text}),
            None => json!({"active": false, "buttonText": ""}),
        },
    ))
}

/// `GET /octavo/sso/settings`
pub(crate) async fn get(request: Request) -> Outcome<Response> {
    let settings = Settings::load(&mut request.context.session().await?).await?;
    Ok(Response::json(200, &settings.to_json(&request.context)?))
}

/// `PUT /octavo/sso/settings`. Whoever chooses the issuer can log in as any user, so the caller needs the right to act as any user.
pub(crate) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(REQUEST)?;
    let mut settings: Settings = serde_json::from_value(wanted.clone()).map_err(Fault::internal)?;
    let mut session = context.session().await?;
    may_take_the_place_of_anybody(context, &mut session).await?;
    let stored = Settings::load(&mut session).await?;
    let is_for_the_same = settings.has_same_issuer_and_client(&stored);
    settings.client_secret =
        kept_secret::sent_or_stored(&wanted, CLIENT_SECRET, &stored.client_secret, is_for_the_same)?;
    drop(session);
    if settings.active {
        let refusals = settings.refusals();
        if !refusals.is_empty() {
            return Err(Fault::refused(refusals));
        }
        // Asked anew even if it is known: an administrator tries whether it works now.
        if let Err(why) = Provider::discover(&context.platform, &settings.issuer, context.now).await {
            return Err(Refusal::new(why.to_string()).about("issuer", &settings.issuer).into());
        }
    }
    let document = serde_json::to_string(&settings).map_err(Fault::internal)?;
    context.session().await?.rows(write_settings(ISSUER, document)).await?;
    tracing::info!(tenant = %context.tenant.id, user = ?context.caller.user_id, active = settings.active, issuer = settings.issuer, "single sign-on was set up");
    Ok(Response::json(200, &settings.to_json(context)?))
}
