//! What becomes of due dates on days on which the library is closed.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Octavo};
use serde_json::json;
use uuid::Uuid;

use super::calendar;

/// Three weeks after Saturday, 31 October 2026.
async fn desk(strategy: &str) -> Desk {
    let desk = Desk::with_policy(|policy| {
        policy["loansPolicy"]["closedLibraryDueDateManagementId"] = json!(strategy);
    })
    .await;
    desk.through(&Octavo::with_clock(|| "2026-10-31T10:00:00Z".parse().unwrap()).await)
}

async fn due_date(desk: &Desk) -> String {
    let (item, patron) = (desk.item().await, desk.patron().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    loan["dueDate"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_due_date_moves_to_a_day_on_which_the_library_is_open() {
    for (strategy, expected) in [
        ("CURRENT_DUE_DATE", "2026-11-21T23:59:59.000+00:00"),
        ("CURRENT_DUE_DATE_TIME", "2026-11-21T10:00:00.000+00:00"),
        ("END_OF_THE_PREVIOUS_OPEN_DAY", "2026-11-20T23:59:59.000+00:00"),
        ("END_OF_THE_NEXT_OPEN_DAY", "2026-11-24T23:59:59.000+00:00"),
        ("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS", "2026-11-24T09:00:00.000+00:00"),
    ] {
        let desk = desk(strategy).await;
        let mut body = calendar("2026-01-01", "2026-12-31", &[CIRC_DESK.parse::<Uuid>().unwrap()]);
        body["exceptions"] = json!([{"name": "Monday off", "startDate": "2026-11-23", "endDate": "2026-11-23", "openings": []}]);
        desk.post("/calendar/calendars", &body).await.expect(201);
        assert_eq!(due_date(&desk).await, expected, "{strategy}");
    }
}

#[tokio::test]
async fn a_calendar_counts_from_the_moment_it_is_there() {
    let desk = desk("END_OF_THE_NEXT_OPEN_DAY").await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    // FOLIO answers so where no calendar is assigned to the service point.
    let refusal = "Calendar timetable is absent for requested date";
    desk.check_out(&item, &patron).await.refused(refusal);
    let body = calendar("2026-01-01", "2026-12-31", &[CIRC_DESK.parse::<Uuid>().unwrap()]);
    let id = desk.post("/calendar/calendars", &body).await.expect(201).json()["id"].clone();
    assert_eq!(due_date(&desk).await, "2026-11-23T23:59:59.000+00:00");
    let closed = json!([{"name": "x", "startDate": "2026-11-23", "endDate": "2026-11-23", "openings": []}]);
    let mut changed = body;
    changed["exceptions"] = closed;
    let path = format!("/calendar/calendars/{}", id.as_str().unwrap());
    desk.put(&path, &changed).await.expect(200);
    assert_eq!(due_date(&desk).await, "2026-11-24T23:59:59.000+00:00");
    desk.delete(&path).await.expect(204);
    desk.check_out(&item, &patron).await.refused(refusal);
}
