//! Connects to a mail server: connection, greeting, encryption, log-in.
//!
//! An error here is a fault of the server or of the settings, never of an e-mail: e-mails wait until somebody has
//! mended it. The message says what to mend, and never has the password in it, even where
//! a server repeats it.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use crate::{Encryption, Login, MailServer, Refused, with_causes};

pub(crate) struct Connector {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<LoginSettings>,
}

struct LoginSettings {
    credentials: Credentials,
    /// The ways to log in that the settings allow, the safer ones first.
    mechanisms: Vec<Mechanism>,
    /// A server that does not ask for a log-in is not to be used.
    required: bool,
    /// The secrets, in the encodings in which they are sent: they are removed from error messages.
    secrets: Vec<String>,
}

impl Connector {
    pub(crate) fn from_settings(server: &MailServer) -> Result<Connector, Refused> {
        Ok(Connector {
            host: server.host.clone(),
            port: server.port,
            tls: tls(server)?,
            login: login_settings(server)?,
        })
    }

    /// Opens a connection over which e-mails can be sent. `patience` is the timeout of each step.
    pub(crate) async fn connect(&self, patience: Duration) -> Result<AsyncSmtpConnection, Refused> {
        let hello = ClientId::default();
        let from_the_start = match &self.tls {
            Tls::Wrapper(parameters) => Some(parameters.clone()),
            _ => None,
        };
        let address = (self.host.as_str(), self.port);
        let connection =
            AsyncSmtpConnection::connect_tokio1(address, Some(patience), &hello, from_the_start, None);
        let mut connection = connection.await.map_err(|error| connection_refusal(&error))?;
        self.encrypt(&mut connection, &hello).await?;
        self.log_in(&mut connection).await?;
        Ok(connection)
    }

    async fn encrypt(&self, connection: &mut AsyncSmtpConnection, hello: &ClientId) -> Result<(), Refused> {
        let parameters = match &self.tls {
            Tls::Required(_) if !connection.can_starttls() => {
                return Err(server_unusable("STARTTLS is required, but the mail server does not offer it"));
            }
            Tls::Required(parameters) => parameters,
            Tls::Opportunistic(parameters) if connection.can_starttls() => parameters,
            _ => return Ok(()),
        };
        connection.starttls(parameters.clone(), hello).await.map_err(|error| connection_refusal(&error))
    }

    async fn log_in(&self, connection: &mut AsyncSmtpConnection) -> Result<(), Refused> {
        let Some(keys) = &self.login else { return Ok(()) };
        if connection.server_info().get_auth_mechanism(&keys.mechanisms).is_none() {
            if !keys.required {
                return Ok(());
            }
            let names: Vec<String> = keys.mechanisms.iter().map(Mechanism::to_string).collect();
            let names = names.join(", ");
            let hint =
                if connection.is_encrypted() { "" } else { "; it may do so over an encrypted connection" };
            return Err(server_unusable(format!(
                "log-in is required, but the mail server offers none of the ways to log in that can be used \
                 ({names}){hint}"
            )));
        }
        let let_in = connection.auth(&keys.mechanisms, &keys.credentials).await;
        let_in.map(drop).map_err(|error| {
            let told = redact(&keys.secrets, with_causes(&error));
            match error.status() {
                Some(_) => server_unusable(format!("the mail server refuses the log-in: {told}")),
                None => server_unusable(format!(
                    "the connection to the mail server broke off at the log-in: {told}"
                )),
            }
        })
    }
}

fn tls(server: &MailServer) -> Result<Tls, Refused> {
    if server.encryption == Encryption::Nothing {
        return Ok(Tls::None);
    }
    let parameters = TlsParameters::builder(server.host.clone())
        .dangerous_accept_invalid_certs(server.trusts_any_certificate)
        .dangerous_accept_invalid_hostnames(server.trusts_any_certificate)
        .build()
        .map_err(|error| server_unusable(with_causes(&error)))?;
    Ok(match server.encryption {
        Encryption::Nothing => Tls::None,
        Encryption::StartTlsIfOffered => Tls::Opportunistic(parameters),
        Encryption::StartTlsRequired => Tls::Required(parameters),
        Encryption::ImplicitTls => Tls::Wrapper(parameters),
    })
}

fn login_settings(server: &MailServer) -> Result<Option<LoginSettings>, Refused> {
    let required = matches!(server.login, Login::Required | Login::OAuth);
    if server.username.is_empty() {
        return match required {
            true => Err(server_unusable("log-in is required, but the SMTP configuration names no user")),
            false => Ok(None),
        };
    }
    let known = match server.login {
        Login::Never => return Ok(None),
        Login::OAuth => vec![Mechanism::Xoauth2],
        Login::Optional | Login::Required => vec![Mechanism::Plain, Mechanism::Login],
    };
    let allowed = |mechanism: &Mechanism| {
        let name = mechanism.to_string();
        server.ways_to_log_in.is_empty()
            || server.ways_to_log_in.iter().any(|way| way.eq_ignore_ascii_case(&name))
    };
    let mechanisms: Vec<Mechanism> = known.into_iter().filter(allowed).collect();
    if mechanisms.is_empty() {
        return Err(server_unusable(
            "the SMTP configuration (authMethods) allows none of the ways to log in that are known here",
        ));
    }
    let (user, password) = (&server.username, &server.password);
    // The longer ones first: one may be a part of another.
    let travelling = [
        STANDARD.encode(format!("user={user}\x01auth=Bearer {password}\x01\x01")),
        STANDARD.encode(format!("\0{user}\0{password}")),
        STANDARD.encode(password),
        password.clone(),
    ];
    let secrets = if password.is_empty() { Vec::new() } else { travelling.to_vec() };
    let credentials = Credentials::new(user.clone(), password.clone());
    Ok(Some(LoginSettings { credentials, mechanisms, required, secrets }))
}

/// A refusal because no e-mail can be sent over this server at present: neither this e-mail nor another is tried at once.
pub(crate) fn server_unusable(why: impl Into<String>) -> Refused {
    Refused { unreachable: true, ..Refused::for_now(why) }
}

/// The refusal after a failed connection. The message names the server's certificate if that is the cause.
fn connection_refusal(error: &Error) -> Refused {
    let told = with_causes(error);
    if error.status().is_some() {
        return server_unusable(format!("the mail server refuses the connection: {told}"));
    }
    if let Some((_, fault)) = told.split_once("invalid peer certificate: ") {
        return server_unusable(format!("the certificate of the mail server is not accepted: {fault}"));
    }
    // The library's error and its cause may both begin with these words.
    match told.trim_start_matches("Connection error: ") {
        fault if fault.len() < told.len() => {
            server_unusable(format!("no connection to the mail server: {fault}"))
        }
        told => server_unusable(format!("the connection to the mail server broke off: {told}")),
    }
}

fn redact(secrets: &[String], text: String) -> String {
    secrets.iter().fold(text, |text, secret| text.replace(secret, "***"))
}
