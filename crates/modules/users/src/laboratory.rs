//! The desk's pages about the laboratory: the reports in the configured folder (`lab-reports`), without which there is no laboratory;
//! runs, which can be started there; and the slow requests of this server.

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
    Get "/octavo/lab/runs/{name}" => reports::get;
    Get "/octavo/lab/experiments" => runs::list_options;
    Post "/octavo/lab/runs" => runs::begin;
    Get "/octavo/slow-requests" => slow::list;
    Get "/octavo/lab/running" => runs::state;
    Delete "/octavo/lab/running" => runs::stop;
};

fn laboratory(request: &Request) -> Outcome<&Laboratory> {
    let laboratory = request.context.platform.settings.laboratory.as_ref();
    laboratory
        .ok_or_else(|| Fault::not_found_with("The server was not told of a folder of reports (lab-reports)"))
}
