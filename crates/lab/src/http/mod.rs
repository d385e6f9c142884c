//! A small HTTP/1.1 client: one connection that is kept between requests, and requests as prepared bytes. A general client library would
//! use as much processor time as the server under test.

mod answer;
mod connection;

pub use answer::Answer;
pub(crate) use connection::Connection;
pub use connection::{Address, Authorities};
