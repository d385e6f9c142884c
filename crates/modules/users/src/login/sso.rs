//! Single sign-on: people log in at an issuer of OpenID Connect, and Octavo finds the library's user by the claims in the issuer's token.
//! The desk begins it by paths of its own, FOLIO's user interface by those of mod-login-saml.
//!
//! Facts: OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749 (codes), RFC 7636 (PKCE), RFC 9207 (who answers), RFC 9700 (what to look out
//! for).

mod attempt;
mod begin;
mod callback;
mod fetch;
mod folio;
mod id_token;
mod keys;
mod person;
mod provider;
mod records;
mod refused;
mod settings;

pub use folio::MODULE;

pub(crate) use begin::start;
pub(crate) use callback::callback;
pub(super) use person::{Field, find as find_by};
pub(super) use records::{DIRECTORY, read_settings, write_settings};
pub(crate) use records::{SETTINGS, USED};
pub(crate) use settings::{get as get_settings, offered, replace as replace_settings};

octavo_pg::statements!(within = [callback, person, records]);
