//! The form of a module's error messages. FOLIO's modules are built on one of two libraries, and clients tell them apart by their
//! errors: RAML Module Builder's, which this engine speaks, and folio-spring's, which it is translated to.

use octavo_kernel::{Body, Fault};
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
}

impl Dialect {
    /// An id in the path that is no UUID.
    pub(crate) fn bad_id(self, id: &str) -> Fault {
        Fault::bad_request(match self {
            Dialect::Rmb | Dialect::Circulation => BAD_ID.to_owned(),
            Dialect::Spring { bad_id } => bad_id.replace("{}", id),
        })
    }

    /// The least `limit` that a page may have.
    pub(crate) fn least_limit(self) -> i64 {
        match self {
            Dialect::Rmb | Dialect::Circulation => 0,
            Dialect::Spring { .. } => 1,
        }
    }

    /// A fault of the engine, in this dialect.
    pub fn words(self, mut fault: Fault) -> Fault {
        if let (Dialect::Circulation, Body::Refusals(refusals)) = (self, &mut fault.body) {
            for refusal in refusals {
                refusal.parameters.sort_by_key(|(key, _)| bucket(key));
            }
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
        let errors: Vec<Value> = messages.into_iter().map(|message| error(message, code)).collect();
        fault.body = Body::Json(json!({"errors": errors}));
        fault.status = status;
        fault
    }
}

/// The bucket of a key in a Java `HashMap` of up to twelve keys; those of one bucket stay in the order in which they came.
fn bucket(key: &str) -> u32 {
    let hash = key.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    (hash ^ (hash >> 16)) & 15
}

fn error(message: &str, code: Option<&str>) -> Value {
    match code {
        Some(code) => json!({"message": message, "type": "-1", "code": code}),
        None => json!({"message": message, "type": "-4"}),
    }
}

const BAD_ID: &str = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";

#[cfg(test)]
mod tests {
    use octavo_kernel::Refusal;

    use super::*;

    const SPRING: Dialect = Dialect::Spring { bad_id: "id: {} is none" };

    #[test]
    fn parameters_stand_in_the_order_of_javas_maps() {
        let refusal = Refusal::new("Item is not loanable")
            .about("itemBarcode", "7")
            .about("loanPolicyId", "p")
            .about("loanPolicyName", "Reference");
        let keys = |dialect: Dialect| match dialect.words(refusal.clone().into()).body {
            Body::Refusals(refusals) => {
                refusals[0].parameters.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>().join(" ")
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(keys(Dialect::Rmb), "itemBarcode loanPolicyId loanPolicyName");
        assert_eq!(keys(Dialect::Circulation), "loanPolicyName itemBarcode loanPolicyId");
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
            let fault = SPRING.words(fault);
            assert_eq!((fault.status, fault.body.render()), (status, body));
        }
        assert_eq!(Dialect::Rmb.words(Fault::not_found()).body.render(), "Not found");
    }
}
