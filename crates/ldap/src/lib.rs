//! Checks passwords with an LDAP directory (RFC 4511): finds the entry of a person, and asks the directory for a bind with the entry's name
//! and the password. A connection serves one check, is bounded in time and size, and follows no referrals. Knows nothing of users and
//! tenants.

mod address;
mod exchange;
mod relay;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ldap3::{dn_escape, ldap_escape, parse_filter};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};
use tokio_rustls::rustls::ClientConfig;

use address::{Address, Encryption};
use exchange::{Search, accepts_password, connect, find_one_entry};

/// How long a check may take altogether, the wait for a turn included.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How many checks one directory gets at once. This is fewer than the failed log-ins that cost no wait, so that right passwords that arrive
/// at the same moment do not count as guesses.
const MAX_CHECKS_AT_ONCE: usize = 4;
/// How many further checks wait for their turn. Others are refused at once.
const MOST_WAITING: usize = 128;
/// The placeholder for the value that names a person, in the settings of a directory.
const PLACEHOLDER: &str = "{value}";
/// How deep brackets may be nested in a filter. The client reads filters by recursion.
const MAX_FILTER_NESTING: usize = 16;

/// How a directory is reached, and how the entry of a person is found in it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `ldaps://host:port`, or `ldap://host:port`.
    pub url: String,
    /// Whether `ldap://` is used without StartTLS.
    pub is_unencrypted: bool,
    /// Certificates in PEM that are trusted in place of the operating system's; none if empty.
    pub authorities: String,
    /// The name of a person's entry, with `{value}` in it. Empty if entries are found by a search instead.
    pub name: String,
    /// Where entries are searched, and the filter with `{value}` in it.
    pub base: String,
    pub filter: String,
    /// The name of the account that searches; if it is empty, the search is anonymous.
    pub account: String,
    pub password: String,
}

/// Without passwords.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A member of the settings, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    pub member: Member,
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    Url,
    Authorities,
    Name,
    Base,
    Filter,
    Account,
    Password,
}

/// The answer of a directory about a person and a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Right,
    Wrong,
    NoEntry,
    SeveralEntries,
}

/// Why a directory gives no answer. Holds nothing that was sent to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryError(String);

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DirectoryError {}

pub struct Directory {
    settings: Settings,
    address: Address,
    tls: Option<Arc<ClientConfig>>,
    turns: Semaphore,
    /// Bounds how many checks wait for a turn.
    waiting_places: Semaphore,
}

/// The right to check one password with a directory, until the time for the check is over.
pub struct Turn<'a> {
    until: Instant,
    _place: SemaphorePermit<'a>,
}

