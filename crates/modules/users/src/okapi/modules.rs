//! `/_/proxy/modules`: the descriptors of all modules, added, listed and removed by the operator (Okapi 5.3.0).

use std::sync::Arc;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, Kind, ModuleId, built_in, compare_ids};
use octavo_modules_base::facts::FACTS;
use serde_json::{Value, json};

use super::available::{missing_dependencies, remove_incomplete_modules};
use super::catalogue::{self, Modules};
use super::parameters::{Versions, bool_parameter, int_parameter};
use super::shown::modules_response;
use crate::permissions::is_of_built_in_module;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let posted = parse_posted(request.json()?)?;
    add(&request, std::slice::from_ref(&posted)).await?;
    let location = format!("{}/{}", request.path, posted.id);
    Ok(Response::json(201, &posted.to_json()).with_header("location", location))
}

/// Stores many descriptors, all or none.
pub(super) async fn import(request: Request) -> Outcome<Response> {
    let posted = super::body_list(&request)?.into_iter().map(parse_posted).collect::<Outcome<Vec<_>>>()?;
    add(&request, &posted).await?;
    Ok(Response::no_content())
}

/// The id of a module that is built in is refused, whatever else the descriptor says: its descriptor is Octavo's own.
pub(super) fn parse_posted(body: Value) -> Outcome<Descriptor> {
    let built_in = built_in().find(|module| body["id"] == module.id.as_str());
    if let Some(module) = built_in {
        return Err(catalogue::already_exists(&module.id));
    }
    let descriptor = Descriptor::read(body)?;
    match built_in_permission(&descriptor) {
        Some(name) => Err(Fault::bad_request(format!(
            "{}: permission {name} belongs to a module that is built in",
            descriptor.id
        ))),
        None => Ok(descriptor),
    }
}

/// A permission of the descriptor that belongs to a module that is built in. A module outside of the process that takes such a
/// module's place may define that one's permissions.
fn built_in_permission(descriptor: &Descriptor) -> Option<&str> {
    let own = |name: &str| {
        let declares = |product: &str| {
            let module = FACTS.modules.get(product);
            module.is_some_and(|module| module.permissions.iter().any(|one| one.name == name))
        };
        descriptor.kind() == Kind::Outside
            && (declares(descriptor.product())
                || descriptor.replaces.iter().flatten().any(|product| declares(product)))
    };
    let sets = descriptor.permission_sets().iter();
    let names = sets.flat_map(|set| set.replaces.iter().flatten().chain([&set.permission_name]));
    names.map(String::as_str).find(|name| is_of_built_in_module(name) && !own(name))
}

async fn add(request: &Request, posted: &[Descriptor]) -> Outcome<()> {
    let versions = Versions::read(request)?;
    if bool_parameter(request, "check", true)? {
        let mut there = catalogue::all(&request.context.platform).await?;
        there.retain(|id, _| versions.include(id));
        let posted: Vec<Arc<Descriptor>> = posted.iter().cloned().map(Arc::new).collect();
        there.extend(posted.iter().map(|one| (one.id.clone(), Arc::clone(one))));
        let lacking = missing_dependencies(&there, posted.iter());
        if !lacking.is_empty() {
            return Err(Fault::bad_request(lacking.join("\n")));
        }
    }
    catalogue::insert_descriptors(&request.context.platform, posted).await
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut modules = catalogue::all(&request.context.platform).await?;
    // As in Okapi, the body lists the modules that the calling Okapi has already. They are left out.
    if !request.body.is_empty() {
        for id in super::body_list(&request)? {
            modules.remove(id.as_str().unwrap_or_default());
        }
    }
    modules_response(&request, modules, true)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let found =
        catalogue::find(&request.context.platform, id).await?.ok_or_else(|| Fault::not_found_with(id))?;
    Ok(Response::json(200, &found.to_json()))
}

/// Removes a descriptor that no tenant has enabled, and that no other module needs.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let (platform, id) = (&request.context.platform, request.path_parameter(0));
    let mut modules = catalogue::all(platform).await?;
    if let Some(tenant) = catalogue::tenant_with_module(platform, id).await? {
        return Err(catalogue::in_use_fault(id, &tenant));
    }
    let refused = |why: &str| Fault::bad_request(format!("delete: module {id}: {why}"));
    let missing = || Fault::not_found_with(format!("delete: module {id} does not exist"));
    let module = modules.get(id).cloned().ok_or_else(missing)?;
    if module.kind() == Kind::BuiltIn {
        return Err(refused("it is built into Octavo"));
    }
    let before = missing_dependencies(&modules, modules.values());
    modules.remove(id);
    let after = missing_dependencies(&modules, modules.values());
    let more: Vec<String> = after.into_iter().filter(|one| !before.contains(one)).collect();
    if !more.is_empty() {
        return Err(refused(&more.join("\n")));
    }
    match catalogue::remove(platform, &[id.to_owned()]).await? {
        true => Ok(Response::no_content()),
        false => Err(missing()),
    }
}

