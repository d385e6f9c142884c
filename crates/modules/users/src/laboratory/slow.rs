//! `GET /octavo/slow-requests`: the tenant's slow requests to this process, the latest first.

use octavo_engine::{Request, Response, SlowRequests};
use octavo_kernel::{Outcome, folio_time};
use serde_json::{Value, json};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let slow: Vec<Value> = context
        .platform
        .slow_requests
        .for_tenant(&context.tenant.id)
        .iter()
        .map(|one| {
            json!({
                "at": folio_time(one.at),
                "method": one.method,
                "path": one.path,
                "milliseconds": one.took.as_millis() as u64,
            })
        })
        .collect();
    let limit = SlowRequests::LIMIT.as_millis() as u64;
    Ok(Response::json(
        200,
        &json!({"slowRequests": slow, "fromMilliseconds": limit, "totalRecords": slow.len()}),
    ))
}
