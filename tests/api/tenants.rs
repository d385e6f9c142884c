//! Tenants: made, filled with modules, kept apart, removed (Okapi 5.3.0); and several servers for the same tenants.

mod beside;
mod deleted;
mod frozen;
mod isolation;
mod life;
mod migrations;
mod rule;
mod servers;
mod user_interfaces;
