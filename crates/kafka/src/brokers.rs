//! Where the brokers are, and how they let a program in.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rskafka::BackoffConfig;
use rskafka::client::{Client, ClientBuilder, Credentials, SaslConfig};
use tokio_rustls::rustls::ClientConfig;

/// Brokers of one cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brokers {
    /// Hosts and ports of some of them; the others are learned from these.
    pub addresses: Vec<String>,
    pub tls: bool,
    /// A file with certificate authorities in PEM format, which are trusted in addition to the operating system's.
    pub ca_file: Option<PathBuf>,
    /// The log-in at the brokers; `None` to connect without log-in.
    pub login: Option<Login>,
    /// How many partitions, and how many replicas, a topic gets that Octavo creates.
    pub partitions: i32,
    pub replicas: i16,
}

/// The user and password for SASL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    pub mechanism: Mechanism,
    pub user: String,
    /// A file whose first line is the password. It is read when a connection is made.
    pub password_file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    Plain,
    ScramSha256,
    ScramSha512,
}

/// The shortest and the longest wait between two attempts to reach a broker. The caller of `publish` limits the time of all attempts.
const FIRST_RETRY_WAIT: Duration = Duration::from_millis(50);
const LONGEST_RETRY_WAIT: Duration = Duration::from_secs(1);

impl Brokers {
    pub(crate) async fn connect(&self) -> Result<Client, String> {
        let waits = BackoffConfig {
            init_backoff: FIRST_RETRY_WAIT,
            max_backoff: LONGEST_RETRY_WAIT,
            base: 2.0,
            deadline: None,
        };
        let mut client = ClientBuilder::new(self.addresses.clone()).client_id("octavo").backoff_config(waits);
        if self.tls {
            client = client.tls_config(tls_config(self.ca_file.as_deref())?);
        }
        if let Some(login) = &self.login {
            client = client.sasl_config(login.sasl_config()?);
        }
        client.build().await.map_err(|error| error.to_string())
    }
}

impl Login {
    fn sasl_config(&self) -> Result<SaslConfig, String> {
        let text = std::fs::read_to_string(&self.password_file)
            .map_err(|error| read_error(&self.password_file, &error))?;
        let password = text.lines().next().unwrap_or_default().to_owned();
        let credentials = Credentials::new(self.user.clone(), password);
        Ok(match self.mechanism {
            Mechanism::Plain => SaslConfig::Plain(credentials),
            Mechanism::ScramSha256 => SaslConfig::ScramSha256(credentials),
            Mechanism::ScramSha512 => SaslConfig::ScramSha512(credentials),
        })
    }
}

fn tls_config(more: Option<&Path>) -> Result<Arc<ClientConfig>, String> {
    let more = more.map(octavo_tls::read_authorities).transpose()?;
    octavo_tls::client_config_trusting(more.into_iter().flatten())
}

fn read_error(file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{} cannot be read: {error}", file.display())
}
