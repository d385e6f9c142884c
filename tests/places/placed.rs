//! Tenants in the databases where they were placed.

use octavo_testkit::{ApiKey, Client, Octavo, SeveralDatabases, encode, eventually, on_runtime};
use serde_json::{Value, json};
use std::sync::Arc;

use octavo_engine::TenantDescriptor;
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::Statement;
use tokio::time::Instant;

/// The names of the groups of patrons, by a server.
async fn group_names(client: &Client) -> Vec<String> {
    client.get("/groups?limit=1000").await.expect(200).field_values("usergroups", "group")
}

async fn tenants(octavo: &Octavo) -> Vec<Value> {
    let client = octavo.operator().await;
    client.get("/_/proxy/tenants").await.expect(200).json().as_array().unwrap().clone()
}

async fn has_schema(several: &SeveralDatabases, place: &'static str, id: &str) -> bool {
    let (places, schema) = (several.places(), format!("tenant_{id}"));
    on_runtime(async move {
        let mut session =
            places.find_database(place).unwrap().database.system_session(Arc::default()).await.unwrap();
        let asked = Statement::new("select to_regnamespace(quote_ident($1))::text").text(schema);
        session.read::<Option<Option<String>>>(asked).await.unwrap().flatten().is_some()
    })
    .await
}

/// Whether `/metrics` tells of each of the databases that it answers ("1") or does not ("0").
async fn metrics_say_up(octavo: &Octavo, databases: [&str; 3], up: [&str; 3]) -> bool {
    let text = octavo.client().get("/metrics").await.expect(200).text();
    databases.iter().zip(up).all(|(name, up)| {
        text.lines().any(|line| line == format!("octavo_database_up{{database=\"{name}\"}} {up}"))
    })
}

#[tokio::test]
async fn a_tenant_lives_in_its_database_and_others_do_not_notice_the_loss_of_one() {
    let mut several = SeveralDatabases::start().await;
    let home = several.library("home", "first").await;
    let away = several.library("away", "east").await;
    let places = [("first", "home"), ("east", "away")];
    for (place, id) in places {
        for (other, _) in [("first", ""), ("east", ""), ("west", "")] {
            assert_eq!(has_schema(&several, other, id).await, other == place, "{id} in {other}");
        }
    }
    // Each is reached through both servers, and neither sees the other's.
    for library in [&home, &away] {
        let name = format!("Guests of {}", library.tenant);
        library.post("/groups", &json!({"group": name})).await.expect(201);
        for server in &several.servers {
            let found = group_names(&library.through(server)).await;
            assert_eq!(found.iter().filter(|group| group.starts_with("Guests")).count(), 1, "{found:?}");
            assert!(found.contains(&name), "{found:?}");
        }
    }
    // What is no tenant's is the first database's, and known in all.
    let listed = tenants(&several.servers[1]).await;
    for id in ["away", "home", "supertenant"] {
        assert!(listed.iter().any(|tenant| tenant["id"] == id), "{listed:?}");
    }
    let operator = several.servers[0].operator().await;
    operator.post("/_/proxy/tenants", &json!({"id": "away"})).await.says(400, "Duplicate tenant id away");
    let described = json!({"id": "away", "name": "Away", "description": "In the east"});
    operator.put("/_/proxy/tenants/away", &described).await.expect(200);
    assert_eq!(operator.get("/_/proxy/tenants/away").await.expect(200).json(), described);
    let user = away.as_user(&["usergroups.collection.get"]).await;
    user.get("/groups").await.expect(200);
    user.with("x-okapi-tenant", "home").get("/groups").await.says(403, "Invalid token");

    eventually("the figures tell of each database", async || {
        metrics_say_up(&several.servers[0], ["first", "east", "west"], ["1", "1", "1"]).await
    })
    .await;

    several.lose_first().await;
    eventually("the loss is noticed", async || home.get("/groups").await.status == 503).await;
    eventually("the figures tell of it", async || {
        metrics_say_up(&several.servers[0], ["first", "east", "west"], ["0", "1", "1"]).await
    })
    .await;
    for server in &several.servers {
        let away = away.through(server);
        away.get("/groups").await.expect(200);
        away.post("/groups", &json!({"group": format!("Later at {}", server.address)})).await.expect(201);
        let user = user.through(server);
        user.get("/groups").await.expect(200);
        home.through(server).get("/groups").await.expect(503);
    }
}

