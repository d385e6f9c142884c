//! The interface as an OpenAPI 3.1 page, made from the route table and the record types: nothing is said twice. What has code
//! of its own stands there with path, parameters and permissions; the shape of its bodies no declaration holds.

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::{Request, Response};
use octavo_engine::Serve;
use octavo_record::{Node, RecordType, Shape};
use serde_json::{Map, Value, json};

use crate::outgoing::Outgoing;
use crate::routes::{Entry, RouteTable};

const PATH: &str = "/octavo/openapi.json";

/// The page, if the request is for it. It is everybody's: it tells what the program can do, and nothing of any library.
pub(crate) fn answer<B>(request: &Request<B>, page: impl FnOnce() -> Bytes) -> Option<Response<Outgoing>> {
    if request.method() != hyper::Method::GET || request.uri().path() != PATH {
        return None;
    }
    let mut reply = Response::new(Outgoing::whole(page()));
    reply.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    Some(reply)
}

/// The OpenAPI page of these routes.
pub fn page(routes: &RouteTable) -> Value {
    let built = routes.entries().filter(|entry| !matches!(entry.serve, Serve::NotBuilt));
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for entry in built {
        if let Some((record, module)) = record_of(entry) {
            schemas.entry(name_of(record, module)).or_insert_with(|| schema(&record.schema().root));
        }
        let path = paths.entry(entry.pattern.trim_end_matches('*')).or_insert_with(|| json!({}));
        let method = entry.method.as_str().to_lowercase();
        // If several modules offer the same path, the page has the first; the others are addressed by a header.
        if let Some(methods) = path.as_object_mut() {
            methods.entry(method).or_insert_with(|| operation(entry));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Octavo", "version": env!("CARGO_PKG_VERSION"), "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "x-okapi-token"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "folioAccessToken"},
            },
        },
        "security": [{"token": []}, {"cookie": []}],
    })
}

