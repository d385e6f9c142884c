//! edge-dcb 1.1.6: the calls of mod-dcb for the hub, which has an API key of each library.
//!
//! Facts: `DcbTransactionController`, `ExceptionHandlingController` of edge-dcb 1.1.6.

use octavo_engine::{Context, Edge, EdgeAsking, EdgeCall, EdgeRequest, Method};

pub(super) const EDGE: Edge = Edge {
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
    shown: |_, answered| answered,
};

const fn call(method: Method, path: &'static str, route: &'static str) -> EdgeCall {
    EdgeCall { method, path, route: (method, route), ask }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeAsking<'a> {
    Box::pin(async { Ok(request.passed_on()) })
}
