//! Known weaknesses of the crates that `Cargo.lock` names, by the RustSec database. A copy of it is kept in `target/advisory-db` and brought up to date;
//! without a network the copy is read as it is, and without a copy that is said, and nothing is refused.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use semver::{Version, VersionReq};
use serde::Deserialize;

use crate::deny::{Package, packages};

const DATABASE: &str = "https://github.com/RustSec/advisory-db.git";

/// Tells the advisories that hold for a crate; returns how many of them say that it is unsafe to use and are not excepted. A crate
/// that nobody looks after is told, and not counted.
pub(crate) fn run(root: &Path) -> Result<usize> {
    let policy = std::fs::read_to_string(root.join("deny.toml")).context("can't read deny.toml")?;
    let DenyFile { advisories: policy } = toml::from_str(&policy).context("deny.toml")?;
    let copy = root.join("target/advisory-db");
    let is_new = update_copy(&copy);
    if !copy.join("crates").is_dir() {
        println!(
            "advisories: not checked, there is no network and no copy of {DATABASE} in {}",
            copy.display()
        );
        return Ok(0);
    }
    let packages: Vec<Package> =
        packages(root)?.into_iter().filter(|package| package.source.is_some()).collect();
    let mut problems = 0;
    for package in &packages {
        for advisory in read_advisories(&copy.join("crates").join(&package.name))? {
            if !advisory.affects(&package.version) {
                continue;
            }
            let id = &advisory.advisory.id;
            if let Some(excepted) = policy.ignore.iter().find(|one| one.id == *id) {
                println!("{} {}: {id}, excepted: {}", package.name, package.version, excepted.reason);
                continue;
            }
            let kind = advisory.advisory.informational.as_deref().unwrap_or("a weakness");
            println!("{} {}: {id}, {kind}", package.name, package.version);
            problems += usize::from(advisory.is_unsafe());
        }
    }
    let age = if is_new { "" } else { "; the database could not be brought up to date" };
    println!("advisories: {} crates, {problems} problems{age}", packages.len());
    Ok(problems)
}

/// The part of `deny.toml` that is read here.
#[derive(Debug, Deserialize)]
struct DenyFile {
    #[serde(default)]
    advisories: Policy,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Policy {
    ignore: Vec<IgnoredAdvisory>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IgnoredAdvisory {
    id: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
struct Advisory {
    advisory: AdvisoryHead,
    versions: Versions,
}

#[derive(Debug, Deserialize)]
struct AdvisoryHead {
    id: String,
    /// What it is, if it is no weakness: `unmaintained`, `unsound`, `notice`.
    informational: Option<String>,
    withdrawn: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Versions {
    patched: Vec<String>,
    #[serde(default)]
    unaffected: Vec<String>,
}

impl Advisory {
    /// An advisory follows three backticks and `toml` in the head of a page.
    fn parse(page: &str) -> Result<Advisory> {
        let head = page.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```"));
        let (head, _) = head.context("has no head")?;
        Ok(toml::from_str(head)?)
    }

    fn affects(&self, version: &str) -> bool {
        let Ok(version) = Version::parse(version) else { return true };
        let within = |one: &String| VersionReq::parse(one).is_ok_and(|versions| versions.matches(&version));
        self.advisory.withdrawn.is_none()
            && !self.versions.patched.iter().chain(&self.versions.unaffected).any(within)
    }

    fn is_unsafe(&self) -> bool {
        self.advisory.informational.as_deref().is_none_or(|kind| kind == "unsound")
    }
}

/// The advisories of a crate, whose folder may not be there.
fn read_advisories(folder: &Path) -> Result<Vec<Advisory>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut pages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    pages.sort();
    let read = |page: &PathBuf| {
        let text = std::fs::read_to_string(page)?;
        Advisory::parse(&text).with_context(|| page.display().to_string())
    };
    pages.iter().filter(|page| page.extension().is_some_and(|end| end == "md")).map(read).collect()
}

/// Returns whether the copy is as new as the database.
fn update_copy(copy: &Path) -> bool {
    let mut git = Command::new("git");
    match copy.join(".git").is_dir() {
        true => git.arg("-C").arg(copy).args(["pull", "--quiet", "--ff-only"]),
        false => git.args(["clone", "--quiet", "--depth", "1", DATABASE]).arg(copy),
    };
    git.env("GIT_TERMINAL_PROMPT", "0").output().is_ok_and(|done| done.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(more: &str, patched: &str, unaffected: &str) -> String {
        format!(
            "```toml\n[advisory]\nid = \"RUSTSEC-2026-0001\"\npackage = \"x\"\n{more}\n[versions]\npatched = [{patched}]\n\
             unaffected = [{unaffected}]\n```\n\n# Title\n"
        )
    }

    #[test]
    fn an_advisory_holds_for_versions_that_are_neither_mended_nor_unaffected() {
        let patched = "\">= 1.5.1, < 1.6.0\", \">= 1.6.3\"";
        for (more, version, expected) in [
            ("", "1.5.0", true),
            ("", "1.5.1", false),
            ("", "1.6.1", true),
            ("", "1.7.0", false),
            ("", "0.2.9", false),
            ("withdrawn = \"2026-02-01\"", "1.5.0", false),
        ] {
            let advisory = Advisory::parse(&page(more, patched, "\"< 0.3.0\"")).unwrap();
            assert_eq!(advisory.affects(version), expected, "{more} {version}");
        }
    }

    #[test]
    fn what_is_not_looked_after_is_no_weakness() {
        for (more, expected) in
            [("", true), ("informational = \"unsound\"", true), ("informational = \"unmaintained\"", false)]
        {
            assert_eq!(Advisory::parse(&page(more, "", "")).unwrap().is_unsafe(), expected, "{more}");
        }
        assert!(Advisory::parse("# Title").is_err());
    }
}
