//! edge-patron 5.1.1: the calls of mod-patron for discovery systems with an API key. They name a patron by the external system id.
//!
//! Facts: `PatronHandler`, `PatronOkapiClient`, `HoldCancellationValidator` of edge-patron 5.1.1.

use octavo_engine::{
    Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest, EdgeRouteRequestFuture, Method, Notation,
    Response,
};
use octavo_kernel::{Fault, Outcome, Refusal, json_text, parse_time};
use octavo_pg::Statement;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) const EDGE: EdgeModule = EdgeModule {
    name: "edge-patron",
    calls: &[
        EdgeCall {
            method: Method::Get,
            path: "/patron/account/{patronId}",
            route: (Method::Get, "/patron/account/{accountId}"),
            make_request: |context, request| Box::pin(account_call(context, request)),
        },
        EdgeCall {
            method: Method::Post,
            path: "/patron/account/{patronId}/item/{itemId}/renew",
            route: (Method::Post, "/patron/account/{accountId}/item/{itemId}/renew"),
            make_request: patron_call,
        },
        EdgeCall {
            method: Method::Post,
            path: "/patron/account/{patronId}/item/{itemId}/hold",
            route: (Method::Post, "/patron/account/{accountId}/item/{itemId}/hold"),
            make_request: |context, request| Box::pin(hold_call(context, request)),
        },
        EdgeCall {
            method: Method::Post,
            path: "/patron/account/{patronId}/instance/{instanceId}/hold",
            route: (Method::Post, "/patron/account/{accountId}/instance/{instanceId}/hold"),
            make_request: |context, request| Box::pin(hold_call(context, request)),
        },
        EdgeCall {
            method: Method::Get,
            path: "/patron/account/{patronId}/instance/{instanceId}/allowed-service-points",
            route: (Method::Get, "/patron/account/{accountId}/instance/{instanceId}/allowed-service-points"),
            make_request: patron_call,
        },
        EdgeCall {
            method: Method::Post,
            path: "/patron/account/{patronId}/hold/{holdId}/cancel",
            route: (Method::Post, "/patron/account/{accountId}/hold/{holdId}/cancel"),
            make_request: |context, request| Box::pin(cancel_call(context, request)),
        },
    ],
    render_response: edge_response,
};

const PARAMETERS: [&str; 6] = ["includeLoans", "includeCharges", "includeHolds", "sortBy", "limit", "offset"];

async fn account_call(context: &Context, request: &EdgeRequest) -> Outcome<EdgeRouteRequest> {
    let parameters = patron_parameters(context, request).await?;
    let given = |name: &&str| {
        let value = request.query(name)?;
        let value = if name.starts_with("include") { value.to_lowercase() } else { value.to_owned() };
        Some(((*name).to_owned(), value))
    };
    Ok(EdgeRouteRequest {
        parameters,
        query: PARAMETERS.iter().filter_map(given).collect(),
        body: Vec::new(),
    })
}

/// A call without a body, or whose body does not matter.
fn patron_call<'a>(context: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async {
        Ok(EdgeRouteRequest {
            parameters: patron_parameters(context, request).await?,
            ..EdgeRouteRequest::default()
        })
    })
}

/// The hold is requested now, whatever the client says; an expiration date that is none is left out.
async fn hold_call(context: &Context, request: &EdgeRequest) -> Outcome<EdgeRouteRequest> {
    let nothing = || Fault::bad_request("No hold data provided");
    let mut hold = match request.body.is_empty() {
        true => return Err(nothing()),
        false => request.json()?,
    };
    let members = hold.as_object_mut().ok_or_else(nothing)?;
    members.insert("requestDate".to_owned(), json!(context.now_text()));
    let is_date = |value: &Value| value.as_str().is_some_and(|text| parse_time(text).is_some());
    if members.get("expirationDate").is_some_and(|value| !is_date(value)) {
        members.remove("expirationDate");
    }
    let parameters = patron_parameters(context, request).await?;
    Ok(EdgeRouteRequest { parameters, query: Vec::new(), body: hold.to_string().into_bytes() })
}

/// It is the patron who cancels, whoever the client says.
async fn cancel_call(context: &Context, request: &EdgeRequest) -> Outcome<EdgeRouteRequest> {
    let said = cancellation_body(request)?;
    let parameters = patron_parameters(context, request).await?;
    let text = |key: &str| said[key].as_str();
    let mut hold = json!({
        "requestId": request.path_parameter(1),
        "cancellationReasonId": text("cancellationReasonId"),
        "canceledByUserId": parameters.first(),
        "canceledDate": text("canceledDate").unwrap_or(&context.now_text()),
    });
    if let Some(information) = text("cancellationAdditionalInformation") {
        hold["cancellationAdditionalInformation"] = json!(information);
    }
    Ok(EdgeRouteRequest { parameters, query: Vec::new(), body: hold.to_string().into_bytes() })
}

