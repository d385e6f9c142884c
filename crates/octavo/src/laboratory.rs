//! The laboratory beside a running server: which of its runs may be started at the desk, and how they reach this server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Result;
use octavo_engine::{Experiment, Laboratory};

use crate::config::Settings;

/// None without a folder for reports.
pub(crate) fn from_settings(settings: &Settings, address: SocketAddr) -> Result<Option<Laboratory>> {
    let Some(reports) = settings.lab_reports.clone() else { return Ok(None) };
    let experiments = octavo_lab::offers()?.into_iter().map(|offer| Experiment {
        name: offer.name,
        about: offer.about,
        tests: offer.tests,
        short_seconds: offer.short_seconds,
    });
    let servers = [own(address)].into_iter().chain(settings.lab_servers.iter().cloned());
    Ok(Some(Laboratory {
        reports,
        program: program()?,
        servers: servers.collect(),
        experiments: experiments.collect(),
    }))
}

/// The server's URL as programs on this machine reach it.
fn own(address: SocketAddr) -> String {
    let host = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(host, address.port()))
}

/// This one, also when its file has been replaced by a newer one.
fn program() -> Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    Ok(if running.exists() { running } else { std::env::current_exe()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_answers_everywhere_is_reached_on_this_machine() {
        for (listens, reached) in [
            ("127.0.0.1:9130", "http://127.0.0.1:9130"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:9130", "http://[::1]:9130"),
            ("192.0.2.7:9130", "http://192.0.2.7:9130"),
        ] {
            assert_eq!(own(listens.parse().unwrap()), reached);
        }
    }
}