/// Removes old pre-release versions. Modules that are built in stay.
pub(super) async fn cleanup(request: Request) -> Outcome<Response> {
    let platform = &request.context.platform;
    let releases = int_parameter(&request, "saveReleases", None)?;
    let snapshots = int_parameter(&request, "saveSnapshots", None)?;
    let with_dependents = bool_parameter(&request, "removeDependencies", false)?;
    let mut modules = catalogue::all(platform).await?;
    let before = missing_dependencies(&modules, modules.values());
    let mut obsolete = obsolete(&modules, releases, snapshots);
    for id in &obsolete {
        modules.remove(id);
    }
    let more: Vec<String> = missing_dependencies(&modules, modules.values())
        .into_iter()
        .filter(|one| !before.contains(one))
        .collect();
    if !more.is_empty() && !with_dependents {
        return Err(Fault::bad_request(format!(
            "Removing obsolete modules resulted in missing dependencies.\n\
             Supply removeDependencies=true if you think it's ok to remove them.\n{}",
            more.join("\n")
        )));
    }
    if !more.is_empty() {
        let mut left = modules.values().cloned().collect();
        let all: Vec<Arc<Descriptor>> = modules.values().cloned().collect();
        remove_incomplete_modules(&mut modules, &mut left);
        let gone =
            all.into_iter().filter(|one| !modules.contains_key(&one.id) && one.kind() != Kind::BuiltIn);
        obsolete.extend(gone.map(|one| one.id.clone()));
    }
    catalogue::remove(platform, &obsolete).await?;
    Ok(Response::no_content())
}

/// The pre-release versions that are older than so many releases and so many pre-releases of their product.
fn obsolete(modules: &Modules, releases: i32, snapshots: i32) -> Vec<String> {
    let mut ids: Vec<&String> = modules.keys().collect();
    ids.sort_by(|one, other| compare_ids(other, one));
    let (mut found, mut before): (Vec<String>, Option<ModuleId<'_>>) = (Vec::new(), None);
    let (mut of_releases, mut of_snapshots) = (0, 0);
    for id in ids {
        let Some(one) = ModuleId::read(id) else { continue };
        let difference = before.as_ref().map_or(-5, |before| one.compare(before));
        if difference == -5 {
            (of_releases, of_snapshots) = (0, 0);
        }
        let is_snapshot = one.is_pre_release() || one.is_npm_snapshot();
        if is_snapshot && of_releases >= releases && of_snapshots >= snapshots {
            found.push(id.clone());
        }
        if difference >= -1 || one.is_npm_snapshot() {
            of_snapshots += 1;
        } else {
            of_snapshots = 0;
            of_releases += 1;
        }
        before = Some(one);
    }
    found
}

/// Adds descriptors from another Okapi, except those whose dependencies are missing. Returns those that were added.
pub(super) async fn add_pulled(request: &Request, others: Vec<Descriptor>) -> Outcome<Value> {
    let platform = &request.context.platform;
    let mut there = catalogue::all(platform).await?;
    let mut new: Vec<Arc<Descriptor>> =
        others.into_iter().filter(|one| !there.contains_key(&one.id)).map(Arc::new).collect();
    there.extend(new.iter().map(|one| (one.id.clone(), Arc::clone(one))));
    remove_incomplete_modules(&mut there, &mut new);
    let added: Vec<Descriptor> = new.iter().map(|one| (**one).clone()).collect();
    catalogue::insert_descriptors(platform, &added).await?;
    Ok(added.iter().map(|one| json!({"id": one.id, "name": one.name})).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_from_before_releases_are_obsolete() {
        let ids =
            ["a-1.0.0", "a-1.1.0-x.1", "a-1.1.0-x.2", "a-1.1.0", "a-1.2.0-x.1", "a-1.2.0-x.2", "b-1.0.0-x.1"];
        let module = |id: &str| Arc::new(Descriptor::read(json!({"id": id})).unwrap());
        let modules: Modules = ids.iter().map(|id| ((*id).to_owned(), module(id))).collect();
        assert_eq!(obsolete(&modules, 1, 1), ["a-1.1.0-x.1"]);
        assert!(obsolete(&modules, 5, 5).is_empty());
    }

    #[test]
    fn permissions_of_modules_that_are_built_in_are_theirs_or_their_successors() {
        let with = |id: &str, replaces: &Value, name: &str| json!({"id": id, "replaces": replaces, "permissionSets": [{"permissionName": name}]});
        for (body, refused) in [
            (with("folio_x-1.0.0", &json!([]), "tags.collection.get"), true),
            (with("mod-x-1.0.0", &json!([]), "tags.collection.get"), true),
            (with("mod-x-1.0.0", &json!(["mod-tags"]), "tags.collection.get"), false),
            (with("mod-tags-99.0.0", &json!([]), "tags.collection.get"), false),
            (with("mod-tags-99.0.0", &json!([]), "okapi.x"), true),
            (with("mod-tags-99.0.0", &json!([]), "users.item.get"), true),
            (with("mod-tags-99.0.0", &json!([]), "tags.new"), false),
        ] {
            assert_eq!(parse_posted(body.clone()).is_err(), refused, "{body}");
        }
    }
}
