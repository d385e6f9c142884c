//! The index of titles follows the database: what any server or program changes is found, whatever happens meanwhile.

use std::sync::Arc;
use std::time::Duration;

use octavo_modules::search;
use octavo_testkit::{
    Client, Desk, Library, Octavo, SeparatePostgres, encode, eventually, fresh_id, octavo, on_runtime,
    reference,
};
use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::inventory::shelf::{holdings, instance, item};

async fn count_found(desk: &Desk, query: &str) -> i64 {
    desk.get(&format!("/search/instances?query={}", encode(query))).await.expect(200).total()
}

async fn wait_until_found(desk: &Desk, query: &str, total: i64) {
    eventually(&format!("{query} finds {total}"), async || count_found(desk, query).await == total).await;
}

#[tokio::test]
async fn what_another_server_changes_is_found() {
    let desk = Desk::open().await;
    instance(&desk, json!({"title": "Heron"})).await;
    let other = desk.through(&Octavo::start_another().await);
    assert_eq!((count_found(&desk, "title=heron").await, count_found(&other, "title=heron").await), (1, 1));
    let title = instance(&other, json!({"title": "Heron and crane"})).await;
    let copy = holdings(&other, &title, json!({"callNumber": "QL 696"})).await;
    let copy = item(&other, &copy, json!({"barcode": "H-1"})).await;
    wait_until_found(&desk, "title=heron", 2).await;
    wait_until_found(&desk, "items.barcode==\"H-1\"", 1).await;
    other.delete(&format!("/item-storage/items/{}", copy["id"].as_str().unwrap())).await.expect(204);
    wait_until_found(&desk, "items.barcode==\"H-1\"", 0).await;
}

#[tokio::test]
async fn what_is_committed_late_is_found_though_later_changes_were_found_before() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let first = instance(&desk, json!({"title": "Osprey"})).await;
    assert_eq!(count_found(&desk, "title=osprey").await, 1);
    let context = library.context().await;
    let id = first["id"].as_str().unwrap().to_owned();
    let rename = format!(
        "update instance set doc = jsonb_set(doc::jsonb, '{{title}}', '\"Kite\"'), filled = null where id = '{id}'"
    );
    let mut slow = on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.begin(vec![octavo_pg::Statement::new(rename)]).await.unwrap();
        session
    })
    .await;
    instance(&desk, json!({"title": "Osprey and eagle"})).await;
    assert_eq!(count_found(&desk, "title=osprey").await, 2);
    assert_eq!(count_found(&desk, "title=kite").await, 0);
    on_runtime(async move { slow.commit(Vec::new()).await.unwrap() }).await;
    wait_until_found(&desk, "title=kite", 1).await;
    assert_eq!(count_found(&desk, "title=osprey").await, 1);
}

#[tokio::test]
async fn copies_that_move_to_another_title_are_found_there_alone() {
    let desk = Desk::open().await;
    let [from, to] =
        [instance(&desk, json!({"title": "From"})).await, instance(&desk, json!({"title": "To"})).await];
    let mut copy = holdings(&desk, &from, json!({})).await;
    item(&desk, &copy, json!({"barcode": "M-1"})).await;
    assert_eq!(count_found(&desk, "title=from and items.barcode==\"M-1\"").await, 1);
    copy["instanceId"] = to["id"].clone();
    let path = format!("/holdings-storage/holdings/{}", copy["id"].as_str().unwrap());
    desk.put(&path, &copy).await.expect(204);
    assert_eq!(count_found(&desk, "title=from and items.barcode==\"M-1\"").await, 0);
    assert_eq!(count_found(&desk, "title=to and items.barcode==\"M-1\"").await, 1);
}

#[tokio::test]
async fn an_index_that_missed_changes_is_made_anew_while_it_goes_on_answering() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let title = instance(&desk, json!({"title": "Plover"})).await;
    assert_eq!(count_found(&desk, "title=plover").await, 1);
    // A change that nobody is told of, as of a table that was restored.
    rename_unnoticed(&library, &title, "Dunlin").await;
    library
        .script(
            "insert into octavo.search_removed (schema, transaction) \
             select current_schema(), pg_current_xact_id() \
             on conflict (schema) do update set transaction = excluded.transaction"
                .to_owned(),
        )
        .await;
    wait_until_found(&desk, "title=dunlin", 1).await;
    assert_eq!(count_found(&desk, "title=plover").await, 0);
}

