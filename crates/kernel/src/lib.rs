//! The vocabulary that every other crate shares: who calls, for which tenant, when, and what went wrong.
//!
//! Pure: knows no tokio, no SQL and no HTTP. It reads no clock and draws no random numbers;
//! both come in as arguments.

mod caller;
mod fault;
mod hex;
mod json;
mod members;
mod tenant;
mod time;
mod xml;

pub use caller::{Caller, Permissions, TokenSession};
pub use fault::{Body, Fault, Kind, OverridableBlock, ParameterValue, Refusal};
pub use hex::hex;
pub use json::json_text;
pub use members::{Members, RawJson, raw_json};
pub use tenant::TenantId;
pub use time::{folio_time, parse_time};
pub use xml::{Xml, escape_text};

/// The result of everything that can be refused.
pub type Outcome<T> = Result<T, Fault>;
