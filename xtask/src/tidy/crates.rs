//! The workspace's crates and what their manifests say they depend on.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::tree::Tree;

#[derive(Debug)]
pub(super) struct Crate {
    pub name: String,
    /// `crates/kernel`
    pub folder: String,
    pub dependencies: Vec<Dependency>,
}

#[derive(Debug)]
pub(super) struct Dependency {
    pub name: String,
    /// Under `[dev-dependencies]`.
    pub for_tests: bool,
    /// Its version stands in the workspace's manifest.
    pub of_workspace: bool,
    pub line: usize,
}

impl Crate {
    pub(super) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}

/// Every manifest below the root's, but for workspaces of their own: what needs another compiler is no part of this one.
pub(super) fn read(tree: &Tree) -> Result<Vec<Crate>> {
    let manifests =
        tree.texts.iter().filter_map(|(path, text)| Some((path.strip_suffix("/Cargo.toml")?, text)));
    let of_ours = manifests.filter(|(_, text)| !text.lines().any(|line| line == "[workspace]"));
    of_ours.map(|(folder, text)| parse(folder, text)).collect()
}

fn parse(folder: &str, text: &str) -> Result<Crate> {
    let manifest: Table = toml::from_str(text).with_context(|| format!("{folder}/Cargo.toml"))?;
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    let name = name.with_context(|| format!("{folder}/Cargo.toml names no package"))?.to_owned();
    let mut dependencies = Vec::new();
    for (section, for_tests) in
        [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
    {
        let section = manifest.get(section).and_then(Value::as_table).into_iter().flatten();
        dependencies.extend(section.map(|(name, how)| Dependency {
            name: name.clone(),
            for_tests,
            of_workspace: how.get("workspace").is_some(),
            line: line_of_key(text, name),
        }));
    }
    Ok(Crate { name, folder: folder.to_owned(), dependencies })
}

/// The first line that sets `key`, from 1.
pub(super) fn line_of_key(text: &str, key: &str) -> usize {
    let sets = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '=', '.']));
    text.lines().position(|line| sets(line.trim_start_matches('"'))).map_or(1, |at| at + 1)
}

/// Each package of `Cargo.lock` with the names of those that it depends on.
pub(super) fn locked(tree: &Tree) -> BTreeMap<String, Vec<String>> {
    let lock: Table =
        tree.lock_files.get("Cargo.lock").and_then(|text| toml::from_str(text).ok()).unwrap_or_default();
    let mut locked: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock.get("package").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = package.get("name").and_then(Value::as_str) else { continue };
        let dependencies = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
        // `name`, or `name version` where there are several.
        let names = dependencies.filter_map(Value::as_str).filter_map(|one| one.split(' ').next());
        locked.entry(name.to_owned()).or_default().extend(names.map(str::to_owned));
    }
    locked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_says_what_a_crate_depends_on_and_where() {
        let manifest = "[package]\nname = \"octavo-x\"\n[dependencies]\nuuid.workspace = true\nserde = \"1\"\n\
                        [dev-dependencies]\ninsta = { workspace = true }\n";
        let apart = "[package]\nname = \"apart\"\n[workspace]\n";
        let manifests =
            [("crates/x/Cargo.toml", manifest), ("Cargo.toml", "[workspace]\n"), ("apart/Cargo.toml", apart)];
        let crates = read(&Tree::from_texts(&manifests)).unwrap();
        let [one] = crates.as_slice() else { panic!("one crate") };
        assert_eq!((one.name.as_str(), one.manifest().as_str()), ("octavo-x", "crates/x/Cargo.toml"));
        let mut seen: Vec<_> =
            one.dependencies.iter().map(|d| (d.name.as_str(), d.line, d.for_tests, d.of_workspace)).collect();
        seen.sort_unstable();
        assert_eq!(seen, [("insta", 7, true, true), ("serde", 5, false, false), ("uuid", 4, false, true)]);
    }

    #[test]
    fn the_lock_file_says_what_dependencies_depend_on() {
        let lock =
            "[[package]]\nname = \"a\"\ndependencies = [\"b 1.0.0\", \"c\"]\n[[package]]\nname = \"b\"\n";
        let locked = locked(&Tree::from_texts(&[("Cargo.lock", lock)]));
        assert_eq!(locked["a"], ["b", "c"]);
        assert!(locked["b"].is_empty());
    }
}