impl Directory {
    /// Checks the settings. Opens no connection.
    pub fn new(settings: Settings) -> Result<Directory, Defect> {
        let Settings { url, is_unencrypted, authorities, name, base, filter, account, password } = &settings;
        let defect = |member, why: String| Defect { member, why };
        let address = Address::read(url, *is_unencrypted).map_err(|why| defect(Member::Url, why))?;
        let tls = match address.encryption {
            Encryption::Nothing => None,
            Encryption::StartTls | Encryption::Tls => {
                let trusted = match authorities.trim() {
                    "" => None,
                    text => Some(octavo_tls::parse_authorities(text.as_bytes())),
                };
                let config = trusted
                    .transpose()
                    .and_then(|trusted| octavo_tls::client_config(octavo_tls::Proof::Name, trusted, None));
                Some(config.map_err(|why| defect(Member::Authorities, why))?)
            }
        };
        let is_named = !name.is_empty();
        if is_named && !name.contains(PLACEHOLDER) {
            return Err(defect(Member::Name, format!("{PLACEHOLDER} has to stand in it")));
        }
        if is_named && !(base.is_empty() && filter.is_empty() && account.is_empty()) {
            return Err(defect(Member::Name, "Entries are either named or searched".to_owned()));
        }
        if !is_named {
            if base.is_empty() {
                return Err(defect(
                    Member::Base,
                    "Either the names of entries or where to search is needed".to_owned(),
                ));
            }
            if !is_filter(filter) {
                return Err(defect(
                    Member::Filter,
                    format!("It has to be a filter of RFC 4515 with {PLACEHOLDER} in it"),
                ));
            }
            // A directory answers a name without a password as if the password were right (RFC 4513, 5.1.2).
            if !account.is_empty() && password.is_empty() {
                return Err(defect(
                    Member::Password,
                    "The account that searches needs a password".to_owned(),
                ));
            }
            if account.is_empty() && !password.is_empty() {
                return Err(defect(Member::Account, "A password is of an account".to_owned()));
            }
        }
        Ok(Directory {
            settings,
            address,
            tls,
            turns: Semaphore::new(MAX_CHECKS_AT_ONCE),
            waiting_places: Semaphore::new(MOST_WAITING),
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Waits for a turn. The time for a check begins here.
    pub async fn wait_for_turn(&self) -> Result<Turn<'_>, DirectoryError> {
        let until = Instant::now() + TIMEOUT;
        let full = |_| DirectoryError(format!("too many wait for {} already", self.address));
        let _room = self.waiting_places.try_acquire().map_err(full)?;
        let place = timeout_at(until, self.turns.acquire()).await.map_err(|_| self.timeout_error())?;
        Ok(Turn { until, _place: place.map_err(|error| DirectoryError(error.to_string()))? })
    }

    /// Whether a password is that of the person whom a value names. An empty one never is, and is not sent.
    pub async fn check(
        &self,
        turn: &Turn<'_>,
        value: &str,
        password: &str,
    ) -> Result<Answer, DirectoryError> {
        if password.is_empty() {
            return Ok(Answer::Wrong);
        }
        if value.is_empty() {
            return Ok(Answer::NoEntry);
        }
        self.with_deadline(turn, async {
            let mut connection = connect(&self.address, self.tls.as_ref()).await?;
            connection
                .exchange(async |client| {
                    let name = match self.search_settings() {
                        None => self.settings.name.replace(PLACEHOLDER, &dn_escape(value)),
                        Some(search) => {
                            let filter = self.settings.filter.replace(PLACEHOLDER, &ldap_escape(value));
                            match find_one_entry(client, &search, &filter).await? {
                                Ok(name) => name,
                                Err(answer) => return Ok(answer),
                            }
                        }
                    };
                    Ok(if accepts_password(client, &name, password).await? {
                        Answer::Right
                    } else {
                        Answer::Wrong
                    })
                })
                .await
        })
        .await
    }

    /// Tries whether the directory can be reached, and whether the account may search there.
    pub async fn try_out(&self) -> Result<(), DirectoryError> {
        self.with_deadline(&self.wait_for_turn().await?, async {
            let mut connection = connect(&self.address, self.tls.as_ref()).await?;
            let Some(search) = self.search_settings() else { return Ok(()) };
            let nobody = self.settings.filter.replace(PLACEHOLDER, "nobody");
            connection.exchange(async |client| find_one_entry(client, &search, &nobody).await.map(drop)).await
        })
        .await
    }

    fn search_settings(&self) -> Option<Search<'_>> {
        let Settings { name, base, account, password, .. } = &self.settings;
        name.is_empty().then_some(Search { base, account, password })
    }

    async fn with_deadline<T>(
        &self,
        turn: &Turn<'_>,
        work: impl Future<Output = Result<T, DirectoryError>>,
    ) -> Result<T, DirectoryError> {
        timeout_at(turn.until, work).await.map_err(|_| self.timeout_error())?
    }

    fn timeout_error(&self) -> DirectoryError {
        DirectoryError(format!("{} does not answer within {} seconds", self.address, TIMEOUT.as_secs()))
    }
}

fn is_filter(filter: &str) -> bool {
    let mut depth = 0_usize;
    for byte in filter.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_FILTER_NESTING {
            return false;
        }
    }
    filter.contains(PLACEHOLDER) && parse_filter(filter.replace(PLACEHOLDER, "nobody")).is_ok()
}

#[cfg(test)]
mod tests;
