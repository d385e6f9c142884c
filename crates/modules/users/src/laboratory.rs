//! The laboratory as the desk shows it: the reports in the folder that the server was told of (`lab-reports`), and runs that
//! are begun from there. Without the folder there is none of it. And what took this server long.

mod child;
mod reports;
mod runs;
mod slow;

use octavo_engine::{Call, Laboratory, Module, Notation, Request, calls};
use octavo_kernel::{Fault, Outcome};

pub static MODULE: Module =
    Module { name: "octavo-lab", notation: Notation::COMPACT, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/octavo/lab/runs" => reports::list;
    Get "/octavo/lab/runs/{name}" => reports::one;
    Get "/octavo/lab/experiments" => runs::offers;
    Post "/octavo/lab/runs" => runs::begin;
    Get "/octavo/slow-requests" => slow::list;
    Get "/octavo/lab/running" => runs::state;
    Delete "/octavo/lab/running" => runs::stop;
};

fn laboratory(request: &Request) -> Outcome<&Laboratory> {
    let laboratory = request.context.platform.settings.laboratory.as_ref();
    laboratory.ok_or_else(|| Fault::missing("The server was not told of a folder of reports (lab-reports)"))
}
