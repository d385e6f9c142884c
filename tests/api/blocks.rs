//! Limits that block patrons by themselves, and the desk that heeds them.

mod conditions;
mod desk;
mod limited;
mod limits;
mod outstanding;
mod synchronization;
