//! Calls of other HTTP servers, by http and https: with a limit of time for each step, answers as streams or up to a number of bytes, and
//! connections that are kept for the next call. Redirects are not followed. Knows nothing of FOLIO.

mod address;
mod answer;
mod connection;
mod pool;

use std::time::Duration;

use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Bytes;

pub use address::Address;
pub use answer::{Answer, FullAnswer};
pub use pool::{Progress, RemoteClient};

/// Any cause of a body that cannot be read to its end.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;
/// The body of a request on its way out.
pub type Body = UnsyncBoxBody<Bytes, Cause>;

/// Why there is no response. No variant contains the content of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There is no connection, so nothing was sent.
    Unreachable(String),
    /// The other server took too long.
    TimedOut,
    /// The connection ended, or what came is no HTTP.
    Broken(String),
    /// The answer has more bytes than there is room for.
    TooLarge,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Unreachable(cause) | Failure::Broken(cause) => f.write_str(cause),
            Failure::TimedOut => f.write_str("no answer in time"),
            Failure::TooLarge => f.write_str("the answer is too large"),
        }
    }
}

/// How long a name may take to be resolved and a connection to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection without a request is kept. Servers close theirs after a while, often 60 seconds.
const MAX_IDLE_TIME: Duration = Duration::from_secs(20);
/// How many connections without a request are kept for each server.
const MAX_IDLE_CONNECTIONS: usize = 64;

/// A body in one piece.
pub fn full_body(bytes: impl Into<Bytes>) -> Body {
    use http_body_util::BodyExt;
    http_body_util::Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}
