//! Jobs of ids: a query whose ids are read once.

use octavo_pg::{Database, Options, Statement};
use octavo_testkit::{Desk, Library, Reply, database_url};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance};

const JOBS: &str = "/search/resources/jobs";

async fn create_job(desk: &Desk, query: &str, entity: &str) -> String {
    let body = json!({"query": query, "entityType": entity, "status": "COMPLETED"});
    let job = desk.post(JOBS, &body).await.expect(200).json();
    assert_eq!(
        (&job["query"], &job["entityType"], &job["status"]),
        (&json!(query), &json!(entity), &json!("IN_PROGRESS"))
    );
    assert_eq!(job["createdDate"].as_str().map(str::len), Some("2026-11-24 12:00".len()), "{job}");
    job["id"].as_str().unwrap().to_owned()
}

async fn status(desk: &Desk, id: &str) -> Value {
    desk.get(&format!("{JOBS}/{id}")).await.expect(200).json()["status"].clone()
}

async fn ids(desk: &Desk, id: &str) -> Reply {
    desk.get(&format!("{JOBS}/{id}/ids")).await
}

fn error_json((kind, code): (&str, &str), message: &str) -> Value {
    json!({"errors": [{"message": message, "type": kind, "code": code}], "total_records": 1})
}

#[tokio::test]
async fn the_ids_of_a_job_are_read_once() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"title": "Avocet"})).await;
    instance(&desk, json!({"title": "Bittern"})).await;
    let shelf = holdings(&desk, &title, json!({})).await;
    for (entity, expected) in [("INSTANCE", &title), ("HOLDINGS", &shelf)] {
        let job = create_job(&desk, "title=avocet", entity).await;
        assert_eq!(status(&desk, &job).await, "COMPLETED");
        let found = ids(&desk, &job).await.expect(200).json();
        assert_eq!(found, json!({"ids": [{"id": expected["id"]}], "totalRecords": 1}), "{entity}");
        assert_eq!(status(&desk, &job).await, "DEPRECATED");
        let again = ids(&desk, &job).await.expect(400).json();
        let message = "Completed async job with query=[title=avocet] was not found.";
        assert_eq!(again, error_json(("SearchServiceException", "service_error"), message));
    }
}

#[tokio::test]
async fn a_job_is_kept_while_the_index_is_not_ready() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let title = instance(&desk, json!({"title": "Avocet"})).await;
    let job = create_job(&desk, "title=avocet", "INSTANCE").await;
    let database = Database::from_url(&database_url().await, Options::unlimited(1)).unwrap();
    let mut holder = database.session(&library.tenant, Default::default()).await.unwrap();
    // The index is made from this table.
    holder.begin(vec![Statement::new("lock table instance in access exclusive mode")]).await.unwrap();
    ids(&desk, &job).await.expect(503);
    assert_eq!(status(&desk, &job).await, "COMPLETED");
    holder.rollback().await.unwrap();
    let found = ids(&desk, &job).await.expect(200).json();
    assert_eq!(found, json!({"ids": [{"id": title["id"]}], "totalRecords": 1}));
}

#[tokio::test]
async fn a_query_that_cannot_be_answered_ends_in_an_error() {
    let desk = Desk::open().await;
    for query in ["colour==red", "title=(", ""] {
        let job = create_job(&desk, query, "INSTANCE").await;
        assert_eq!(status(&desk, &job).await, "ERROR", "{query}");
        ids(&desk, &job).await.expect(400);
    }
}

#[tokio::test]
async fn what_is_no_job_is_refused() {
    let desk = Desk::open().await;
    let missing = |members: &[&str]| {
        let error = |member: &&str| {
            json!({
                "message": "must not be null", "type": "MethodArgumentNotValidException", "code": "validation_error",
                "parameters": [{"key": member, "value": "null"}],
            })
        };
        json!({"errors": members.iter().map(error).collect::<Vec<_>>(), "total_records": members.len()})
    };
    let argument = ("IllegalArgumentException", "validation_error");
    let long = "x".repeat(100_001);
    for (body, expected) in [
        (json!({}), missing(&["query", "entityType"])),
        (json!({"query": "title=a"}), missing(&["entityType"])),
        (
            json!({"query": "title=a", "entityType": "SHELF"}),
            error_json(argument, "Unexpected value 'SHELF'"),
        ),
    ] {
        assert_eq!(desk.post(JOBS, &body).await.expect(400).json(), expected, "{body}");
    }
    desk.post(JOBS, &json!({"query": long, "entityType": "INSTANCE"})).await.expect(400);
    let unknown = "69640328-788e-43fc-9c3c-af39e243f3b7";
    let message =
        format!("Unable to find org.folio.search.model.streamids.ResourceIdsJobEntity with id {unknown}");
    let expected = error_json(("EntityNotFoundException", "not_found_error"), &message);
    assert_eq!(desk.get(&format!("{JOBS}/{unknown}")).await.expect(404).json(), expected);
    assert_eq!(ids(&desk, unknown).await.expect(404).json(), expected);
    desk.get(&format!("{JOBS}/shelf")).await.expect(400);
}
