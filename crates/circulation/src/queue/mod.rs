//! The request queue: which request an item fulfils, and what happens to the others.
//!
//! Recalls that shorten the loan of an item just checked out belong to the requests' own issue and are not
//! decided here.

mod fulfil;
mod positions;

pub(crate) use fulfil::{Moment, first_fulfillable};
pub(crate) use positions::{after_removing, moved_before_unfilled};