#[tokio::test]
async fn making_a_tenant_is_made_up_for_when_it_failed_half_way() {
    let several = SeveralDatabases::start().await;
    let places = several.places();
    on_runtime(async move {
        let descriptor = TenantDescriptor { id: Some("half".to_owned()), name: None, description: None };
        places.reserve(&descriptor, "west").await.unwrap();
    })
    .await;
    let library = several.library("half", "east").await;
    library.get("/groups").await.expect(200);
    assert_eq!(tenants(&several.servers[0]).await.iter().filter(|tenant| tenant["id"] == "half").count(), 1);
    let operator = several.servers[1].operator().await;
    operator.delete("/_/proxy/tenants/half").await.expect(204);
    assert!(!has_schema(&several, "east", "half").await);
    operator.delete("/_/proxy/tenants/half").await.expect(404);
    library.get("/groups").await.says(400, "No such Tenant half");
}

#[tokio::test]
async fn a_call_with_a_key_is_answered_503_while_the_database_is_lost() {
    let mut several = SeveralDatabases::start().await;
    let client = several.servers[0].client();
    let library = client.with("x-okapi-tenant", "home");
    let key = ApiKey::for_user(&library, "discovery").key;
    let path = format!("/patron/account/nobody?apikey={}", encode(&key));
    client.get(&path).await.expect(401);
    several.lose_first().await;
    eventually("the loss is noticed", async || library.get("/groups").await.status == 503).await;
    let reply = client.get(&path).await.expect(503);
    assert_eq!(reply.json()["code"], 503, "{reply}");
}

/// Creates a tenant in one of the databases.
async fn create_tenant(
    several: &SeveralDatabases,
    id: &str,
    name: &str,
    place: &'static str,
) -> Outcome<TenantId> {
    let (platform, places) = (several.servers[0].platform.clone(), several.places());
    let (id, name) = (Some(id.to_owned()), Some(name.to_owned()));
    on_runtime(async move {
        let there = platform.on_database(places.find_database(place).unwrap()).unwrap();
        there.create_tenant(&TenantDescriptor { id, name, description: None }).await
    })
    .await
}

#[tokio::test]
async fn a_refused_creation_leaves_the_name_of_the_tenant_that_is_there() {
    let several = SeveralDatabases::start().await;
    create_tenant(&several, "away", "Away", "east").await.unwrap();
    for place in ["east", "west", "first"] {
        let refused = create_tenant(&several, "away", "Other", place).await.unwrap_err();
        assert_eq!(refused.to_string(), "400 Duplicate tenant id away", "in {place}");
        let listed = tenants(&several.servers[1]).await;
        let away = listed.iter().find(|tenant| tenant["id"] == "away").unwrap();
        assert_eq!(away["name"], "Away", "after the creation in {place}");
    }
}

/// Puts a view that counts how often it is read in the place of the directory's table.
const COUNT_READS_OF_DIRECTORY: &str = "\
create sequence octavo.directory_reads;
alter table octavo.placement rename to placement_rows;
create function octavo.read_placement() returns setof octavo.placement_rows language plpgsql as $$
begin
  perform nextval('octavo.directory_reads');
  return query select * from octavo.placement_rows;
end $$;
create view octavo.placement as select * from octavo.read_placement()";
const READS_OF_DIRECTORY: &str = "\
select coalesce(pg_sequence_last_value('octavo.directory_reads'), 0)";

#[tokio::test]
async fn requests_to_tenants_that_do_not_exist_read_the_directory_five_times_a_second_at_most() {
    let several = SeveralDatabases::start().await;
    let places = several.places();
    let mut session = on_runtime(async move {
        let first = &places.find_database("first").unwrap().database;
        let mut session = first.system_session(Arc::default()).await.unwrap();
        session.script(COUNT_READS_OF_DIRECTORY).await.unwrap();
        session
    })
    .await;
    let begun = Instant::now();
    for number in 0..200 {
        let tenant = format!("nobody{number}");
        let client = several.servers[0].client().with("x-okapi-tenant", &*tenant);
        client.get("/groups").await.says(400, &format!("No such Tenant {tenant}"));
    }
    let fifths = i64::try_from(begun.elapsed().as_millis() / 200).unwrap();
    let reads = on_runtime(async move {
        session.read::<Option<i64>>(Statement::new(READS_OF_DIRECTORY)).await.unwrap().unwrap()
    })
    .await;
    // Two servers read the directory, too, when they begin to listen to each of three databases.
    let most = 1 + fifths + 2 * 3;
    assert!((1..=most).contains(&reads), "{reads} reads in {fifths} fifths of a second");
}
