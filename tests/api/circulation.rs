//! The circulation desk under load from many clients at once, and what it costs the database. What each decision says is
//! tested beside the decisions in `octavo-circulation`.

mod extremes;
mod races;
mod requests;
mod round_trips;
