//! How long logs are kept.

use octavo_pg::Statement;
use octavo_testkit::{Library, Octavo, fresh_id, on_runtime, system_clock};
use serde_json::json;

const JOB: &str = "/circulation/scheduled-anonymize-processing";

/// Rows as old logs leave them, of today, and how long the tests' server keeps each log, in days.
fn old_row_inserts() -> [(&'static str, String, i64); 5] {
    let (now, id) = (system_clock(), fresh_id());
    let today = octavo_kernel::folio_time(now);
    let document = |table: &str, members: serde_json::Value| {
        format!("insert into {table} (id, doc) values ('{id}', '{members}')")
    };
    [
        (
            "security_event",
            document(
                "security_event",
                json!({"id": id, "date": today, "event": "Log-in", "address": "::1", "description": ""}),
            ),
            365,
        ),
        (
            "event_logs",
            document(
                "event_logs",
                json!({"id": id, "tenant": "t", "userId": id, "eventType": "USER_BLOCK", "timestamp": today}),
            ),
            365,
        ),
        ("audit_data", document("audit_data", json!({"id": id, "tenant": "t", "timestamp": today})), 365),
        (
            "email_statistics",
            document(
                "email_statistics",
                json!({"id": id, "notificationId": "1", "to": "a@example.org", "header": "", "body": "",
                "status": "FAILURE", "date": today}),
            ),
            730,
        ),
        (
            "circulation_log",
            format!(
                "insert into circulation_log (at, object, action, id, description) values ('{now}', 1, 1, '{id}', '')"
            ),
            730,
        ),
    ]
}

#[tokio::test]
async fn each_log_forgets_what_is_older_than_its_setting() {
    let library = Library::furnished().await;
    for (_, insert, _) in old_row_inserts() {
        count_rows(&library, insert).await;
    }
    let after_a_year =
        Octavo::with_clock(|| system_clock() + jiff::SignedDuration::from_hours(24 * 366)).await;
    let after_two = Octavo::with_clock(|| system_clock() + jiff::SignedDuration::from_hours(24 * 731)).await;
    for (server, days) in [(None, 0), (Some(after_a_year), 366), (Some(after_two), 731)] {
        match server {
            Some(server) => library.through(&server).run_job(JOB).await,
            None => library.run_job(JOB).await,
        };
        for (table, _, kept) in old_row_inserts() {
            let left = count_rows(&library, format!("select id from {table} where id is not null")).await;
            assert_eq!(left > 0, days <= kept, "{table} after {days} days");
        }
    }
}

/// Runs a statement and returns the number of its rows.
async fn count_rows(library: &Library, sql: String) -> usize {
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.rows(Statement::new(sql)).await.unwrap().len()
    })
    .await
}
