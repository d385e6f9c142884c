//! The load: virtual users who walk through a workflow, all on one thread, which leaves the other cores to those who are
//! measured.

mod feed;
mod record;
mod render;
mod run;
mod session;
mod trace;
mod user;
mod watch;

pub(crate) use feed::gather;
pub(crate) use record::{Measured, Recorder};
pub(crate) use render::{Values, short_lists};
pub(crate) use run::{LOG_IN, Outcome, Plan, drive};
pub(crate) use session::{Login, Session};
pub(crate) use trace::{Link, Told, Traced, trace};
pub(crate) use watch::Generator;
