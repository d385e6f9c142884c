//! Checking of secrets, for log-ins and for patrons' PINs.

mod aside;
pub(crate) mod guessing;
pub(crate) mod password;
mod queue;
mod remembered;

octavo_pg::statements!(within = [guessing]);
