//! The values that were found for settings, as they were written, and what is wrong with them.

use std::collections::BTreeMap;
use std::fmt;

use super::kind::Kind;

/// The mistakes in all settings, each with its place.
#[derive(Debug, PartialEq)]
pub(crate) struct Problems(pub(super) Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// A value as it was written, and where: `--listen`, `OCTAVO_LISTEN`, `octavo.toml:3`, `default`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    pub raw: String,
    pub origin: String,
}

/// The value of each setting that has one.
#[derive(Debug, Default)]
pub(super) struct Found(BTreeMap<&'static str, Value>);

impl Found {
    pub(super) fn insert(&mut self, name: &'static str, value: Value) {
        self.0.insert(name, value);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The value of a setting that may have none: `None`, or an empty list.
    pub(super) fn optional<T, F: From<T> + Default>(
        &self,
        name: &str,
        kind: &Kind<T>,
    ) -> Result<F, Problems> {
        if self.get(name).is_none() { Ok(F::default()) } else { self.value(name, kind).map(F::from) }
    }

    pub(super) fn value<T>(&self, name: &str, kind: &Kind<T>) -> Result<T, Problems> {
        let value = self.get(name).ok_or_else(|| Problems(vec![format!("{name} has no value")]))?;
        let wrong = || Problems(vec![format!("{}: {name} can't be read", value.origin)]);
        (kind.parse)(&value.raw).ok_or_else(wrong)
    }
}
