//! Holdings records and items of all members of a consortium: mod-search answers these to the consortium's central tenant alone. No
//! tenant of Octavo is one, so each is told what FOLIO tells tenants outside of a consortium.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use crate::asked::numbers;
use crate::refusals::invalid;

pub(crate) async fn holdings(request: Request) -> Outcome<Response> {
    only_for_central_tenants(&request, "getConsortiumHoldings")
}

pub(crate) async fn items(request: Request) -> Outcome<Response> {
    only_for_central_tenants(&request, "getConsortiumItems")
}

fn only_for_central_tenants(request: &Request, operation: &str) -> Outcome<Response> {
    numbers(request, operation, &[("limit", 100, 0..=1_000), ("offset", 0, 0..=9_999)])?;
    let message = "The request allowed only for central tenant of consortium environment";
    Err(invalid(message, "x-okapi-tenant", request.context.tenant.id.as_str()))
}
