//! Bodies as Spring reads them, with its messages about invalid ones.

use octavo_engine::Request;
use octavo_kernel::{Fault, Kind, Outcome};
use octavo_record::{Reading, Schema};
use serde_json::{Value, json};

/// The body, if it is JSON and fits the schema.
pub(super) fn read(request: &Request, schema: &Schema) -> Outcome<Value> {
    if request.header("content-type").is_some_and(|kind| !kind.starts_with("application/json")) {
        let error = json!({
            "timestamp": request.context.now_text(),
            "status": 415,
            "error": "Unsupported Media Type",
            "path": request.path,
        });
        return Err(Fault::json(415, error));
    }
    if request.body.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::new(Kind::Refused, format!("Required request body is missing: {}", request.path)));
    }
    schema.check(request.json()?, Reading::FromClient).map(|checked| checked.0).map_err(|refusals| {
        let field = |refusal: &octavo_kernel::Refusal| {
            let named = refusal.parameters.first().map_or("", |(key, _)| key.as_str());
            format!("[{named}: {}]", refusal.message)
        };
        let fields: Vec<String> = refusals.iter().map(field).collect();
        Fault::new(Kind::Refused, format!("Validation failed for argument [0]: {}", fields.join(", ")))
    })
}
