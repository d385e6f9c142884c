//! The dependency policy of `deny.toml`, held without cargo-deny, which takes minutes to build on two cores.
//! Reads the part of its format that the file uses, with its meaning; any other key is refused, so that both
//! tools go on giving one answer.

mod licence;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// Reports how `Cargo.lock` departs from `deny.toml`; returns the number of departures.
pub(crate) fn run(root: &Path) -> Result<usize> {
    let policy = std::fs::read_to_string(root.join("deny.toml")).context("can't read deny.toml")?;
    let policy: Policy = toml::from_str(&policy).context("deny.toml")?;
    let packages = packages(root)?;
    let problems = problems(&policy, &packages);
    for problem in &problems {
        println!("{problem}");
    }
    println!("deny: {} crates, {} problems", packages.len(), problems.len());
    Ok(problems.len())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Policy {
    licenses: Licences,
    /// Read by `advisories`.
    #[serde(rename = "advisories", default)]
    _advisories: serde::de::IgnoredAny,
    bans: Bans,
    sources: Sources,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licences {
    allow: Vec<String>,
    #[serde(rename = "unused-allowed-license")]
    _unused: AlwaysAllow,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    #[serde(rename = "multiple-versions")]
    _multiple_versions: AlwaysDeny,
    #[serde(rename = "wildcards")]
    _wildcards: AlwaysDeny,
    #[serde(rename = "allow-wildcard-paths")]
    _wildcard_paths: bool,
    deny: Vec<CrateRule>,
    skip: Vec<CrateRule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    #[serde(rename = "unknown-registry")]
    _unknown_registry: AlwaysDeny,
    #[serde(rename = "unknown-git")]
    _unknown_git: AlwaysDeny,
    allow_registry: Vec<String>,
}

/// A level that this tool knows only as `"deny"`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AlwaysDeny {
    Deny,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AlwaysAllow {
    Allow,
}

/// `name` or `name@1.2`, and why it stands there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CrateRule {
    #[serde(rename = "crate")]
    spec: String,
    reason: String,
}

impl CrateRule {
    fn matches(&self, package: &Package) -> bool {
        match self.spec.split_once('@') {
            None => self.spec == package.name,
            Some((name, version)) => {
                name == package.name
                    && package
                        .version
                        .strip_prefix(version)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    license: Option<String>,
    /// `None` for the workspace's own crates.
    pub(crate) source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Clone, Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// Every package that `Cargo.lock` names, for every platform.
pub(crate) fn packages(root: &Path) -> Result<Vec<Package>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("can't start cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    Ok(metadata.packages)
}

fn problems(policy: &Policy, packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    for package in packages {
        problems.extend(licence_problem(&policy.licenses, package));
        problems.extend(ban_problem(&policy.bans, package));
        problems.extend(source_problem(&policy.sources, package));
        problems.extend(wildcards(package));
    }
    problems.extend(duplicates(&policy.bans, packages));
    problems
}

fn licence_problem(licences: &Licences, package: &Package) -> Option<String> {
    let Some(expression) = &package.license else {
        return Some(format!("{package}: names no licence"));
    };
    match licence::is_allowed(expression, &|one| licences.allow.iter().any(|allowed| allowed == one)) {
        Ok(true) => None,
        Ok(false) => {
            Some(format!("{package}: licence {expression} is not allowed by [licenses] in deny.toml"))
        }
        Err(why) => Some(format!("{package}: can't read its licence {expression}: {why}")),
    }
}

fn ban_problem(bans: &Bans, package: &Package) -> Option<String> {
    let ban = bans.deny.iter().find(|ban| ban.matches(package))?;
    Some(format!("{package}: banned by [bans] in deny.toml: {}", ban.reason))
}

fn source_problem(sources: &Sources, package: &Package) -> Option<String> {
    let source = package.source.as_ref()?;
    let known = source
        .strip_prefix("registry+")
        .is_some_and(|registry| sources.allow_registry.iter().any(|allowed| allowed == registry));
    (!known).then(|| format!("{package}: comes from {source}, which [sources] in deny.toml doesn't allow"))
}

fn wildcards(package: &Package) -> Vec<String> {
    let own = package.source.is_none();
    let wild =
        package.dependencies.iter().filter(|dependency| dependency.req == "*" && dependency.path.is_none());
    wild.filter(|_| own)
        .map(|dependency| format!("{package}: depends on any version of {}", dependency.name))
        .collect()
}

/// Two versions of a crate, unless all but one are skipped; and skips that nothing needs.
fn duplicates(bans: &Bans, packages: &[Package]) -> Vec<String> {
    let skipped = |package: &Package| bans.skip.iter().any(|skip| skip.matches(package));
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| !skipped(package)) {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1).map(|(name, versions)| {
        let versions: Vec<&str> = versions.iter().copied().collect();
        format!(
            "{name}: {} are all built; let one go, or [bans] skip it with a reason",
            versions.join(" and ")
        )
    });
    let idle = bans.skip.iter().filter(|skip| {
        let name = skip.spec.split('@').next();
        let all: BTreeSet<&str> = packages
            .iter()
            .filter(|package| Some(package.name.as_str()) == name)
            .map(|package| package.version.as_str())
            .collect();
        all.len() < 2 || !packages.iter().any(|package| skip.matches(package))
    });
    let idle = idle.map(|skip| format!("deny.toml: [bans] skip of {} is no longer needed", skip.spec));
    several.chain(idle).collect()
}

#[cfg(test)]
mod tests;
