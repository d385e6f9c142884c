//! The values that were found for settings, as they were written, and what is wrong with them.

use std::collections::BTreeMap;
use std::fmt;

use super::setting::Setting;

/// All that is wrong with the settings, each with its place.
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

    pub(super) fn optional<T>(&self, setting: &Setting<T>) -> Result<Option<T>, Problems> {
        let Some(value) = self.0.get(setting.name) else { return Ok(None) };
        let wrong = || Problems(vec![format!("{}: {} can't be read", value.origin, setting.name)]);
        (setting.kind.parse)(&value.raw).map(Some).ok_or_else(wrong)
    }

    pub(super) fn value<T>(&self, setting: &Setting<T>) -> Result<T, Problems> {
        self.optional(setting)?.ok_or_else(|| Problems(vec![format!("{} has no value", setting.name)]))
    }
}
