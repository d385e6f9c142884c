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
    /// A file of certificates in PEM that are trusted beside the operating system's.
    pub authorities: Option<PathBuf>,
    /// Without one, nobody is asked to log in.
    pub login: Option<Login>,
    /// How many partitions and replicas a topic gets that is made.
    pub partitions: i32,
    pub replicas: i16,
}

/// Who logs in, by SASL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    pub mechanism: Mechanism,
    pub user: String,
    /// A file whose first line is the password. It is read when a connection is made.
    pub password: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    Plain,
    ScramSha256,
    ScramSha512,
}

/// Waits between attempts to reach a broker; whoever publishes says how long in all.
const AT_FIRST: Duration = Duration::from_millis(50);
const AT_MOST: Duration = Duration::from_secs(1);

impl Brokers {
    pub(crate) async fn connect(&self) -> Result<Client, String> {
        let waits = BackoffConfig { init_backoff: AT_FIRST, max_backoff: AT_MOST, base: 2.0, deadline: None };
        let mut client = ClientBuilder::new(self.addresses.clone()).client_id("octavo").backoff_config(waits);
        if self.tls {
            client = client.tls_config(trusted(self.authorities.as_deref())?);
        }
        if let Some(login) = &self.login {
            client = client.sasl_config(login.read()?);
        }
        client.build().await.map_err(|error| error.to_string())
    }
}

impl Login {
    fn read(&self) -> Result<SaslConfig, String> {
        let text = std::fs::read_to_string(&self.password).map_err(|error| unread(&self.password, &error))?;
        let password = text.lines().next().unwrap_or_default().to_owned();
        let credentials = Credentials::new(self.user.clone(), password);
        Ok(match self.mechanism {
            Mechanism::Plain => SaslConfig::Plain(credentials),
            Mechanism::ScramSha256 => SaslConfig::ScramSha256(credentials),
            Mechanism::ScramSha512 => SaslConfig::ScramSha512(credentials),
        })
    }
}

fn trusted(more: Option<&Path>) -> Result<Arc<ClientConfig>, String> {
    let more = more.map(octavo_tls::authorities).transpose()?;
    octavo_tls::trusting(more.into_iter().flatten())
}

fn unread(file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{} cannot be read: {error}", file.display())
}
