//! Writes JSON objects member by member, from values that are JSON text. Members without a value are left out.

use serde_json::value::RawValue;

/// The value of a member as JSON text, which is copied without being parsed.
pub(super) type Raw<'a> = Option<&'a RawValue>;

pub(super) struct Object<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Object<'o> {
    pub(super) fn begin(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, empty: true }
    }

    pub(super) fn end(self) {
        self.out.push('}');
    }

    /// Writes the name of a member. The caller then writes the value.
    pub(super) fn member(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    pub(super) fn raw(&mut self, name: &str, value: Raw<'_>) {
        self.json(name, value.map(RawValue::get));
    }

    /// Writes a list; a missing list is written as an empty one.
    pub(super) fn list(&mut self, name: &str, value: Raw<'_>) {
        self.json(name, Some(value.map_or("[]", RawValue::get)));
    }

    pub(super) fn json(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.member(name).push_str(value);
        }
    }

    pub(super) fn boolean(&mut self, name: &str, value: bool) {
        self.json(name, Some(if value { "true" } else { "false" }));
    }
}

/// Writes `[a,b]`, each element by `write`.
pub(super) fn array<T>(
    out: &mut String,
    elements: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push('[');
    for (at, element) in elements.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, element);
    }
    out.push(']');
}

pub(super) fn id<'a>(value: Raw<'a>) -> Option<&'a str> {
    value?.get().strip_prefix('"')?.strip_suffix('"')
}
