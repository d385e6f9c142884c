//! Log-in with the password of the library's LDAP directory. Octavo finds the user by name as always; who has no password here has it checked
//! there. How a library reaches its directory stands beside the settings of single sign-on.

use std::sync::{Arc, Mutex, PoisonError};

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_ldap::{Answer, Defect, Directory, Member, Trouble};
use octavo_pg::{Session, Statement};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::sso::{DIRECTORY, Field, find_by, read_settings, write_settings};
use super::{events, kept_secret};
use crate::passwords::guessing::{self, Attempt, Secret};
use crate::permissions::may_take_the_place_of_anybody;

const REQUEST: &str = include_str!("../../../octavo/records/mod-login/ldap-settings-request.tsv");

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Settings {
    active: bool,
    url: String,
    unencrypted: bool,
    authorities: String,
    user_dn: String,
    search_base: String,
    search_filter: String,
    bind_dn: String,
    bind_password: String,
    field: Field,
}

const BIND_PASSWORD: &str = "bindPassword";
/// How many directories a process keeps; of more, the one goes that came first.
const MOST: usize = 64;
/// For clients, with 500: as mod-login answers where what it asks for users is away.
const NO_ANSWER: &str = "The directory of the library does not answer";

/// The directories that this process knows, with their tenants.
#[derive(Default)]
struct Known(Mutex<Vec<(String, Arc<Directory>)>>);

impl Settings {
    async fn stored(session: &mut Session) -> Outcome<Settings> {
        Ok(Settings::of(session.read(read()).await?))
    }

    /// As the tenant's record has them; none of them is set where there is no record.
    fn of(stored: Option<Value>) -> Settings {
        stored.and_then(|stored| serde_json::from_value(stored).ok()).unwrap_or_default()
    }

    /// Those of a tenant that has a directory, from its record.
    pub(super) fn active(stored: Option<Value>) -> Option<Settings> {
        Some(Settings::of(stored)).filter(|settings| settings.active)
    }

    fn shown(&self) -> Outcome<Value> {
        kept_secret::shown(self, BIND_PASSWORD)
    }

    fn of_directory(&self) -> octavo_ldap::Settings {
        octavo_ldap::Settings {
            url: self.url.clone(),
            is_unencrypted: self.unencrypted,
            authorities: self.authorities.clone(),
            name: self.user_dn.clone(),
            base: self.search_base.clone(),
            filter: self.search_filter.clone(),
            account: self.bind_dn.clone(),
            password: self.bind_password.clone(),
        }
    }

    /// Whether both come to the same server as the same account.
    fn is_for_the_same(&self, other: &Settings) -> bool {
        let server = |settings: &Settings| {
            (
                settings.url.clone(),
                settings.unencrypted,
                settings.authorities.clone(),
                settings.bind_dn.clone(),
            )
        };
        server(self) == server(other)
    }

    fn refusal(&self, Defect { member, why }: Defect) -> Refusal {
        let (name, value) = match member {
            Member::Url => ("url", &self.url),
            // Certificates are too long to be repeated.
            Member::Authorities => return Refusal::new(why).about("authorities", ""),
            Member::Name => ("userDn", &self.user_dn),
            Member::Base => ("searchBase", &self.search_base),
            Member::Filter => ("searchFilter", &self.search_filter),
            Member::Account => ("bindDn", &self.bind_dn),
            Member::Password => return Refusal::new(why).about("bindPassword", ""),
        };
        Refusal::new(why).about(name, value)
    }

    /// Reads the operating system's certificates, aside.
    async fn directory(&self) -> Outcome<Result<Directory, Defect>> {
        let settings = self.of_directory();
        tokio::task::spawn_blocking(|| Directory::new(settings)).await.map_err(Fault::internal)
    }

    /// The directory, kept while its settings stay as they are.
    async fn kept(&self, context: &Context) -> Outcome<Result<Arc<Directory>, Defect>> {
        let known = context.platform.kept.get(Known::default);
        let tenant = context.tenant.id.as_str();
        let lock = || known.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = self.of_directory();
        let among = |all: &[(String, Arc<Directory>)]| {
            let found = all.iter().find(|(of, directory)| of == tenant && *directory.settings() == wanted);
            found.map(|(_, directory)| Arc::clone(directory))
        };
        if let Some(found) = among(&lock()) {
            return Ok(Ok(found));
        }
        let made = match self.directory().await? {
            Ok(made) => Arc::new(made),
            Err(defect) => return Ok(Err(defect)),
        };
        let mut all = lock();
        // Another log-in may have made it meanwhile: all of them share its turns.
        if let Some(found) = among(&all) {
            return Ok(Ok(found));
        }
        all.retain(|(of, _)| of != tenant);
        if all.len() >= MOST {
            all.remove(0);
        }
        all.push((tenant.to_owned(), Arc::clone(&made)));
        Ok(Ok(made))
    }
}

