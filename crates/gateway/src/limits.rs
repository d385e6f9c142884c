//! The server's limits for its clients, which clients may use which pages, and who is told of their requests.

use std::time::Duration;

use crate::clients::Network;
use crate::metrics::Readers;
use crate::traces::Collector;

#[derive(Debug, Clone)]
pub struct Limits {
    pub body_bytes: usize,
    /// The most bytes of the body of a request without a token.
    pub open_body_bytes: usize,
    /// How long the head of a request may take from its first byte to its last.
    pub header_time: Duration,
    /// How long a connection may be idle between two requests.
    pub idle_time: Duration,
    /// A client that sends a body or takes an answer has to get on in every such time, by `least_rate`.
    pub stall_time: Duration,
    /// The least pace of a client that is waited for, in bytes a second.
    pub least_rate: usize,
    pub connections: usize,
    /// The most connections from one address that is not a trusted proxy's.
    pub connections_each: usize,
    /// The most bytes of larger bodies and answers that are held for all clients; half of it for one client.
    pub held_bytes: usize,
    /// How long requests are still taken after a stop was asked for, while the health check says that no more should come.
    pub drain_time: Duration,
    /// How long requests in flight may take after that was asked for.
    pub stop_time: Duration,
    /// Patron notices and timers that have been due for longer make the health checks fail.
    pub late_after: Duration,
    /// Who may read `/metrics`.
    pub metrics_readers: Readers,
    /// Where traces of requests go.
    pub trace_collector: Option<Collector>,
    /// For how many seconds browsers that have seen a page with TLS ask with TLS only; 0: they are not told to.
    pub strict_seconds: u64,
    pub trust: TrustSettings,
}

/// Which proxies, web pages, hosts and programs the server trusts.
#[derive(Debug, Clone, Default)]
pub struct TrustSettings {
    /// The proxies whose headers about the client's address are believed.
    pub trusted_proxies: Vec<Network>,
    /// Web pages that may use the server beside its own, as `https://folio.example.org`.
    pub allowed_origins: Vec<String>,
    /// Host names of this server, besides its addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// Whether a tenant without mod-authtoken lets in programs on this machine.
    pub open_tenants: bool,
}

#[cfg(test)]
impl Limits {
    /// Limits that no test reaches by accident: a test sets the one that it is about.
    pub(crate) fn generous() -> Limits {
        let long = Duration::from_secs(600);
        Limits {
            body_bytes: 1 << 20,
            open_body_bytes: 1 << 20,
            header_time: long,
            idle_time: long,
            stall_time: long,
            least_rate: 1024,
            connections: 1000,
            connections_each: 1000,
            held_bytes: 1 << 30,
            drain_time: Duration::ZERO,
            stop_time: long,
            late_after: long,
            metrics_readers: Readers::Loopback,
            trace_collector: None,
            strict_seconds: 0,
            trust: TrustSettings::default(),
        }
    }
}
