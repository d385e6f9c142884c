//! The addresses on which Octavo listens: the main one, with TLS if there is a certificate, and optionally one that redirects to it.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Result, anyhow, bail};
use jiff::Timestamp;
use octavo_acme::{Acme, AcmeSettings, Pauses};
use octavo_gateway::{Entrance, Server};
use octavo_tls::Certificate;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::config::Settings;

pub(crate) struct Listeners {
    main_listener: TcpListener,
    certificate: Option<Certificate>,
    /// Requests new certificates by ACME before the old ones end.
    acme: Option<Acme>,
    /// Listens without TLS. It answers the challenges of ACME, and redirects every other request to the main address.
    redirect_listener: Option<TcpListener>,
}

impl Listeners {
    /// Reads the files that the settings name first, so that a mistake in them is reported before anything else is started.
    pub(crate) async fn open(
        settings: &Settings,
        main: TcpListener,
        clock: fn() -> Timestamp,
    ) -> Result<Listeners> {
        let acme = acme_from_settings(settings, clock)?;
        let certificate = match (&settings.tls_certificate, &settings.tls_key, &acme) {
            (None, None, None) => None,
            (None, None, Some(acme)) => Some((acme.certificate(), acme.certificate())),
            (Some(chain), Some(key), None) => Some((chain.as_path(), key.as_path())),
            (_, _, Some(_)) => {
                bail!("a certificate is in tls-certificate or is asked for by acme-names, not both")
            }
            _ => bail!("TLS needs both tls-certificate and tls-key"),
        };
        let certificate = certificate
            .map(|(chain, key)| Certificate::from_files(chain, key).map_err(|why| anyhow!("{why}")));
        let certificate = certificate.transpose()?;
        let sending_on = match settings.http_redirect {
            Some(_) if certificate.is_none() => {
                bail!(
                    "http-redirect sends clients on to TLS, and needs tls-certificate and tls-key, or acme-names"
                )
            }
            Some(address) => Some(listen(address, "http-redirect").await?),
            None => None,
        };
        Ok(Listeners { main_listener: main, certificate, acme, redirect_listener: sending_on })
    }

    fn scheme(&self) -> &'static str {
        scheme(self.certificate.is_some())
    }

    /// The server's URL as the settings have it, to be shown to people.
    pub(crate) fn url(&self) -> Result<String> {
        Ok(format!("{}://{}", self.scheme(), self.main_listener.local_addr()?))
    }

    /// The URL at which programs on this machine reach the server.
    pub(crate) fn local_url(&self) -> Result<String> {
        Ok(format!("{}://{}", self.scheme(), local_address(self.main_listener.local_addr()?)))
    }

    /// Serves until `stop` is ready.
    pub(crate) async fn serve(self, server: Server, stop: impl Future<Output = ()>) -> Result<()> {
        let Listeners { main_listener: main, certificate, acme, redirect_listener: sending_on } = self;
        let port = main.local_addr()?.port();
        let (closing, mut closed) = watch::channel(());
        let mut beside = JoinSet::new();
        if let Some(listener) = sending_on {
            let closed = async move {
                // The channel sends no value: it only closes when the sender is dropped.
                let _ = closed.changed().await;
            };
            let challenges = acme.as_ref().map(Acme::challenges).unwrap_or_default();
            beside.spawn(server.clone().run(listener, Entrance::Redirected { port, challenges }, closed));
        }
        let mut renewing = JoinSet::new();
        let entrance = match certificate {
            Some(certificate) => {
                renewing.spawn(certificate.clone().watch_files());
                if let Some(acme) = acme {
                    let certificate = certificate.clone();
                    renewing.spawn(acme.run(move || certificate.reload_if_changed()));
                }
                Entrance::Encrypted(certificate)
            }
            None => Entrance::Plain,
        };
        let stop = async {
            stop.await;
            drop(closing);
        };
        server.run(main, entrance, stop).await;
        beside.join_all().await;
        Ok(())
    }
}

/// Makes the ACME client if the settings ask for certificates. The certificate authority checks by HTTP that the host names belong to
/// this server.
fn acme_from_settings(settings: &Settings, clock: fn() -> Timestamp) -> Result<Option<Acme>> {
    if settings.acme_names.is_empty() {
        return Ok(None);
    }
    if settings.http_redirect.is_none() {
        bail!(
            "acme-names needs http-redirect, such as 0.0.0.0:80: there the authority looks whether the names are yours"
        );
    }
    let wanted = AcmeSettings {
        directory: settings.acme_directory.clone(),
        names: settings.acme_names.clone(),
        contact: settings.acme_contact.clone(),
    };
    let folder = settings.data_dir.join("acme");
    Acme::open(wanted, folder, Pauses::default(), clock).map(Some).map_err(|why| anyhow!("{why}"))
}

pub(crate) async fn listen(address: SocketAddr, setting: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!(
                "{address} is taken by another program; stop it, or choose another address with --{setting}"
            )
        }
        ErrorKind::PermissionDenied => anyhow!("no permission to listen on {address}: {error}"),
        _ => anyhow!("can't listen on {address}: {error}"),
    })
}

/// `https` or `http`: what clients use with a server that has these settings.
pub(crate) fn scheme_of(settings: &Settings) -> &'static str {
    scheme(settings.tls_certificate.is_some() || !settings.acme_names.is_empty())
}

fn scheme(encrypted: bool) -> &'static str {
    if encrypted { "https" } else { "http" }
}

/// The address at which programs on this machine reach a server that listens there.
fn local_address(address: SocketAddr) -> SocketAddr {
    let host = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(host, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_answers_everywhere_is_reached_on_this_machine() {
        for (listens, reaches) in [
            ("127.0.0.1:9130", "127.0.0.1:9130"),
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:9130", "[::1]:9130"),
            ("192.0.2.7:9130", "192.0.2.7:9130"),
        ] {
            assert_eq!(local_address(listens.parse().unwrap()).to_string(), reaches);
        }
    }
}
