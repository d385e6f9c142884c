//! Files of a crate import those below them, never each other in circles. A folder's own file and the files in it count as one
//! side of no arrow (the folder lists what it shows of them), nor does the file of the crate; tests may import what they like.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::imports::{self, Module, Name};
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources: BTreeSet<&str> =
        tree.files_with_ending("rs").filter_map(|(path, _)| Some(path.split_once("/src/")?.0)).collect();
    sources.into_iter().flat_map(|source| circles_in_crate(&imports::modules(tree, source))).collect()
}

fn circles_in_crate(modules: &BTreeMap<Name, Module>) -> Vec<Finding> {
    let arrows: BTreeMap<&Name, BTreeSet<Name>> = modules
        .iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, module)| {
            let mut to = imports::imported_modules(modules, name, module);
            to.retain(|to| !to.is_empty() && !to.starts_with(name) && !name.starts_with(to));
            (name, to)
        })
        .collect();
    let reached: BTreeMap<&Name, BTreeSet<&Name>> =
        arrows.keys().map(|name| (*name, reachable(&arrows, name))).collect();
    let mut told = BTreeSet::new();
    let mut findings = Vec::new();
    for (name, to) in &reached {
        if to.contains(name) && !told.contains(name) {
            let circle: Vec<&Name> =
                to.iter().copied().filter(|other| reached[other].contains(name)).collect();
            let paths: Vec<&str> = circle.iter().map(|name| modules[*name].path).collect();
            told.extend(circle);
            findings.push(Finding::new(
                paths[0],
                1,
                format!("files import each other: {}", paths.join(", ")),
            ));
        }
    }
    findings
}

/// Every module that can be come to along the arrows.
fn reachable<'a>(arrows: &'a BTreeMap<&Name, BTreeSet<Name>>, from: &Name) -> BTreeSet<&'a Name> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Name> = arrows.get(from).into_iter().flatten().collect();
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(arrows.get(name).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        messages(&check(&Tree::from_texts(files)))
    }

    #[test]
    fn files_that_import_each_other_are_told() {
        let told = "crates/x/src/a.rs:1: files import each other: crates/x/src/a.rs, crates/x/src/b/c.rs";
        for (lib, a, c) in [
            ("", "use crate::b::c::C;", "use crate::a::A;"),
            ("", "use crate::b::{c, d::D};\nfn f() { c::g() }", "fn h() -> crate::a::A {}"),
            ("pub use a::A;\npub use b::C;", "use crate::{C, other};", "use crate::A;"),
            ("", "use super::b::c::{self, C};\nfn f() { c::g() }", "use super::super::a::A;"),
            ("", "use crate::b::c::*;", "use crate::a::*;"),
        ] {
            let files = [
                ("crates/x/src/lib.rs", lib),
                ("crates/x/src/a.rs", a),
                ("crates/x/src/b.rs", "mod c;\npub use c::C;"),
                ("crates/x/src/b/c.rs", c),
            ];
            assert_eq!(circles(&files), [told], "{lib} {a} {c}");
        }
    }

    #[test]
    fn arrows_that_all_point_down_are_right() {
        for (a, b) in [
            ("use crate::b::B;", ""),
            ("use crate::b::B;", "// use crate::a::A;"),
            ("use crate::b::B;", "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
            ("use crate::b::B;", "#[cfg(test)]\nuse crate::a::A;"),
            ("use crate::b::B;", "const TEXT: &str = \"crate::a\";"),
        ] {
            let files = [("crates/x/src/lib.rs", ""), ("crates/x/src/a.rs", a), ("crates/x/src/b.rs", b)];
            assert_eq!(circles(&files), [] as [&str; 0], "{a} {b}");
        }
    }

    #[test]
    fn a_folder_and_its_files_are_no_circle() {
        let files = [("crates/x/src/a.rs", "use b::B;"), ("crates/x/src/a/b.rs", "use super::A;")];
        assert_eq!(circles(&files), [] as [&str; 0]);
    }
}
