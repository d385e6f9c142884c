//! Arrays that a document lacks, put into its text as `[]`.
//!
//! FOLIO's modules on RAML Module Builder read records into objects that are made with empty lists, so clients count on them.
//! Documents are completed when they are written and when clients read them: what was stored before, by an earlier release or by
//! SQL, needs no migration. The text is gone through once and copied only where something is missing.

use std::borrow::Cow;

use crate::node::{Node, Shape};

/// Where in a document arrays may be missing.
#[derive(Debug, Default)]
pub struct Place {
    arrays: Vec<String>,
    /// Members within which there are such places.
    members: Vec<(String, Place)>,
    /// What holds for every element or value.
    each: Option<Box<Place>>,
}

impl Place {
    /// `None` where there is no array in it.
    pub(crate) fn of(node: &Node) -> Option<Place> {
        let each = |node: &Node| Place::of(node).map(Box::new);
        let place = match &node.shape {
            Shape::Array(element) => Place { each: each(element), ..Place::default() },
            Shape::Object { members, others, .. } => {
                let arrays = members.iter().filter(|(_, node)| node.is_filled_array());
                let within = members.iter().filter_map(|(name, node)| Some((name.clone(), Place::of(node)?)));
                Place {
                    arrays: arrays.map(|(name, _)| name.clone()).collect(),
                    members: within.collect(),
                    each: others.as_deref().and_then(each),
                }
            }
            _ => Place::default(),
        };
        assert!(place.arrays.len() <= 64, "{:?}", place.arrays);
        let is_empty = place.arrays.is_empty() && place.members.is_empty() && place.each.is_none();
        (!is_empty).then_some(place)
    }

    fn within(&self, name: &[u8]) -> Option<&Place> {
        let member = self.members.iter().find(|(known, _)| known.as_bytes() == name);
        member.map(|(_, place)| place).or(self.each.as_deref())
    }

    /// A document with the arrays that it lacks.
    pub(crate) fn completed<'t>(&self, document: &'t str) -> Cow<'t, str> {
        let mut scan = Scan { text: document.as_bytes(), at: 0, gaps: Vec::new() };
        scan.value(Some(self));
        // What does not end where its text ends is no document.
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
    /// Nothing stands before it in its object.
    first: bool,
}

/// Goes through the text of a document, which PostgreSQL or we have written: it is JSON.
struct Scan<'t, 'p> {
    text: &'t [u8],
    at: usize,
    gaps: Vec<Gap<'p>>,
}

impl<'t, 'p> Scan<'t, 'p> {
    /// Up to the comma or bracket behind a value.
    fn value(&mut self, place: Option<&'p Place>) {
        match (place, self.next()) {
            (Some(place), Some(b'{')) => self.object(place),
            (Some(place), Some(b'[')) if place.each.is_some() => self.array(place),
            _ => self.skip(),
        }
    }

    fn object(&mut self, place: &'p Place) {
        let (mut found, mut first) = (0u64, true);
        self.at += 1;
        while self.next() == Some(b'"') {
            first = false;
            let name = self.string();
            if let Some(number) = place.arrays.iter().position(|array| array.as_bytes() == name) {
                found |= 1 << number;
            }
            // The colon.
            self.next();
            self.at += 1;
            self.value(place.within(name));
            if self.next() != Some(b',') {
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

    fn array(&mut self, place: &'p Place) {
        self.at += 1;
        while self.next().is_some_and(|byte| byte != b']') {
            self.value(place.each.as_deref());
            if self.next() != Some(b',') {
                break;
            }
            self.at += 1;
        }
        self.at += 1;
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
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
