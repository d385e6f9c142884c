//! Calls that only the central tenant of a consortium may make.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

#[tokio::test]
async fn a_tenant_outside_of_a_consortium_is_refused() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let bound = |operation: &str| {
        let message = format!("{operation}.limit must be less than or equal to 1000");
        json!([{"message": message, "type": "ConstraintViolationException", "code": "validation_error"}])
    };
    let outside = json!([{
        "message": "The request allowed only for central tenant of consortium environment",
        "type": "RequestValidationException", "code": "validation_error",
        "parameters": [{"key": "x-okapi-tenant", "value": library.tenant.as_str()}],
    }]);
    for (path, expected) in [
        ("holdings", &outside),
        ("items?instanceId=69640328-788e-43fc-9c3c-af39e243f3b7", &outside),
        ("holdings?limit=1001", &bound("getConsortiumHoldings")),
        ("items?limit=1001", &bound("getConsortiumItems")),
    ] {
        let reply = library.get(&format!("/search/consortium/{path}")).await.expect(400).json();
        assert_eq!((&reply["errors"], &reply["total_records"]), (expected, &Value::from(1)), "{path}");
    }
}
