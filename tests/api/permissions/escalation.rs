//! Nobody reaches more than they have: every call that changes permissions, or lets one person log in as another.

use octavo_modules::permissions::{PERMISSION, PERMISSION_USER};
use octavo_modules::users::USER;
use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

/// All that bears on permissions and passwords, but for the rights to assign what one has not got.
const CLERK_PERMISSIONS: &[&str] = &[
    "perms.users.get",
    "perms.users.item.post",
    "perms.users.item.put",
    "perms.users.item.delete",
    "perms.permissions.get",
    "perms.permissions.item.post",
    "perms.permissions.item.put",
    "perms.permissions.item.delete",
    "users.item.get",
    "users.item.post",
    "users.item.put",
    "users.item.delete",
    "login.item.post",
    "login.item.delete",
    "login.password.validate",
    "login.password-reset-action.post",
    "login.password-reset.post",
    "validation.validate.post",
    "configuration.entries.item.post",
    "configuration.entries.item.put",
];
const WANTED_PERMISSION: &str = "tags.all";
const GUARDED_PATH: &str = "/tags";

struct Attack {
    library: Library,
    clerk: Library,
    chief: Uuid,
}

impl Attack {
    async fn begin() -> Attack {
        let library = Library::furnished().await;
        let clerk = library.as_user(CLERK_PERMISSIONS).await;
        let chief = library.as_user(&[WANTED_PERMISSION, "users.all"]).await.user.unwrap();
        Attack { library, clerk, chief }
    }

    fn clerk_id(&self) -> Uuid {
        self.clerk.user.unwrap()
    }

    async fn permissions_of(&self, user: Uuid) -> Value {
        let found = self.library.find("/perms/users", &format!("userId=={user}")).await.expect(200).json();
        found["permissionUsers"][0].clone()
    }

    #[track_caller]
    fn assert_refused(&self, reply: Reply) {
        let reply = reply.expect(403);
        let said = format!("not owned by operating user {}", self.clerk_id());
        let text = reply.text();
        assert!(text.contains(&said) || text.contains("may not give"), "{text}");
    }

    async fn assert_nothing_gained(&self) {
        self.clerk.get(GUARDED_PATH).await.expect(403);
    }
}

#[tokio::test]
async fn what_is_given_must_be_held() {
    let attack = Attack::begin().await;
    let clerk = &attack.clerk;
    let give = json!({"userId": fresh_id(), "permissions": [WANTED_PERMISSION]});
    attack.assert_refused(clerk.post("/perms/users", &give).await);
    let mine = format!("/perms/users/{}/permissions?indexField=userId", attack.clerk_id());
    attack.assert_refused(clerk.post(&mine, &json!({"permissionName": WANTED_PERMISSION})).await);
    let mut own = attack.permissions_of(attack.clerk_id()).await;
    own["permissions"].as_array_mut().unwrap().push(json!(WANTED_PERMISSION));
    attack.assert_refused(clerk.put(&format!("/perms/users/{}", own["id"].as_str().unwrap()), &own).await);
    attack.assert_nothing_gained().await;
}

#[tokio::test]
async fn permissions_do_not_change_hands() {
    let attack = Attack::begin().await;
    let clerk = &attack.clerk;
    let mut theirs = attack.permissions_of(attack.chief).await;
    let path = format!("/perms/users/{}", theirs["id"].as_str().unwrap());
    let mine = attack.permissions_of(attack.clerk_id()).await["id"].as_str().unwrap().to_owned();
    theirs["userId"] = json!(attack.clerk_id());
    attack.assert_refused(clerk.put(&path, &theirs).await);
    // In two steps: first nobody's, then mine.
    theirs.as_object_mut().unwrap().remove("userId");
    clerk.put(&path, &theirs).await.expect(422);
    // What is held may be moved.
    theirs["userId"] = json!(fresh_id());
    theirs["permissions"] = json!(["users.item.get"]);
    clerk.put(&path, &theirs).await.expect(200);
    assert_eq!(attack.permissions_of(attack.clerk_id()).await["id"], json!(mine));
    attack.assert_nothing_gained().await;
}

