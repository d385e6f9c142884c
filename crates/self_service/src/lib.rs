//! The server for self-check machines, gates and sorters: SIP2 over TCP or TLS.
//!
//! A machine logs in as a user of the library, and each of its messages becomes the calls that a client would make by HTTP, under that
//! user's permissions. So it decides nothing itself: it knows which calls a message means and which fields answer it. Facts: 3M Standard
//! Interchange Protocol 2.00; edge-sip2 3.x for names of settings, for what FOLIO's fields are called in it, and for its extensions.

mod answers;
mod configuration;
mod conversation;
mod desk;
mod door;
mod limits;
mod patron;
mod session;
mod sign_in;
mod terminals;
mod times;
mod words;

pub use door::TerminalListener;
pub use limits::Limits;
pub use terminals::Terminals;