fn cancellation_body(request: &EdgeRequest) -> Outcome<Value> {
    const NEEDED: [&str; 2] = ["holdId", "cancellationReasonId"];
    let refused = |message: String| Fault::from(Refusal::new(message).code("422"));
    let said = request.json();
    let said =
        said.map_err(|fault| refused(format!("invalid holdCancellationRequest. {}", fault.body.render())))?;
    let ids = NEEDED.map(|key| said[key].as_str().unwrap_or_default());
    if ids.iter().any(|id| id.is_empty()) {
        let message = "required fields for cancelling holds are missing (holdId, cancellationReasonId)";
        return Err(refused(message.to_owned()));
    }
    if ids.iter().any(|id| Uuid::parse_str(id).is_err()) {
        let message = "invalid values for one of the required fields (holdId, cancellationReasonId)";
        return Err(refused(message.to_owned()));
    }
    Ok(said)
}

/// The parameters of the path, with the patron's id instead of the external system id.
async fn patron_parameters(context: &Context, request: &EdgeRequest) -> Outcome<Vec<String>> {
    for name in ["offset", "limit"] {
        let Some(text) = request.query(name) else { continue };
        if !text.parse::<i32>().is_ok_and(|number| number >= 0) {
            return Err(Fault::bad_request(format!(
                "'{name}' parameter is incorrect. parameter value {{{text}}} is not valid: must be an integer, greater than or equal to 0"
            )));
        }
    }
    let external = request.path_parameter(0);
    let unknown = || Fault::not_found_with(format!("Unable to find patron {external}"));
    // Patrons of another tenant, whom FOLIO looks up with the key's token.
    if request.query("alternateTenantId").is_some_and(|tenant| tenant != context.tenant.id.as_str()) {
        return Err(unknown());
    }
    let mut session = context.session().await?;
    let patron: Option<Uuid> = session.read(Statement::new(PATRON).text(external)).await?;
    let patron = patron.ok_or_else(unknown)?;
    let others = request.parameters.iter().skip(1).cloned();
    Ok(std::iter::once(patron.to_string()).chain(others).collect())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorMessage {
    code: u16,
    error_message: String,
}

/// What mod-patron answers, as it is; a refusal with its status and its text or, of several, the first.
fn edge_response(_: &EdgeRequest, answered: Response) -> Response {
    if answered.status < 400 {
        return answered;
    }
    let error = ErrorMessage { code: answered.status, error_message: message(&answered) };
    let body = Response::json_text(answered.status, json_text(&error));
    Notation::RMB.format_response(Response { headers: answered.headers, ..body })
}

fn message(answered: &Response) -> String {
    if answered.status != 422 {
        return String::from_utf8_lossy(&answered.body).into_owned();
    }
    let Ok(refusals) = serde_json::from_slice::<Value>(&answered.body) else {
        return "A problem encountered when extracting error message".to_owned();
    };
    refusals["errors"][0]["message"].as_str().unwrap_or("No error message found").to_owned()
}

const PATRON: &str = "select id from users where \"externalSystemId\" = octavo.fold($1)";

octavo_pg::statements!(hot = [PATRON]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_edge_patrons_shape() {
        let refusals = |body: &str| Response::json_text(422, body);
        for (answered, status, message) in [
            (Response::text(404, "Unable to find patron x"), 404, "Unable to find patron x"),
            (refusals("{\"errors\": [{\"message\": \"one\"}, {\"message\": \"two\"}]}"), 422, "one"),
            (refusals("{\"errors\": []}"), 422, "No error message found"),
            (refusals("?"), 422, "A problem encountered when extracting error message"),
        ] {
            let shown = edge_response(&EdgeRequest::default(), answered);
            let body: Value = serde_json::from_slice(&shown.body).unwrap();
            assert_eq!((shown.status, shown.content_type), (status, "application/json"));
            assert_eq!(body, json!({"code": status, "errorMessage": message}));
        }
        let fine = edge_response(&EdgeRequest::default(), Response::text(201, "as it is"));
        assert_eq!((fine.status, &*fine.body), (201, "as it is".as_bytes()));
    }
}
