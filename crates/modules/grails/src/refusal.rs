//! Error answers of Grails modules, in Grails' own form and words (mod-service-interaction 4.0.2).

use octavo_engine::Request;
use octavo_kernel::Fault;
use serde_json::{Value, json};

pub(crate) fn not_found() -> Fault {
    Fault::json(404, json!({"message": "Not Found", "error": 404}))
}

pub(crate) fn forbidden(message: &str) -> Fault {
    Fault::json(403, json!({"message": message, "error": 403}))
}

pub(crate) fn bad_request(message: &str) -> Fault {
    Fault::json(400, json!({"message": message, "error": 400}))
}

/// 422 with the messages about an invalid record.
pub(crate) fn invalid(request: &Request, mut messages: Vec<String>) -> Fault {
    let link = format!("{}{}", request.context.platform.settings.url, request.path);
    let error = |message: String| json!({"message": message, "path": request.path, "_links": {"self": {"href": link}}});
    Fault::json(
        422,
        match messages.len() {
            1 => error(messages.remove(0)),
            total => {
                let errors: Vec<Value> = messages.into_iter().map(error).collect();
                json!({"total": total, "_embedded": {"errors": errors}})
            }
        },
    )
}

pub(crate) fn null_message(member: &str, class: &str) -> String {
    format!("Property [{member}] of class [class {class}] cannot be null")
}

pub(crate) fn too_long_message(member: &str, class: &str, value: &str, most: usize) -> String {
    format!(
        "Property [{member}] of class [class {class}] with value [{value}] exceeds the maximum size of [{most}]"
    )
}

pub(crate) fn not_unique_message(member: &str, class: &str, value: &str) -> String {
    format!("Property [{member}] of class [class {class}] with value [{value}] must be unique")
}

pub(crate) fn not_a_number_message(member: &str) -> String {
    format!("Property {member} must be a valid number")
}

pub(crate) fn not_a_date_message(member: &str) -> String {
    format!("Property {member} must be a valid Date")
}

pub(crate) fn pattern_mismatch_message(member: &str, class: &str, value: &str, pattern: &str) -> String {
    format!(
        "Property [{member}] of class [class {class}] with value [{value}] does not match the required pattern [{pattern}]"
    )
}

pub(crate) fn type_mismatch_message(member: &str) -> String {
    format!("Property {member} is type-mismatched")
}

pub(crate) fn still_referenced_message(class: &str) -> String {
    format!("The object of class [class {}] is still referred to", class)
}
