//! The roles that every tenant has: what each may do, and what not.

use octavo_modules::facts::FACTS;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

/// A call, and which roles may make it: desk, circulation librarian, cataloguer, system librarian, read only.
#[rustfmt::skip]
const CALLS: &[(&str, &str, [bool; 5])] = &[
    ("GET",    "/users",                                   [true,  true,  false, true,  true]),
    ("GET",    "/inventory/items",                         [true,  true,  true,  true,  true]),
    ("GET",    "/search/instances?query=title==x",         [true,  true,  true,  true,  true]),
    ("GET",    "/circulation/loans",                       [true,  true,  true,  true,  true]),
    ("GET",    "/accounts",                                [true,  true,  false, true,  true]),
    ("GET",    "/loan-policy-storage/loan-policies",       [true,  true,  false, true,  true]),
    ("GET",    "/perms/users",                             [false, false, false, true,  false]),
    ("GET",    "/authn/log/events",                        [false, false, false, false, false]),
    ("POST",   "/circulation/check-out-by-barcode",        [true,  true,  false, true,  false]),
    ("POST",   "/circulation/check-in-by-barcode",         [true,  true,  false, true,  false]),
    ("POST",   "/circulation/renew-by-barcode",            [true,  true,  false, true,  false]),
    ("POST",   "/circulation/requests",                    [true,  true,  false, true,  false]),
    ("POST",   "/accounts/{id}/pay",                       [true,  true,  false, true,  false]),
    ("POST",   "/accounts/{id}/waive",                     [false, true,  false, true,  false]),
    ("POST",   "/manualblocks",                            [false, true,  false, true,  false]),
    ("POST",   "/users",                                   [false, true,  false, true,  false]),
    ("DELETE", "/users/{id}",                              [false, false, false, true,  false]),
    ("POST",   "/inventory/instances",                     [false, false, true,  true,  false]),
    ("POST",   "/holdings-storage/holdings",               [false, false, true,  true,  false]),
    ("POST",   "/inventory/items",                         [false, true,  true,  true,  false]),
    ("POST",   "/locations",                               [false, false, false, true,  false]),
    ("POST",   "/loan-policy-storage/loan-policies",       [false, false, false, true,  false]),
    ("PUT",    "/circulation/rules",                       [false, true,  false, true,  false]),
    ("POST",   "/calendar/calendars",                      [false, false, false, true,  false]),
    ("POST",   "/templates",                               [false, false, false, true,  false]),
    ("POST",   "/perms/permissions",                       [false, false, false, true,  false]),
    ("POST",   "/_/proxy/tenants",                         [false, false, false, false, false]),
    ("POST",   "/octavo/lab/runs",                         [false, false, false, false, false]),
];

#[tokio::test]
async fn each_role_may_do_its_work_and_no_more() {
    let library = Library::furnished().await;
    let roles = ["desk", "circulation-librarian", "cataloguer", "system-librarian", "read-only"];
    for (place, role) in roles.iter().enumerate() {
        let person = library.as_user(&[&format!("octavo.role.{role}")]).await;
        for (method, path, allowed) in CALLS {
            let path = path.replace("{id}", &fresh_id().to_string());
            let reply = match *method {
                "GET" => person.get(&path).await,
                "DELETE" => person.delete(&path).await,
                "PUT" => person.put(&path, &json!({})).await,
                _ => person.post(&path, &json!({})).await,
            };
            assert_eq!(reply.status != 403, allowed[place], "{role}: {method} {path}: {reply}");
        }
    }
}

#[test]
fn roles_name_permissions_that_exist() {
    let all = || FACTS.all().flat_map(|module| &module.permissions);
    let roles: Vec<_> = all().filter(|permission| permission.is_role()).collect();
    assert_eq!(roles.len(), 6);
    for role in roles {
        assert!(!role.sub_permissions.is_empty(), "{}", role.name);
        for name in &role.sub_permissions {
            // The apps of FOLIO's user interface have names of their own.
            let is_of_an_app = name.starts_with("module.") || name.starts_with("ui-");
            assert!(is_of_an_app || all().any(|one| one.name == *name), "{}: {name}", role.name);
        }
    }
}

/// FOLIO's scripts give administrators the sets that nothing contains.
#[tokio::test]
async fn what_a_role_contains_counts_as_contained_by_nothing() {
    let library = Library::furnished().await;
    let path = "/perms/permissions?length=1000&query=permissionName==configuration.all";
    let found = library.get(path).await.expect(200).json();
    assert_eq!(found["permissions"][0]["childOf"], json!([]));
    let top = library.get("/perms/permissions?length=2000&query=childOf==%5B%5D").await.expect(200).json();
    let names: Vec<&str> = top["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["permissionName"].as_str())
        .collect();
    for name in ["configuration.all", "users.all", "octavo.role.system-librarian"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.contains(&"users.collection.get"), "FOLIO's own sets contain it");
}