/// Whether the directory takes a password for a user's, who has none here, and the attempt as it was counted. Where the directory does not
/// say, nothing counts against the user.
pub(super) async fn check(
    request: &Request,
    (id, user): (Uuid, &Value),
    password: &str,
    settings: &Settings,
) -> Outcome<(Attempt, Answer)> {
    let context = &request.context;
    let unanswered = |why: String| {
        tracing::warn!(tenant = %context.tenant.id, why, "the directory did not say whether a password is right");
        events::in_vain(request, Some(id), NO_ANSWER);
        let refusal = Refusal::new(NO_ANSWER).kind("error").code("directory.unavailable");
        let mut fault = Fault::from(refusal);
        fault.status = 500;
        fault
    };
    let troubled = |trouble: Trouble| unanswered(trouble.to_string());
    let directory = settings.kept(context).await?.map_err(|Defect { why, .. }| unanswered(why))?;
    // Before the attempt is counted: right passwords that wait for the directory are no guesses.
    let turn = directory.turn().await.map_err(troubled)?;
    let mut attempt = guessing::attempt(request, Secret::Password, Some(id)).await?;
    attempt.checked_elsewhere();
    let value = settings.field.of(user);
    let is_only_theirs = !value.is_empty()
        && matches!(find_by(context, settings.field, value).await?, Ok(only) if only.user.id == id);
    let answer = match is_only_theirs {
        true => directory.check(&turn, value, password).await,
        false => Ok(Answer::NoEntry),
    };
    drop(turn);
    match answer {
        Ok(answer) => {
            if matches!(answer, Answer::NoEntry | Answer::SeveralEntries) {
                tracing::info!(tenant = %context.tenant.id, user = %id, ?answer, is_only_theirs, "the directory has not exactly one entry for a user");
            }
            Ok((attempt, answer))
        }
        Err(trouble) => {
            context.session().await?.batch(attempt.undone()).await?;
            Err(troubled(trouble))
        }
    }
}

/// Reads the tenant's record, from which [`Settings::active`] takes the settings.
pub(super) fn read() -> Statement {
    read_settings(DIRECTORY)
}

/// Whether passwords that are not kept here are kept by a directory.
pub(crate) async fn has_directory(session: &mut Session) -> Outcome<bool> {
    Ok(Settings::active(session.read(read()).await?).is_some())
}

/// `GET /octavo/ldap/settings`
pub(super) async fn get_settings(request: Request) -> Outcome<Response> {
    let settings = Settings::stored(&mut request.context.session().await?).await?;
    Ok(Response::json(200, &settings.shown()?))
}

/// `PUT /octavo/ldap/settings`. Whoever says which directory is believed can be anybody, and so has to be allowed as much as anybody.
pub(super) async fn replace_settings(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked(REQUEST)?;
    let mut settings: Settings = serde_json::from_value(wanted.clone()).map_err(Fault::internal)?;
    let mut session = context.session().await?;
    may_take_the_place_of_anybody(context, &mut session).await?;
    let stored = Settings::stored(&mut session).await?;
    let is_for_the_same = settings.is_for_the_same(&stored);
    settings.bind_password =
        kept_secret::sent_or_stored(&wanted, BIND_PASSWORD, &stored.bind_password, is_for_the_same)?;
    drop(session);
    if settings.active {
        let directory = settings.directory().await?.map_err(|defect| settings.refusal(defect))?;
        // An administrator tries whether it works now.
        directory
            .try_out()
            .await
            .map_err(|trouble| Refusal::new(trouble.to_string()).about("url", &settings.url))?;
    }
    let document = serde_json::to_string(&settings).map_err(Fault::internal)?;
    context.session().await?.rows(write_settings(DIRECTORY, document)).await?;
    tracing::info!(tenant = %context.tenant.id, user = ?context.caller.user_id, active = settings.active, "the LDAP directory was set up");
    Ok(Response::json(200, &settings.shown()?))
}
