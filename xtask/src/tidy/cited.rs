//! Sources and tests that Markdown names are there: `tests/api/groups.rs::a_name_is_unique, ::another`.

use super::Finding;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files_with_ending("md").filter(|(path, _)| *path != "CHANGELOG.md") {
        for (line, content) in (1..).zip(text.lines()) {
            findings
                .extend(missing_names(tree, content).into_iter().map(|why| Finding::new(path, line, why)));
        }
    }
    findings
}

fn missing_names(tree: &Tree, line: &str) -> Vec<String> {
    let mut file = None;
    let mut missing = Vec::new();
    for word in line.split(|c: char| !c.is_alphanumeric() && !"_/.:-".contains(c)) {
        let (path, name) = word.split_once("::").unwrap_or((word, ""));
        if path.ends_with(".rs") && path.contains('/') {
            file = tree.texts.get(path).map(|text| (path, text));
            if file.is_none() {
                missing.push(format!("names {path}, which doesn't exist"));
            }
        } else if !path.is_empty() {
            continue;
        }
        let name = name.trim_end_matches(['.', ':']);
        if let Some((path, _)) =
            file.filter(|(_, text)| !name.is_empty() && !text.contains(&format!("fn {name}(")))
        {
            missing.push(format!("names {name}, which {path} doesn't have"));
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::*;

    fn findings_for(text: &str) -> Vec<String> {
        messages(&check(&Tree::from_texts(&[
            ("docs/a.md", text),
            ("tests/groups.rs", "fn one() {}\nasync fn two() {}\n"),
        ])))
    }

    #[test]
    fn what_is_there_may_be_named() {
        for good in [
            "tests/groups.rs::one, ::two; it",
            "`tests/groups.rs`",
            "ops.rs::gone",
            "`std::time` and gone::one",
        ] {
            assert_eq!(findings_for(good), [""; 0], "{good}");
        }
    }

    #[test]
    fn what_is_gone_is_found_where_it_is_named() {
        for (bad, said) in [
            ("x\ntests/gone.rs::one", "docs/a.md:2: names tests/gone.rs, which doesn't exist"),
            ("| tests/groups.rs::three |", "docs/a.md:1: names three, which tests/groups.rs doesn't have"),
            ("tests/groups.rs::one, ::on", "docs/a.md:1: names on, which tests/groups.rs doesn't have"),
        ] {
            assert_eq!(findings_for(bad), [said]);
        }
    }
}
