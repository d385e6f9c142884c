//! Calendars created, read, searched, replaced and deleted.

use octavo_testkit::{Library, Octavo, Reply, fresh_id};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{calendar, codes};

const PATH: &str = "/calendar/calendars";

async fn create(library: &Library, body: &Value) -> String {
    let created = library.post(PATH, body).await.expect(201).json();
    created["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_calendar_gets_an_id_and_comes_back_as_it_was_sent() {
    let library = Library::open().await;
    let sent_id = fresh_id();
    let mut body = calendar("2026-01-01", "2026-12-31", &[fresh_id(), fresh_id()]);
    body["id"] = json!(sent_id);
    body["exceptions"] = json!([{"name": "Opening", "startDate": "2026-03-01", "endDate": "2026-03-02", "openings": [
        {"startDate": "2026-03-01", "startTime": "07:00:00", "endDate": "2026-03-02", "endTime": "23:00:00"}]}]);
    let created = library.post(PATH, &body).await.expect(201).json();
    let id = created["id"].as_str().unwrap();
    assert_ne!(id, sent_id.to_string());
    for member in ["name", "startDate", "endDate", "assignments", "normalHours", "exceptions"] {
        assert_eq!(created[member], body[member], "{member}");
    }
    assert!(created["metadata"]["createdDate"].is_string());
    let stored = library.get(&format!("{PATH}/{id}")).await.expect(200);
    assert_eq!(stored.json(), created);
    assert_eq!(stored.round_trips(), 1);
}

#[tokio::test]
async fn a_replaced_calendar_keeps_its_id_and_its_creation() {
    let library = Library::open().await;
    let maker = library.acting_as(fresh_id());
    let point = fresh_id();
    let id = create(&maker, &calendar("2026-01-01", "2026-06-30", &[point])).await;
    let before = library.get(&format!("{PATH}/{id}")).await.json();
    let changer = library.acting_as(fresh_id());
    // Overlaps with what it replaces, which is no overlap.
    let mut body = calendar("2026-01-01", "2026-12-31", &[point]);
    body["id"] = json!(fresh_id());
    let replaced = changer.put(&format!("{PATH}/{id}"), &body).await.expect(200).json();
    assert_eq!((&replaced["id"], &replaced["endDate"]), (&json!(id), &json!("2026-12-31")));
    assert_eq!(library.get(&format!("{PATH}/{id}")).await.json(), replaced);
    let (old, new) = (&before["metadata"], &replaced["metadata"]);
    assert_eq!((&new["createdDate"], &new["createdByUserId"]), (&old["createdDate"], &json!(maker.user)));
    assert_eq!(new["updatedByUserId"], json!(changer.user));
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let library = Library::open().await;
    let id = fresh_id();
    let path = format!("{PATH}/{id}");
    let body = calendar("2026-01-01", "2026-12-31", &[]);
    let there = create(&library, &body).await;
    for reply in [
        library.get(&path).await,
        library.put(&path, &body).await,
        library.delete(&path).await,
        library.delete(&format!("{PATH}?id={there}&id={id}")).await,
    ] {
        let reply = reply.expect(404);
        assert_eq!(codes(&reply), ["calendarNotFound"]);
        let error = &reply.json()["errors"][0];
        assert_eq!(error["message"], "No calendar was found with the specified query");
        assert_eq!(error["data"]["notFound"], json!([id]));
    }
    assert_eq!(library.get(PATH).await.total(), 1, "several are deleted together or not at all");
}

#[tokio::test]
async fn calendars_are_deleted_one_by_one_or_several_at_once() {
    let library = Library::open().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(create(&library, &calendar("2026-01-01", "2026-12-31", &[])).await);
    }
    library.delete(&format!("{PATH}/{}", ids[0])).await.says(204, "");
    library.delete(&format!("{PATH}?id={}&id={}", ids[1], ids[2])).await.says(204, "");
    assert_eq!(library.get(PATH).await.expect(200).field_values("calendars", "id"), ids[3..]);
    let reply = library.delete(PATH).await.expect(400);
    assert_eq!(codes(&reply), ["invalidParameter"]);
}

#[tokio::test]
async fn calendars_are_found_by_id_service_point_and_date() {
    let library = Library::open().await;
    let (desk, gate) = (fresh_id(), fresh_id());
    let autumn = create(&library, &calendar("2026-09-01", "2026-11-30", &[desk])).await;
    let spring = create(&library, &calendar("2026-03-01", "2026-05-31", &[desk, gate])).await;
    let summer = create(&library, &calendar("2026-06-01", "2026-08-31", &[])).await;
    let name = |id: &String| {
        ["spring", "summer", "autumn"][[&spring, &summer, &autumn].iter().position(|i| *i == id).unwrap()]
    };
    for (query, expected) in [
        (String::new(), "spring summer autumn"),
        (format!("servicePointId={desk}"), "spring autumn"),
        (format!("servicePointId={gate}&servicePointId={}", fresh_id()), "spring"),
        (format!("id={autumn}&id={summer}"), "summer autumn"),
        (format!("id={autumn},{summer}&servicePointId={desk}"), "autumn"),
        ("startDate=2026-05-31".into(), "spring summer autumn"),
        ("startDate=2026-06-01".into(), "summer autumn"),
        ("endDate=2026-03-01".into(), "spring"),
        ("endDate=2026-02-28".into(), ""),
        ("startDate=2026-06-10&endDate=2026-06-11".into(), "summer"),
        ("startDate=2026-12-01&endDate=2026-01-01".into(), ""),
    ] {
        let reply = library.get(&format!("{PATH}?{query}")).await.expect(200);
        let found: Vec<&str> = reply.field_values("calendars", "id").iter().map(name).collect();
        assert_eq!(found.join(" "), expected, "{query}");
        assert_eq!(reply.total(), found.len() as i64, "{query}");
        assert_eq!(reply.round_trips(), 1);
    }
    let page = library.get(&format!("{PATH}?offset=1&limit=1")).await.expect(200);
    assert_eq!((page.field_values("calendars", "id"), page.total()), (vec![summer], 3));
    let none = library.get(&format!("{PATH}?limit=0")).await.expect(200);
    assert_eq!((none.field_values("calendars", "id").len(), none.total()), (0, 3));
}

