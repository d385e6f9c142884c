//! The circulation desk: loans and what happens to them by hand and by the clock, many clients at once, and what it costs
//! the database. What each decision says is
//! tested beside the decisions in `octavo-circulation`.

mod edits;
mod explained;
mod extremes;
mod history;
mod leniency;
mod life_of_a_request;
mod loans;
mod locks;
mod lost;
mod many_copies;
mod offline;
mod policies;
mod queues;
mod races;
mod request_options;
pub(crate) mod requests;
mod round_trips;
mod settings_at_once;
mod shown_requests;
mod speed_of_queues;
mod speed_of_slips;
mod statistics;
mod stored;
mod timers;
pub(crate) mod waiting;
mod walk;
mod wording;
