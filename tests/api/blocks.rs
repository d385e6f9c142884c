//! Limits that block patrons by themselves, and the desk that heeds them.

mod conditions;
mod desk;
pub(crate) mod limited;
mod limits;
mod outstanding;
mod synchronization;
