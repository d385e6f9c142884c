//! The types of records, calls and lists that the desk uses, from the OpenAPI page that the server answers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use octavo_testkit::openapi;
use serde_json::Value;

#[test]
fn the_types_of_the_desk_are_in_step() {
    crate::assert_up_to_date(
        "ui/src/api/octavo.ts",
        &render_types(&openapi()),
        "a record type changed: run `make generated`",
    );
}

const HEAD: &str = "\
/**
 * FOLIO's records as this server declares them, what its calls take and answer, and what its lists answer: generated from
 * `/octavo/openapi.json` by `make generated`; a test holds it in step. Here is what a file of the desk names: to use
 * another type or list, name it and run `make generated`.
 */
";

fn render_types(page: &Value) -> String {
    let desk = Desk::read();
    // TypeScript has a `Record` of its own.
    let mut modules = BTreeMap::from([("Record".to_owned(), 1)]);
    let described = &page["components"]["schemas"];
    for (id, _) in members(described) {
        *modules.entry(short_type_name(id)).or_default() += 1;
    }
    let names = Names(modules);
    // What nearly every record carries stands there once.
    let metadata = names.object_type(&described["mod-users.user"]["properties"]["metadata"], 1, false);
    let records: BTreeMap<String, String> = members(described)
        .map(|(id, schema)| (names.type_name(id), names.object_type(schema, 0, true)))
        .map(|(name, text)| (name, text.replace(&format!("metadata?: {metadata}"), "metadata?: Metadata")))
        .collect();
    assert_eq!(records.len(), members(described).count(), "two records have one name");
    let mut answers = String::new();
    for (path, operations) in members(&page["paths"]) {
        let answer = &operations["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        if answer.is_object() && !path.contains('{') && desk.text.contains(&format!("\"{path}\"")) {
            let _ = writeln!(answers, "  {}: {};", quoted(path), names.type_of_schema(answer, 1));
        }
    }
    let mut text = HEAD.to_owned();
    for name in records_reached_from(&records, desk.imported_words().chain(words_of_text(&answers))) {
        let _ = write!(text, "\nexport interface {name} {}\n", records[name]);
    }
    let _ = write!(text, "\nexport interface Metadata {}\n", metadata.replace("\n  ", "\n"));
    text + "\n/** What a GET answers, by its path. */\nexport interface Answers {\n" + &answers + "}\n"
}

/// The names of the given records, and of all records that these refer to.
fn records_reached_from<'a>(
    records: &'a BTreeMap<String, String>,
    named: impl Iterator<Item = &'a str>,
) -> BTreeSet<&'a String> {
    let mut wanted = BTreeSet::new();
    let mut next: Vec<&str> = named.collect();
    while let Some(word) = next.pop() {
        if let Some((name, text)) = records.get_key_value(word)
            && wanted.insert(name)
        {
            next.extend(words_of_text(text));
        }
    }
    wanted
}

fn words_of_text(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
}

/// The desk's own files.
struct Desk {
    text: String,
}

impl Desk {
    fn read() -> Desk {
        let mut text = String::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the desk's files") {
                let path = entry.expect("a file of the desk").path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("octavo.ts") && path.extension().is_some_and(is_typescript) {
                    text += &std::fs::read_to_string(&path).expect("a file of the desk");
                }
            }
        }
        Desk { text }
    }

    /// The words in the desk's imports from the generated file.
    fn imported_words(&self) -> impl Iterator<Item = &str> {
        let mut imports: Vec<&str> = self.text.split("octavo.ts\"").collect();
        imports.pop();
        imports
            .into_iter()
            .filter_map(|before| before.rsplit_once('{'))
            .flat_map(|(_, names)| words_of_text(names))
    }
}

fn is_typescript(extension: &OsStr) -> bool {
    extension == "ts" || extension == "tsx"
}

/// `mod-feesfines.fee/fine-owner` is a `FeeFineOwner`.
fn short_type_name(id: &str) -> String {
    camel(id.rsplit_once('.').map_or(id, |(_, name)| name))
}

fn camel(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// How many modules have a record of each name.
struct Names(BTreeMap<String, usize>);

impl Names {
    /// The name of a record's type. If several modules have a record of this name, the module's name comes first:
    /// `CirculationStorageLoan`.
    fn type_name(&self, id: &str) -> String {
        let (own, module) = (short_type_name(id), id.split_once('.').map_or("", |(module, _)| module));
        let module = camel(module.trim_start_matches("mod-"));
        let is_alone = self.0.get(&own).is_none_or(|modules| *modules == 1);
        if is_alone || own.starts_with(&module) { own } else { module + &own }
    }

    /// The TypeScript type of the values that a schema allows; `depth` is the level of indentation.
    fn type_of_schema(&self, schema: &Value, depth: usize) -> String {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.type_name(reference.rsplit('/').next().unwrap_or_default());
        }
        if let Some(choices) = schema["enum"].as_array() {
            return choices.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
        }
        if let [kind, null] = schema["type"].as_array().map(Vec::as_slice).unwrap_or_default() {
            let mut alone = schema.clone();
            alone["type"] = kind.clone();
            return format!("{} | {}", self.type_of_schema(&alone, depth), null.as_str().unwrap_or_default());
        }
        match schema["type"].as_str() {
            Some("string") => "string".to_owned(),
            Some("integer" | "number") => "number".to_owned(),
            Some("boolean") => "boolean".to_owned(),
            Some("array") if schema["items"]["enum"].is_array() || schema["items"]["type"].is_array() => {
                format!("({})[]", self.type_of_schema(&schema["items"], depth))
            }
            Some("array") => format!("{}[]", self.type_of_schema(&schema["items"], depth)),
            Some("object") if members(&schema["properties"]).next().is_some() => {
                self.object_type(schema, depth, false)
            }
            Some("object") => match &schema["additionalProperties"] {
                Value::Object(_) => {
                    format!("Record<string, {}>", self.type_of_schema(&schema["additionalProperties"], depth))
                }
                _ => "Record<string, unknown>".to_owned(),
            },
            _ => "unknown".to_owned(),
        }
    }

    /// A stored record always has its id, whoever chose it.
    fn object_type(&self, schema: &Value, depth: usize, is_record: bool) -> String {
        let indent = "  ".repeat(depth);
        let required = |name: &str| {
            let listed =
                schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
            listed || (is_record && name == "id")
        };
        let mut text = "{\n".to_owned();
        for (name, member) in members(&schema["properties"]) {
            let mark = if required(name) { "" } else { "?" };
            let _ = writeln!(
                text,
                "{indent}  {}{mark}: {};",
                quoted(name),
                self.type_of_schema(member, depth + 1)
            );
        }
        text + &indent + "}"
    }
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

fn quoted(name: &str) -> String {
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_word { name.to_owned() } else { format!("{name:?}") }
}
