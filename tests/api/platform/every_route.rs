//! What no route may lack, for every handler of every module.

use octavo_testkit::{Entry, Library, fresh_id, routes};

/// A path that fits the pattern.
fn example_path(entry: &Entry) -> String {
    let id = fresh_id().to_string();
    let fill = |segment: &str| match segment {
        "*" => "x".to_owned(),
        parameter if parameter.starts_with('{') => id.clone(),
        plain => plain.trim_end_matches('*').to_owned(),
    };
    entry.pattern.split('/').map(fill).collect::<Vec<_>>().join("/")
}

/// Modules that share an interface are told apart by a header.
fn client_for_module(library: &Library, entry: &Entry) -> octavo_testkit::Client {
    match entry.multiple {
        true => library.with("x-okapi-module-id", format!("{}-1", entry.module)),
        false => (**library).clone(),
    }
}

/// Whether another module's handler of the same method and path comes first.
fn is_shadowed(entry: &Entry) -> bool {
    let first = routes().find(|other| {
        !other.multiple && !entry.multiple && other.method == entry.method && other.pattern == entry.pattern
    });
    first.is_some_and(|first| first.module != entry.module)
}

#[tokio::test]
async fn every_route_with_a_permission_is_guarded() {
    let library = Library::guarded().await;
    let stranger = library.as_user(&["no.such.permission"]).await;
    let id = stranger.user.unwrap();
    let mut guarded = 0;
    for entry in routes().filter(|entry| !is_shadowed(entry)) {
        let (method, path) = (entry.method.as_str(), example_path(entry));
        let Some(permission) = entry.required.first() else {
            let reply = client_for_module(&library, entry).send(method, &path, "").await;
            let open = ["okapi", "mod-data-import", "mod-login", "mod-login-saml", "mod-users-bl"]
                .contains(&entry.module);
            assert_eq!(reply.text() == "Token missing", !open, "{reply}");
            continue;
        };
        let reply = client_for_module(&library, entry).send(method, &path, "").await;
        reply.says(400, &format!("Token missing, access requires permission: {permission}"));
        // What one's own tenant is asked about is told to everybody with a token; no id in these paths is the tenant's.
        if entry.required_for_own_tenant.is_some() && !entry.pattern.contains('{') {
            continue;
        }
        let reply = client_for_module(&stranger, entry).send(method, &path, "").await;
        if entry.required_for_own_tenant.is_some() && !entry.pattern.contains('{') {
            // About no other tenant than the caller's.
            reply.expect(200);
            continue;
        }
        reply.says(403, &format!("Access for user 'user-{id}' ({id}) requires permission: {permission}"));
        guarded += 1;
    }
    assert!(guarded > 900, "{guarded} routes");
}

#[tokio::test]
async fn what_needs_no_permission_is_known_by_name() {
    let open: std::collections::BTreeSet<String> = routes()
        .filter(|entry| entry.required.is_empty() && !matches!(entry.serve, octavo_testkit::Serve::NotBuilt))
        .map(|entry| format!("{} {}", entry.method, entry.pattern))
        .collect();
    let expected: std::collections::BTreeSet<String> =
        OPEN_ROUTES.iter().map(|route| (*route).to_owned()).collect();
    assert_eq!(open, expected, "a route became open to everybody, or is open no longer");
}

const OPEN_ROUTES: &[&str] = &[
    // For other modules: clients reach it only by naming the module.
    "GET /dashboard/definitions",
    // FOLIO's descriptor of mod-oa asks for nothing here; they say that they are there.
    "GET /oa/externalApi/*",
    "POST /oa/externalApi/*",
    "PUT /oa/externalApi/*",
    "DELETE /oa/externalApi/*",
    // So it stands in mod-inventory's descriptor.
    "DELETE /inventory/instances/{id}/mark-deleted",
    // So it stands in mod-password-validator's.
    "GET /tenant/rules",
    "GET /bl-users/_self",
    "POST /bl-users/login",
    "POST /bl-users/login-with-expiry",
    "POST /bl-users/settings/myprofile/password",
    "GET /_/proxy/health",
    "GET /bl-users/_self",
    "POST /authn/login",
    "POST /authn/login-with-expiry",
    "POST /authn/logout",
    "POST /authn/logout-all",
    "POST /authn/refresh",
    "POST /authn/update",
    "POST /bl-users/forgotten/password",
    "POST /bl-users/forgotten/username",
    "POST /bl-users/login",
    "POST /bl-users/login-with-expiry",
    "POST /bl-users/settings/myprofile/password",
    // Of single sign-on, before anybody has a token.
    "GET /octavo/sso",
    "GET /octavo/sso/callback",
    "GET /octavo/sso/start",
    // By an address that is signed.
    "GET /octavo/uploads/file",
    "PUT /octavo/uploads/part",
    "GET /saml/check",
    "POST /saml/login",
    // What the tokens that they are given open.
    "POST /token/invalidate",
    "POST /token/invalidate-all",
];
