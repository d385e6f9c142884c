//! The calls that are measured.

use anyhow::Result;
use octavo_lab::load::{Session, Timed, Told};

pub(crate) const CHECK_OUT: &str = "/circulation/check-out-by-barcode";
pub(crate) const RENEW: &str = "/circulation/renew-by-barcode";
pub(crate) const CHECK_IN: &str = "/circulation/check-in-by-barcode";

/// A request without its headers; an empty body is none.
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

    /// Fails unless the answer has this status.
    pub(crate) async fn by(&self, user: &mut Session, status: u16) -> Result<Timed> {
        user.ask(self.method, &self.path, &self.body, status).await
    }

    /// Makes the call and returns what it took by the server's own count.
    pub(crate) async fn traced(&self, user: &mut Session, status: u16) -> Result<Told> {
        Ok(user.ask_traced(self.method, &self.path, &self.body, status).await?.1)
    }
}
