//! TLS: the server's certificate, read anew when its files change, and the certificates of others that are trusted.

mod certificate;
mod trust;

pub use certificate::Certificate;
pub use trust::{authorities, trusting};