#[tokio::test]
async fn sets_hold_no_more_than_their_makers() {
    let attack = Attack::begin().await;
    let clerk = &attack.clerk;
    let set = |name: &str, subs: &[&str]| json!({"permissionName": name, "subPermissions": subs});
    attack.assert_refused(clerk.post("/perms/permissions", &set("mine", &[WANTED_PERMISSION])).await);
    // A set of sets.
    let theirs = attack
        .library
        .post("/perms/permissions", &set("theirs", &[WANTED_PERMISSION]))
        .await
        .expect(201)
        .json();
    attack.assert_refused(clerk.post("/perms/permissions", &set("mine", &["theirs"])).await);
    // Into a set that one holds already.
    attack
        .library
        .store(
            &PERMISSION,
            json!({"permissionName": "desk", "subPermissions": [], "mutable": true, "dummy": false}),
        )
        .await;
    let holder = attack.library.as_user(&[CLERK_PERMISSIONS, &["desk"]].concat()).await;
    let mut desk =
        attack.library.find("/perms/permissions", "permissionName==desk").await.json()["permissions"][0]
            .clone();
    for derived in ["childOf", "grantedTo", "dummy", "deprecated", "metadata"] {
        desk.as_object_mut().unwrap().remove(derived);
    }
    let path = format!("/perms/permissions/{}", desk["id"].as_str().unwrap());
    for contained in [WANTED_PERMISSION, "theirs"] {
        desk["subPermissions"] = json!([contained]);
        let said = holder.put(&path, &desk).await.expect(403).text();
        assert!(said.contains(&format!("{contained} not owned")), "{said}");
    }
    // A set that one may not give oneself, made anew with the same name.
    clerk.delete(&format!("/perms/permissions/{}", theirs["id"].as_str().unwrap())).await.expect(204);
    attack.assert_refused(clerk.post("/perms/permissions", &set("theirs", &[WANTED_PERMISSION])).await);
    // What is held may be put into a set and given.
    clerk.post("/perms/permissions", &set("readers", &["users.item.get"])).await.expect(201);
    attack.assert_nothing_gained().await;
    holder.get(GUARDED_PATH).await.expect(403);
}

/// A permission is a name: whoever makes one of the name that a route asks for makes what opens it.
#[tokio::test]
async fn no_set_takes_the_name_of_what_opens_a_route() {
    let attack = Attack::begin().await;
    let right = attack.library.as_user(&[CLERK_PERMISSIONS, &["perms.users.assign.mutable"]].concat()).await;
    let disable = json!([{"id": "mod-tags-2.2.0", "action": "disable"}]);
    let install = format!("/_/proxy/tenants/{}/install", attack.library.tenant);
    attack.library.operator().await.post(&install, &disable).await.expect(200);
    attack.library.post("/perms/purge-deprecated", &json!({})).await.expect(200);
    for name in ["tags.collection.get", "tags.all", "mod-settings.global.write.some.scope"] {
        let set = json!({"permissionName": name, "subPermissions": []});
        let said = right.post("/perms/permissions", &set).await.expect(403).text();
        assert!(said.contains(&format!("{name} not owned by operating user")), "{said}");
    }
}

#[tokio::test]
async fn nobody_logs_in_as_somebody_who_may_more() {
    let attack = Attack::begin().await;
    let (clerk, chief) = (&attack.clerk, attack.chief);
    let name = format!("user-{chief}");
    // Somebody who may more and has no password yet.
    let by_id = json!({"userId": chief, "password": "Mine-now-1"});
    attack.assert_refused(clerk.post("/authn/credentials", &by_id).await);
    let by_name = json!({"username": name, "password": "Mine-now-1"});
    attack.assert_refused(clerk.post("/authn/credentials", &by_name).await);
    // And one who has.
    attack
        .library
        .post("/authn/credentials", &json!({"userId": chief, "password": "Theirs-1"}))
        .await
        .expect(201);
    attack.assert_refused(clerk.delete(&format!("/authn/credentials?userId={chief}")).await);
    let action = json!({"id": fresh_id(), "userId": chief, "expirationTime": "2999-01-01T00:00:00Z"});
    attack.assert_refused(clerk.post("/authn/password-reset-action", &action).await);
    // Nor is a password tried by way of the passwords that were used before.
    let guess = json!({"userId": chief, "password": "Theirs-1"});
    attack.assert_refused(clerk.post("/authn/password/repeatable", &guess).await);
    let judged = clerk.post("/password/validate", &guess).await.expect(200).json();
    assert_eq!(judged, json!({"result": "valid", "messages": []}));
    let told = attack.library.post("/password/validate", &guess).await.expect(200).json();
    assert_eq!(told["result"], "invalid", "{told}");
    attack.library.post("/authn/login", &json!({"username": name, "password": "Theirs-1"})).await.expect(201);
    attack.assert_nothing_gained().await;
}

