//! Arrows between crates point up the list in `xtask/tidy.toml`; the pure crates stay pure; what only one crate
//! may name, only that one names.

use std::collections::{BTreeMap, BTreeSet};

use super::crates::{self, Crate, Dependency};
use super::{Finding, Rules};
use crate::tree::Tree;

pub(super) fn check(tree: &Tree, rules: &Rules, crates: &[Crate]) -> Vec<Finding> {
    let own: BTreeSet<&str> = crates.iter().map(|one| one.name.as_str()).collect();
    let locked = crates::locked(tree);
    let mut findings = Vec::new();
    for from in crates {
        for to in &from.dependencies {
            let why = if own.contains(to.name.as_str()) {
                wrong_dependency(rules, &from.name, to)
            } else {
                reserved_dependency(rules, &from.name, to)
                    .or_else(|| impure_dependency(rules, &from.name, to, &locked))
            };
            findings.extend(why.map(|why| Finding::new(&from.manifest(), to.line, why)));
        }
        let layers = &rules.layers;
        let placed =
            layers.order.contains(&from.name) || layers.aside.contains(&from.name) || from.name == "xtask";
        if !placed {
            findings.push(Finding::new(
                &from.manifest(),
                1,
                format!("{} has no place in [layers] of {}", from.name, Rules::FILE),
            ));
        }
    }
    findings
}

fn wrong_dependency(rules: &Rules, from: &str, to: &Dependency) -> Option<String> {
    let layers = &rules.layers;
    let place = |name: &str| layers.order.iter().position(|one| one == name);
    let aside = |name: &str| layers.aside.iter().position(|one| one == name);
    let name = to.name.as_str();
    let right = match (place(from), place(name), aside(from), aside(name)) {
        (Some(from), Some(to), ..) => to < from,
        (.., Some(from), Some(to)) => to < from,
        (_, Some(_), Some(_), _) => true,
        (Some(_), .., Some(_)) => to.for_tests && !layers.pure.iter().any(|pure| pure == from),
        _ => false,
    };
    (!right).then(|| format!("{from} must not depend on {name}: see [layers] of {}", Rules::FILE))
}

fn reserved_dependency(rules: &Rules, from: &str, to: &Dependency) -> Option<String> {
    let owner = rules.layers.only.get(&to.name)?;
    (owner != from).then(|| format!("only {owner} may depend on {}", to.name))
}

/// How a pure crate comes by what it must not know: `a -> b -> tokio`.
fn impure_dependency(
    rules: &Rules,
    from: &str,
    to: &Dependency,
    locked: &BTreeMap<String, Vec<String>>,
) -> Option<String> {
    if !rules.layers.pure.iter().any(|pure| pure == from) {
        return None;
    }
    let mut seen = BTreeSet::new();
    let mut chains = vec![vec![to.name.as_str()]];
    while let Some(chain) = chains.pop() {
        let last = *chain.last()?;
        if rules.layers.impure.iter().any(|impure| impure == last) {
            return Some(format!(
                "{from} is pure and must not know {last}: {from} -> {}",
                chain.join(" -> ")
            ));
        }
        if seen.insert(last) {
            let next = locked.get(last).into_iter().flatten();
            chains.extend(next.map(|next| [chain.as_slice(), &[next.as_str()]].concat()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::*;

    /// What is wrong with one crate that has this section of dependencies; testkit and the layers exist.
    fn problems_with(from: &str, section: &str, to: &str) -> Vec<String> {
        let lock = "[[package]]\nname = \"reqwest\"\ndependencies = [\"url\", \"hyper\"]\n";
        let manifest = |name: &str| format!("[package]\nname = \"{name}\"\n");
        let rules = Rules::of_project();
        let all = rules.layers.order.iter().chain(&rules.layers.aside);
        let mut files: Vec<(String, String)> =
            all.map(|name| (format!("crates/{name}/Cargo.toml"), manifest(name))).collect();
        files.retain(|(path, _)| *path != format!("crates/{from}/Cargo.toml"));
        files.push((
            "crates/x/Cargo.toml".into(),
            format!("{}[{section}]\n{to}.workspace = true\n", manifest(from)),
        ));
        files.push(("Cargo.lock".into(), lock.into()));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let tree = Tree::from_texts(&files);
        messages(&check(&tree, &rules, &crates::read(&tree).unwrap()))
    }

    #[test]
    fn arrows_point_one_way() {
        for (from, section, to) in [
            ("octavo-engine", "dependencies", "octavo-pg"),
            ("octavo", "dependencies", "octavo-gateway"),
            ("octavo-testkit", "dependencies", "octavo-gateway"),
            ("octavo-tests", "dev-dependencies", "octavo-testkit"),
            ("octavo-modules", "dev-dependencies", "octavo-testkit"),
        ] {
            assert_eq!(problems_with(from, section, to), [] as [&str; 0], "{from} -> {to}");
        }
        for (from, section, to) in [
            ("octavo-pg", "dependencies", "octavo-engine"),
            ("octavo-kernel", "dependencies", "octavo-cql"),
            ("octavo-modules", "dependencies", "octavo-testkit"),
            ("octavo-cql", "dev-dependencies", "octavo-testkit"),
            ("octavo-testkit", "dependencies", "octavo-tests"),
            ("xtask", "dependencies", "octavo-kernel"),
        ] {
            let message = format!(
                "crates/x/Cargo.toml:4: {from} must not depend on {to}: see [layers] of xtask/tidy.toml"
            );
            assert_eq!(problems_with(from, section, to), [message]);
        }
    }

    #[test]
    fn the_pure_crates_know_no_runtime_not_even_by_hearsay() {
        assert_eq!(
            problems_with("octavo-cql", "dependencies", "reqwest"),
            [
                "crates/x/Cargo.toml:4: octavo-cql is pure and must not know hyper: octavo-cql -> reqwest -> hyper"
            ]
        );
        assert_eq!(problems_with("octavo-record", "dev-dependencies", "tokio").len(), 1);
        assert_eq!(problems_with("octavo-cql", "dependencies", "serde"), [] as [&str; 0]);
        assert_eq!(problems_with("octavo-gateway", "dependencies", "reqwest"), [] as [&str; 0]);
    }

    #[test]
    fn only_pg_names_the_postgresql_client() {
        assert_eq!(
            problems_with("octavo-engine", "dependencies", "tokio-postgres"),
            ["crates/x/Cargo.toml:4: only octavo-pg may depend on tokio-postgres"]
        );
        assert_eq!(problems_with("octavo-pg", "dependencies", "tokio-postgres"), [] as [&str; 0]);
    }

    #[test]
    fn a_crate_without_a_place_fails() {
        assert_eq!(
            problems_with("octavo-extra", "dependencies", "serde"),
            ["crates/x/Cargo.toml:1: octavo-extra has no place in [layers] of xtask/tidy.toml"]
        );
    }
}
