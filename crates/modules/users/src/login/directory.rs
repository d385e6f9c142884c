//! Log-in with the password of the library's LDAP directory. Octavo finds the user by name as always. If the user has no password in
//! Octavo, the directory checks the password. The settings of the directory are stored beside those of single sign-on.

use std::sync::{Arc, Mutex, PoisonError};

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_ldap::{Answer, Defect, Directory, DirectoryError, Member};
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
/// The most directories that a process keeps. When there are more, the one that was added first is dropped.
const MAX_DIRECTORIES: usize = 64;
/// The message for clients if the directory does not answer, with status 500, as mod-login answers if the module that it asks for users
/// does not answer.
const NO_ANSWER: &str = "The directory of the library does not answer";

/// The directories that this process knows, with their tenants.
#[derive(Default)]
struct DirectoryCache(Mutex<Vec<(String, Arc<Directory>)>>);

impl Settings {
    async fn load(session: &mut Session) -> Outcome<Settings> {
        Ok(Settings::from_stored(session.read(settings_statement()).await?))
    }

    /// The settings in the stored record of a tenant; empty settings if there is no record.
    fn from_stored(stored: Option<Value>) -> Settings {
        stored.and_then(|stored| serde_json::from_value(stored).ok()).unwrap_or_default()
    }

    /// The settings in the stored record of a tenant, if they are switched on.
    pub(super) fn from_stored_if_active(stored: Option<Value>) -> Option<Settings> {
        Some(Settings::from_stored(stored)).filter(|settings| settings.active)
    }

    fn to_json(&self) -> Outcome<Value> {
        kept_secret::to_json_without_secret(self, BIND_PASSWORD)
    }

    fn to_ldap_settings(&self) -> octavo_ldap::Settings {
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

    /// Whether both settings reach the same server with the same account.
    fn has_same_server_and_account(&self, other: &Settings) -> bool {
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

    /// Makes a client of the directory. It runs on a thread for blocking work, because it reads the operating system's certificates.
    async fn build_directory(&self) -> Outcome<Result<Directory, Defect>> {
        let settings = self.to_ldap_settings();
        tokio::task::spawn_blocking(|| Directory::new(settings)).await.map_err(Fault::internal)
    }

    /// The client of the directory from the cache of this process; a new one if the settings have changed.
    async fn cached_directory(&self, context: &Context) -> Outcome<Result<Arc<Directory>, Defect>> {
        let known = context.platform.module_state.get_or_create(DirectoryCache::default);
        let tenant = context.tenant.id.as_str();
        let lock = || known.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = self.to_ldap_settings();
        let among = |all: &[(String, Arc<Directory>)]| {
            let found = all.iter().find(|(of, directory)| of == tenant && *directory.settings() == wanted);
            found.map(|(_, directory)| Arc::clone(directory))
        };
        if let Some(found) = among(&lock()) {
            return Ok(Ok(found));
        }
        let made = match self.build_directory().await? {
            Ok(made) => Arc::new(made),
            Err(defect) => return Ok(Err(defect)),
        };
        let mut all = lock();
        // Another log-in may have added it meanwhile. All log-ins share one client, which bounds their number.
        if let Some(found) = among(&all) {
            return Ok(Ok(found));
        }
        all.retain(|(of, _)| of != tenant);
        if all.len() >= MAX_DIRECTORIES {
            all.remove(0);
        }
        all.push((tenant.to_owned(), Arc::clone(&made)));
        Ok(Ok(made))
    }
}

/// Asks the directory whether a password is right for a user who has none in Octavo. Returns the attempt that was counted and the
/// directory's answer. If the directory does not answer, the attempt does not count as failed.
pub(super) async fn check(
    request: &Request,
    (id, user): (Uuid, &Value),
    password: &str,
    settings: &Settings,
) -> Outcome<(Attempt, Answer)> {
    let context = &request.context;
    let unanswered = |why: String| {
        tracing::warn!(tenant = %context.tenant.id, why, "the directory did not say whether a password is right");
        events::note_refused_log_in(request, Some(id), NO_ANSWER);
        let refusal = Refusal::new(NO_ANSWER).kind("error").code("directory.unavailable");
        let mut fault = Fault::from(refusal);
        fault.status = 500;
        fault
    };
    let troubled = |trouble: DirectoryError| unanswered(trouble.to_string());
    let directory =
        settings.cached_directory(context).await?.map_err(|Defect { why, .. }| unanswered(why))?;
    // The turn is awaited before the attempt is counted, so that right passwords that wait for the directory do not count as guesses.
    let turn = directory.wait_for_turn().await.map_err(troubled)?;
    let mut attempt = guessing::count_attempt(request, Secret::Password, Some(id)).await?;
    attempt.release_queue_place();
    let value = settings.field.value_of(user);
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
            context.session().await?.batch(attempt.undo_statements()).await?;
            Err(troubled(trouble))
        }
    }
}

/// The statement that reads the tenant's record, from which [`Settings::from_stored_if_active`] takes the settings.
pub(super) fn settings_statement() -> Statement {
    read_settings(DIRECTORY)
}

/// Whether the library has an LDAP directory that checks the passwords of users who have none in Octavo.
pub(crate) async fn has_directory(session: &mut Session) -> Outcome<bool> {
    Ok(Settings::from_stored_if_active(session.read(settings_statement()).await?).is_some())
}

/// `GET /octavo/ldap/settings`
pub(super) async fn get_settings(request: Request) -> Outcome<Response> {
    let settings = Settings::load(&mut request.context.session().await?).await?;
    Ok(Response::json(200, &settings.to_json()?))
}

/// `PUT /octavo/ldap/settings`. Whoever chooses the directory can log in as any user, so the caller needs the right to act as any user.
pub(super) async fn replace_settings(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(REQUEST)?;
    let mut settings: Settings = serde_json::from_value(wanted.clone()).map_err(Fault::internal)?;
    let mut session = context.session().await?;
    may_take_the_place_of_anybody(context, &mut session).await?;
    let stored = Settings::load(&mut session).await?;
    let is_for_the_same = settings.has_same_server_and_account(&stored);
    settings.bind_password =
        kept_secret::sent_or_stored(&wanted, BIND_PASSWORD, &stored.bind_password, is_for_the_same)?;
    drop(session);
    if settings.active {
        let directory = settings.build_directory().await?.map_err(|defect| settings.refusal(defect))?;
        // An administrator tries whether it works now.
        directory
            .try_out()
            .await
            .map_err(|trouble| Refusal::new(trouble.to_string()).about("url", &settings.url))?;
    }
    let document = serde_json::to_string(&settings).map_err(Fault::internal)?;
    context.session().await?.rows(write_settings(DIRECTORY, document)).await?;
    tracing::info!(tenant = %context.tenant.id, user = ?context.caller.user_id, active = settings.active, "the LDAP directory was set up");
    Ok(Response::json(200, &settings.to_json()?))
}