#[tokio::test]
async fn a_reset_that_was_made_for_a_patron_does_not_open_a_chief() {
    let attack = Attack::begin().await;
    let patron = fresh_id();
    let user = json!({"id": patron, "username": "patron", "active": true});
    attack.library.store(&USER, user).await;
    let action = fresh_id();
    let made = json!({"id": action, "userId": patron, "expirationTime": "2999-01-01T00:00:00Z"});
    attack.clerk.post("/authn/password-reset-action", &made).await.expect(201);
    attack
        .library
        .store(&PERMISSION_USER, json!({"userId": patron, "permissions": [WANTED_PERMISSION]}))
        .await;
    let reset = json!({"passwordResetActionId": action, "newPassword": "Mine-now-1"});
    attack.assert_refused(attack.clerk.post("/authn/reset-password", &reset).await);
    attack.library.post("/authn/reset-password", &reset).await.expect(201);
}

#[tokio::test]
async fn a_user_who_is_gone_is_not_raised_with_their_permissions() {
    let attack = Attack::begin().await;
    let (clerk, chief) = (&attack.clerk, attack.chief);
    clerk.delete(&format!("/users/{chief}")).await.expect(204);
    // A password for somebody who is not there would be a password for whoever comes.
    let password = json!({"userId": chief, "password": "Mine-now-1"});
    clerk.post("/authn/credentials", &password).await.refused(&format!("There is no user with id '{chief}'"));
    clerk.post("/users", &json!({"id": chief, "username": "mine", "active": true})).await.expect(201);
    // The permissions went with the user: who has the id now has none.
    clerk.post("/authn/credentials", &password).await.expect(201);
    let login = json!({"username": "mine", "password": "Mine-now-1"});
    let token = attack.library.post("/authn/login", &login).await.expect(201).json()["okapiToken"].clone();
    attack.library.with_token(token.as_str().unwrap()).get(GUARDED_PATH).await.expect(400);
}

#[tokio::test]
async fn an_api_key_is_given_by_who_may_do_what_it_opens() {
    let attack = Attack::begin().await;
    let key = json!({"module": "edge", "configName": "api-keys", "code": "1", "value": "00"});
    attack.clerk.post("/configurations/entries", &key).await.expect(403);
    let other = json!({"module": "x", "configName": "y", "code": "1", "value": "00"});
    let entry = attack.clerk.post("/configurations/entries", &other).await.expect(201).json();
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    attack.clerk.put(&path, &key).await.expect(403);
    attack.clerk.put(&path, &other).await.expect(204);
    let librarian = attack.library.as_user(&[CLERK_PERMISSIONS, &["rtac.batch.post"]].concat()).await;
    librarian.post("/configurations/entries", &key).await.expect(201);
    // A key that opens more is given by who may do more.
    let wider =
        json!({"module": "edge", "configName": "api-keys", "code": "2", "value": "01 edge-rtac edge-patron"});
    librarian.post("/configurations/entries", &wider).await.expect(403);
    let some = attack
        .library
        .as_user(&[CLERK_PERMISSIONS, &["rtac.batch.post", "patron.account.item.get"]].concat())
        .await;
    some.post("/configurations/entries", &wider).await.expect(403);
    let all = attack.library.as_user(&[CLERK_PERMISSIONS, &["rtac.batch.post", "patron.all"]].concat()).await;
    all.post("/configurations/entries", &wider).await.expect(201);
}

#[tokio::test]
async fn the_right_to_assign_opens_what_it_says() {
    let attack = Attack::begin().await;
    let personnel =
        attack.library.as_user(&[CLERK_PERMISSIONS, &["perms.users.assign.immutable"]].concat()).await;
    let user = fresh_id();
    attack.library.store(&USER, json!({"id": user, "username": "new", "active": true})).await;
    personnel
        .post("/perms/users", &json!({"userId": user, "permissions": [WANTED_PERMISSION]}))
        .await
        .expect(201);
    personnel.post("/authn/credentials", &json!({"userId": user, "password": "Theirs-1"})).await.expect(201);
    let set = json!({"permissionName": "all tags", "subPermissions": [WANTED_PERMISSION]});
    personnel.post("/perms/permissions", &set).await.expect(201);
}
