//! mod-ncip 1.14.5: NISO's Circulation Interchange Protocol (Z39.83), in which partner libraries and systems for interlibrary loans look up
//! patrons, accept items, lend them and take them back. A message is one POST of XML; what it means is done by the calls of other
//! modules, with the permissions that mod-ncip has of FOLIO's, so that its own permission is all that a client needs.
//!
//! Facts: mod-ncip 1.14.5; `RequestItem` and `CancelRequestItem`, and PINs, as in 1.15.

mod agency;
mod library;
mod message;
mod problem;
mod services;
mod words;

use octavo_engine::{
    Call, Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest, EdgeRouteRequestFuture, Method,
    Module, Request, Response, calls,
};
use octavo_kernel::Outcome;

use crate::library::Library;
use crate::message::Message;
use crate::words::{response, unprocessed};

pub static MODULE: Module = Module { name: "mod-ncip", calls: CALLS, edges: &[EDGE], ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/ncip" => answer;
    Get "/ncipconfigcheck" => check;
};

/// edge-ncip 1.10.0 passes messages on.
const EDGE: EdgeModule = EdgeModule {
    name: "edge-ncip",
    calls: &[
        by_key(Method::Post, "/ncip", "/ncip"),
        by_key(Method::Post, "/ncip/{apiKeyPath}", "/ncip"),
        by_key(Method::Get, "/ncipconfigcheck", "/ncipconfigcheck"),
    ],
    render_response: |_, answered| answered,
};

const fn by_key(method: Method, path: &'static str, route: &'static str) -> EdgeCall {
    EdgeCall { method, path, route: (method, route), make_request: pass_on }
}

fn pass_on<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async { Ok(EdgeRouteRequest { body: request.body.to_vec(), ..EdgeRouteRequest::default() }) })
}

/// Answers a message. If its service fails, the answer has status 200 and contains the problem. An unreadable message is answered with 400.
async fn answer(request: Request) -> Outcome<Response> {
    let message = match Message::read(&request.body) {
        Ok(message) => message,
        Err(why) => return Ok(unprocessed(400, &why)),
    };
    let Some(service) = services::find(&message.service) else {
        return Ok(response(|xml| words::problem(xml, &problem::unsupported(&message.service))));
    };
    let library = Library::from_request(&request);
    let answered = (service.perform)(&library, &message).await.map_err(|failure| service.problem(failure));
    Ok(response(|xml| {
        xml.element(
            &words::qualified_name(&format!("{}Response", service.name)),
            &[],
            |xml| match &answered {
                Ok(inside) => xml.append(inside),
                Err(problem) => words::problem(xml, problem),
            },
        );
    }))
}

/// Answers whether the records exist that the settings name.
async fn check(request: Request) -> Outcome<Response> {
    match agency::check(&Library::from_request(&request)).await {
        Ok(()) => Ok(Response::text(200, "OK")),
        Err(why) => Ok(unprocessed(422, &why)),
    }
}
