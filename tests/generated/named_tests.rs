//! The pages about security name tests: each is there.

use std::path::{Path, PathBuf};

/// A page, and how many tests it names at least.
const PAGES: [(&str, usize); 2] = [("docs/security.md", 100), ("docs/threat-model.md", 40)];

#[test]
fn pages_about_security_are_in_step_with_the_tests_that_they_name() {
    for (page, least) in PAGES {
        let text = std::fs::read_to_string(root().join(page)).expect(page);
        let mut missing = Vec::new();
        let mut count = 0;
        for row in text.lines().filter(|line| line.starts_with('|')) {
            for (path, name) in tests_in_row(row) {
                count += 1;
                if !has_test(&root().join(path), name) {
                    missing.push(format!("{path}::{name}"));
                }
            }
        }
        assert_eq!(missing, [""; 0], "{page}");
        assert!(count >= least, "{page} names {count} tests");
    }
}

#[test]
fn every_threat_has_a_test() {
    let text = std::fs::read_to_string(root().join("docs/threat-model.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.contains("| test |"));
    let without: Vec<&str> = rows.filter(|row| tests_in_row(row).is_empty()).collect();
    assert_eq!(without, [""; 0]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The tests that the last cell of a row names, as `path::name`; after the first, a path may be left out. Files alone have no name.
fn tests_in_row(row: &str) -> Vec<(&str, &str)> {
    let cell = row.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default();
    let mut named = Vec::new();
    let mut path = "";
    for word in cell.split([' ', ',', ';', '`', '(', ')']) {
        let (file, name) = word.split_once("::").unwrap_or((word, ""));
        if is_file(file) || (!file.is_empty() && word.contains("::")) {
            path = file;
        }
        // Tests of the desk have sentences as their names.
        if is_file(file) && path.ends_with(".ts") {
            named.push((path, ""));
        } else if is_file(file) || (word.contains("::") && !path.is_empty()) {
            named.push((path, name));
        }
    }
    named
}

fn is_file(word: &str) -> bool {
    word.ends_with(".rs") || word.ends_with(".ts")
}

/// Whether a file, or one in a folder, has a function of that name.
fn has_test(path: &Path, name: &str) -> bool {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap();
        return entries.flatten().any(|entry| has_test(&entry.path(), name));
    }
    let text = std::fs::read_to_string(path);
    text.is_ok_and(|text| name.is_empty() || text.contains(&format!("fn {name}(")))
}
