//! The shape of a record, read from a table with one line a field.
//!
//! Columns, separated by one tab, as FOLIO's JSON schemas flatten; those at the end of a line may be left out:
//! - `path`: dots for members, `[]` for the elements of an array, `{key}` for the values of a map. The line without a path is
//!   the record itself.
//! - `type`: `string`, `integer`, `number`, `boolean`, `array`, `object`, or `→ record NAME` for a record with a table of its own;
//!   anything else takes any value. `array|null`: an array that was not sent is absent, not empty.
//! - `format`: `date-time` is checked, others are not: what has to be an id is a [`crate::Field`] of that kind.
//! - `required`: `y` or `n`.
//! - `enum`: the texts that are allowed, with `|` between them. `pattern`: a regular expression that the whole text matches.
//! - `default`: the value where none was sent.
//! - `flags`: `readonly` (dropped from what clients send), `virtual` (the server's own), `closed` (no other members). Of the
//!   record itself also `drops`, `arrays` and `metadata`, see [`Schema`], and `shallow`: only its own members may be required. RAML Module
//!   Builder checks no deeper where the schema of a request names a Java class instead of another schema.
//! - `constraints`: `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `uniqueItems`, as in `maxLength=255`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::arrays::MissingArrays;
use crate::node::{Node, Shape, flags};

#[derive(Debug, Default)]
pub struct Schema {
    pub root: Node,
    /// Whether members that the schema does not declare are dropped at any depth, as modules on folio-spring do, instead of refused.
    pub drops_unknown: bool,
    /// Where the schema has arrays that are stored as empty if they were not sent, as RAML Module Builder does; `None` if there are none.
    pub arrays: Option<MissingArrays>,
    /// Whether records have `metadata`: who created and last changed the record, and when.
    pub metadata: bool,
}

impl Schema {
    /// The schema that a table (a text in the program) declares. Each table is parsed once.
    pub fn parse_cached(table: &'static str) -> &'static Schema {
        static KNOWN: LazyLock<RwLock<HashMap<usize, &'static Schema>>> = LazyLock::new(RwLock::default);
        let key = table.as_ptr().addr();
        if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known;
        }
        let schema: &'static Schema = Box::leak(Box::new(Schema::parse(table)));
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(schema)
    }

    /// Panics if the table is malformed: it is part of the program, and a test parses all of them.
    pub fn parse(table: &str) -> Schema {
        let mut schema =
            Schema { root: Node { shape: Shape::object(false), ..Node::default() }, ..Schema::default() };
        let (mut arrays, mut shallow) = (false, false);
        for line in table.lines().skip(1).filter(|line| !line.is_empty()) {
            let mut columns = line.split('\t');
            let path = columns.next().unwrap_or_default();
            let rest: Vec<&str> = columns.collect();
            if path.is_empty() {
                let flags = flags(&rest);
                schema.drops_unknown = flags.contains(&"drops");
                schema.metadata = flags.contains(&"metadata");
                arrays = flags.contains(&"arrays");
                shallow = flags.contains(&"shallow");
            }
            let (steps, mut node) = (steps(path), Node::from_columns(&rest));
            node.required &= !shallow || steps.len() < 2;
            schema.root.insert(&steps, node);
        }
        schema.arrays = MissingArrays::from_node(&schema.root).filter(|_| arrays);
        schema
    }

    pub fn with_arrays<'t>(&self, document: &'t str) -> Cow<'t, str> {
        self.arrays.as_ref().map_or(Cow::Borrowed(document), |place| place.complete(document))
    }
}

/// `personal.addresses[].city` -> `personal`, `addresses`, `[]`, `city`.
fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches("[]");
        if !name.is_empty() {
            steps.push(name);
        }
        steps.extend((0..(part.len() - name.len()) / 2).map(|_| "[]"));
    }
    steps
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_table_of_fields_becomes_a_tree() {
        let table = "path\ttype\tformat\trequired\tenum\tpattern\tdefault\tflags\tconstraints\n\
            tags.tagList\tarray\t\tn\t\t\t\t\tuniqueItems=true\n\
            tags.tagList[]\tstring\t\tn\ta|b\n\
            active\tboolean\t\ty\t\t\ttrue\n\
            map.{key}\tinteger\t\tn";
        let schema = Schema::parse(table);
        let list = schema.root.at_path("tags.tagList").unwrap();
        assert!(list.distinct);
        let Shape::Array(element) = &list.shape else { panic!("{list:?}") };
        assert_eq!(element.choices, ["a", "b"]);
        assert_eq!(schema.root.at_path("active").unwrap().default, Some(Value::Bool(true)));
        assert!(matches!(&schema.root.at_path("map").unwrap().shape, Shape::Object { others: Some(_), .. }));
    }

    #[test]
    fn of_a_shallow_record_only_its_own_members_are_required() {
        for (flags, required) in [("", [true, true]), ("shallow", [true, false])] {
            let table = format!(
                "path\ttype\tformat\trequired\n\tobject\t\t\t\t\t\t{flags}\na\tobject\t\ty\na.b\tstring\t\ty"
            );
            let root = Schema::parse(&table).root;
            assert_eq!(["a", "a.b"].map(|path| root.at_path(path).unwrap().required), required);
        }
    }

    #[test]
    fn what_is_not_part_of_a_record_can_be_left_out() {
        let table = "path\ttype\nlist[].name\tstring\nfree\tobject\nmap.{key}\tstring";
        let schema = Schema::parse(table);
        let sent = serde_json::json!({"list": [{"name": "a", "more": 1}], "free": {"b": 1}, "map": {"c": "d"}, "x": 1});
        let known = serde_json::json!({"list": [{"name": "a"}], "free": {"b": 1}, "map": {"c": "d"}});
        assert_eq!(schema.root.without_unknown_members(sent), known);
    }
}
