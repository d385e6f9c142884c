//! mod-permissions 6.5.0: permissions, the sets that contain them, and which user was granted what.

mod assignment;
mod explained;
mod held;
mod known;
mod listing;
mod records;
mod register;
pub mod renewed;
mod sets;
mod users;

use octavo_engine::{Call, Module, Request, Response, calls};
use octavo_kernel::{Fault, Outcome};

pub(crate) use assignment::{
    is_of_built_in_module, may_give, may_take_the_place_of, may_take_the_place_of_anybody,
};
pub(crate) use held::load_expanded_permissions;
pub use octavo_modules_base::user_records::PERMISSION_USER;
pub use records::PERMISSION;
pub(crate) use register::{OWN_TIMERS, deprecate_permissions, register_permissions};
pub(crate) use users::grant_statements;

pub static MODULE: Module = Module {
    name: "mod-permissions",
    never_late: true,
    records: &[&PERMISSION, &PERMISSION_USER],
    script: records::INDEXES,
    calls: CALLS,
    on_server_start: Some(renewed::started),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/perms/users/{id}/explain" => explained::explain;
    Get "/perms/users*" => get_users;
    Post "/perms/users*" => post_users;
    Put "/perms/users/{id}" => users::replace;
    Delete "/perms/users/{id}" => users::delete;
    Delete "/perms/users/{id}/permissions/{perm}" => held::remove;
    Get "/perms/permissions" => listing::permissions;
    Post "/perms/permissions" => sets::create;
    Put "/perms/permissions/{id}" => sets::replace;
    Delete "/perms/permissions/{id}" => sets::delete;
    Post "/perms/purge-deprecated" => sets::purge_deprecated;
};

/// FOLIO declares one route for everything below `/perms/users`.
async fn get_users(request: Request) -> Outcome<Response> {
    let path = request.path.clone();
    match segments_below_users(&path).as_slice() {
        [] => listing::users(request).await,
        [id] => users::get(&request, id).await,
        [id, "permissions"] => held::list(&request, id).await,
        _ => Err(Fault::not_found()),
    }
}

async fn post_users(request: Request) -> Outcome<Response> {
    let path = request.path.clone();
    match segments_below_users(&path).as_slice() {
        [] => users::create(request).await,
        [id, "permissions"] => held::add(&request, id).await,
        _ => Err(Fault::not_found()),
    }
}

fn segments_below_users(path: &str) -> Vec<&str> {
    let rest = path.strip_prefix("/perms/users").unwrap_or_default();
    rest.split('/').filter(|segment| !segment.is_empty()).collect()
}

octavo_pg::statements!(within = [assignment, explained, known, listing, register, renewed, sets, users]);
