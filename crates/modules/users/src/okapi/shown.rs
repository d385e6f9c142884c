//! Lists of modules: filtered, ordered, in short or whole, or as a graph (Okapi 5.3.0).

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, InterfaceDescriptor, ModuleId, compare_ids};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

use super::catalogue::Modules;
use super::parameters::{Versions, bool_parameter};

/// Applies the query parameters of a list. `with_names` is whether a module in short has its name.
pub(super) fn modules_response(request: &Request, modules: Modules, with_names: bool) -> Outcome<Response> {
    let as_graph = bool_parameter(request, "dot", false)?;
    let full = bool_parameter(request, "full", false)? || as_graph;
    let versions = Versions::read(request)?;
    let start = match request.query("filter") {
        None => None,
        Some(text) => {
            Some(ModuleId::read(text).ok_or_else(|| Fault::bad_request(format!("invalid semver: {text}")))?)
        }
    };
    let scope = request.query("scope");
    let has = |interfaces: &[InterfaceDescriptor], wanted: &str| {
        request.query(wanted).is_none_or(|wanted| interfaces.iter().any(|one| is_wanted(one, wanted, scope)))
    };
    let mut found: Vec<Arc<Descriptor>> = modules
        .into_values()
        .filter(|module| {
            let id = ModuleId::read(&module.id);
            start.as_ref().is_none_or(|start| id.is_some_and(|id| id.begins_as(start)))
                && versions.include(&module.id)
                && (has(module.requires(), "require") || has(module.optional(), "require"))
                && has(module.provides(), "provide")
        })
        .collect();
    found.sort_by(|one, other| compare_ids(&one.id, &other.id));
    if let Some(text) = request.query("latest") {
        let most: usize = text.parse().map_err(|_| {
            Fault::bad_request(format!("Bad format for parameter latest. For input string: \"{text}\""))
        })?;
        retain_newest(&mut found, most);
    }
    if let Some(by) = request.query("orderBy") {
        if by != "id" {
            return Err(Fault::bad_request(format!("unknown orderBy field: {by}")));
        }
        match request.query("order") {
            None | Some("desc") => found.reverse(),
            Some("asc") => {}
            Some(other) => return Err(Fault::bad_request(format!("invalid order value: {other}"))),
        }
    }
    if as_graph {
        return Ok(Response::text(200, graph(&found)));
    }
    let told =
        found.iter().map(|module| if full { module.to_json() } else { short_json(module, with_names) });
    Ok(Response::json(200, &told.collect()))
}

/// Keeps the newest versions of each product, at most `most` of them.
fn retain_newest(ascending: &mut Vec<Arc<Descriptor>>, most: usize) {
    let mut kept: Vec<Arc<Descriptor>> = Vec::new();
    let mut count = 0;
    for module in ascending.drain(..).rev() {
        let same = kept.last().is_some_and(|last| last.product() == module.product());
        count = if same { count + 1 } else { 1 };
        // Okapi keeps one of each product at least.
        if count <= most.max(1) {
            kept.push(module);
        }
    }
    kept.reverse();
    *ascending = kept;
}

/// Whether an interface is one of those in `wanted`, such as `users,circulation=14.2`, in that version if one is given, and belongs to the
/// scope, if one is given.
fn is_wanted(interface: &InterfaceDescriptor, wanted: &str, scope: Option<&str>) -> bool {
    let in_scope = scope.is_none_or(|scope| interface.scope.iter().flatten().any(|own| own == scope));
    let mut each = wanted.split(',');
    in_scope
        && each.any(|one| match one.split_once('=') {
            Some((id, version)) => interface.id == id && interface.has_version(version),
            None => interface.id == one,
        })
}

fn short_json(module: &Descriptor, with_name: bool) -> Value {
    let mut short = json!({"id": module.id});
    if let Some(name) = module.name.as_ref().filter(|_| with_name) {
        short["name"] = json!(name);
    }
    if let Some(tags) = &module.tags {
        short["tags"] = json!(tags);
    }
    short
}

/// The graph of modules that require interfaces of others, in the language of Graphviz.
fn graph(modules: &[Arc<Descriptor>]) -> String {
    let mut text = String::from("digraph okapi {\n");
    for module in modules {
        let _ = writeln!(text, "  {:?} [label={:?}];", module.id, module.id);
    }
    for module in modules {
        let needed = module.requires().iter().map(|needed| (needed, "solid"));
        let all = needed.chain(module.optional().iter().map(|needed| (needed, "dotted")));
        for (needed, style) in all {
            let provides =
                |other: &&Arc<Descriptor>| other.provides().iter().any(|own| own.satisfies(needed));
            for other in modules.iter().filter(provides) {
                let (from, to, label) = (&module.id, &other.id, &needed.id);
                let _ = writeln!(text, "  {from:?} -> {to:?} [label={label:?}, style={style}];");
            }
        }
    }
    text.push_str("}\n");
    text
}
