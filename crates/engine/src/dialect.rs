//! The form of a module's error messages. FOLIO's modules are built on one of two libraries, and clients tell them apart by their
//! errors: RAML Module Builder's, which this engine speaks, and folio-spring's, which it is translated to.

use octavo_kernel::{Body, Fault, Refusal};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Text for 400, 404 and 500; 422 with `type`, `code` and `parameters` for each refusal.
    Rmb,
    /// Like `Rmb`, but the parameters of a refusal stand in the order of Java's `HashMap`, in which mod-circulation keeps them.
    /// FOLIO's pages show the first of them.
    Circulation,
    /// One JSON shape for all of them; what cannot be read or searched is 422.
    Spring {
        /// The message for an id in the path that is no UUID; `{}` is the id.
        bad_id: &'static str,
    },
    /// mod-entities-links: one JSON form, in which `type` is the name of a Java exception and `code` is a word.
    Links,
}

impl Dialect {
    /// An id in the path that is no UUID.
    pub(crate) fn bad_id(self, id: &str) -> Fault {
        Fault::bad_request(match self {
            Dialect::Rmb | Dialect::Circulation => BAD_ID.to_owned(),
            Dialect::Spring { bad_id } => bad_id.replace("{}", id),
            Dialect::Links => format!("{NO_CONVERSION} 'java.util.UUID'; Invalid UUID string: {id}"),
        })
    }

    /// The least `limit` that a page may have.
    pub(crate) fn least_limit(self) -> i64 {
        match self {
            Dialect::Rmb | Dialect::Circulation | Dialect::Links => 0,
            Dialect::Spring { .. } => 1,
        }
    }

    /// Translates a fault of the engine into the error format of this dialect.
    pub fn translate_fault(self, mut fault: Fault) -> Fault {
        if let (Dialect::Circulation, Body::Refusals(refusals)) = (self, &mut fault.body) {
            for refusal in refusals {
                refusal.parameters.sort_by_key(|(key, _)| java_bucket(key));
            }
        }
        if self == Dialect::Links {
            return links_fault(fault);
        }
        if !matches!(self, Dialect::Spring { .. }) || matches!(fault.body, Body::Json(_)) {
            return fault;
        }
        if matches!(&fault.body, Body::Text(text) if text.is_empty()) {
            return fault;
        }
        let (status, code) = match fault.status {
            400 | 422 => (422, Some("VALIDATION_ERROR")),
            404 => (404, Some("NOT_FOUND_ERROR")),
            other => (other, None),
        };
        let messages: Vec<&str> = match &fault.body {
            Body::Text(text) => vec![text],
            Body::Refusals(refusals) => refusals.iter().map(|refusal| refusal.message.as_str()).collect(),
            Body::Json(_) => Vec::new(),
        };
        let errors: Vec<Value> = messages.into_iter().map(|message| spring_error(message, code)).collect();
        fault.body = Body::Json(json!({"errors": errors}));
        fault.status = status;
        fault
    }
}

/// The bucket of a key in a Java `HashMap` of up to twelve keys; those of one bucket stay in the order in which they came.
fn java_bucket(key: &str) -> u32 {
    let hash = key.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    (hash ^ (hash >> 16)) & 15
}

fn spring_error(message: &str, code: Option<&str>) -> Value {
    match code {
        Some(code) => json!({"message": message, "type": "-1", "code": code}),
        None => json!({"message": message, "type": "-4"}),
    }
}

/// Facts: `ApiErrorHandler` of mod-entities-links 3.0.1.
fn links_fault(mut fault: Fault) -> Fault {
    let errors: Vec<Value> = match &fault.body {
        Body::Refusals(refusals) => match refusals.iter().find(|refusal| is_unreadable(refusal)) {
            Some(unreadable) => {
                fault.status = 400;
                let kind = "HttpMessageNotReadableException";
                vec![json!({"message": unreadable.message, "type": kind, "code": "validation"})]
            }
            None => refusals.iter().map(links_refusal).collect(),
        },
        Body::Text(text) => {
            let (kind, code) = match fault.status {
                400 if text.starts_with(NO_CONVERSION) => {
                    ("MethodArgumentTypeMismatchException", "validation")
                }
                400 if text.starts_with(NO_JSON) => ("HttpMessageNotReadableException", "validation"),
                400 => ("IllegalArgumentException", "validation"),
                404 => (links_not_found_type(text), "not-found"),
                409 => ("OptimisticLockingException", "optimistic locking"),
                500 => ("Exception", "unknown"),
                _ => return fault,
            };
            vec![json!({"message": text, "type": kind, "code": code})]
        }
        Body::Json(_) => return fault,
    };
    fault.body = Body::Json(json!({"errors": errors, "total_records": errors.len()}));
    fault
}

