//! Parses JSON paths, as far as workflows use them: `$.loans[*].item.barcode`, `$.users[0].id`, `$['total records']`; `$..id` is the first
//! `id` at any depth.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonPath(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Name(String),
    Index(usize),
    Each,
    /// However deep.
    Descendant(String),
}

impl JsonPath {
    pub(crate) fn parse(text: &str) -> Result<JsonPath, String> {
        let Some(mut rest) = text.strip_prefix('$') else {
            return Err(format!("a JSON path begins with $, as in $.{}", text.trim_start_matches('.')));
        };
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let (part, after) = parse_part(rest)?;
            parts.push(part);
            rest = after;
        }
        Ok(JsonPath(parts))
    }

    /// Whether it stands for a list of values.
    pub(crate) fn is_many(&self) -> bool {
        self.0.contains(&Part::Each)
    }

    pub(crate) fn find<'a>(&self, document: &'a Value) -> Vec<&'a Value> {
        let mut found = vec![document];
        for part in &self.0 {
            found = match part {
                Part::Name(name) => found.into_iter().filter_map(|value| value.get(name)).collect(),
                Part::Index(at) => found.into_iter().filter_map(|value| value.get(at)).collect(),
                Part::Descendant(name) => {
                    found.into_iter().flat_map(|value| find_descendants(value, name)).collect()
                }
                Part::Each => found.into_iter().filter_map(Value::as_array).flatten().collect(),
            };
        }
        found
    }

    /// The texts of what is found: of strings, numbers, truths and records.
    pub(crate) fn texts(&self, document: &Value) -> Vec<String> {
        self.find(document).into_iter().filter_map(as_text).collect()
    }
}

/// Finds all values of a name at any depth. A value's own member comes before those of its descendants.
fn find_descendants<'a>(value: &'a Value, name: &str) -> Vec<&'a Value> {
    let mut found: Vec<&Value> = value.get(name).into_iter().collect();
    match value {
        Value::Array(list) => found.extend(list.iter().flat_map(|one| find_descendants(one, name))),
        Value::Object(fields) => found.extend(fields.values().flat_map(|one| find_descendants(one, name))),
        _ => {}
    }
    found
}

pub(crate) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        // A whole record, to be sent back.
        Value::Object(_) => Some(value.to_string()),
        _ => None,
    }
}

fn parse_part(text: &str) -> Result<(Part, &str), String> {
    if let Some(rest) = text.strip_prefix("[") {
        let (inner, after) = rest.split_once(']').ok_or("a [ in the JSON path has no ]")?;
        if inner == "*" {
            return Ok((Part::Each, after));
        }
        if let Some(name) = inner.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
            return Ok((Part::Name(name.to_owned()), after));
        }
        let at = inner.parse();
        let at = at.map_err(|_| format!("[{inner}] is not understood; write [*], [0] or ['name']"))?;
        return Ok((Part::Index(at), after));
    }
    let rest = text.strip_prefix('.').ok_or(format!("\"{text}\" must begin with a dot or ["))?;
    if let Some(rest) = rest.strip_prefix('.') {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        return match &rest[..end] {
            "" | "*" => Err("after \"..\" a name is expected".to_owned()),
            name => Ok((Part::Descendant(name.to_owned()), &rest[end..])),
        };
    }
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    match &rest[..end] {
        "" => Err("a name is missing in the JSON path".to_owned()),
        "*" => Ok((Part::Each, &rest[end..])),
        name => Ok((Part::Name(name.to_owned()), &rest[end..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_find_what_they_name() {
        let document = json!({"loans": [{"id": 1, "item": {"barcode": "a"}}, {"id": 2, "item": {"barcode": "b"}}],
            "total records": 2, "none": null});
        for (path, found, many) in [
            ("$.loans[*].item.barcode", vec!["a", "b"], true),
            ("$.loans[1].id", vec!["2"], false),
            ("$['total records']", vec!["2"], false),
            ("$.loans[5].id", vec![], false),
            ("$..barcode", vec!["a", "b"], false),
            ("$.loans[1]..barcode", vec!["b"], false),
            ("$.none", vec![], false),
            ("$.loans", vec![], false),
        ] {
            let parsed = JsonPath::parse(path).unwrap();
            assert_eq!(parsed.texts(&document), found, "{path}");
            assert_eq!(parsed.is_many(), many, "{path}");
        }
    }

    #[test]
    fn what_is_no_path_is_said_to_be_none() {
        for (path, told) in [
            ("loans[*]", "begins with $, as in $.loans[*]"),
            ("$.loans[*", "has no ]"),
            ("$.loans[x]", "write [*], [0] or ['name']"),
            ("$..*", "after \"..\" a name is expected"),
            ("$.a.", "a name is missing"),
            ("$loans", "must begin with a dot"),
        ] {
            let error = JsonPath::parse(path).unwrap_err();
            assert!(error.contains(told), "{path}: {error}");
        }
    }
}
