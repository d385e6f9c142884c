//! An HTTP request of a benchmark, and how it is sent and measured.

use anyhow::Result;
use octavo_lab::load::{ServerTrace, Session, TimedAnswer};

pub(crate) const CHECK_OUT: &str = "/circulation/check-out-by-barcode";
pub(crate) const RENEW: &str = "/circulation/renew-by-barcode";
pub(crate) const CHECK_IN: &str = "/circulation/check-in-by-barcode";

/// A request without its headers; an empty body means that there is none.
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) body: String,
}

impl Call {
    pub(crate) fn get(path: impl Into<String>) -> Call {
        Call { method: "GET", path: path.into(), body: String::new() }
    }

    pub(crate) fn post(path: impl Into<String>, body: impl Into<String>) -> Call {
        Call { method: "POST", path: path.into(), body: body.into() }
    }

    /// Sends the request as this user; fails unless the answer has this status.
    pub(crate) async fn send(&self, user: &mut Session, status: u16) -> Result<TimedAnswer> {
        user.ask(self.method, &self.path, &self.body, status).await
    }

    /// Sends the request and returns the round trips and times that the server itself measured for it.
    pub(crate) async fn send_traced(&self, user: &mut Session, status: u16) -> Result<ServerTrace> {
        Ok(user.ask_traced(self.method, &self.path, &self.body, status).await?.1)
    }
}
