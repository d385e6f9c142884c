//! Line by line: white space, and words that no file may hold; and where lock files fetch from.

use super::{Finding, Rules};
use crate::tree::Tree;

const NO_TABS: &[&str] = &[".rs", ".md", ".toml"];

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in &tree.texts {
        for (line, content) in (1..).zip(text.lines()) {
            if content.ends_with([' ', '\t', '\r']) {
                findings.push(Finding::new(path, line, "white space at the end of the line"));
            }
            if content.contains('\t') && NO_TABS.iter().any(|ending| path.ends_with(ending)) {
                findings.push(Finding::new(path, line, "a tab; indent with spaces"));
            }
            if path != Rules::FILE {
                findings.extend(forbidden_words(path, line, content, rules));
            }
        }
        if text.is_empty() || !text.ends_with('\n') {
            findings.push(Finding::new(
                path,
                text.lines().count().max(1),
                "no newline at the end of the file",
            ));
        } else if text.ends_with("\n\n") {
            findings.push(Finding::new(path, text.lines().count(), "an empty line at the end of the file"));
        }
    }
    findings
}

fn forbidden_words(path: &str, line: usize, content: &str, rules: &Rules) -> Vec<Finding> {
    let found = rules.word.iter().filter(|word| contains_word(content, &word.text));
    found.map(|word| Finding::new(path, line, format!("`{}`: {}", word.text, word.reason))).collect()
}

/// As a word of its own: what comes before and after it doesn't continue it.
fn contains_word(content: &str, word: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    content.match_indices(word).any(|(at, _)| {
        let before = content[..at].chars().next_back();
        let after = content[at + word.len()..].chars().next();
        let free_before =
            !before.is_some_and(|c| continues(c) || (word.starts_with('/') && "./-}".contains(c)));
        let free_after =
            !word.ends_with(continues) || !after.is_some_and(|c| continues(c) && !c.is_ascii_digit());
        free_before && free_after
    })
}

/// Crates and packages come from the public registries, so that everyone can build what the lock file names.
pub(super) fn lock_files(tree: &Tree, rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in &tree.lock_files {
        let sources = (1..).zip(text.lines()).filter(|(_, line)| {
            let line = line.trim_start();
            line.starts_with("source = ") || line.starts_with("\"resolved\": ")
        });
        for (line, content) in sources {
            let place = content.split_once("://").map_or("", |(_, place)| place);
            if !rules.lock_files.hosts.iter().any(|host| place.starts_with(host.as_str())) {
                findings.push(Finding::new(path, line, "fetches from elsewhere than the public registry"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::*;

    fn findings_for(path: &str, text: &str) -> Vec<String> {
        messages(&check(&Tree::from_texts(&[(path, text)]), &Rules::of_project()))
    }

    #[test]
    fn white_space_that_nobody_sees_fails() {
        assert_eq!(findings_for("a.sql", "x\ny \n"), ["a.sql:2: white space at the end of the line"]);
        assert_eq!(findings_for("a.md", "\tx\n"), ["a.md:1: a tab; indent with spaces"]);
        assert_eq!(findings_for("Makefile", "\tx\n"), [] as [&str; 0]);
        assert_eq!(findings_for("a.rs", "x"), ["a.rs:1: no newline at the end of the file"]);
        assert_eq!(findings_for("a.rs", "x\n\n"), ["a.rs:2: an empty line at the end of the file"]);
    }

    #[test]
    fn unfinished_work_and_one_machines_paths_fail() {
        for bad in [
            concat!("// TO", "DO: later"),
            concat!("(FIX", "ME)"),
            concat!("cd /wo", "rk/main"),
            concat!("\"/ro", "ot/x\""),
            concat!("postgres://u@local", "host:5432/x"),
        ] {
            assert_eq!(findings_for("a.rs", &format!("{bad}\n")).len(), 1, "{bad}");
        }
        for good in ["XXXL", "/home/work/x", "crates/root/x", "TODOS"] {
            assert_eq!(findings_for("a.rs", &format!("{good}\n")), [] as [&str; 0], "{good}");
        }
    }

    #[test]
    fn lock_files_name_only_public_registries() {
        let cargo = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\nsource = \"git+https://x.example/y\"\n";
        let npm = "  \"resolved\": \"https://registry.npmjs.org/a/-/a.tgz\",\n  \"resolved\": \"https://mirror.example/a.tgz\",\n";
        let tree = Tree::from_texts(&[("Cargo.lock", cargo), ("ui/package-lock.json", npm)]);
        let findings = lock_files(&tree, &Rules::of_project());
        let lines: Vec<(&str, usize)> = findings.iter().map(|f| (f.path.as_str(), f.line)).collect();
        assert_eq!(lines, [("Cargo.lock", 2), ("ui/package-lock.json", 2)]);
    }
}
