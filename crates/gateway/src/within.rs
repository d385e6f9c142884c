//! Requests that the program makes of itself: the handler of a route runs, as for a client whose caller was let in.

use octavo_engine::{Body, Context, Method, Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

use crate::answer::answer;
use crate::routes::RouteTable;

/// Answers as a client of the context's tenant would be answered that names the module. No permission is checked: the caller is the program
/// itself.
pub async fn call_as_system(
    routes: &'static RouteTable,
    context: &Context,
    module: &str,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Outcome<Response> {
    let found = routes.find(
        method,
        path,
        |entry| context.tenant.has_module(entry.module),
        Some(&format!("{module}-")),
    );
    let found = found.ok_or_else(|| {
        Fault::not_found_with(format!("the modules that the tenant has enabled have no {method} {path}"))
    })?;
    let entry = found.entry;
    let bytes = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
    let request = Request {
        context: context.clone(),
        method,
        path: path.to_owned(),
        dialect: entry.dialect,
        notation: entry.notation,
        parameters: found.parameters,
        query: Vec::new(),
        headers: Vec::new(),
        body: Body::from(bytes),
        client: String::new(),
    };
    answer(entry, request).await
}
