//! What is declared of calls (`calls.tsv` and `records/` of `crates/modules/folio` and `crates/modules/octavo`) is whole, and true of
//! what is built.

use std::collections::HashSet;

use octavo_modules::calls::{self, Body, CallDeclaration};
use octavo_modules::{MODULES, timers::timers};
use octavo_testkit::{Entry, Serve, routes};

#[test]
fn each_line_is_of_one_call_that_is_built_and_of_records_that_are_described() {
    let mut seen = HashSet::new();
    for ((module, method, path), declared) in calls::all_calls() {
        let call = format!("{module} {method} {path}");
        let entry = routes()
            .find(|entry| (entry.module, entry.method.as_str(), entry.pattern) == (module, method, path));
        assert!(
            entry.is_some_and(|entry| matches!(entry.serve, Serve::Call(_))),
            "{call}: no such call is built"
        );
        assert!(seen.insert(call.clone()), "{call}: declared twice");
        assert!(!declared.answers.is_empty(), "{call}: no answer is declared");
        for record in records(&declared) {
            assert_eq!(
                find_undescribed_record(module, record, &mut HashSet::new()),
                None,
                "{call}: no such record"
            );
        }
    }
}

#[test]
fn each_call_with_code_of_its_own_is_declared() {
    let told = |entry: &&Entry| calls::find_declaration(entry.module, entry.method, entry.pattern).is_some();
    let own = |entry: &&Entry| matches!((entry.serve, entry.record_serve), (Serve::Call(_), Serve::NotBuilt));
    let name = |entry: &Entry| format!("{} {} {}", entry.module, entry.method, entry.pattern);
    let not_told: Vec<String> = routes().filter(own).filter(|entry| !told(entry)).map(name).collect();
    assert!(not_told.is_empty(), "{not_told:#?}");
}

#[test]
fn each_call_is_at_a_route_or_a_timers() {
    for module in MODULES {
        for call in module.calls {
            let routed = routes().any(|entry| {
                (entry.module, entry.method, entry.pattern) == (module.name, call.method, call.path)
            });
            assert!(
                routed || timers(MODULES).iter().any(|timer| timer.path == call.path),
                "{} {call:?}",
                module.name
            );
        }
    }
}

fn records(declared: &CallDeclaration) -> impl Iterator<Item = &'static str> {
    let answers = declared.answers.iter().filter_map(|(_, body)| *body);
    declared.request.into_iter().chain(answers).filter_map(|body| match body {
        Body::Record(name) | Body::Records(name) => Some(name),
        Body::AnyJson | Body::Media(_) => None,
    })
}

/// A record that this one holds, or this one itself, that has no table.
fn find_undescribed_record(module: &str, record: &str, seen: &mut HashSet<String>) -> Option<String> {
    if !seen.insert(record.to_owned()) {
        return None;
    }
    let Some(table) = calls::record_field_table(module, record) else { return Some(record.to_owned()) };
    table
        .split("→ record ")
        .skip(1)
        .find_map(|held| find_undescribed_record(module, held.split(['\t', '\n']).next()?, seen))
}
