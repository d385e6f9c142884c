//! The generator of load: virtual users run a workflow. All of them share one thread, which leaves the other processors to the server under
//! test.

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

pub(crate) use feed::load_feeders;
pub(crate) use plan::{LOG_IN_LABEL, Plan, short_list_notes};
pub(crate) use progress::Progress;
pub(crate) use record::{MeasuredTimes, Recorder};
pub(crate) use render::Values;
pub use run::on_one_thread;
pub(crate) use run::{Outcome, run_load};
pub use session::{Login, Session, TimedAnswer};
pub use told::ServerTrace;
pub(crate) use trace::{CallTrace, TransactionTrace, trace_transactions};
pub(crate) use watch::Generator;
