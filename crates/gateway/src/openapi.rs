//! The interface as an OpenAPI 3.1 page, made from the route table, the record types and what is declared of calls with code of
//! their own (`octavo_modules_base::calls`): nothing is said twice.

use std::collections::{BTreeMap, HashMap};

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::{Request, Response};
use octavo_engine::Serve;
use octavo_modules_base::calls::{self, Body, CallDeclaration, Parameter};
use octavo_record::{Node, RecordType, ReplaceOfUnknown, Schema, Shape};
use serde_json::{Map, Value, json};

use crate::outgoing::ResponseBody;
use crate::routes::{Entry, RouteTable};

const PATH: &str = "/octavo/openapi.json";

/// Answers the request for the OpenAPI page; `None` for other requests. No token is needed: the page describes the program, and nothing of
/// any library.
pub(crate) fn answer<B>(
    request: &Request<B>,
    page: impl FnOnce() -> Bytes,
) -> Option<Response<ResponseBody>> {
    if request.method() != hyper::Method::GET || request.uri().path() != PATH {
        return None;
    }
    let mut reply = Response::new(ResponseBody::from_bytes(page()));
    reply.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    Some(reply)
}

pub fn page(routes: &RouteTable) -> Value {
    let built = || routes.entries().filter(|entry| !matches!(entry.serve, Serve::NotBuilt));
    let stored = || built().filter_map(|entry| Some((record_of(entry.record_serve)?, entry.module)));
    let mut schemas = Schemas::default();
    for (record, module) in stored() {
        schemas.types.entry((module, record.schema)).or_insert_with(|| schema_name(record, module));
    }
    for (record, module) in stored() {
        schemas.describe(&schema_name(record, module), record.schema(), module);
    }
    let mut paths = Map::new();
    for entry in built() {
        let path = paths.entry(entry.pattern.trim_end_matches('*')).or_insert_with(|| json!({}));
        let method = entry.method.as_str().to_lowercase();
        // If several modules offer the same path, the page has the first; the others are addressed by a header.
        if let Some(methods) = path.as_object_mut() {
            methods.entry(method).or_insert_with(|| operation(entry, &mut schemas));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Octavo", "version": env!("CARGO_PKG_VERSION"), "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": schemas.described,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "x-okapi-token"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "folioAccessToken"},
            },
        },
        "security": [{"token": []}, {"cookie": []}],
    })
}

/// What an operation takes in its query string and body, and what it answers when it succeeds.
#[derive(Default)]
struct OperationParts {
    parameters: Vec<Value>,
    request: Option<Value>,
    answers: Vec<(u16, Option<Value>)>,
}

