//! `xtask/tidy.toml`, as it is read.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rules {
    pub files: Files,
    #[serde(default)]
    pub table: Vec<Table>,
    pub layers: Layers,
    pub lock_files: LockFiles,
    #[serde(default)]
    pub word: Vec<Word>,
}

/// Lines of source files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Files {
    pub half_below: usize,
    pub nine_in_ten_below: usize,
    pub limit: usize,
}

/// A file of data, which may be long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub path: String,
    #[expect(dead_code, reason = "for who reads the rules; that it is given is the point")]
    pub reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layers {
    pub order: Vec<String>,
    pub aside: Vec<String>,
    pub pure: Vec<String>,
    pub impure: Vec<String>,
    pub only: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LockFiles {
    pub hosts: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    pub text: String,
    pub reason: String,
}

impl Rules {
    pub(super) const FILE: &str = "xtask/tidy.toml";

    /// The project's own rules, which the tests of the checks stand on.
    #[cfg(test)]
    pub(super) fn of_project() -> Rules {
        toml::from_str(include_str!("../../tidy.toml")).unwrap()
    }
}
