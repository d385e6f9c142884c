//! Definitions of widgets. FOLIO gathers those of all modules that provide the interface `dashboard`.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::kinds::DEFINITIONS;
use crate::records;

/// Of the modules that are built in, only this one provides that interface.
pub(super) async fn of_all_modules(request: Request) -> Outcome<Response> {
    records::list(request, &DEFINITIONS).await
}
