//! Sends e-mails to a mail server by SMTP (RFC 5321) with TLS and authentication, with the settings of mod-email 1.17.
//!
//! The one crate that names the SMTP client. Knows no SQL, no HTTP and nothing of notices: a server's settings and a
//! message come in, and it was taken or it was not, for now or for good.

mod connections;
mod entrance;
mod message;
mod server;

use self::connections::Connections;
use self::entrance::Connector;

pub use message::{Attachment, Mail};
pub use server::{Encryption, Login, MailServer, is_header_name};

/// Connections to one server, made when they are needed and kept until [`Mailer::close_idle_connections`].
pub struct Mailer {
    connections: Connections,
    server: MailServer,
}

/// Why a mail was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// No later attempt can do better: the address is wrong, the server says so (5xx).
    pub for_good: bool,
    /// Whether the server could not be reached: other e-mails need not be tried now.
    pub unreachable: bool,
    pub why: String,
}

impl Refused {
    pub(crate) fn for_good(why: impl Into<String>) -> Refused {
        Refused { for_good: true, unreachable: false, why: why.into() }
    }

    pub(crate) fn for_now(why: impl Into<String>) -> Refused {
        Refused { for_good: false, unreachable: false, why: why.into() }
    }
}

impl Mailer {
    /// Reads the settings; nothing is sent to the server yet.
    pub fn new(server: MailServer) -> Result<Mailer, Refused> {
        let connections = Connections::new(Connector::from_settings(&server)?);
        Ok(Mailer { connections, server })
    }

    /// The sender of mails that name none.
    pub fn sender(&self) -> Option<&str> {
        self.server.from.as_deref()
    }

    /// Hands one mail over. Cancelling it leaves open whether the server has it.
    pub async fn send(&self, mail: &Mail<'_>) -> Result<(), Refused> {
        let message = mail.compose(&self.server)?;
        self.connections.send(&message).await
    }

    /// Closes the connections that are not in use.
    pub async fn close_idle_connections(&self) {
        self.connections.close_idle().await;
    }
}

/// The error with what is behind it: the server's own words, or the operating system's.
fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
