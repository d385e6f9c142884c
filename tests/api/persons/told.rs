//! A person is given all that is kept about them.

use std::collections::BTreeSet;

use octavo_modules::permissions::PERMISSION_USER;
use octavo_modules::users::USER;
use octavo_testkit::reference::FACULTY;
use octavo_testkit::{Library, encode, fresh_id};
use serde_json::{Value, json};

use super::life::PatronLife;
use super::marks::{PersonalMarks, find_marks};

const READ_PERMISSION: &str = "octavo.patrons.data.get";

/// Tables whose rows belong to a record of another, or of which the answer says why they are not given.
const TABLES_NOT_GIVEN: [&str; 8] = [
    "note_link",
    "queue_place",
    "outbox",
    "event",
    "print_content",
    "print_entry",
    "profile_picture",
    "borrower_digest",
];

#[tokio::test]
async fn a_person_is_given_every_record_that_leads_to_them() {
    let life = PatronLife::create().await;
    let path = format!("/octavo/patrons/{}/data", life.marks.id);
    let reply = life.branch.get(&path).await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("no-store"), "{reply}");
    let given = reply.json();
    assert_eq!(given["userId"], json!(life.marks.id));
    let kept = given["kept"].as_array().unwrap();
    assert_eq!(kept[0]["table"], "users");
    let tables: BTreeSet<&str> = kept.iter().map(|kind| kind["table"].as_str().unwrap()).collect();
    assert_eq!(tables.len(), kept.len(), "each kind once");
    for place in find_marks(life.library(), &life.marks).await {
        let table = place.split(':').next().unwrap_or_default();
        assert!(tables.contains(table) || TABLES_NOT_GIVEN.contains(&table), "{place}: {tables:?}");
    }
    let text = given.to_string();
    for mark in life.marks.all() {
        assert!(text.contains(&mark), "{mark}");
    }
    for loan in [&life.returned_loan, &life.charged_loan, &life.open_loan] {
        assert!(text.contains(loan), "{loan}");
    }
    let credentials = kept.iter().find(|kind| kind["table"] == "auth_credentials").unwrap();
    let members: Vec<&String> = credentials["records"][0].as_object().unwrap().keys().collect();
    assert!(!members.iter().any(|member| ["hash", "salt"].contains(&member.as_str())), "{members:?}");
    let pin = kept.iter().find(|kind| kind["table"] == "patronpin").unwrap();
    assert!(pin["records"][0].get("pin").is_none(), "{pin}");
    let reasons = given["notGiven"].as_array().unwrap();
    assert!(reasons.iter().any(|one| one["kind"] == "print entry"), "{reasons:?}");

    // What others have is theirs.
    let stranger = life.branch.patron().await;
    let item = life.branch.item().await;
    let theirs = life.branch.check_out(&item, &stranger).await.expect(201).json();
    let text = life.branch.get(&path).await.expect(200).json().to_string();
    assert!(
        !text.contains(theirs["id"].as_str().unwrap()) && !text.contains(stranger["id"].as_str().unwrap())
    );
}

#[tokio::test]
async fn the_page_shows_the_same_and_runs_nothing() {
    let life = PatronLife::create().await;
    let page =
        life.branch.get(&format!("/octavo/patrons/{}/data?format=html", life.marks.id)).await.expect(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap_or_default();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let text = page.text();
    for mark in life.marks.all() {
        assert!(text.contains(&mark), "{mark}");
    }
    assert!(text.trim_end().ends_with("</html>"));
}

/// Many records come piece by piece, whole and each once.
#[tokio::test]
async fn a_long_life_is_given_whole() {
    let library = Library::furnished().await;
    let marks = PersonalMarks::new();
    let kind = json!(fresh_id());
    library.post("/addresstypes", &json!({"id": kind, "addressType": "Where they live"})).await.expect(201);
    library.post("/users", &marks.patron(FACULTY, &kind)).await.expect(201);
    let words = "x".repeat(20_000);
    for number in 0..130 {
        let note = json!({"recipientId": marks.id, "text": format!("{number} {words}")});
        library.post("/notify", &note).await.expect(201);
    }
    let given = library.get(&format!("/octavo/patrons/{}/data", marks.id)).await.expect(200).json();
    let notes = given["kept"].as_array().unwrap().iter().find(|one| one["table"] == "notify_data").unwrap();
    let texts: BTreeSet<&str> =
        notes["records"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect();
    assert_eq!((texts.len(), notes["records"].as_array().unwrap().len()), (130, 130));
}

#[tokio::test]
async fn data_are_given_with_a_right_and_the_log_of_security_says_to_whom() {
    let library = Library::guarded().await;
    let id = fresh_id();
    library.store(&USER, json!({"id": id, "username": "somebody", "active": true})).await;
    library.store(&PERMISSION_USER, json!({"userId": id, "permissions": []})).await;
    let clerk = library.as_user(&[READ_PERMISSION, "octavo.security-events.collection.get"]).await;
    let path = format!("/octavo/patrons/{id}/data");
    library.as_user(&["users.item.get", "users.collection.get"]).await.get(&path).await.expect(403);
    let given = clerk.get(&path).await.expect(200).json();
    assert!(
        given["kept"].as_array().unwrap().iter().any(|one| one["table"] == PERMISSION_USER.table),
        "{given}"
    );
    clerk.get(&format!("/octavo/patrons/{}/data", fresh_id())).await.expect(404);
    clerk.get("/octavo/patrons/nobody/data").await.expect(404);
    clerk.get(&format!("{path}?format=xml")).await.expect(400);
    let query = encode("event==\"Personal data given\"");
    let events = clerk.get(&format!("/octavo/security-events?query={query}")).await.expect(200).json();
    let events: &Vec<Value> = events["securityEvents"].as_array().unwrap();
    assert_eq!(events.len(), 1, "{events:?}");
    assert!(events[0]["userId"].is_string() && events[0]["userId"] != json!(id), "{events:?}");
    assert!(events[0]["description"].as_str().unwrap().contains(&id.to_string()), "{events:?}");
}
