//! Adds the empty arrays (`[]`) that a document lacks to its text.
//!
//! FOLIO's modules on RAML Module Builder read records into Java objects that have empty lists from the beginning, so clients rely on
//! them. Documents are completed when they are written and when clients read them: documents that an earlier release or SQL has stored
//! need no migration. The text is scanned once, and copied only if an array is missing.

use std::borrow::Cow;

use crate::node::{Node, Shape};

/// Where in a document arrays may be missing.
#[derive(Debug, Default)]
pub struct MissingArrays {
    arrays: Vec<String>,
    /// Members that contain objects in which arrays may be missing.
    members: Vec<(String, MissingArrays)>,
    /// The same for every element of an array, or every value of a map.
    each: Option<Box<MissingArrays>>,
}

impl MissingArrays {
    /// `None` if the schema has no array at or below this node.
    pub(crate) fn from_node(node: &Node) -> Option<MissingArrays> {
        let each = |node: &Node| MissingArrays::from_node(node).map(Box::new);
        let place = match &node.shape {
            Shape::Array(element) => MissingArrays { each: each(element), ..MissingArrays::default() },
            Shape::Object { members, others, .. } => {
                let arrays = members.iter().filter(|(_, node)| node.defaults_to_empty_array());
                let within = members
                    .iter()
                    .filter_map(|(name, node)| Some((name.clone(), MissingArrays::from_node(node)?)));
                MissingArrays {
                    arrays: arrays.map(|(name, _)| name.clone()).collect(),
                    members: within.collect(),
                    each: others.as_deref().and_then(each),
                }
            }
            _ => MissingArrays::default(),
        };
        assert!(place.arrays.len() <= 64, "{:?}", place.arrays);
        let is_empty = place.arrays.is_empty() && place.members.is_empty() && place.each.is_none();
        (!is_empty).then_some(place)
    }

    fn for_member(&self, name: &[u8]) -> Option<&MissingArrays> {
        let member = self.members.iter().find(|(known, _)| known.as_bytes() == name);
        member.map(|(_, place)| place).or(self.each.as_deref())
    }

    /// Returns the document with the arrays that it lacks.
    pub(crate) fn complete<'t>(&self, document: &'t str) -> Cow<'t, str> {
        let mut scan = Scan { text: document.as_bytes(), at: 0, gaps: Vec::new() };
        scan.value(Some(self));
        // A text that does not end with the end of its JSON value is no document, and stays as it is.
        if scan.gaps.is_empty() || scan.at > document.len() {
            return Cow::Borrowed(document);
        }
        let mut completed = String::with_capacity(document.len() + scan.gaps.len() * 32);
        let mut copied = 0;
        for gap in scan.gaps {
            completed.push_str(&document[copied..gap.at]);
            copied = gap.at;
            completed.extend([if gap.first { "\"" } else { ",\"" }, gap.name, "\":[]"]);
        }
        completed.push_str(&document[copied..]);
        Cow::Owned(completed)
    }
}

/// A member that is missing, and where it belongs.
struct Gap<'p> {
    at: usize,
    name: &'p str,
    /// Whether the object has no other member before it.
    first: bool,
}

/// Scans the text of a document. PostgreSQL or Octavo has written it, so it is valid JSON.
struct Scan<'t, 'p> {
    text: &'t [u8],
    at: usize,
    gaps: Vec<Gap<'p>>,
}

impl<'t, 'p> Scan<'t, 'p> {
    /// Up to the comma or bracket behind a value.
    fn value(&mut self, place: Option<&'p MissingArrays>) {
        match (place, self.peek()) {
            (Some(place), Some(b'{')) => self.object(place),
            (Some(place), Some(b'[')) if place.each.is_some() => self.array(place),
            _ => self.skip(),
        }
    }

    fn object(&mut self, place: &'p MissingArrays) {
        let (mut found, mut first) = (0u64, true);
        self.at += 1;
        while self.peek() == Some(b'"') {
            first = false;
            let name = self.string();
            if let Some(number) = place.arrays.iter().position(|array| array.as_bytes() == name) {
                found |= 1 << number;
            }
            // The colon.
            self.peek();
            self.at += 1;
            self.value(place.for_member(name));
            if self.peek() != Some(b',') {
                break;
            }
            self.at += 1;
        }
        for (number, name) in place.arrays.iter().enumerate() {
            if found & (1 << number) == 0 {
                self.gaps.push(Gap { at: self.at, name, first });
                first = false;
            }
        }
        self.at += 1;
    }

    fn array(&mut self, place: &'p MissingArrays) {
        self.at += 1;
        while self.peek().is_some_and(|byte| byte != b']') {
            self.value(place.each.as_deref());
            if self.peek() != Some(b',') {
                break;
            }
            self.at += 1;
        }
        self.at += 1;
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// What stands between two quotation marks, as it is written.
    fn string(&mut self) -> &'t [u8] {
        self.at += 1;
        let start = self.at;
        loop {
            match self.text.get(self.at) {
                Some(b'\\') => self.at += 2,
                Some(b'"') | None => break,
                Some(_) => self.at += 1,
            }
        }
        let end = self.at.min(self.text.len());
        self.at += 1;
        &self.text[start..end]
    }

    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b',' if depth == 0 => return,
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Schema;

    fn schema(flags: &str) -> Schema {
        Schema::parse(&format!(
            "path\ttype\tformat\trequired\tenum\tpattern\tdefault\tflags\tconstraints\n\
             \tobject\t\t\t\t\t\t{flags}\n\
             name\tstring\n\
             tags.list\tarray\n\
             notes\tarray\nnotes[].ids\tarray\nnotes[].text\tstring\n\
             map.{{key}}.list\tarray\n\
             rare\tarray|null"
        ))
    }

    #[test]
    fn arrays_are_put_in_where_they_are_missing() {
        let cases = [
            (json!({}), json!({"notes": []})),
            (json!({"name": "}],\"\\"}), json!({"name": "}],\"\\", "notes": []})),
            (json!({"tags": {}, "notes": []}), json!({"tags": {"list": []}, "notes": []})),
            (
                json!({"notes": [{"text": "é"}, {}, {"ids": [1]}], "map": {"a": {}, "b": {"c": [{}]}}}),
                json!({"notes": [{"text": "é", "ids": []}, {"ids": []}, {"ids": [1]}],
                    "map": {"a": {"list": []}, "b": {"c": [{}], "list": []}}}),
            ),
            (
                json!({"tags": null, "notes": [null, 7], "map": 1}),
                json!({"tags": null, "notes": [null, 7], "map": 1}),
            ),
        ];
        let schema = schema("arrays");
        for (stored, shown) in cases {
            for text in [stored.to_string(), serde_json::to_string_pretty(&stored).unwrap()] {
                let completed = schema.with_arrays(&text);
                assert_eq!(serde_json::from_str::<Value>(&completed).unwrap(), shown, "{text}");
                assert!(matches!(schema.with_arrays(&completed), Cow::Borrowed(_)), "{completed}");
            }
        }
    }

    #[test]
    fn where_the_module_leaves_arrays_out_nothing_is_changed() {
        assert_eq!(schema("").with_arrays("{}"), "{}");
    }

    #[test]
    fn what_is_no_document_is_left_as_it_is() {
        for text in ["", "{", "{\"a", "{\"a\"", "[", "7", "{\"a\\", "{\"tags\":{"] {
            let _ = schema("arrays").with_arrays(text);
        }
    }
}
