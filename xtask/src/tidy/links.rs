//! Links in Markdown that lead to a file of the project, or to a heading in one, lead somewhere.

use super::Finding;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files_with_ending("md") {
        for (line, target) in links(text) {
            findings.extend(broken_link(tree, path, target).map(|why| Finding::new(path, line, why)));
        }
    }
    findings
}

fn broken_link(tree: &Tree, from: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { from.to_owned() } else { resolve_path(from, file) };
    if !tree.paths.contains(&path) {
        return Some(format!("leads to {path}, which doesn't exist"));
    }
    let page = tree.texts.get(&path).filter(|_| !heading.is_empty() && path.ends_with(".md"))?;
    let known = headings(page).any(|one| anchor(one) == heading);
    (!known).then(|| format!("leads to #{heading}, which {path} doesn't have"))
}

fn resolve_path(from: &str, file: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Lines outside of fenced code, from 1.
fn lines_outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    let lines = lines_outside_code(text).map(|(_, line)| line).filter(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim())
}

/// As GitHub makes it: lower case, spaces to hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Targets of `[text](target)` and of `[name]: target`, with their lines.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines_outside_code(text).flat_map(|(line, content)| {
        let code = code_spans(content);
        let inline =
            content.match_indices("](").filter(move |(at, _)| !code.iter().any(|span| span.contains(at)));
        let inline = inline.filter_map(|(at, _)| content[at + 2..].split([')', ' ']).next());
        let reference = content
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("]: "))
            .map(|(_, target)| target.trim());
        inline.chain(reference).map(move |target| (line, target))
    })
}

fn code_spans(line: &str) -> Vec<std::ops::Range<usize>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::messages;
    use super::*;

    fn findings_for(text: &str) -> Vec<String> {
        let files = [("docs/a.md", text), ("README.md", "# Octavo: what's it?\n"), ("docs/b.png.md", "x\n")];
        messages(&check(&Tree::from_texts(&files)))
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        for good in [
            "[r](../README.md) and [b](b.png.md)",
            "[f](../docs)",
            "[h](../README.md#octavo-whats-it)",
            "# Own\n[o](#own)",
            "[w](https://example.org/x) [m](mailto:a@example.org)",
            "`[code](nowhere.md)`",
            "```\n[code](nowhere.md)\n```",
            "[r]: ../README.md",
        ] {
            assert_eq!(findings_for(&format!("{good}\n")), [] as [&str; 0], "{good}");
        }
    }

    #[test]
    fn links_that_lead_nowhere_fail_where_they_stand() {
        for (bad, said) in [
            ("x\n[r](README.md)", "docs/a.md:2: leads to docs/README.md, which doesn't exist"),
            ("[h](../README.md#install)", "docs/a.md:1: leads to #install, which README.md doesn't have"),
            ("[o](#gone)", "docs/a.md:1: leads to #gone, which docs/a.md doesn't have"),
            ("[r]: gone.md", "docs/a.md:1: leads to docs/gone.md, which doesn't exist"),
        ] {
            assert_eq!(findings_for(&format!("{bad}\n")), [said]);
        }
    }
}
