//! Columns beside documents: those that the engine's statements fill are those that the trigger would.

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
            let after = session.rows(Statement::new(columns)).await.expect("rows");
            filled += before.len();
            for (before, after) in
                before.iter().zip(&after).filter(|(before, after)| before.text(1) != after.text(1))
            {
                differing.push(format!("{table}: {} became {}", before.text(1), after.text(1)));
            }
        }
        session.rollback().await.expect("the end of it");
        assert!(filled > 500, "{filled} rows were looked at");
        differing
    })
    .await;
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
