//! Requests to a directory and its answers, over one connection.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use ldap3::exop::Exop;
use ldap3::{Ldap, LdapConnAsync, LdapConnSettings, LdapError, Scope, SearchEntry, SearchOptions, StdStream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;

use crate::address::{Address, Encryption};
use crate::relay::relay_messages;
use crate::{Answer, DirectoryError};

/// Where the entry of a person is searched, and the account that searches.
pub(crate) struct Search<'a> {
    pub(crate) base: &'a str,
    pub(crate) account: &'a str,
    pub(crate) password: &'a str,
}

pub(crate) struct Connection(Box<dyn Stream>);

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// The result codes of RFC 4511 (appendix A) that this crate distinguishes.
mod code {
    pub(super) const SUCCESS: u32 = 0;
    pub(super) const SIZE_LIMIT_EXCEEDED: u32 = 4;
    pub(super) const REFERRAL: u32 = 10;
    /// The directory has locked the account after too many wrong passwords (policies of passwords).
    pub(super) const CONSTRAINT_VIOLATION: u32 = 19;
    pub(super) const NO_SUCH_OBJECT: u32 = 32;
    /// The entry has no password.
    pub(super) const INAPPROPRIATE_AUTHENTICATION: u32 = 48;
    pub(super) const INVALID_CREDENTIALS: u32 = 49;
    /// The account is switched off.
    pub(super) const UNWILLING_TO_PERFORM: u32 = 53;
}

/// The name of StartTLS (RFC 4511, 4.14.1).
const START_TLS: &str = "1.3.6.1.4.1.1466.20037";

pub(crate) async fn connect(
    address: &Address,
    tls: Option<&Arc<ClientConfig>>,
) -> Result<Connection, DirectoryError> {
    let trouble = |error: std::io::Error| DirectoryError(format!("{address}: {error}"));
    let mut stream = TcpStream::connect((address.host.as_str(), address.port)).await.map_err(trouble)?;
    // Each request waits for the answer to the one before.
    stream.set_nodelay(true).map_err(trouble)?;
    let Some(tls) = tls else { return Ok(Connection(Box::new(stream))) };
    if address.encryption == Encryption::StartTls {
        exchange(&mut stream, async |client| {
            let asked = Exop { name: Some(START_TLS.to_owned()), val: None };
            let answer = client.extended(asked).await.map_err(client_error)?.1;
            match answer.rc {
                code::SUCCESS => Ok(()),
                other => Err(DirectoryError(format!("{address} refuses StartTLS with result code {other}"))),
            }
        })
        .await?;
    }
    let name = address.name().map_err(DirectoryError)?;
    let encrypted = TlsConnector::from(Arc::clone(tls)).connect(name, stream).await.map_err(trouble)?;
    Ok(Connection(Box::new(encrypted)))
}

impl Connection {
    pub(crate) async fn exchange<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Ldap) -> Result<T, DirectoryError>,
    ) -> Result<T, DirectoryError> {
        exchange(&mut self.0, work).await
    }
}

/// Runs `work` with an LDAP client whose messages go over `stream`. When the work ends, the client is dropped.
async fn exchange<T>(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    work: impl AsyncFnOnce(&mut Ldap) -> Result<T, DirectoryError>,
) -> Result<T, DirectoryError> {
    let whole = async {
        let trouble = |error: std::io::Error| DirectoryError(error.to_string());
        let (near, far) = std::os::unix::net::UnixStream::pair().map_err(trouble)?;
        near.set_nonblocking(true).map_err(trouble)?;
        let mut near = UnixStream::from_std(near).map_err(trouble)?;
        let settings = LdapConnSettings::new().set_std_stream(StdStream::Unix(far));
        let (connection, mut client) =
            LdapConnAsync::with_settings(settings, "ldapi://connected").await.map_err(client_error)?;
        tokio::select! {
            biased;
            done = work(&mut client) => done,
            error = relay_messages(stream, &mut near) => Err(DirectoryError(error.to_string())),
            ended = connection.drive() => Err(ended.map_or_else(client_error, |()| DirectoryError("The connection ended".to_owned()))),
        }
    };
    // The LDAP client panics at some answers that violate LDAP.
    AssertUnwindSafe(whole)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(DirectoryError("the directory's answer is not one of LDAP's".to_owned())))
}

fn client_error(error: LdapError) -> DirectoryError {
    DirectoryError(match error {
        LdapError::ResultRecv { .. } | LdapError::OpSend { .. } => {
            "the directory ended the connection".to_owned()
        }
        other => other.to_string(),
    })
}

/// The name of the one entry that a filter finds.
pub(crate) async fn find_one_entry(
    client: &mut Ldap,
    search: &Search<'_>,
    filter: &str,
) -> Result<Result<String, Answer>, DirectoryError> {
    let Search { base, account, password } = *search;
    if !account.is_empty() && !accepts_password(client, account, password).await? {
        return Err(DirectoryError("the directory refuses the account that searches".to_owned()));
    }
    client.with_search_options(SearchOptions::new().sizelimit(2));
    // `1.1` asks for no attributes (RFC 4511, 4.5.1.8).
    let found = client.search(base, Scope::Subtree, filter, vec!["1.1"]).await.map_err(client_error)?;
    let (mut entries, code) = (found.0, found.1.rc);
    match code {
        code::SUCCESS | code::SIZE_LIMIT_EXCEEDED => {}
        code::NO_SUCH_OBJECT => {
            return Err(DirectoryError("the directory has nothing where it is searched".to_owned()));
        }
        other => return Err(unexpected_code_error(other, "a search")),
    }
    // References to other directories among the results are ignored.
    entries.retain(|entry| !entry.is_ref());
    let Some(entry) = entries.pop() else { return Ok(Err(Answer::NoEntry)) };
    if !entries.is_empty() || code == code::SIZE_LIMIT_EXCEEDED {
        return Ok(Err(Answer::SeveralEntries));
    }
    match SearchEntry::construct(entry).dn {
        // A bind with an empty name would be anonymous.
        name if name.is_empty() => {
            Err(DirectoryError("the directory finds an entry without a name".to_owned()))
        }
        name => Ok(Ok(name)),
    }
}

/// Whether the directory takes a password for that of an entry.
pub(crate) async fn accepts_password(
    client: &mut Ldap,
    name: &str,
    password: &str,
) -> Result<bool, DirectoryError> {
    let answer = client.simple_bind(name, password).await.map_err(client_error)?;
    match answer.rc {
        code::SUCCESS => Ok(true),
        code::INVALID_CREDENTIALS
        | code::NO_SUCH_OBJECT
        | code::INAPPROPRIATE_AUTHENTICATION
        | code::CONSTRAINT_VIOLATION
        | code::UNWILLING_TO_PERFORM => Ok(false),
        other => Err(unexpected_code_error(other, "a bind")),
    }
}

fn unexpected_code_error(code: u32, to: &str) -> DirectoryError {
    DirectoryError(match code {
        code::REFERRAL => format!("the directory answers {to} by naming another one, which is not asked"),
        other => format!("the directory answers {to} with result code {other}"),
    })
}