fn operation(entry: &Entry, schemas: &mut Schemas) -> Value {
    let of_path = entry
        .pattern
        .split('/')
        .filter_map(|segment| segment.trim_end_matches('*').strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let shown = match calls::find_declaration(entry.module, entry.method, entry.pattern) {
        Some(declared) => call_operation(declared, entry.module, schemas),
        None => record_operation(entry),
    };
    let mut responses = Map::new();
    for (status, content) in shown.answers {
        let mut response = json!({"description": "Done"});
        if let Some(content) = content {
            response["content"] = content;
        }
        responses.insert(status.to_string(), response);
    }
    responses.insert("4XX".to_owned(), refusal_response());
    let mut operation = json!({
        "tags": [entry.module],
        "parameters": of_path.chain(shown.parameters).collect::<Vec<Value>>(),
        "responses": responses,
        "x-permissions-required": entry.required,
    });
    if let Some(content) = shown.request {
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    operation
}

fn record_operation(entry: &Entry) -> OperationParts {
    let Some(record) = record_of(entry.record_serve) else { return OperationParts::default() };
    let one = reference(&schema_name(record, entry.module));
    let all = || {
        json!({
            "type": "object",
            "required": [record.collection, "totalRecords"],
            "properties": {record.collection: {"type": "array", "items": one}, "totalRecords": {"type": "integer"}},
        })
    };
    let number = |name| json!({"name": name, "in": "query", "schema": {"type": "integer", "minimum": 0}});
    let query =
        || json!({"name": "query", "in": "query", "description": "CQL", "schema": {"type": "string"}});
    let (parameters, request, mut answers) = match entry.record_serve {
        Serve::List(_) => {
            (vec![query(), number("limit"), number("offset")], None, vec![(200, Some(content(&all())))])
        }
        Serve::Get(_) => (Vec::new(), None, vec![(200, Some(content(&one)))]),
        Serve::Create(_) => (Vec::new(), Some(content(&one)), vec![(201, Some(content(&one)))]),
        Serve::Replace(_) => (Vec::new(), Some(content(&one)), vec![(204, None)]),
        _ => (Vec::new(), None, vec![(204, None)]),
    };
    let shows = record.replace_of_unknown == ReplaceOfUnknown::CreatesAndShows;
    if shows && matches!(entry.record_serve, Serve::Replace(_)) {
        answers.push((201, Some(content(&one))));
    }
    OperationParts { parameters, request, answers }
}

fn call_operation(declared: &CallDeclaration, module: &'static str, schemas: &mut Schemas) -> OperationParts {
    let mut body = |body: Body| match body {
        Body::Record(name) => content(&schemas.reference(name, module)),
        Body::Records(name) => content(&json!({"type": "array", "items": schemas.reference(name, module)})),
        Body::AnyJson => content(&json!({})),
        Body::Media(kind) => json!({kind: {}}),
    };
    let parameter = |parameter: &Parameter| {
        let mut schema = json!({"type": parameter.kind});
        if !parameter.choices.is_empty() {
            schema["enum"] = json!(parameter.choices);
        }
        json!({"name": parameter.name, "in": "query", "required": parameter.required, "schema": schema})
    };
    OperationParts {
        parameters: declared.parameters.iter().map(parameter).collect(),
        request: declared.request.map(&mut body),
        answers: declared.answers.iter().map(|(status, answer)| (*status, answer.map(&mut body))).collect(),
    }
}

/// FOLIO's modules refuse in plain text, or in JSON where a record is at fault.
fn refusal_response() -> Value {
    json!({"description": "Refused: what is wrong with the request", "content": {
        "text/plain": {"schema": {"type": "string"}},
        "application/json": {"schema": {"type": "object"}},
    }})
}

fn record_of(serve: Serve) -> Option<&'static RecordType> {
    match serve {
        Serve::List(record)
        | Serve::Get(record)
        | Serve::Create(record)
        | Serve::Replace(record)
        | Serve::Delete(record)
        | Serve::DeleteWhere(record) => Some(record),
        Serve::Call(_) | Serve::NotBuilt => None,
    }
}

/// `mod-users.user`: two modules may have a record of the same name. OpenAPI allows letters, digits, `.`, `-` and `_`.
fn schema_name(record: &RecordType, module: &str) -> String {
    format!("{module}.{}", record.name.replace([' ', '/'], "-"))
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn content(schema: &Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// Some FOLIO schemas require this member of `metadata`. It is absent if the record was made without a log-in.
const CREATOR: &str = "createdByUserId";

/// The records that the page describes.
#[derive(Default)]
struct Schemas {
    described: BTreeMap<String, Value>,
    /// The names of record types, by module and table of fields.
    types: HashMap<(&'static str, &'static str), String>,
}

impl Schemas {
    fn describe(&mut self, name: &str, schema: &Schema, module: &'static str) {
        if !self.described.contains_key(name) {
            // Before it is described: a record may hold others of its kind.
            self.described.insert(name.to_owned(), Value::Null);
            let described = self.shape(&schema.root, module);
            self.described.insert(name.to_owned(), described);
        }
    }

    /// What a module calls by this name: the record type with the same table of fields, or what the table describes.
    fn reference(&mut self, record: &str, module: &'static str) -> Value {
        let table = calls::record_field_table(module, record).unwrap_or_default();
        if let Some(name) = self.types.get(&(module, table.as_str())) {
            return reference(name);
        }
        let name = format!("{module}.{record}");
        self.describe(&name, &Schema::parse(&table), module);
        reference(&name)
    }

    fn shape(&mut self, node: &Node, module: &'static str) -> Value {
        let mut said = match &node.shape {
            Shape::Any => json!({}),
            Shape::Record(name) => self.reference(name, module),
            Shape::String => json!({"type": "string"}),
            Shape::Integer => json!({"type": "integer"}),
            Shape::Number => json!({"type": "number"}),
            Shape::Boolean => json!({"type": "boolean"}),
            Shape::Array(element) => json!({"type": "array", "items": self.shape(element, module)}),
            Shape::Object { members, others, closed } => {
                let required = members.iter().filter(|(name, member)| member.required && *name != CREATOR);
                let required: Vec<&String> = required.map(|(name, _)| name).collect();
                let shapes = members.iter().map(|(name, member)| (name.clone(), self.shape(member, module)));
                let properties: Map<String, Value> = shapes.collect();
                let others =
                    others.as_ref().map_or_else(|| json!(!closed), |others| self.shape(others, module));
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": others})
            }
        };
        constrain(&mut said, node);
        said
    }
}

fn constrain(said: &mut Value, node: &Node) {
    if node.nullable {
        said["type"] = json!([said["type"], "null"]);
    }
    let (least, most) = node.size_limits;
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
}

#[cfg(test)]
mod tests {
    use octavo_modules_base::facts::FACTS;

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
        let taken = &lend["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(taken, "#/components/schemas/mod-circulation.check-out-by-barcode-request");
        let answered = &lend["responses"]["201"]["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(answered, "#/components/schemas/mod-circulation.loan");
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
        assert!(page["paths"].get("/data-import/testFileSplit").is_none());
    }
}
