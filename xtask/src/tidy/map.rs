//! Nobody gets lost: every crate opens with what it is for, and `ARCHITECTURE.md` names every crate and every
//! folder at the top.

use super::Finding;
use super::crates::Crate;
use crate::tree::Tree;

const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(tree: &Tree, crates: &[Crate]) -> Vec<Finding> {
    let mut findings = missing_headers(tree, crates);
    match tree.texts.get(MAP) {
        Some(map) => findings.extend(missing_names(tree, crates, map)),
        None => findings.push(Finding::note(MAP, 1, "there is no map of the code yet")),
    }
    findings
}

fn missing_headers(tree: &Tree, crates: &[Crate]) -> Vec<Finding> {
    let roots =
        crates.iter().flat_map(|one| ["lib.rs", "main.rs"].map(|file| format!("{}/src/{file}", one.folder)));
    let bare = roots.filter(|root| tree.texts.get(root).is_some_and(|text| !text.starts_with("//!")));
    bare.map(|root| Finding::new(&root, 1, "open with `//!`: what it is for, what it must not know"))
        .collect()
}

fn missing_names(tree: &Tree, crates: &[Crate], map: &str) -> Vec<Finding> {
    let top = tree.paths.iter().filter(|path| !path.contains('/') && !path.starts_with('.'));
    let top = top.filter(|path| tree.paths.iter().any(|inner| inner.starts_with(&format!("{path}/"))));
    let folders = top.cloned().chain(crates.iter().map(|one| one.folder.clone()));
    let mut folders: Vec<String> = folders.collect();
    folders.sort();
    folders.dedup();
    folders.retain(|folder| !names_folder(map, folder));
    folders.iter().map(|folder| Finding::new(MAP, 1, format!("doesn't name {folder}/"))).collect()
}

/// `folder/`, not as the end of another path.
fn names_folder(map: &str, folder: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || "/-_.".contains(c);
    map.match_indices(&format!("{folder}/")).any(|(at, _)| !map[..at].ends_with(within))
}

#[cfg(test)]
mod tests {
    use super::super::{crates, messages};
    use super::*;

    fn findings_for(files: &[(&str, &str)]) -> Vec<String> {
        let tree = Tree::from_texts(files);
        messages(&check(&tree, &crates::read(&tree).unwrap()))
    }

    const MANIFEST: (&str, &str) = ("crates/pg/Cargo.toml", "[package]\nname = \"octavo-pg\"\n");

    #[test]
    fn the_map_names_every_crate_and_every_folder_at_the_top() {
        let files = [MANIFEST, ("ui/app.ts", "x\n"), (".ci/run", "x\n")];
        let with = |map: &'static str| findings_for(&[&files[..], &[(MAP, map)]].concat());
        assert_eq!(with("crates/pg/ the client, `ui/` the desk; crates/\n"), [] as [&str; 0]);
        assert_eq!(
            with("lab/crates/pg/ and `ui`\n"),
            [
                "ARCHITECTURE.md:1: doesn't name crates/",
                "ARCHITECTURE.md:1: doesn't name crates/pg/",
                "ARCHITECTURE.md:1: doesn't name ui/",
            ]
        );
    }

    #[test]
    fn a_crate_opens_with_what_it_is_for() {
        let map = (MAP, "crates/ crates/pg/\n");
        assert_eq!(
            findings_for(&[MANIFEST, map, ("crates/pg/src/lib.rs", "//! The client.\n")]),
            [] as [&str; 0]
        );
        assert_eq!(
            findings_for(&[MANIFEST, map, ("crates/pg/src/lib.rs", "mod pool;\n")]),
            ["crates/pg/src/lib.rs:1: open with `//!`: what it is for, what it must not know"]
        );
    }
}