/// The exception by which mod-entities-links says that a record is not there.
fn links_not_found_type(message: &str) -> &'static str {
    match message.split_once(" with ID [").map(|(name, _)| name) {
        Some("Authority") => "AuthorityNotFoundException",
        Some("Authority Note Type") => "AuthorityNoteTypeNotFoundException",
        Some("Authority Source File") => "AuthoritySourceFileNotFoundException",
        Some("Linking rule") => "LinkingRuleNotFoundException",
        _ => "ResourceNotFoundException",
    }
}

/// Whether a value of the body cannot be what the schema says. Spring stops at the first such value, before it checks constraints.
fn is_unreadable(refusal: &Refusal) -> bool {
    refusal.message.starts_with("Cannot deserialize value of type")
        || refusal.message.contains(" is not one of ")
}

/// A constraint of the database has a code and no type, what contradicts the schema has RAML Module Builder's type; what a handler
/// refuses has both as they are shown.
fn links_refusal(refusal: &Refusal) -> Value {
    let code = refusal.code.as_deref();
    let parameters = refusal.parameters.iter().map(|(key, value)| json!({"key": key, "value": value}));
    let parameters: Vec<Value> = parameters.collect();
    let message = &refusal.message;
    match refusal.kind.as_deref() {
        None => json!({"message": message, "type": "validation", "code": code}),
        Some("1") => {
            let kind = "MethodArgumentNotValidException";
            json!({"message": message, "type": kind, "code": "validation", "parameters": parameters})
        }
        Some(kind) => json!({"message": message, "type": kind, "code": code, "parameters": parameters}),
    }
}

const NO_CONVERSION: &str = "Failed to convert value of type 'java.lang.String' to required type";

/// How the refusal of a body begins that is missing or no JSON.
const NO_JSON: &str = "The body is not JSON";

const BAD_ID: &str = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";

#[cfg(test)]
mod tests {
    use super::*;

    const SPRING: Dialect = Dialect::Spring { bad_id: "id: {} is none" };

    #[test]
    fn parameters_stand_in_the_order_of_javas_maps() {
        let refusal = Refusal::new("Item is not loanable")
            .about("itemBarcode", "7")
            .about("loanPolicyId", "p")
            .about("loanPolicyName", "Reference");
        let keys = |dialect: Dialect| match dialect.translate_fault(refusal.clone().into()).body {
            Body::Refusals(refusals) => {
                refusals[0].parameters.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>().join(" ")
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(keys(Dialect::Rmb), "itemBarcode loanPolicyId loanPolicyName");
        assert_eq!(keys(Dialect::Circulation), "loanPolicyName itemBarcode loanPolicyId");
    }

    #[test]
    fn a_body_that_spring_cannot_read_is_400() {
        let unreadable = Refusal::new("Cannot deserialize value of type `array` from a string at ids");
        let null = Refusal::new("must not be null").kind("1").code("NotNull").about("name", "null");
        let kind = |fault: Fault| {
            let fault = Dialect::Links.translate_fault(fault);
            match fault.body {
                Body::Json(body) => {
                    (fault.status, body["errors"][0]["type"].as_str().unwrap_or_default().to_owned())
                }
                other => panic!("{other:?}"),
            }
        };
        let not_readable = (400, "HttpMessageNotReadableException".to_owned());
        assert_eq!(kind(Fault::refused(vec![null.clone(), unreadable])), not_readable);
        assert_eq!(kind(Fault::bad_request("The body is not JSON: EOF")), not_readable);
        assert_eq!(kind(null.into()), (422, "MethodArgumentNotValidException".to_owned()));
        let unknown = Fault::not_found_with("Linking rule with ID [99] was not found");
        assert_eq!(kind(unknown), (404, "LinkingRuleNotFoundException".to_owned()));
    }

    #[test]
    fn the_same_fault_in_two_dialects() {
        let validation = |message: &str| {
            json!({"errors": [{"message": message, "type": "-1", "code": "VALIDATION_ERROR"}]}).to_string()
        };
        let missing = json!({"errors": [{"message": "Not found", "type": "-1", "code": "NOT_FOUND_ERROR"}]});
        let unknown = json!({"errors": [{"message": "broken", "type": "-4"}]});
        let cases = [
            (Fault::bad_request("no CQL"), 422, validation("no CQL")),
            (Refusal::new("label").about("key", "value").into(), 422, validation("label")),
            (SPRING.bad_id("7"), 422, validation("id: 7 is none")),
            (Fault::not_found(), 404, missing.to_string()),
            (Fault::text(500, "broken"), 500, unknown.to_string()),
        ];
        for (fault, status, body) in cases {
            let fault = SPRING.translate_fault(fault);
            assert_eq!((fault.status, fault.body.render()), (status, body));
        }
        assert_eq!(Dialect::Rmb.translate_fault(Fault::not_found()).body.render(), "Not found");
    }
}
