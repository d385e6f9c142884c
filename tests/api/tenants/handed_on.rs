//! The tables of a test's tenant become another test's when it has ended.

use std::sync::Arc;

use octavo_kernel::TenantId;
use octavo_pg::Statement;
use octavo_testkit::{Desk, Library, octavo, on_runtime};
use serde_json::json;

#[tokio::test]
async fn what_a_test_leaves_in_its_tenant_the_next_one_does_not_find() {
    for _ in 0..3 {
        let desk = Desk::open().await;
        let (item, patron) = (desk.item().await, desk.patron().await);
        desk.check_out(&item, &patron).await.expect(201);
    }
    let next = Library::bare().await;
    let fresh = format!("{}new", next.tenant);
    let operator = next.operator().await;
    operator.post("/_/proxy/tenants", &json!({"id": fresh})).await.expect(201);
    let fresh = TenantId::parse(&fresh).unwrap();
    assert_eq!(content(TenantId::clone(&next.tenant)).await, content(fresh).await);
}

/// All records of a tenant as text, table by table, and what its sequences have come to.
async fn content(tenant: TenantId) -> Vec<(String, String)> {
    let database = octavo().await.platform.database.clone();
    on_runtime(async move {
        let mut session = database.session(&tenant, Arc::default()).await.unwrap();
        let names: Vec<String> = session.read(Statement::new(NAMES)).await.unwrap();
        let mut content = Vec::new();
        for name in names {
            // When a migration was applied differs, and how far a sequence is written ahead.
            let records = Statement::new(format!(
                "select json_agg(to_jsonb(t) - 'applied' - 'log_cnt' order by t::text)::text \
                 from (select * from {name}) t"
            ));
            let records: Option<Option<String>> = session.read(records).await.unwrap();
            content.push((name, records.flatten().unwrap_or_default()));
        }
        content
    })
    .await
}

const NAMES: &str = "\
select oid::regclass::text
from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')
order by relname";
