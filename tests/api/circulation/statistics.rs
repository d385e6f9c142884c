//! Counts of circulation, which are kept when the borrowers of the loans are not.

use octavo_testkit::{Desk, Library, Octavo, fresh_id, system_clock};
use serde_json::{Value, json};

const PATH: &str = "/octavo/circulation-statistics";
const JOB: &str = "/circulation/scheduled-anonymize-processing";

async fn read_statistics(desk: &Desk) -> Value {
    desk.get(PATH).await.expect(200).json()
}

fn sum(told: &Value, list: &str, member: &str) -> i64 {
    told[list].as_array().unwrap().iter().map(|one| one[member].as_i64().unwrap()).sum()
}

/// The second day of the next month: of all months since the loans were made, one is over.
fn early_next_month() -> jiff::Timestamp {
    let today = system_clock().to_zoned(jiff::tz::TimeZone::UTC);
    system_clock() + jiff::SignedDuration::from_hours(24 * i64::from(today.days_in_month() - today.day() + 2))
}

#[tokio::test]
async fn a_month_is_counted_once_when_it_is_over_with_loans_that_were_anonymised_before() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let (one, other) = (desk.patron().await, desk.patron().await);
    let items = [desk.item().await, desk.item().await, desk.item().await];
    for (item, patron) in items.iter().zip([&one, &one, &other]) {
        desk.check_out(item, patron).await.expect(201);
    }
    desk.renew(&items[0], &one).await.expect(200);
    desk.check_in(&items[1]).await.expect(200);
    desk.check_in(&items[2]).await.expect(200);
    // Of the one a loan is left that names them, of the other none.
    for patron in [&one, &other] {
        let path = format!("/loan-anonymization/by-user/{}", patron["id"].as_str().unwrap());
        let done = desk.post(&path, &json!({})).await.expect(200).json();
        assert_eq!(done["anonymizedLoans"].as_array().unwrap().len(), 1, "{done}");
    }
    library.run_job(JOB).await;
    let before = read_statistics(&desk).await;
    assert_eq!((before["totalRecords"].as_i64(), sum(&before, "activeBorrowers", "borrowers")), (Some(0), 0));

    let later = Octavo::with_clock(early_next_month).await;
    for _ in 0..2 {
        library.through(&later).run_job(JOB).await;
        let counted = read_statistics(&desk).await;
        let sums = ["loans", "renewals", "returns"].map(|member| sum(&counted, "counts", member));
        assert_eq!(sums, [3, 1, 2], "{counted}");
        assert_eq!(sum(&counted, "activeBorrowers", "borrowers"), 2, "{counted}");
        let first = &counted["counts"][0];
        for name in ["patronGroup", "location", "materialType"] {
            assert!(first[name].is_string(), "{name}: {counted}");
        }
        assert_eq!(counted["countedUntil"], first["month"]);
    }
    let month = read_statistics(&desk).await["counts"][0]["month"].as_str().unwrap().to_owned();
    for (query, found) in [
        (format!("from={month}&until={month}"), true),
        ("until=1999-12".to_owned(), false),
        ("from=2999-01".to_owned(), false),
    ] {
        let counted = desk.get(&format!("{PATH}?{query}")).await.expect(200).json();
        assert_eq!(counted["totalRecords"].as_i64() > Some(0), found, "{query}: {counted}");
    }
    for wrong in ["from=November", "until=2026-13", "limit=-1"] {
        desk.get(&format!("{PATH}?{wrong}")).await.expect(400);
    }
}

#[tokio::test]
async fn counts_need_a_right() {
    let library = Library::guarded().await;
    library.as_user(&["circulation.all"]).await.get(PATH).await.expect(403);
    let told =
        library.as_user(&["octavo.circulation.statistics.get"]).await.get(PATH).await.expect(200).json();
    assert_eq!(told["counts"], json!([]));
}