fn operation(entry: &Entry) -> Value {
    let mut parameters: Vec<Value> = entry
        .pattern
        .split('/')
        .filter_map(|segment| segment.trim_end_matches('*').strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    if let Serve::List(_) = entry.serve {
        parameters.extend([
            json!({"name": "query", "in": "query", "description": "CQL", "schema": {"type": "string"}}),
            json!({"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 0}}),
            json!({"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0}}),
        ]);
    }
    let mut operation = json!({
        "tags": [entry.module],
        "parameters": parameters,
        "responses": responses(entry),
        "x-permissions-required": entry.required,
    });
    if let (Serve::Create(_) | Serve::Replace(_), Some((record, module))) = (entry.serve, record_of(entry)) {
        operation["requestBody"] = json!({"required": true, "content": content(&reference(record, module))});
    }
    operation
}

fn responses(entry: &Entry) -> Value {
    let Some((record, module)) = record_of(entry) else {
        return json!({"default": {"description": "What FOLIO's documentation of the module says"}});
    };
    let one = reference(record, module);
    let mut responses = match entry.serve {
        Serve::List(_) => {
            json!({"200": {"description": format!("A page of {} records", record.name), "content": content(&json!({
                "type": "object",
                "required": [record.collection, "totalRecords"],
                "properties": {record.collection: {"type": "array", "items": one}, "totalRecords": {"type": "integer"}},
            }))}})
        }
        Serve::Get(_) => json!({"200": {"description": record.name, "content": content(&one)}}),
        Serve::Create(_) => json!({"201": {"description": record.name, "content": content(&one)}}),
        _ => json!({"204": {"description": "Done"}}),
    };
    responses["4XX"] = refused();
    responses
}

/// FOLIO's modules refuse in plain text, or in JSON where a record is at fault.
fn refused() -> Value {
    json!({"description": "Refused: what is wrong with the request", "content": {
        "text/plain": {"schema": {"type": "string"}},
        "application/json": {"schema": {"type": "object"}},
    }})
}

fn record_of(entry: &Entry) -> Option<(&'static RecordType, &'static str)> {
    match entry.serve {
        Serve::List(record)
        | Serve::Get(record)
        | Serve::Create(record)
        | Serve::Replace(record)
        | Serve::Delete(record)
        | Serve::DeleteWhere(record) => Some((record, entry.module)),
        Serve::Call(_) | Serve::NotBuilt => None,
    }
}

/// `mod-users.user`: two modules may have a record of the same name. OpenAPI allows letters, digits, `.`, `-` and `_`.
fn name_of(record: &RecordType, module: &str) -> String {
    format!("{module}.{}", record.name.replace([' ', '/'], "-"))
}

fn reference(record: &RecordType, module: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{}", name_of(record, module))})
}

fn content(schema: &Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// Some schemas of FOLIO's ask for it in `metadata`, where it is absent when nobody had logged in.
const MAKER: &str = "createdByUserId";

fn schema(node: &Node) -> Value {
    let mut said = match &node.shape {
        Shape::Any => json!({}),
        Shape::String => json!({"type": "string"}),
        Shape::Integer => json!({"type": "integer"}),
        Shape::Number => json!({"type": "number"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Array(element) => json!({"type": "array", "items": schema(element)}),
        Shape::Object { members, others, closed } => {
            let properties: Map<String, Value> =
                members.iter().map(|(name, member)| (name.clone(), schema(member))).collect();
            let required = members.iter().filter(|(name, member)| member.required && *name != MAKER);
            let required: Vec<&String> = required.map(|(name, _)| name).collect();
            let others = others.as_ref().map_or(json!(!closed), |others| schema(others));
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": others})
        }
    };
    let (least, most) = node.size;
    let is_array = matches!(node.shape, Shape::Array(_));
    let (least_of, most_of) = if is_array { ("minItems", "maxItems") } else { ("minLength", "maxLength") };
    let members: [(&str, Option<Value>); 10] = [
        ("format", node.date_time.then(|| json!("date-time"))),
        ("readOnly", node.read_only.then_some(json!(true))),
        ("default", node.default.clone()),
        ("enum", (!node.choices.is_empty()).then(|| json!(node.choices))),
        ("pattern", node.pattern.as_ref().map(|pattern| json!(pattern.text))),
        ("minimum", node.minimum.map(Value::from)),
        ("maximum", node.maximum.map(Value::from)),
        (least_of, least.map(Value::from)),
        (most_of, most.map(Value::from)),
        ("uniqueItems", (node.distinct && is_array).then_some(json!(true))),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            said[name] = value;
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use octavo_modules::facts::FACTS;

    use super::*;

    fn the_page() -> Value {
        page(&RouteTable::new(&FACTS, octavo_modules::MODULES))
    }

    #[test]
    fn records_stand_with_their_fields_and_calls_with_their_permissions() {
        let page = the_page();
        let user = &page["components"]["schemas"]["mod-users.user"];
        assert_eq!(user["properties"]["barcode"]["type"], "string");
        assert_eq!(user["properties"]["personal"]["required"], json!(["lastName"]));
        let template = &page["components"]["schemas"]["mod-template-engine.template"];
        assert_eq!(template["properties"]["metadata"]["required"], json!(["createdDate"]));
        let groups = &page["paths"]["/groups"]["get"];
        let listed = &groups["responses"]["200"]["content"]["application/json"]["schema"]["properties"];
        assert_eq!(
            listed["usergroups"]["items"]["$ref"], "#/components/schemas/mod-users.patron-group",
            "{groups}"
        );
        let lend = &page["paths"]["/circulation/check-out-by-barcode"]["post"];
        assert_eq!(lend["x-permissions-required"], json!(["circulation.check-out-by-barcode.post"]));
    }

    #[test]
    fn every_reference_leads_somewhere_and_nothing_stands_that_is_not_built() {
        let page = the_page();
        let text = page.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap_or_default();
            assert!(page["components"]["schemas"].get(name).is_some(), "{name}");
            let letters = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
            assert!(name.chars().all(letters), "OpenAPI does not allow the name {name}");
        }
        assert!(page["paths"].get("/audit-data/circulation/logs").is_none());
    }
}