#[tokio::test]
async fn a_service_point_has_one_calendar_at_a_time() {
    let library = Library::open().await;
    let (desk, gate) = (fresh_id(), fresh_id());
    let spring = create(&library, &calendar("2026-03-01", "2026-05-31", &[desk, gate])).await;
    create(&library, &calendar("2026-03-01", "2026-05-31", &[fresh_id()])).await;
    create(&library, &calendar("2026-03-01", "2026-05-31", &[])).await;
    let summer = create(&library, &calendar("2026-06-01", "2026-08-31", &[desk])).await;

    let overlapping = calendar("2026-05-31", "2026-06-01", &[gate, desk]);
    let reply = library.post(PATH, &overlapping).await.expect(409);
    assert_eq!(codes(&reply), ["calendarDateOverlap", "calendarDateOverlap"]);
    let errors = &reply.json()["errors"];
    let message =
        "This calendar overlaps with another calendar (“Weekdays” from Mar 1, 2026 to May 31, 2026)";
    assert_eq!(errors[0]["message"], message);
    assert_eq!(errors[0]["data"]["conflictingServicePointIds"], json!([gate, desk]));
    assert_eq!(errors[1]["data"]["conflictingServicePointIds"], json!([desk]));

    let reply = library.put(&format!("{PATH}/{summer}"), &overlapping).await.expect(409);
    assert_eq!(codes(&reply), ["calendarDateOverlap"]);
    library.delete(&format!("{PATH}/{spring}")).await.expect(204);
    library.put(&format!("{PATH}/{summer}"), &overlapping).await.expect(200);
}

#[tokio::test]
async fn of_twenty_overlapping_calendars_at_once_one_is_stored() {
    let library = Library::open().await;
    let other = library.through(&Octavo::start_another().await);
    let body = calendar("2026-01-01", "2026-12-31", &[fresh_id()]);
    let requests: JoinSet<Reply> = (0..20)
        .map(|at| {
            let (library, body) = (if at % 2 == 0 { library.clone() } else { other.clone() }, body.clone());
            async move { library.post(PATH, &body).await }
        })
        .collect();
    let mut statuses: Vec<u16> = requests.join_all().await.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses[..2], [201, 409]);
    assert_eq!(library.get(PATH).await.total(), 1);
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once() {
    let library = Library::open().await;
    let mut body = calendar("2026-01-01", "2026-12-31", &[fresh_id()]);
    create(&library, &body).await;
    body["name"] = json!(" ");
    body["normalHours"][1]["startDay"] = json!("MONDAY");
    body["exceptions"] =
        json!([{"name": "", "startDate": "2025-12-31", "endDate": "2026-01-01", "openings": []}]);
    let reply = library.post(PATH, &body).await.expect(409);
    let expected = [
        "calendarNoName",
        "calendarDateOverlap",
        "calendarInvalidNormalOpenings",
        "calendarInvalidExceptionName",
        "calendarInvalidExceptionDateBoundary",
    ];
    assert_eq!(codes(&reply), expected);
    body["assignments"] = json!([]);
    let reply = library.post(PATH, &body).await.expect(400);
    assert_eq!(codes(&reply).len(), 4);
    assert_eq!(library.get(PATH).await.total(), 1);
}

#[tokio::test]
async fn what_cannot_be_read_is_an_invalid_parameter() {
    let library = Library::open().await;
    let mut bodies = vec!["".to_owned(), "{".to_owned(), "[]".to_owned(), "{}".to_owned()];
    for (member, value) in [
        ("name", json!(null)),
        ("name", json!("a\u{0}")),
        ("startDate", json!("tomorrow")),
        ("assignments", json!(["desk"])),
        ("normalHours", json!([{"startDay": "NEVER"}])),
        ("exceptions", json!(null)),
    ] {
        let mut body = calendar("2026-01-01", "2026-12-31", &[]);
        body[member] = value;
        bodies.push(body.to_string());
    }
    let json = library.with("content-type", "application/json");
    for body in bodies {
        let reply = json.send("POST", PATH, body).await.expect(400);
        assert_eq!(codes(&reply), ["invalidParameter"], "{reply}");
    }
    for path in ["?id=x", "?servicePointId=x", "?startDate=2026-1-1", "?limit=-1", "?offset=x", "/x"] {
        let reply = library.get(&format!("{PATH}{path}")).await.expect(400);
        assert_eq!(codes(&reply), ["invalidParameter"], "{reply}");
    }
}
