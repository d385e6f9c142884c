//! How a database is reached, as its URL says: the client library's configuration, and TLS.

pub(crate) mod encryption;
mod parameters;
mod servers;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::DbError;
use encryption::Encryption;
pub(crate) use servers::Servers;

#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) config: Config,
    pub(crate) encryption: Encryption,
    pub(crate) servers: Arc<Servers>,
    /// Settings of each session, by name.
    pub(crate) settings: &'static [(&'static str, &'static str)],
    /// Whether the settings are sent as the first statements, because a pooler on the way refuses them earlier.
    settings_after_login: Arc<AtomicBool>,
    /// Whether sessions take commands of the replication protocol.
    pub(crate) replicates: bool,
}

impl Access {
    /// Reads `postgresql://user@host/database?sslmode=verify-full`, or the same as `host=... dbname=...`.
    pub(crate) fn from_url(url: &str) -> Result<Access, DbError> {
        let unreadable = |why: String| DbError::Away(format!("the database URL cannot be read: {why}"));
        let (url, about_tls) = parameters::take_parameters(url, &encryption::PARAMETERS);
        let config = Config::from_str(&url).map_err(|error| unreadable(error.to_string()))?;
        Ok(Access {
            encryption: Encryption::from_parameters(&about_tls).map_err(unreadable)?,
            ..Access::from(config)
        })
    }

    /// The configuration of a session, with its settings unless a pooler on the way refuses them at the log-in.
    pub(crate) fn session_config(&self) -> Config {
        let mut config = self.config.clone();
        if !self.settings.is_empty() && !self.settings_after_login.load(Ordering::Relaxed) {
            let options: Vec<String> =
                self.settings.iter().map(|(name, value)| format!("-c {name}={value}")).collect();
            config.options(options.join(" "));
        }
        config
    }

    /// The settings as the first statements of a session, if they are refused at the log-in.
    pub(crate) fn first_statements(&self) -> Option<String> {
        let said = || self.settings.iter().map(|(name, value)| format!("set {name} = {value};")).collect();
        self.settings_after_login.load(Ordering::Relaxed).then(said)
    }

    /// Whether a pooler has refused the settings at the log-in for the first time. From then on they are sent as the first statements.
    pub(crate) fn sends_settings_later(&self, refused: &DbError) -> bool {
        let is_so = matches!(refused, DbError::Refused { code, message, .. }
            if code == DbError::PROTOCOL && message.contains("startup parameter"));
        is_so && !self.settings.is_empty() && !self.settings_after_login.swap(true, Ordering::Relaxed)
    }
}

impl From<Config> for Access {
    /// Without TLS: for the private server, which is reached through a socket in a folder.
    fn from(mut config: Config) -> Access {
        // TLS is done before the client library begins.
        config.ssl_mode(SslMode::Disable);
        let servers = Servers::from_config(&config);
        Access {
            config,
            encryption: Encryption::default(),
            servers,
            settings: &[],
            settings_after_login: Arc::default(),
            replicates: false,
        }
    }
}
