//! How a database is reached, as its URL says: the client library's configuration, and TLS.

pub(crate) mod encryption;
mod parameters;

use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::DbError;
use encryption::Encryption;

#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) config: Config,
    pub(crate) encryption: Encryption,
}

impl Access {
    /// Reads `postgresql://user@host/database?sslmode=verify-full`, or the same as `host=... dbname=...`.
    pub(crate) fn read(url: &str) -> Result<Access, DbError> {
        let unreadable = |why: String| DbError::Away(format!("the database URL cannot be read: {why}"));
        let (url, about_tls) = parameters::taken_out(url, &encryption::PARAMETERS);
        let config = Config::from_str(&url).map_err(|error| unreadable(error.to_string()))?;
        Ok(Access { encryption: Encryption::read(&about_tls).map_err(unreadable)?, ..Access::from(config) })
    }
}

impl From<Config> for Access {
    /// Without TLS: for the private server, which is reached through a socket in a folder.
    fn from(mut config: Config) -> Access {
        // TLS is done before the client library begins.
        config.ssl_mode(SslMode::Disable);
        Access { config, encryption: Encryption::default() }
    }
}
