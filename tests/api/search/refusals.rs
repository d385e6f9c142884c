//! What a search of titles is refused for, in mod-search's words.

use std::time::Duration;

use octavo_pg::Limits;
use octavo_testkit::{Desk, Library, Octavo, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const REQUEST: &str = "RequestValidationException";
const UNSUPPORTED: &str = "UnsupportedOperationException";

fn error_json(kind: &str, code: &str, message: &str, about: Option<(&str, &str)>) -> Value {
    let mut error = json!({"message": message, "type": kind, "code": code});
    if let Some((key, value)) = about {
        error["parameters"] = json!([{"key": key, "value": value}]);
    }
    error
}

async fn assert_refused(desk: &Desk, path: &str, status: u16, errors: Value) {
    let reply = desk.get(path).await.expect(status);
    let count = errors.as_array().map_or(0, Vec::len);
    assert_eq!(reply.json(), json!({"errors": errors, "total_records": count}), "{path}");
}

#[tokio::test]
async fn a_query_that_cannot_be_answered_is_refused_with_what_is_wrong_in_it() {
    let desk = Desk::open().await;
    let field = "Invalid search field provided in the CQL query";
    let sort = "Sort field not found or cannot be used.";
    let comparator = "Failed to parse CQL query. Comparator 'within' is not supported.";
    let invalid = |message, key, value| error_json(REQUEST, "validation_error", message, Some((key, value)));
    let unreadable = |query: &str| {
        let message = format!("Failed to parse cql query [cql: '{query}', resource: instance]");
        error_json("SearchServiceException", "service_error", &message, None)
    };
    let range = "Query is not supported yet [operator(s): [<], field(s): [title.*, alternativeTitles.alternativeTitle.*, indexTitle.*, series.value.*]]";
    for (query, status, expected) in [
        ("", 400, unreadable("")),
        ("title=(", 400, unreadable("title=(")),
        ("colour==red", 400, invalid(field, "field", "colour")),
        ("item.colour==red", 400, invalid(field, "field", "items.colour")),
        ("title=a sortby colour", 400, invalid(sort, "sortField", "colour")),
        ("title=a sortby languages", 400, invalid(sort, "sortField", "languages")),
        ("title within a", 400, error_json(UNSUPPORTED, "service_error", comparator, None)),
        ("title<a", 400, error_json(UNSUPPORTED, "service_error", range, None)),
        (
            "metadata.createdDate>=yesterday",
            422,
            error_json(
                "ValidationException",
                "validation_error",
                "Invalid date format",
                Some(("metadata.createdDate", "yesterday")),
            ),
        ),
    ] {
        let path = format!("/search/instances?query={}", encode(query));
        assert_refused(&desk, &path, status, json!([expected])).await;
    }
    for query in [
        "items.barcode=\"\"",
        "title=a sortby relevance",
        "title=a sortby title/sort.descending items.status.name",
    ] {
        desk.find("/search/instances", query).await.expect(200);
    }
}

#[tokio::test]
async fn parameters_out_of_their_bounds_are_told_all_at_once() {
    let desk = Desk::open().await;
    let violation = |name: &str, wrong: &str| {
        let message = format!("searchInstances.{name} must be {wrong}");
        error_json("ConstraintViolationException", "validation_error", &message, None)
    };
    let mismatch = |kind: &str, why: &str| {
        let begin = "Failed to convert value of type 'java.lang.String' to required type";
        let message = format!("{begin} 'java.lang.{kind}'; {why}");
        error_json("MethodArgumentTypeMismatchException", "validation_error", &message, None)
    };
    let missing = "Required request parameter 'query' for method parameter type String is not present";
    let sum = "The sum of limit and offset should not exceed 10000.";
    let too_many = "less than or equal to 500";
    for (path, expected) in [
        (
            "?limit=1",
            json!([error_json("MissingServletRequestParameterException", "validation_error", missing, None)]),
        ),
        ("?query=a&limit=501", json!([violation("limit", too_many)])),
        (
            "?query=a&limit=501&offset=-1",
            json!([violation("limit", too_many), violation("offset", "greater than or equal to 0")]),
        ),
        ("?query=a&offset=10000", json!([violation("offset", "less than or equal to 9999")])),
        ("?query=a&limit=x", json!([mismatch("Integer", "For input string: \"x\"")])),
        ("?query=a&expandAll=x", json!([mismatch("Boolean", "Invalid boolean value [x]")])),
        (
            "?query=a&limit=500&offset=9501",
            json!([error_json(REQUEST, "validation_error", sum, Some(("offset + limit", "10001")))]),
        ),
    ] {
        assert_refused(&desk, &format!("/search/instances{path}"), 400, expected).await;
    }
    desk.get("/search/instances?query=keyword%3Da&limit=500&offset=9500").await.expect(200);
    desk.get("/search/instances?query=keyword%3Da&limit=0").await.expect(200);
}

#[tokio::test]
async fn a_search_that_takes_longer_than_it_may_is_given_up_with_the_reason() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    instance(&desk, json!({"title": "Beloved"})).await;
    let hasty = Octavo::with_connections(
        8,
        Limits::for_server(Duration::from_nanos(1), Duration::from_secs(600)),
        None,
    )
    .await;
    let hasty = library.through(&hasty);
    let calls = [
        ("/search/instances", "title=\"*love*\""),
        ("/search/instances/facets", "title=\"*love*\""),
        ("/browse/call-numbers/instances", "callNumber >= \"a\" and staffSuppress==false"),
    ];
    for (path, query) in calls {
        let path = format!("{path}?query={}&facet=languages", encode(query));
        desk.get(&path).await.expect(200);
        let reply = hasty.get(&path).await.expect(503);
        let reason = "The search took too long and was given up. Please ask for something more definite";
        assert!(reply.text().starts_with(reason), "{path}: {reply}");
    }
}