/// Changes a title's name in the database without telling any index.
async fn rename_unnoticed(library: &Library, title: &Value, name: &str) {
    let id = title["id"].as_str().unwrap();
    library
        .script(format!(
            "alter table instance disable trigger search_changed; \
             update instance set doc = jsonb_set(doc::jsonb, '{{title}}', '\"{name}\"') where id = '{id}'; \
             alter table instance enable trigger search_changed"
        ))
        .await;
}

#[tokio::test]
async fn reindex_makes_the_index_anew_while_it_goes_on_answering() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let title = instance(&desk, json!({"title": "Plover"})).await;
    instance(&desk, json!({"title": "Curlew"})).await;
    assert_eq!(count_found(&desk, "title=plover").await, 1);
    rename_unnoticed(&library, &title, "Dunlin").await;
    let reindex = "/search/index/inventory/reindex";
    let job = desk.post(reindex, &json!({"recreateIndex": true})).await.expect(200).json();
    assert_eq!(job["jobStatus"], "In progress");
    assert!(job["id"].is_string() && job["submittedDate"].is_string(), "{job}");
    eventually("the title is found by its new name, and the other one meanwhile", async || {
        assert_eq!(count_found(&desk, "title=curlew").await, 1);
        count_found(&desk, "title=dunlin").await == 1
    })
    .await;
}

#[tokio::test]
async fn what_is_saved_while_the_index_is_made_anew_is_found_at_once() {
    let in_bulk = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let library = Library::furnished().await;
    let desk =
        Desk::furnish(&library, |_| {}).await.through(&Octavo::with_bulk_on(in_bulk.handle().clone()).await);
    instance(&desk, json!({"title": "Plover"})).await;
    assert_eq!(count_found(&desk, "title=plover").await, 1);
    // The making of another index waits behind this.
    let (go_on, held) = std::sync::mpsc::channel::<()>();
    in_bulk.spawn(async move {
        let _ = held.recv();
    });
    desk.post("/search/index/inventory/reindex", &json!({})).await.expect(200);
    for saved in 1..=20 {
        instance(&desk, json!({"title": "Curlew"})).await;
        assert_eq!(count_found(&desk, "title=curlew").await, saved);
    }
    assert_eq!(newest_index_number(&library).await, Some(1));
    drop(go_on);
    eventually("the other index is there", async || newest_index_number(&library).await == Some(2)).await;
    eventually("it has what was saved", async || index_differences(&library).await == [[0; 3]]).await;
    assert_eq!(count_found(&desk, "title=curlew").await, 20);
    in_bulk.shutdown_background();
}

#[tokio::test]
async fn reindex_makes_the_index_anew_once_also_while_a_transaction_goes_on() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let title = instance(&desk, json!({"title": "Plover"})).await;
    assert_eq!(count_found(&desk, "title=plover").await, 1);
    let context = library.context().await;
    let mut slow = on_runtime(async move {
        let mut session = context.session().await.unwrap();
        let write = "select pg_current_xact_id()::text";
        session.begin(vec![octavo_pg::Statement::new(write)]).await.unwrap();
        session
    })
    .await;
    rename_unnoticed(&library, &title, "Dunlin").await;
    desk.post("/search/index/inventory/reindex", &json!({})).await.expect(200);
    wait_until_found(&desk, "title=dunlin", 1).await;
    for _ in 0..3 {
        instance(&desk, json!({"title": "Curlew"})).await;
        count_found(&desk, "title=curlew").await;
    }
    assert_eq!(count_found(&desk, "title=curlew").await, 3);
    assert_eq!(newest_index_number(&library).await, Some(2));
    on_runtime(async move { slow.rollback().await.unwrap() }).await;
}

/// The number of the newest index of titles, which says how often the index was built.
async fn newest_index_number(library: &Library) -> Option<u32> {
    let context = library.context().await;
    let processes = std::fs::read_dir(&context.platform.settings.derived_folder).unwrap();
    let folders = processes.map(|process| process.unwrap().path().join(context.tenant.id.as_str()));
    let indexes = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    indexes.filter_map(|index| index.unwrap().file_name().to_str()?.parse().ok()).max()
}

