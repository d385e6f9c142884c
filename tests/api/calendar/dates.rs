//! Opening hours by date.

use octavo_testkit::{Library, Octavo, eventually, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{calendar, codes};

fn open(date: &str) -> Value {
    json!({"date": date, "allDay": false, "open": true, "exceptional": false,
        "openings": [{"startTime": "09:00:00", "endTime": "17:00:00"}]})
}

fn closed(date: &str) -> Value {
    json!({"date": date, "allDay": true, "open": false, "exceptional": false, "openings": []})
}

async fn surrounding(library: &Library, point: Uuid, date: &str) -> Value {
    let path = format!("/calendar/dates/{point}/surrounding-openings?date={date}");
    library.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn three_days_always_surround_a_date() {
    let library = Library::open().await;
    let point = fresh_id();
    // 21 November 2026 is a Saturday.
    let nothing = json!({"openings": [closed("2026-11-20"), closed("2026-11-21"), closed("2026-11-22")]});
    assert_eq!(surrounding(&library, point, "2026-11-21").await, nothing);
    let mut body = calendar("2026-01-01", "2026-12-31", &[point]);
    body["exceptions"] =
        json!([{"name": "Stocktaking", "startDate": "2026-11-23", "endDate": "2026-11-24", "openings": []}]);
    library.post("/calendar/calendars", &body).await.expect(201);
    let weekend = json!({"openings": [open("2026-11-20"), closed("2026-11-21"), open("2026-11-25")]});
    assert_eq!(surrounding(&library, point, "2026-11-21").await, weekend);
    let stocktaking = json!({"date": "2026-11-23", "allDay": true, "open": false, "exceptional": true,
        "exceptionName": "Stocktaking", "openings": []});
    let monday = json!({"openings": [open("2026-11-20"), stocktaking, open("2026-11-25")]});
    assert_eq!(surrounding(&library, point, "2026-11-23").await, monday);
}

#[tokio::test]
async fn every_server_learns_of_a_change() {
    let library = Library::open().await;
    let other = library.through(&Octavo::start_another().await);
    let point = fresh_id();
    let (before, during) = ("2026-11-20", "2026-11-23");
    let expected = |days: [Value; 3]| json!({"openings": days});
    let without = expected([closed("2026-11-20"), closed("2026-11-21"), closed("2026-11-22")]);
    assert_eq!(surrounding(&other, point, "2026-11-21").await, without);
    let body = calendar("2026-01-01", "2026-12-31", &[point]);
    let id = library.post("/calendar/calendars", &body).await.expect(201).json()["id"].clone();
    let with = expected([open(before), closed("2026-11-21"), open(during)]);
    assert_eq!(surrounding(&library, point, "2026-11-21").await, with);
    wait_until_known(&other, point, &with).await;
    library.delete(&format!("/calendar/calendars/{}", id.as_str().unwrap())).await.expect(204);
    assert_eq!(surrounding(&library, point, "2026-11-21").await, without);
    wait_until_known(&other, point, &without).await;
}

/// Another server is told by NOTIFY, which takes a moment.
async fn wait_until_known(library: &Library, point: Uuid, expected: &Value) {
    let told = format!("{expected} is known everywhere");
    eventually(&told, async || surrounding(library, point, "2026-11-21").await == *expected).await;
}

#[tokio::test]
async fn the_days_of_a_span_come_in_pages() {
    let library = Library::open().await;
    let point = fresh_id();
    library.post("/calendar/calendars", &calendar("2026-11-20", "2026-11-24", &[point])).await.expect(201);
    let ask = async |query: &str| {
        library.get(&format!("/calendar/dates/{point}/all-openings?{query}")).await.expect(200)
    };
    let week = "startDate=2026-11-19&endDate=2026-11-25";
    let every = ask(&format!("{week}&includeClosed=true")).await;
    assert_eq!(every.total(), 7);
    assert_eq!(every.json()["dates"][0], closed("2026-11-19"));
    let opened = ask(&format!("{week}&includeClosed=false")).await;
    let dates = [open("2026-11-20"), open("2026-11-23"), open("2026-11-24")];
    assert_eq!(opened.json(), json!({"dates": dates, "totalRecords": 3}));
    let page = ask(&format!("{week}&includeClosed=false&offset=1&limit=1")).await;
    assert_eq!(page.json(), json!({"dates": [dates[1]], "totalRecords": 3}));
    let month = ask("startDate=2026-11-01&endDate=2026-11-30&includeClosed=true").await;
    assert_eq!(
        (month.field_values("dates", "date").len(), month.total()),
        (10, 30),
        "ten at a time unless more are asked for"
    );
}

#[tokio::test]
async fn what_cannot_be_read_or_is_left_out_is_an_invalid_parameter() {
    let library = Library::open().await;
    let point = fresh_id();
    for path in [
        format!("{point}/surrounding-openings"),
        format!("{point}/surrounding-openings?date="),
        format!("{point}/surrounding-openings?date=2026-02-30"),
        "desk/surrounding-openings?date=2026-02-20".to_owned(),
        format!("{point}/all-openings?startDate=2026-01-01&endDate=2026-01-31"),
        format!("{point}/all-openings?startDate=2026-01-01&includeClosed=true"),
        format!("{point}/all-openings?startDate=2026-01-01&endDate=2026-01-31&includeClosed=perhaps"),
        format!("{point}/all-openings?startDate=2026-01-01&endDate=2026-01-31&includeClosed=true&limit=-1"),
    ] {
        let reply = library.get(&format!("/calendar/dates/{path}")).await.expect(400);
        assert_eq!(codes(&reply), ["invalidParameter"], "{reply}");
    }
    let ever = format!(
        "/calendar/dates/{point}/all-openings?startDate=0001-01-01&endDate=9999-12-31&includeClosed=true"
    );
    let reply = library.get(&ever).await.expect(400);
    assert_eq!(codes(&reply), ["invalidRequest"]);
}
