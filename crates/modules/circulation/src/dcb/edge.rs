//! edge-dcb 1.1.6: the calls of mod-dcb for the hub, which has an API key of each library.
//!
//! Facts: `DcbTransactionController`, `ExceptionHandlingController` of edge-dcb 1.1.6.

use octavo_engine::{Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequestFuture, Method};

pub(super) const EDGE: EdgeModule = EdgeModule {
    name: "edge-dcb",
    calls: &[
        call(Method::Get, "/dcbService/transactions/status", "/transactions/status"),
        call(Method::Post, "/dcbService/transactions/{dcbTransactionId}", "/transactions/{dcbTransactionId}"),
        call(Method::Put, "/dcbService/transactions/{dcbTransactionId}", "/transactions/{dcbTransactionId}"),
        call(
            Method::Get,
            "/dcbService/transactions/{dcbTransactionId}/status",
            "/transactions/{dcbTransactionId}/status",
        ),
        call(
            Method::Put,
            "/dcbService/transactions/{dcbTransactionId}/status",
            "/transactions/{dcbTransactionId}/status",
        ),
        call(
            Method::Put,
            "/dcbService/transactions/{dcbTransactionId}/renew",
            "/transactions/{dcbTransactionId}/renew",
        ),
    ],
    // What mod-dcb answers, refusals too.
    render_response: |_, answered| answered,
};

const fn call(method: Method, path: &'static str, route: &'static str) -> EdgeCall {
    EdgeCall { method, path, route: (method, route), make_request: ask }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async { Ok(request.to_route_request()) })
}
