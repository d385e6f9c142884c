//! TLS: the server's certificate, read anew when its files change, and the certificates of others that are trusted.

mod certificate;
mod server_check;
mod trust;

pub use certificate::Certificate;
pub use server_check::{Proof, client_config, client_config_trusting};
pub use trust::{OwnCertificate, parse_authorities, read_authorities};
