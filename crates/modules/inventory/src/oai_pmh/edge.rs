//! edge-oai-pmh 2.9.2: OAI-PMH for harvesters that send an API key, in the query or in the path, instead of a token. Requests are GET, or
//! POST with the arguments as a form.

use octavo_engine::{
    Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest, EdgeRouteRequestFuture, Method, Response,
};
use octavo_kernel::Fault;

pub(super) const EDGE: EdgeModule = EdgeModule {
    name: "edge-oai-pmh",
    calls: &[
        call(Method::Get, "/oai"),
        call(Method::Get, "/oai/{apiKeyPath}"),
        call(Method::Post, "/oai"),
        call(Method::Post, "/oai/{apiKeyPath}"),
    ],
    render_response: adapt_response,
};

const fn call(method: Method, path: &'static str) -> EdgeCall {
    EdgeCall { method, path, route: (Method::Get, "/oai/records"), make_request: ask }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async move {
        if !takes_xml(&request.accept) {
            return Err(Fault::text(406, ""));
        }
        let body = request.body.to_vec();
        let form = form_urlencoded::parse(&body).into_owned();
        let form = form.filter(|(name, _)| !name.eq_ignore_ascii_case("apikey"));
        let query = request.query.iter().cloned().chain(form).collect();
        Ok(EdgeRouteRequest { query, ..EdgeRouteRequest::default() })
    })
}

fn adapt_response(request: &EdgeRequest, answered: Response) -> Response {
    if !takes_xml(&request.accept) {
        let text = format!(
            "Accept header must be \"text/xml\" for this request, but it is \"{}\", can not send */*",
            request.accept
        );
        return Response { content_type: "text/xml", ..Response::text(406, text) };
    }
    match answered.status {
        401 => Response::text(401, "The access to repository is denied. Please contact administrator(s)."),
        _ => answered,
    }
}

/// Whether the client accepts `text/xml`, the only content type of the answers.
fn takes_xml(accept: &str) -> bool {
    let kinds = accept.split(',').map(|entry| entry.split(';').next().unwrap_or_default().trim());
    let mut kinds = kinds.filter(|kind| !kind.is_empty()).peekable();
    kinds.peek().is_none()
        || kinds.any(|kind| match kind.split_once('/') {
            Some((kind, form)) => matches!(kind.trim(), "text" | "*") && matches!(form.trim(), "xml" | "*"),
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_xml_is_what_a_harvester_has_to_take() {
        for (accept, taken) in [
            ("", true),
            ("text/xml", true),
            ("text/*;q=0.5", true),
            ("*/*", true),
            ("application/json, text/xml", true),
            ("application/xml", false),
            ("text/html", false),
        ] {
            assert_eq!(takes_xml(accept), taken, "{accept}");
        }
    }
}
