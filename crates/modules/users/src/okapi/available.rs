//! Whether the modules of a catalogue find what they require in it (Okapi 5.3.0).

use std::sync::Arc;

use octavo_modules_base::descriptor::{Descriptor, InterfaceDescriptor};

use super::catalogue::Modules;

/// The missing or incompatible dependencies of the modules `tested` among the modules `there`: one line for each, in Okapi's wording.
pub(super) fn missing_dependencies<'a>(
    there: &Modules,
    tested: impl Iterator<Item = &'a Arc<Descriptor>>,
) -> Vec<String> {
    tested.flat_map(|module| module_dependency_errors(there, module)).collect()
}

/// Removes modules with missing dependencies from both lists until all that remain find what they require.
pub(super) fn remove_incomplete_modules(there: &mut Modules, tested: &mut Vec<Arc<Descriptor>>) {
    while let Some(at) = tested.iter().position(|module| !module_dependency_errors(there, module).is_empty())
    {
        let removed = tested.remove(at);
        there.remove(&removed.id);
    }
}

fn module_dependency_errors(there: &Modules, module: &Descriptor) -> Vec<String> {
    let required =
        module.requires().iter().filter_map(|needed| dependency_error(there, module, needed, false));
    let optional =
        module.optional().iter().filter_map(|needed| dependency_error(there, module, needed, true));
    required.chain(optional).collect()
}

fn dependency_error(
    there: &Modules,
    module: &Descriptor,
    needed: &InterfaceDescriptor,
    optional: bool,
) -> Option<String> {
    let provided = |other: &'_ Arc<Descriptor>| {
        let own = other.provides().iter().filter(|interface| interface.id == needed.id);
        own.map(|interface| (interface.clone(), other.id.clone())).collect::<Vec<_>>()
    };
    let found: Vec<(InterfaceDescriptor, String)> = there.values().flat_map(provided).collect();
    if found.iter().any(|(interface, _)| interface.satisfies(needed)) || (found.is_empty() && optional) {
        return None;
    }
    let (id, interface, versions) = (&module.id, &needed.id, &needed.version);
    if found.is_empty() {
        return Some(format!("Missing dependency: {id} requires {interface}: {versions}"));
    }
    let mut seen: Vec<&InterfaceDescriptor> = Vec::new();
    for (interface, _) in &found {
        if !seen.iter().any(|one| one.version == interface.version) {
            seen.push(interface);
        }
    }
    seen.sort_by(|one, other| other.satisfies(one).cmp(&one.satisfies(other)));
    let told = seen.iter().map(|version| {
        let of = found
            .iter()
            .filter(|(interface, _)| version.satisfies(interface))
            .map(|(_, id)| format!("/{id}"));
        format!("{}{}", version.version, of.collect::<String>())
    });
    Some(format!(
        "Incompatible version for module {id} interface {interface}. Need {versions}. Have {}",
        told.collect::<Vec<_>>().join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn modules(descriptors: &Value) -> Modules {
        let read = |one: &Value| Arc::new(Descriptor::read(one.clone()).unwrap());
        descriptors.as_array().unwrap().iter().map(read).map(|one| (one.id.clone(), one)).collect()
    }

    #[test]
    fn what_a_module_lacks_is_told_with_the_versions_that_are_there() {
        let mut there = modules(&json!([
            {"id": "a-1.0.0", "requires": [{"id": "x", "version": "1.2"}, {"id": "y", "version": "1.0"}],
             "optional": [{"id": "z", "version": "1.0"}]},
            {"id": "b-1.0.0", "provides": [{"id": "x", "version": "1.1"}]},
        ]));
        assert_eq!(
            missing_dependencies(&there, there.values()),
            [
                "Incompatible version for module a-1.0.0 interface x. Need 1.2. Have 1.1/b-1.0.0",
                "Missing dependency: a-1.0.0 requires y: 1.0",
            ]
        );
        let mut tested: Vec<_> = there.values().cloned().collect();
        remove_incomplete_modules(&mut there, &mut tested);
        assert_eq!(tested.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["b-1.0.0"]);
    }
}
