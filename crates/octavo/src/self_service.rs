//! The SIP2 interface for self-check machines as the settings describe it: the address, the known machines and how they write messages.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use octavo_gateway::Server;
use octavo_self_service::{Limits, TerminalListener, Terminals};
use octavo_tls::Certificate;
use tokio::net::TcpListener;

use crate::config::Settings;
use crate::demo;

/// The open listener for self-check machines with its settings, before there is a server that answers them.
pub(crate) struct MachineListener {
    listener: TcpListener,
    terminals: Terminals,
    certificate: Option<Certificate>,
    limits: Limits,
}

/// Reads the files that the settings name first, so that a mistake in them is reported before anything else is started.
pub(crate) fn open_listener(
    settings: &Settings,
    is_demo: bool,
    listener: TcpListener,
) -> Result<MachineListener> {
    let address = listener.local_addr()?;
    if is_demo && !address.ip().to_canonical().is_loopback() {
        bail!("the demo library is served on the loopback address only; {address} is not");
    }
    let terminals = terminals(settings, is_demo)?;
    let certificate = certificate(settings)?;
    let limits = Limits {
        connections: settings.sip2_max_connections,
        connections_each: settings.sip2_max_connections_per_address,
        idle_time: settings.sip2_idle_timeout,
        message_time: settings.header_timeout,
        stall_time: settings.stall_timeout,
        stop_time: settings.shutdown,
        ..Limits::default()
    };
    Ok(MachineListener { listener, terminals, certificate, limits })
}

fn terminals(settings: &Settings, is_demo: bool) -> Result<Terminals> {
    let mut terminals = match &settings.sip2_terminals {
        Some(path) => read_terminals(path)?,
        None => Terminals::default(),
    };
    let demo = is_demo.then_some(demo::TENANT);
    if let Some(tenant) = settings.sip2_tenant.as_deref().or(demo) {
        terminals = terminals.with_default_tenant(tenant);
    }
    if !terminals.has_any_tenant() {
        bail!(
            "self-check machines need a tenant: name it with --sip2-tenant, or in the file of --sip2-terminals"
        );
    }
    Ok(terminals)
}

fn read_terminals(path: &Path) -> Result<Terminals> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
    Terminals::read(&text).map_err(|why| anyhow!("{shown}: {why}"))
}

fn certificate(settings: &Settings) -> Result<Option<Certificate>> {
    match (&settings.sip2_certificate, &settings.sip2_key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => {
            Certificate::from_files(certificate, key).map(Some).map_err(|why| anyhow!("{why}"))
        }
        _ => bail!("TLS for self-check machines needs both sip2-certificate and sip2-key"),
    }
}

impl MachineListener {
    /// The line that is printed for a person at the terminal.
    pub(crate) fn welcome(&self) -> Result<String> {
        let how = if self.certificate.is_some() { " with TLS" } else { "" };
        Ok(format!("Self-check machines speak SIP2{how} at {}", self.listener.local_addr()?))
    }

    /// Accepts connections of machines until `stop` is ready.
    pub(crate) async fn serve(self, server: Server, stop: impl Future<Output = ()>) {
        TerminalListener::new(server, self.terminals, self.certificate, self.limits)
            .run(self.listener, stop)
            .await;
    }
}
