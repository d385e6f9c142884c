//! Who is let in (mod-authtoken 2.15.1, Okapi 5.3.0).

use octavo_modules::permissions::PERMISSION;
use octavo_modules::tokens::{Claims, Kind};
use octavo_modules::users::USER;
use octavo_testkit::{Client, Library, Octavo, fresh_id};
use serde_json::json;

const READ_PERMISSION: &str = "usergroups.collection.get";

fn token_claims(library: &Library, user: uuid::Uuid) -> Claims {
    let now = library.octavo.now().as_second();
    Claims {
        iat: now,
        user_id: Some(user),
        exp: Some(now + 60),
        ..Claims::new(Kind::Access, library.tenant.as_str(), "somebody")
    }
}

#[tokio::test]
async fn without_a_token_only_open_routes_answer() {
    let library = Library::guarded().await;
    library
        .get("/groups")
        .await
        .says(400, &format!("Token missing, access requires permission: {READ_PERMISSION}"));
    let reply = library.with("x-okapi-user-id", fresh_id().to_string()).get("/groups").await;
    reply.says(400, &format!("Token missing, access requires permission: {READ_PERMISSION}"));
    library.get("/_/proxy/health").await.expect(200);
}

#[tokio::test]
async fn a_permission_opens_its_route_and_no_other() {
    let library = Library::guarded().await;
    let reader = library.as_user(&[READ_PERMISSION]).await;
    reader.get("/groups").await.expect(200);
    let id = reader.user.unwrap();
    let said = format!("Access for user 'user-{id}' ({id}) requires permission: usergroups.item.post");
    reader.post("/groups", &json!({"group": "staff"})).await.says(403, &said);
}

#[tokio::test]
async fn a_permission_set_opens_what_it_contains() {
    let library = Library::open().await;
    // A set that contains itself is no endless loop.
    for (name, contained) in [("desk", vec!["desk.more"]), ("desk.more", vec![READ_PERMISSION, "desk"])] {
        library.store(&PERMISSION, json!({"permissionName": name, "subPermissions": contained})).await;
    }
    library.as_user(&["desk"]).await.get("/groups").await.expect(200);
}

#[tokio::test]
async fn a_token_must_be_ours_and_whole() {
    let library = Library::guarded().await;
    let user = library.as_user(&[READ_PERMISSION]).await;
    let token = library.token(user.user.unwrap(), "somebody");
    let mut spliced = token.clone();
    spliced.replace_range(token.len() - 4.., "AAAA");
    let forged = octavo_modules::tokens::sign(&token_claims(&library, user.user.unwrap()), b"another key");
    for bad in ["x", "a.b.c", "..", &token[..token.len() - 1], &spliced, &forged] {
        library.with_token(bad).get("/groups").await.says(401, "Invalid token");
        library
            .with("authorization", format!("Bearer {bad}"))
            .get("/groups")
            .await
            .says(401, "Invalid token");
    }
    library.with("authorization", format!("Bearer {token}")).get("/groups").await.expect(200);
    library.with("authorization", token.clone()).get("/groups").await.expect(200);
    library.with("cookie", format!("folioAccessToken={token}")).get("/groups").await.expect(200);
}

#[tokio::test]
async fn a_bad_token_is_refused_where_none_is_needed() {
    let library = Library::open().await;
    library.with_token("a.b.c").get("/groups").await.says(401, "Invalid token");
}

#[tokio::test]
async fn two_tokens_have_to_agree() {
    let library = Library::guarded().await;
    let user = library.as_user(&[READ_PERMISSION]).await;
    let differing = "Different tokens in Authentication and X-Okapi-Token. Use only one of them";
    user.with("authorization", "Bearer other").get("/groups").await.says(400, differing);
    user.with("cookie", "folioAccessToken=other").get("/groups").await.says(400, differing);
}

#[tokio::test]
async fn a_token_runs_out() {
    let library = Library::guarded().await;
    let user = library.as_user(&[READ_PERMISSION]).await;
    user.get("/groups").await.expect(200);
    let tomorrow =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24)).await;
    user.through(&tomorrow).get("/groups").await.says(401, "Invalid token");
    let legacy = Claims { kind: Kind::LegacyAccess, exp: None, ..token_claims(&library, user.user.unwrap()) };
    library.with_token(library.sign(&legacy)).through(&tomorrow).get("/groups").await.expect(200);
}

