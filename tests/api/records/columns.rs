//! Columns beside documents: those that the engine's statements fill are those that the trigger would.

use octavo_engine::statements;
use octavo_modules::circulation::notices::NOTICE;
use octavo_pg::Statement;
use octavo_record::table_name;
use octavo_testkit::{Desk, Library, fresh_id, on_runtime};
use serde_json::json;

#[tokio::test]
async fn every_column_is_what_the_trigger_would_make_of_the_document() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    desk.check_in(&item).await.expect(200);
    let odd = json!({
        "id": fresh_id(), "username": "ŁUKASZ İ", "active": true, "barcode": "ÇA\tVA",
        "personal": {"lastName": "Œuvré", "firstName": "ΣΊΣΥΦΟΣ", "email": ""}
    });
    library.post("/users", &odd).await.expect(201);
    library.put(&format!("/users/{}", odd["id"].as_str().unwrap()), &odd).await.expect(204);

    let context = library.context().await;
    let differing = on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        session.begin(Vec::new()).await.expect("a transaction");
        let mut filled = 0;
        let mut differing = Vec::new();
        for record in context.platform.record_types() {
            let table = table_name(record);
            let columns = format!(
                "select t.id::text, (to_jsonb(t) - 'doc' - 'filled')::text from {table} t order by t.id"
            );
            let before = session.rows(Statement::new(columns.clone())).await.expect("rows");
            // Another text of the same document: its columns are not the engine's any more.
            let rewrite = format!("update {table} set doc = (doc::text || ' ')::json");
            session.rows(Statement::new(rewrite)).await.expect("an update");
            let by_trigger = session.rows(Statement::new(columns.clone())).await.expect("rows");
            let stored = format!("select id, doc::text from {table}");
            let stored = session.rows(Statement::new(stored)).await.expect("documents");
            let documents =
                stored.iter().map(|row| (row.uuid(0), row.json(1).expect("JSON"))).collect::<Vec<_>>();
            session.rows(statements::overwrite_all(record, &documents)).await.expect("an update");
            let all_at_once = session.rows(Statement::new(columns)).await.expect("rows");
            filled += before.len();
            for other in [&before, &all_at_once] {
                let pairs = other.iter().zip(&by_trigger);
                for (ours, theirs) in pairs.filter(|(ours, theirs)| ours.text(1) != theirs.text(1)) {
                    differing.push(format!("{table}: {} became {}", ours.text(1), theirs.text(1)));
                }
            }
        }
        session.rollback().await.expect("the end of it");
        assert!(filled > 500, "{filled} rows were looked at");
        differing
    })
    .await;
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[tokio::test]
async fn many_documents_at_once_need_no_trigger_for_their_columns() {
    let library = Library::furnished().await;
    let context = library.context().await;
    let ids = [fresh_id(), fresh_id(), fresh_id()];
    let notices = move |status: &str, odd: serde_json::Value| {
        ids.map(|id| {
            (id, json!({"id": id, "status": status, "event": "Due date", "recipientId": id, "loanId": odd}))
        })
        .to_vec()
    };
    let columns = on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        session.begin(Vec::new()).await.expect("a transaction");
        let switch = |how: &str| Statement::new(format!("alter table notice {how} trigger user"));
        let rows = || {
            let rows = "select status, \"recipientId\"::text, \"loanId\"::text from notice where id = any($1) order by id";
            Statement::new(rows).uuids(ids.to_vec())
        };
        session.rows(switch("disable")).await.expect("the trigger's owner");
        let mut seen = Vec::new();
        for statement in [
            statements::insert_all(&NOTICE, &notices("Pending", json!(null))),
            statements::overwrite_all(&NOTICE, &notices("Sent", json!(ids[0]))),
        ] {
            session.rows(statement).await.expect("rows");
            seen.push(session.read::<Vec<[Option<String>; 3]>>(rows()).await.expect("rows"));
        }
        session.rollback().await.expect("the end of it");
        seen
    })
    .await;
    let mut sorted = ids.map(|id| id.to_string());
    sorted.sort();
    let expected = [("Pending", None), ("Sent", Some(ids[0].to_string()))].map(|(status, loan)| {
        sorted.clone().map(|id| [Some(status.to_owned()), Some(id), loan.clone()]).to_vec()
    });
    assert_eq!(columns, expected);
}
