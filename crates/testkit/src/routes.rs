//! The route table, for tests that hold for every route.

use std::sync::LazyLock;

pub use octavo_engine::{Method, Serve};
pub use octavo_gateway::Entry;
use octavo_gateway::RouteTable;
use octavo_modules::MODULES;
use octavo_modules::facts::FACTS;

static ROUTES: LazyLock<RouteTable> = LazyLock::new(|| RouteTable::new(&FACTS, MODULES));

/// What `GET /octavo/openapi.json` answers.
pub fn openapi() -> serde_json::Value {
    octavo_gateway::openapi(&ROUTES)
}

/// The handler of a method and path, of whatever module.
pub(crate) fn route(method: Method, path: &str, module_id: Option<&str>) -> Option<&'static Entry> {
    ROUTES.find(method, path, |_| true, module_id).map(|found| found.entry)
}

/// Every handler of every module, built or not.
pub fn routes() -> impl Iterator<Item = &'static Entry> {
    ROUTES.entries()
}
