//! A mail server for tests: takes what it is sent and keeps it, or refuses as a test wants.

mod dialogue;
mod encryption;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::postgres::on_runtime;

pub use encryption::{AUTHORITY, CERTIFICATES, Certificate};

/// Listens on a free port of the loopback address.
#[derive(Clone)]
pub struct MailSink {
    pub address: SocketAddr,
    options: SinkOptions,
    state: Arc<Mutex<State>>,
}

/// How the mail server treats clients: encryption, certificate and log-in.
#[derive(Debug, Clone, Copy, Default)]
pub struct SinkOptions {
    pub encryption: Encryption,
    pub certificate: Certificate,
    /// The log-in that a client needs to send mails; with none, everybody may.
    pub login: Option<Login>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encryption {
    #[default]
    None,
    /// With STARTTLS. Log-in is offered after it only.
    Offered,
    FromTheStart,
}

#[derive(Debug, Clone, Copy)]
pub struct Login {
    pub user: &'static str,
    pub password: &'static str,
    /// As it is offered: `PLAIN LOGIN`.
    pub mechanisms: &'static str,
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// Addresses that bounce.
    bouncing: Vec<String>,
    busy: bool,
    breaks_off_at: Option<&'static str>,
}

/// What arrived.
#[derive(Debug, Clone, Default)]
pub struct Mail {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and text as they travelled.
    pub data: String,
    pub encrypted: bool,
    /// Who had logged in.
    pub user: Option<&'static str>,
}

impl MailSink {
    /// Without TLS, open to everybody.
    pub async fn open() -> MailSink {
        MailSink::with_options(SinkOptions::default()).await
    }

    pub async fn with_options(options: SinkOptions) -> MailSink {
        on_runtime(async move {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
            let address = listener.local_addr().expect("the port");
            let sink = MailSink { address, options, state: Arc::default() };
            let serving = sink.clone();
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let sink = serving.clone();
                    tokio::spawn(async move { drop(dialogue::serve(&sink, stream).await) });
                }
            });
            sink
        })
        .await
    }

    /// The record for `/smtp-configuration`.
    pub fn configuration(&self) -> Value {
        let SinkOptions { encryption, login, .. } = self.options;
        json!({
            "host": self.address.ip().to_string(), "port": self.address.port(),
            "username": login.map_or("", |login| login.user), "password": login.map_or("", |login| login.password),
            "ssl": encryption == Encryption::FromTheStart,
            "loginOption": if login.is_some() { "REQUIRED" } else { "DISABLED" },
            "startTlsOptions": if encryption == Encryption::Offered { "REQUIRED" } else { "DISABLED" },
            "from": "Circulation <desk@library.example>",
        })
    }

    pub fn mails(&self) -> Vec<Mail> {
        self.with_state(|state| state.mails.clone())
    }

    /// How many mails were taken.
    pub fn count_mails(&self) -> usize {
        self.with_state(|state| state.mails.len())
    }

    /// From now on refuses mails to this address.
    pub fn bounce(&self, address: &str) {
        self.with_state(|state| state.bouncing.push(address.to_owned()));
    }

    /// Sets whether mails are put off from now on.
    pub fn set_busy(&self, busy: bool) {
        self.with_state(|state| state.busy = busy);
    }

    /// Sets the SMTP command upon which the connection is cut from now on; `.` is the end of a mail's text.
    pub fn break_off_at(&self, word: Option<&'static str>) {
        self.with_state(|state| state.breaks_off_at = word);
    }

    fn with_state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
