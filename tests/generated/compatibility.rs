//! The compatibility table: every route of FOLIO's interface, and whether it is built.

use std::collections::BTreeMap;
use std::fmt::Write;

use octavo_modules::facts::{FACTS, ModuleFacts};
use octavo_testkit::{Entry, Serve, routes};

#[test]
fn the_compatibility_table_is_in_step() {
    crate::assert_up_to_date(
        "docs/compatibility.md",
        &render_page(),
        "the route table changed: run `make generated`",
    );
}

const HEAD: &str = "\
# What is built

Every operation of the modules of FOLIO's release Quesnelia (R1-2024-GA) that Octavo stands for, from their published
descriptors. What is not built answers 501 and says so; nothing pretends. Where Octavo differs on purpose from what it
replaces, [Deliberate differences](differences.md) says how and why.

Timers and the calls that modules make to each other (`_tenant`, `_timer`) are not listed: no client sees them.

This page is generated from the route table by `make generated`; a test holds it in step.
";

fn render_page() -> String {
    let mut by_module: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    // What Octavo adds is no part of FOLIO's interface.
    let own = |needed: &&str| needed.starts_with("octavo.");
    let folios = |entry: &&Entry| {
        FACTS.module(entry.module).is_none_or(|module| !module.is_own())
            && !entry.pattern.starts_with("/octavo/")
            && !entry.required.iter().any(own)
    };
    for entry in routes().filter(folios) {
        by_module.entry(entry.module).or_default().push(entry);
    }
    let all: Vec<&Entry> = by_module.values().flatten().copied().collect();
    let mut page = HEAD.to_owned();
    let _ = writeln!(page, "\nBuilt: {} of {} operations.\n", built(&all), all.len());
    page.push_str("| module | version | built | of |\n|---|---|---|---|\n");
    for (module, entries) in &by_module {
        let link = if built(entries) > 0 { format!("[{module}](#{module})") } else { (*module).to_owned() };
        let version = FACTS.module(module).map_or("", |facts: &ModuleFacts| facts.version);
        let _ = writeln!(page, "| {link} | {version} | {} | {} |", built(entries), entries.len());
    }
    for (module, entries) in by_module.iter().filter(|(_, entries)| built(entries) > 0) {
        let _ = write!(page, "\n## {module}\n\n| path | built | answers 501 |\n|---|---|---|\n");
        for (path, [done, missing]) in methods_by_path(entries) {
            let _ = writeln!(page, "| `{path}` | {} | {} |", done.join(" "), missing.join(" "));
        }
    }
    page
}

fn built(entries: &[&Entry]) -> usize {
    entries.iter().filter(|entry| is_built(entry)).count()
}

fn is_built(entry: &Entry) -> bool {
    !matches!(entry.serve, Serve::NotBuilt)
}

/// The methods at each path: those that are built, and those that are not.
fn methods_by_path<'a>(entries: &[&'a Entry]) -> BTreeMap<&'a str, [Vec<&'static str>; 2]> {
    let mut paths: BTreeMap<&str, [Vec<&'static str>; 2]> = BTreeMap::new();
    for entry in entries {
        let methods = &mut paths.entry(entry.pattern).or_default()[usize::from(!is_built(entry))];
        if !methods.contains(&entry.method.as_str()) {
            methods.push(entry.method.as_str());
        }
    }
    paths
}
