//! Lengths of files. Over the limit fails; the two shares that the style asks for are reported. Clippy measures functions.

use super::{Finding, Rules};
use crate::tree::Tree;

const SOURCES: &[&str] = &["rs", "ts", "tsx"];

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in sources(tree) {
        let lines = text.lines().count();
        if is_table(rules, path) {
            continue;
        }
        let limit = rules.files.limit;
        if lines > limit {
            let message = format!(
                "{lines} lines, the limit is {limit}; split it, or name it a table in {}",
                Rules::FILE
            );
            findings.push(Finding::new(path, 1, message));
        } else if lines > rules.files.nine_in_ten_below {
            findings.push(Finding::note(path, 1, format!("{lines} lines; is it one thing?")));
        }
    }
    findings.extend(idle_tables(tree, rules));
    findings
}

/// `312 source files, 61 % below 150 lines, 94 % below 400`
pub(super) fn summary(tree: &Tree, rules: &Rules) -> String {
    let lengths: Vec<usize> = sources(tree)
        .filter(|(path, _)| !is_table(rules, path))
        .map(|(_, text)| text.lines().count())
        .collect();
    let share = |below: usize| {
        let short = lengths.iter().filter(|lines| **lines < below).count();
        format!("{} % below {below}", short * 100 / lengths.len().max(1))
    };
    let (half, nine_in_ten) = (share(rules.files.half_below), share(rules.files.nine_in_ten_below));
    format!("{} source files, {half} lines, {nine_in_ten}", lengths.len())
}

fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    SOURCES.iter().flat_map(|ending| tree.files_with_ending(ending))
}

fn is_table(rules: &Rules, path: &str) -> bool {
    rules.table.iter().any(|table| table.path == path)
}

fn idle_tables(tree: &Tree, rules: &Rules) -> Vec<Finding> {
    let is_long = |path: &str| {
        tree.texts.get(path).is_some_and(|text| text.lines().count() > rules.files.nine_in_ten_below)
    };
    let idle = rules.table.iter().filter(|table| !is_long(&table.path));
    idle.map(|table| {
        Finding::new(Rules::FILE, 1, format!("table {} is gone or short by now; drop it", table.path))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::super::rules::Table;
    use super::*;

    #[test]
    fn long_files_are_noted_and_longer_ones_fail() {
        let (short, long, longer) = ("\n".repeat(400), "\n".repeat(401), "\n".repeat(601));
        let tree = Tree::from_texts(&[("a.rs", &short), ("b.rs", &long), ("c.tsx", &longer)]);
        let rules = Rules { table: Vec::new(), ..Rules::of_project() };
        assert_eq!(
            messages(&check(&tree, &rules)),
            [
                "b.rs:1: note: 401 lines; is it one thing?",
                "c.tsx:1: 601 lines, the limit is 600; split it, or name it a table in xtask/tidy.toml",
            ]
        );
    }

    #[test]
    fn a_table_may_be_long_and_must_be() {
        let mut rules = Rules::of_project();
        rules.table = vec![
            Table { path: "codes.rs".into(), reason: "data".into() },
            Table { path: "short.rs".into(), reason: "data".into() },
        ];
        let tree = Tree::from_texts(&[("codes.rs", &"\n".repeat(900)), ("short.rs", "\n")]);
        assert_eq!(
            messages(&check(&tree, &rules)),
            ["xtask/tidy.toml:1: table short.rs is gone or short by now; drop it"]
        );
    }
}
