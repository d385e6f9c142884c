//! What makes the tree pleasant to open: small files, whole links, arrows that point down. Every check is a
//! pure function from the tree to findings; `xtask/tidy.toml` holds the figures and the exceptions.

mod circles;
mod cited;
mod crates;
mod dependencies;
mod imports;
mod layers;
mod links;
mod map;
mod rules;
mod size;
mod words;

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::tree::Tree;
use rules::Rules;

/// Prints what is untidy; returns the number of findings that must go. Notes only inform.
pub(crate) fn run(root: &Path) -> Result<usize> {
    let rules = std::fs::read_to_string(root.join(Rules::FILE))
        .with_context(|| format!("can't read {}", Rules::FILE))?;
    let rules: Rules = toml::from_str(&rules).context(Rules::FILE)?;
    let tree = Tree::read(root)?;
    let findings = findings(&tree, &rules)?;
    for finding in &findings {
        println!("{finding}");
    }
    let problems = findings.iter().filter(|finding| !finding.note).count();
    println!("tidy: {}; {problems} problems", size::summary(&tree, &rules));
    Ok(problems)
}

fn findings(tree: &Tree, rules: &Rules) -> Result<Vec<Finding>> {
    let crates = crates::read(tree)?;
    let mut findings = size::check(tree, rules);
    findings.extend(words::check(tree, rules));
    findings.extend(words::lock_files(tree, rules));
    findings.extend(layers::check(tree, rules, &crates));
    findings.extend(dependencies::check(tree, &crates));
    findings.extend(circles::check(tree));
    findings.extend(cited::check(tree));
    findings.extend(links::check(tree));
    findings.extend(map::check(tree, &crates));
    findings.sort_by(|a, b| (a.note, &a.path, a.line).cmp(&(b.note, &b.path, b.line)));
    Ok(findings)
}

#[derive(Debug, PartialEq)]
struct Finding {
    path: String,
    /// The first line is 1.
    line: usize,
    message: String,
    note: bool,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: path.into(), line, message: message.into(), note: false }
    }

    fn note(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { note: true, ..Finding::new(path, line, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.note { "note: " } else { "" };
        write!(f, "{}:{}: {kind}{}", self.path, self.line, self.message)
    }
}

/// Each finding as text, for tests.
#[cfg(test)]
fn messages(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
