//! The laboratory as the desk shows it: the reports in the folder that the server was told of (`lab-reports`), and runs that
//! are begun from there. Without the folder there is none of it. And what took this server long.

mod child;
mod reports;
mod runs;
mod slow;

use octavo_engine::{Call, Laboratory, Method, Module, Notation, Request, answering};
use octavo_kernel::{Fault, Outcome};

pub static MODULE: Module =
    Module { name: "octavo-lab", notation: Notation::COMPACT, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/octavo/lab/runs", |request| answering(reports::list(request))),
    Call::new(Method::Get, "/octavo/lab/runs/{name}", |request| answering(reports::one(request))),
    Call::new(Method::Get, "/octavo/lab/experiments", |request| answering(runs::offers(request))),
    Call::new(Method::Post, "/octavo/lab/runs", |request| answering(runs::begin(request))),
    Call::new(Method::Get, "/octavo/slow-requests", |request| answering(slow::list(request))),
    Call::new(Method::Get, "/octavo/lab/running", |request| answering(runs::state(request))),
    Call::new(Method::Delete, "/octavo/lab/running", |request| answering(runs::stop(request))),
];

fn laboratory(request: &Request) -> Outcome<&Laboratory> {
    let laboratory = request.context.platform.settings.laboratory.as_ref();
    laboratory.ok_or_else(|| Fault::text(404, "The server was not told of a folder of reports (lab-reports)"))
}
