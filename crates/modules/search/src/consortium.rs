//! Holdings records and items of all members of a consortium. mod-search answers such requests only for the central tenant of a consortium.
//! No tenant of Octavo is one, so every tenant gets the error that FOLIO gives to other tenants.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use crate::asked::number_parameters;
use crate::refusals::invalid_parameter;

pub(crate) async fn holdings(request: Request) -> Outcome<Response> {
    only_for_central_tenants(&request, "getConsortiumHoldings")
}

pub(crate) async fn items(request: Request) -> Outcome<Response> {
    only_for_central_tenants(&request, "getConsortiumItems")
}

fn only_for_central_tenants(request: &Request, operation: &str) -> Outcome<Response> {
    number_parameters(request, operation, &[("limit", 100, 0..=1_000), ("offset", 0, 0..=9_999)])?;
    let message = "The request allowed only for central tenant of consortium environment";
    Err(invalid_parameter(message, "x-okapi-tenant", request.context.tenant.id.as_str()))
}