#[tokio::test]
async fn a_refresh_token_opens_nothing() {
    let library = Library::guarded().await;
    let user = library.as_user(&[READ_PERMISSION]).await;
    let refresh = Claims { kind: Kind::Refresh, ..token_claims(&library, user.user.unwrap()) };
    library.with_token(library.sign(&refresh)).get("/groups").await.says(400, "Invalid token");
}

#[tokio::test]
async fn a_token_of_one_tenant_is_nothing_in_another() {
    let (here, there) = (Library::guarded().await, Library::guarded().await);
    let user = here.as_user(&[READ_PERMISSION]).await;
    let token = here.token(user.user.unwrap(), "somebody");
    there.with_token(&token).get("/groups").await.says(403, "Invalid token");
    let invoked = format!("/_/invoke/tenant/{}/groups", there.tenant);
    Client::new(there.address).with("x-okapi-token", &token).get(&invoked).await.says(403, "Invalid token");
    // Without the header the token says which tenant is meant.
    Client::new(there.address).with("x-okapi-token", &token).get("/groups").await.expect(200);
}

#[tokio::test]
async fn the_user_header_cannot_name_another() {
    let library = Library::guarded().await;
    let user = library.as_user(&[READ_PERMISSION]).await;
    user.with("x-okapi-user-id", user.user.unwrap().to_string()).get("/groups").await.expect(200);
    user.with("x-okapi-user-id", fresh_id().to_string()).get("/groups").await.says(403, "Invalid token");
    user.with("x-okapi-user-id", "nonsense").get("/groups").await.says(403, "Invalid token");
}

#[tokio::test]
async fn who_is_gone_inactive_or_without_permissions_is_not_let_in() {
    let library = Library::guarded().await;
    let nobody = fresh_id();
    let said = format!("Invalid token: user with id {nobody} does not exist");
    library.with_token(library.token(nobody, "nobody")).get("/groups").await.says(401, &said);

    let plain = fresh_id();
    library.store(&USER, json!({"id": plain, "username": "plain", "active": true})).await;
    let reply = library.with_token(library.token(plain, "plain")).get("/groups").await;
    reply.says(
        400,
        &format!("Unable to retrieve permissions for user with id '{plain}': User does not exist: {plain}"),
    );
}

#[tokio::test]
async fn a_user_who_is_made_inactive_is_out_at_once() {
    let library = Library::guarded().await;
    let desk = library.as_user(&[READ_PERMISSION, "users.item.put"]).await;
    let patron = library.as_user(&[READ_PERMISSION]).await;
    patron.get("/groups").await.expect(200);
    let id = patron.user.unwrap();
    let inactive = json!({"id": id, "username": format!("user-{id}"), "active": false});
    desk.put(&format!("/users/{id}"), &inactive).await.expect(204);
    patron.get("/groups").await.says(401, &format!("Invalid token: user with id {id} is not active"));
}

#[tokio::test]
async fn a_user_who_is_deleted_is_out_at_once() {
    let library = Library::guarded().await;
    let desk = library.as_user(&["users.item.delete"]).await;
    let patron = library.as_user(&[READ_PERMISSION]).await;
    patron.get("/groups").await.expect(200);
    let id = patron.user.unwrap();
    desk.delete(&format!("/users/{id}")).await.expect(204);
    patron.get("/groups").await.says(401, &format!("Invalid token: user with id {id} does not exist"));
}

#[tokio::test]
async fn a_client_cannot_hand_itself_permissions() {
    let library = Library::guarded().await;
    let user = library.as_user(&[]).await;
    for header in ["x-okapi-permissions", "x-okapi-module-permissions", "x-okapi-extra-permissions"] {
        user.with(header, format!("[\"{READ_PERMISSION}\"]")).get("/groups").await.expect(403);
        library.with(header, format!("[\"{READ_PERMISSION}\"]")).get("/groups").await.expect(400);
    }
}

#[tokio::test]
async fn anybody_may_see_what_their_own_tenant_has() {
    let library = Library::guarded().await;
    let user = library.as_user(&[]).await;
    let (own, other) = (library.tenant.clone(), Library::guarded().await.tenant);
    for path in ["modules", "interfaces", "modules?full=true", "interfaces/users"] {
        user.get(&format!("/_/proxy/tenants/{own}/{path}")).await.expect(200);
        user.get(&format!("/_/proxy/tenants/{other}/{path}")).await.expect(403);
    }
    user.get("/_/version").await.expect(200);
    user.delete(&format!("/_/proxy/tenants/{own}/modules/mod-tags-2.2.0")).await.expect(403);
}
