//! The part of mod-search 3.2.6 that a desk needs: search of titles by words, contributors, identifiers, call numbers and barcodes.
//!
//! FOLIO uses an Elasticsearch that follows the changes of inventory. Here the search uses the records themselves, so a stored record
//! is found at once. Words of titles, names, subjects and identifiers are in one indexed column of the instance (`keyword`); a
//! search in only some of these checks the instances that the column finds. Facts: `model/instance.json` of mod-search.

mod copies;
mod fields;
mod rewrite;
mod view;

use octavo_cql::Query;
use octavo_engine::{
    Call, Listing, Module, Notation, Request, Response, Shape, Total, calls, list_columns, page,
};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::Session;
use octavo_record::Page;
use serde_json::{Value, json};
use uuid::Uuid;

pub static MODULE: Module =
    Module { name: "mod-search", notation: Notation::SPRING, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/search/instances" => |request| in_its_words(instances(request));
    Get "/search/instances/ids" => |request| in_its_words(ids(request)), many;
};

async fn instances(request: Request) -> Outcome<Response> {
    let wanted = Page {
        limit: request.number("limit", 100, 0..=500)?,
        offset: request.number("offset", 0, 0..=9999)?,
    };
    let mut session = request.context.session().await?;
    let query = Some(query(&request, &mut session).await?);
    let listing = Listing { query, page: wanted, total: Total::Auto };
    let whole = request.truth("expandAll");
    let columns = if whole { view::WHOLE } else { view::BRIEF };
    let (rows, total) = list_columns(&mut session, &INSTANCE, columns, &listing).await?;
    let tenant = request.context.tenant.id.as_str();
    let found: Vec<Value> = rows.iter().map(|row| view::shown(row, tenant, whole)).collect();
    Ok(Response::json(200, &json!({"totalRecords": total.unwrap_or(0), "instances": found})))
}

/// The ids of all instances that a query finds.
async fn ids(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let query = Some(query(&request, &mut session).await?);
    drop(session);
    let listing = Listing { query, total: Total::Exact, ..Listing::everything() };
    let shape = Shape::values("ids", |row| json!({"id": row.read::<Uuid>()}));
    page(&request.context, &INSTANCE, "t.id", &listing, shape).await
}

/// What the client asks for, as a query over instances.
async fn query(request: &Request, session: &mut Session) -> Outcome<Query> {
    let text = request.query("query").filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| Fault::bad_request("Required parameter 'query' is not present"))?;
    let asked = octavo_cql::parse(text).map_err(|error| {
        let place = error.position;
        Fault::bad_request(format!("Failed to parse cql query [cql: '{text}']: {error} at position {place}"))
    })?;
    rewrite::rewritten(session, &asked).await
}

/// Gives faults with status 400 this module's form, an object.
async fn in_its_words(answer: impl Future<Output = Outcome<Response>>) -> Outcome<Response> {
    answer.await.map_err(|fault| match &fault.body {
        Body::Text(text) if fault.status == 400 => {
            let error =
                json!({"message": text, "type": "RequestValidationException", "code": "validation_error"});
            Fault::json(400, json!({"errors": [error], "total_records": 1}))
        }
        _ => fault,
    })
}

octavo_pg::statements!(within = [copies]);
