//! HTTP/1.1 as a client speaks it: one connection that is kept, and requests that are ready as bytes. A client library would
//! take as much of the processor as what is measured.

mod answer;
mod connection;

pub use answer::Answer;
pub(crate) use connection::Connection;
pub use connection::{Address, Authorities};
