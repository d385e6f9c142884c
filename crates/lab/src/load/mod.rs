//! The load: virtual users who walk through a workflow, all on one thread, which leaves the other cores to those who are
//! measured.

mod feed;
mod plan;
mod progress;
mod record;
mod render;
mod rows;
mod run;
mod session;
mod stop;
mod told;
mod trace;
mod user;
mod watch;

pub(crate) use feed::gather;
pub(crate) use plan::{LOG_IN, Plan, short_lists};
pub(crate) use progress::Progress;
pub(crate) use record::{Measured, Recorder};
pub(crate) use render::Values;
pub use run::on_one_thread;
pub(crate) use run::{Outcome, drive};
pub use session::{Login, Session, Timed};
pub use told::Told;
pub(crate) use trace::{Link, Traced, trace};
pub(crate) use watch::Generator;
