//! Permissions, sets of them, and who holds which (mod-permissions 6.5.0).

mod escalation;
mod explained;
mod holders;
mod roles;
mod sets;
