//! The types of the desk's records and lists, from the OpenAPI page that the server answers.

use std::collections::BTreeMap;
use std::fmt::Write;

use octavo_testkit::openapi;
use serde_json::Value;

#[test]
fn the_types_of_the_desk_are_in_step() {
    crate::in_step("ui/src/api/octavo.ts", &types(&openapi()), "a record type changed: run `make generated`");
}

const HEAD: &str = "\
/**
 * FOLIO's records as this server declares them, and what its lists answer: generated from `/octavo/openapi.json` by
 * `make generated`; a test holds it in step. Answers of calls with code of their own stand in `records.ts`.
 */
";

fn types(page: &Value) -> String {
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for id in members(&page["components"]["schemas"]).map(|(id, _)| id) {
        assert_eq!(names.insert(name_of(id), id), None, "two records are called {}", name_of(id));
    }
    // What nearly every record carries stands there once.
    let metadata =
        object(&page["components"]["schemas"]["mod-users.user"]["properties"]["metadata"], 1, false);
    let mut text = HEAD.to_owned();
    for (name, id) in &names {
        let record = object(&page["components"]["schemas"][id], 0, true);
        let record = record.replace(&format!("metadata?: {metadata}"), "metadata?: Metadata");
        let _ = write!(text, "\nexport interface {name} {record}\n");
    }
    let _ = write!(text, "\nexport interface Metadata {}\n", metadata.replace("\n  ", "\n"));
    text.push_str("\n/** What a GET answers, by its path. */\nexport interface Answers {\n");
    for (path, operations) in members(&page["paths"]) {
        let answer = &operations["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        if answer.is_object() && !path.contains('{') {
            let _ = writeln!(text, "  {}: {};", quoted(path), shape(answer, 1));
        }
    }
    text.push_str("}\n");
    text
}

/// `mod-feesfines.fee/fine-owner` is a `FeeFineOwner`.
fn name_of(id: &str) -> String {
    let name = id.rsplit_once('.').map_or(id, |(_, name)| name);
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// What a schema lets through, as a type; `depth` is how far it is indented.
fn shape(schema: &Value, depth: usize) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return name_of(reference);
    }
    if let Some(choices) = schema["enum"].as_array() {
        return choices.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("string") => "string".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("array") if schema["items"]["enum"].is_array() => {
            format!("({})[]", shape(&schema["items"], depth))
        }
        Some("array") => format!("{}[]", shape(&schema["items"], depth)),
        Some("object") if members(&schema["properties"]).next().is_some() => object(schema, depth, false),
        Some("object") => match &schema["additionalProperties"] {
            Value::Object(_) => format!("Record<string, {}>", shape(&schema["additionalProperties"], depth)),
            _ => "Record<string, unknown>".to_owned(),
        },
        _ => "unknown".to_owned(),
    }
}

/// A stored record always has its id, whoever chose it.
fn object(schema: &Value, depth: usize, is_record: bool) -> String {
    let indent = "  ".repeat(depth);
    let required = |name: &str| {
        let listed = schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
        listed || (is_record && name == "id")
    };
    let mut text = "{\n".to_owned();
    for (name, member) in members(&schema["properties"]) {
        let mark = if required(name) { "" } else { "?" };
        let _ = writeln!(text, "{indent}  {}{mark}: {};", quoted(name), shape(member, depth + 1));
    }
    text + &indent + "}"
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

fn quoted(name: &str) -> String {
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_word { name.to_owned() } else { format!("{name:?}") }
}
