//! TLS to PostgreSQL, by the parameters of libpq: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`.

use std::path::Path;
use std::sync::Arc;

use octavo_tls::{OwnCertificate, Proof, client_config, read_authorities};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::DbError;

pub(super) const PARAMETERS: [&str; 4] = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/// Without a configuration nothing is encrypted.
#[derive(Clone, Default)]
pub(crate) struct Encryption {
    config: Option<Arc<ClientConfig>>,
    /// Whether the connection stays unencrypted if the server does not speak TLS.
    is_optional: bool,
}

/// A connection to a server by TCP.
pub(crate) enum Stream {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

/// The message by which a client asks for TLS: its length, and a code in the place of a version.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

impl Encryption {
    /// `found` are the values of the parameters. As with libpq, `require` proves the certificate where authorities are named. Other than with
    /// libpq, those of the operating system count where none are named.
    pub(super) fn from_parameters(found: &[Option<String>; 4]) -> Result<Encryption, String> {
        let [mode, root, certificate, key] =
            found.each_ref().map(|one| one.as_deref().filter(|one| !one.is_empty()));
        let root = root.filter(|root| *root != "system");
        let proof = match mode.unwrap_or("prefer") {
            "disable" => return Ok(Encryption::default()),
            "prefer" => Proof::Nothing,
            "require" if root.is_none() => Proof::Nothing,
            "require" | "verify-ca" => Proof::Authority,
            "verify-full" => Proof::Name,
            _ => {
                return Err("sslmode is disable, prefer, require, verify-ca or verify-full".to_owned());
            }
        };
        let own = match (certificate, key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => {
                Some(OwnCertificate::from_files(Path::new(certificate), Path::new(key))?)
            }
            _ => return Err("a certificate of the client needs both sslcert and sslkey".to_owned()),
        };
        let root = match proof {
            Proof::Nothing => None,
            _ => root.map(|root| read_authorities(Path::new(root))).transpose()?,
        };
        Ok(Encryption {
            config: Some(client_config(proof, root, own)?),
            is_optional: matches!(mode, None | Some("prefer")),
        })
    }

    /// Negotiates TLS on a new connection, before its first message. `host` is the server's name in the handshake and in messages; only
    /// with `verify-full` its certificate has to be for this name.
    pub(crate) async fn negotiate(&self, mut stream: TcpStream, host: &str) -> Result<Stream, DbError> {
        let Some(config) = &self.config else { return Ok(Stream::Plain(stream)) };
        stream.write_all(&SSL_REQUEST).await?;
        match stream.read_u8().await? {
            b'S' => {
                let failed =
                    |why: &dyn std::fmt::Display| DbError::Away(format!("no TLS with {host}: {why}"));
                let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
                let agreed = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
                Ok(Stream::Encrypted(Box::new(agreed.map_err(|error| failed(&error))?)))
            }
            b'N' if self.is_optional => Ok(Stream::Plain(stream)),
            b'N' => Err(DbError::Away(format!("{host} does not speak TLS, which sslmode asks for"))),
            _ => Err(DbError::Away(format!("{host} did not say whether it speaks TLS"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused() {
        let read =
            |values: [&str; 4]| Encryption::from_parameters(&values.map(|value| Some(value.to_owned())));
        for (values, why) in [
            (["allow", "", "", ""], "sslmode is disable, prefer, require, verify-ca or verify-full"),
            (["verify-full", "/nowhere", "", ""], "/nowhere cannot be read"),
            (["require", "", "/nowhere", ""], "both sslcert and sslkey"),
        ] {
            let refusal = read(values).err().unwrap_or_default();
            assert!(refusal.contains(why), "{refusal}");
        }
        assert!(read(["disable", "", "", ""]).is_ok_and(|read| read.config.is_none()));
        assert!(read(["", "", "", ""]).is_ok_and(|read| read.config.is_some() && read.is_optional));
        assert!(read(["require", "", "", ""]).is_ok_and(|read| !read.is_optional));
    }
}
