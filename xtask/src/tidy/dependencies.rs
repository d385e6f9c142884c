//! `docs/dependencies.md` names every dependency of the workspace, its version line and why it is there.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Finding;
use super::crates::{Crate, line_of_key};
use crate::tree::Tree;

const MANIFEST: &str = "Cargo.toml";
const PAGE: &str = "docs/dependencies.md";

pub(super) fn check(tree: &Tree, crates: &[Crate]) -> Vec<Finding> {
    let manifest = tree.texts.get(MANIFEST).map_or("", String::as_str);
    let page = tree.texts.get(PAGE).map_or("", String::as_str);
    let declared = declared_dependencies(manifest);
    let explained = explained_dependencies(page);
    let mut findings = Vec::new();
    for (name, line_of_versions) in &declared {
        let at = line_of_key(manifest, name);
        match explained.get(name.as_str()) {
            None => {
                findings.push(Finding::new(MANIFEST, at, format!("{PAGE} doesn't say why {name} is there")));
            }
            Some((line, version)) if version != line_of_versions => {
                let message = format!("{name} is at {line_of_versions}, not at {version}");
                findings.push(Finding::new(PAGE, *line, message));
            }
            Some(_) => {}
        }
    }
    let gone = explained.iter().filter(|(name, _)| !declared.contains_key(**name));
    findings.extend(gone.map(|(name, (line, _))| {
        Finding::new(PAGE, *line, format!("{name} is no dependency of the workspace"))
    }));
    findings.extend(unused_dependencies(manifest, &declared, crates));
    findings.extend(own_versions(crates));
    findings
}

/// Each `[workspace.dependencies]` entry that comes from a registry, with its line of compatible versions.
fn declared_dependencies(manifest: &str) -> BTreeMap<String, String> {
    let manifest: Table = toml::from_str(manifest).unwrap_or_default();
    let entries = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let entries = entries.and_then(Value::as_table).into_iter().flatten();
    let versions = entries.filter_map(|(name, how)| {
        let version = how.as_str().or_else(|| how.get("version").and_then(Value::as_str))?;
        Some((name.clone(), line_of_versions(version)))
    });
    versions.collect()
}

/// `1.12.0` -> `1`, `0.7.18` -> `0.7`: what changes when callers may have to.
fn line_of_versions(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (major, _) => major.unwrap_or_default().to_owned(),
    }
}

/// Rows of the page's tables: `` | `name` | version | ... ``, with their lines.
fn explained_dependencies(page: &str) -> BTreeMap<&str, (usize, &str)> {
    let rows = (1..).zip(page.lines()).filter_map(|(line, row)| {
        let mut cells = row.strip_prefix("| `")?.split('|').map(str::trim);
        Some((cells.next()?.trim_end_matches('`'), (line, cells.next()?)))
    });
    rows.collect()
}

fn unused_dependencies(
    manifest: &str,
    declared: &BTreeMap<String, String>,
    crates: &[Crate],
) -> Vec<Finding> {
    let used: BTreeSet<&str> =
        crates.iter().flat_map(|one| &one.dependencies).map(|dependency| dependency.name.as_str()).collect();
    let unused = declared.keys().filter(|name| !used.contains(name.as_str()));
    unused
        .map(|name| Finding::new(MANIFEST, line_of_key(manifest, name), format!("no crate uses {name}")))
        .collect()
}

fn own_versions(crates: &[Crate]) -> Vec<Finding> {
    let all = crates.iter().flat_map(|one| one.dependencies.iter().map(move |dependency| (one, dependency)));
    let own = all.filter(|(_, dependency)| !dependency.of_workspace);
    own.map(|(one, dependency)| {
        let message =
            format!("say `{}.workspace = true`; versions stand once, in {MANIFEST}", dependency.name);
        Finding::new(&one.manifest(), dependency.line, message)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{crates, messages};
    use super::*;

    const ROOT: &str = "[workspace.dependencies]\noctavo-kernel = { path = \"crates/kernel\" }\n\
                        hyper = { version = \"1.12.0\" }\nmatchit = \"0.9.2\"\n";
    const USER: &str =
        "[package]\nname = \"x\"\n[dependencies]\nhyper.workspace = true\nmatchit.workspace = true\n";
    const PAGE_OF_BOTH: &str =
        "| crate | versions |\n|---|---|\n| `hyper` | 1 | x |\n| `matchit` | 0.9 | x |\n";

    fn findings_for(root: &str, user: &str, page: &str) -> Vec<String> {
        let tree = Tree::from_texts(&[(MANIFEST, root), ("crates/x/Cargo.toml", user), (PAGE, page)]);
        messages(&check(&tree, &crates::read(&tree).unwrap()))
    }

    #[test]
    fn a_page_in_step_passes() {
        assert_eq!(findings_for(ROOT, USER, PAGE_OF_BOTH), [] as [&str; 0]);
    }

    #[test]
    fn page_and_manifest_name_the_same_crates_at_the_same_versions() {
        let page = PAGE_OF_BOTH.replace("| `hyper` | 1 |", "| `axum` | 0.8 |").replace("| 0.9 |", "| 0.8 |");
        assert_eq!(
            findings_for(ROOT, USER, &page),
            [
                "Cargo.toml:3: docs/dependencies.md doesn't say why hyper is there",
                "docs/dependencies.md:4: matchit is at 0.9, not at 0.8",
                "docs/dependencies.md:3: axum is no dependency of the workspace",
            ]
        );
    }

    #[test]
    fn a_dependency_that_no_crate_uses_fails() {
        let user = USER.replace("matchit.workspace = true\n", "");
        assert_eq!(findings_for(ROOT, &user, PAGE_OF_BOTH), ["Cargo.toml:4: no crate uses matchit"]);
    }

    #[test]
    fn versions_stand_once() {
        let user = USER.replace("matchit.workspace = true", "matchit = \"0.9\"");
        assert_eq!(
            findings_for(ROOT, &user, PAGE_OF_BOTH),
            ["crates/x/Cargo.toml:5: say `matchit.workspace = true`; versions stand once, in Cargo.toml"]
        );
    }
}
