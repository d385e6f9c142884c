//! mod-permissions 6.5.0: permissions, the sets that contain them, and which user was granted what.

mod assignment;
mod held;
mod known;
mod listing;
mod records;
mod register;
mod sets;
mod users;

use octavo_engine::{Call, Method, Module, Request, Response, answering};
use octavo_kernel::{Fault, Outcome};

pub(crate) use assignment::{is_of_built_in_module, may_take_the_place_of};
pub(crate) use held::expanded;
pub use octavo_modules_base::user_records::PERMISSION_USER;
pub use records::PERMISSION;
pub(crate) use register::{OWN_TIMERS, register, retire};

pub static MODULE: Module = Module {
    name: "mod-permissions",
    records: &[&PERMISSION, &PERMISSION_USER],
    script: records::INDEXES,
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/perms/users*", |request| answering(get_users(request))),
    Call::new(Method::Post, "/perms/users*", |request| answering(post_users(request))),
    Call::new(Method::Put, "/perms/users/{id}", |request| answering(users::replace(request))),
    Call::new(Method::Delete, "/perms/users/{id}", |request| answering(users::delete(request))),
    Call::new(Method::Delete, "/perms/users/{id}/permissions/{perm}", |request| {
        answering(held::remove(request))
    }),
    Call::new(Method::Get, "/perms/permissions", |request| answering(listing::permissions(request))),
    Call::new(Method::Post, "/perms/permissions", |request| answering(sets::create(request))),
    Call::new(Method::Put, "/perms/permissions/{id}", |request| answering(sets::replace(request))),
    Call::new(Method::Delete, "/perms/permissions/{id}", |request| answering(sets::delete(request))),
    Call::new(Method::Post, "/perms/purge-deprecated", |request| answering(sets::purge_deprecated(request))),
];

/// FOLIO declares one route for everything below `/perms/users`.
async fn get_users(request: Request) -> Outcome<Response> {
    let path = request.path.clone();
    match below(&path).as_slice() {
        [] => listing::users(request).await,
        [id] => users::get(&request, id).await,
        [id, "permissions"] => held::list(&request, id).await,
        _ => Err(Fault::not_found()),
    }
}

async fn post_users(request: Request) -> Outcome<Response> {
    let path = request.path.clone();
    match below(&path).as_slice() {
        [] => users::create(request).await,
        [id, "permissions"] => held::add(&request, id).await,
        _ => Err(Fault::not_found()),
    }
}

fn below(path: &str) -> Vec<&str> {
    let rest = path.strip_prefix("/perms/users").unwrap_or_default();
    rest.split('/').filter(|segment| !segment.is_empty()).collect()
}

octavo_pg::statements!(within = [assignment, known, listing, register, sets]);