/// How the indexes of a library differ from the database: missing, stale, extra.
async fn index_differences(library: &Library) -> Vec<[usize; 3]> {
    let context = library.context().await;
    on_runtime(async move {
        let (database, derived) = (&context.platform.database, &context.platform.settings.derived_folder);
        let compared = search::verify(database, &context.tenant.id, derived).await.unwrap();
        compared.iter().map(|found| [found.missing.len(), found.stale.len(), found.extra.len()]).collect()
    })
    .await
}

#[tokio::test]
async fn an_index_is_compared_with_the_database_and_made_anew_when_it_is_asked_for() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    assert_eq!(index_differences(&library).await, [[0; 3]; 0]);
    let mut titles = Vec::new();
    for title in ["Avocet", "Bittern", "Curlew"] {
        titles.push(instance(&desk, json!({"title": title})).await);
    }
    let copy = holdings(&desk, &titles[0], json!({})).await;
    item(&desk, &copy, json!({"barcode": "A-1"})).await;
    assert_eq!(count_found(&desk, "cql.allRecords=1").await, 3);
    assert_eq!(index_differences(&library).await, [[0, 0, 0]]);
    let id = |at: usize| titles[at]["id"].as_str().unwrap();
    library
        .script(format!(
            "alter table item disable trigger search_changed; alter table instance disable trigger search_changed; \
             update item set doc = jsonb_set(doc::jsonb, '{{barcode}}', '\"A-2\"'); \
             delete from instance where id = '{}'; \
             insert into instance (id, doc) select gen_random_uuid(), (doc::jsonb - 'hrid')::json from instance where id = '{}'; \
             alter table item enable trigger search_changed; alter table instance enable trigger search_changed",
            id(1),
            id(2)
        ))
        .await;
    // What has changed while transactions of other libraries were open counts as waiting until the index is written again.
    let differ = async || {
        instance(&desk, json!({"title": "Dunnock"})).await;
        count_found(&desk, "title=dunnock").await;
        index_differences(&library).await == [[1, 1, 1]]
    };
    eventually("one title is missing, one stale, one extra", differ).await;
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        search::rebuild(&mut session, &context.tenant.id).await.unwrap();
    })
    .await;
    wait_until_found(&desk, "items.barcode==\"A-2\"", 1).await;
    assert_eq!(index_differences(&library).await, [[0, 0, 0]]);
}

#[tokio::test]
async fn a_library_that_comes_again_under_the_same_name_finds_nothing_of_the_one_before() {
    let okapi = octavo().await.operator().await;
    let id = format!("again{}", &fresh_id().simple().to_string()[..10]);
    let wanted = json!([{"id": "mod-inventory-storage-27.1.3", "action": "enable"},
                        {"id": "mod-search-3.2.6", "action": "enable"}]);
    for title in ["Gannet", "Fulmar"] {
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
        let install = format!("/_/proxy/tenants/{id}/install?tenantParameters=loadReference=true");
        okapi.post(&install, &wanted).await.expect(200);
        let library = Client::new(octavo().await.address).with("x-okapi-tenant", &id);
        let instance = json!({"source": "FOLIO", "title": title, "instanceTypeId": reference::TEXT});
        library.post("/instance-storage/instances", &instance).await.expect(201);
        let all = library.get("/search/instances?query=cql.allRecords=1").await.expect(200);
        assert_eq!((all.total(), all.field_values("instances", "title")), (1, vec![title.to_owned()]));
        okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
    }
}

#[tokio::test]
async fn an_index_that_cannot_be_made_keeps_no_other_waiting() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    let okapi = octavo.operator().await;
    let wanted = json!([{"id": "mod-inventory-storage-27.1.3", "action": "enable"},
                        {"id": "mod-search-3.2.6", "action": "enable"}]);
    for id in ["first", "second"] {
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
        okapi.post(&format!("/_/proxy/tenants/{id}/install"), &wanted).await.expect(200);
    }
    let platform = octavo.platform.clone();
    let opened = on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        session.script("alter table tenant_first.instance rename to away").await.unwrap();
        drop(session);
        let open_all = search::MODULE.on_server_start.unwrap();
        tokio::time::timeout(Duration::from_secs(60), open_all(platform)).await
    });
    opened.await.expect("all were tried");
    let second = Client::new(octavo.address).with("x-okapi-tenant", "second");
    assert_eq!(second.get("/search/instances?query=cql.allRecords=1").await.expect(200).total(), 0);
}
