//! Locks that clients take before they check out.

use octavo_testkit::{Library, Octavo, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

const LOCKS: &str = "/check-out-lock-storage";

fn lock_request(user: Uuid, milliseconds: i64) -> Value {
    json!({"userId": user, "ttlMs": milliseconds})
}

#[tokio::test]
async fn a_patron_has_one_lock_until_it_is_given_back() {
    let library = Library::open().await;
    let user = fresh_id();
    let lock = library.post(LOCKS, &lock_request(user, 60_000)).await.expect(201).json();
    assert_eq!(lock["userId"], json!(user));
    let path = format!("{LOCKS}/{}", lock["id"].as_str().unwrap());
    assert_eq!(library.get(&path).await.expect(200).json(), lock);
    let listed = json!({"checkoutLocks": [lock], "totalRecords": 1});
    let of = |user: Uuid| format!("{LOCKS}?userId={user}&offset=0&limit=10");
    assert_eq!(library.get(&of(user)).await.expect(200).json(), listed);
    let none = json!({"checkoutLocks": [], "totalRecords": 0});
    assert_eq!(library.get(&of(fresh_id())).await.expect(200).json(), none);

    library.post(LOCKS, &lock_request(user, 60_000)).await.says(503, "Unable to acquire lock");
    library.post(LOCKS, &lock_request(fresh_id(), 60_000)).await.expect(201);
    library.delete(&path).await.expect(204);
    library.get(&path).await.says(404, "Not found");
    library.delete(&path).await.expect(204);
    library.post(LOCKS, &lock_request(user, 60_000)).await.expect(201);
}

#[tokio::test]
async fn a_lock_is_taken_over_when_it_is_as_old_as_the_next_allows() {
    let library = Library::open().await;
    let early = library.through(&Octavo::with_clock(|| "2026-03-01T12:00:00Z".parse().unwrap()).await);
    let later = library.through(&Octavo::with_clock(|| "2026-03-01T12:00:10Z".parse().unwrap()).await);
    let user = fresh_id();
    let lock = early.post(LOCKS, &lock_request(user, 1)).await.expect(201).json();
    assert_eq!(lock["creationDate"], "2026-03-01T12:00:00.000+00:00");
    for patient in [10_001, i64::from(i32::MAX), i64::MAX] {
        later.post(LOCKS, &lock_request(user, patient)).await.says(503, "Unable to acquire lock");
    }
    let next = later.post(LOCKS, &lock_request(user, 10_000)).await.expect(201).json();
    assert_eq!(next["creationDate"], "2026-03-01T12:00:10.000+00:00");
    assert_ne!(next["id"], lock["id"]);
    library.get(&format!("{LOCKS}/{}", lock["id"].as_str().unwrap())).await.expect(404);
}

#[tokio::test]
async fn of_many_who_want_a_lock_at_once_one_has_it() {
    let library = Library::open().await;
    let wanted = lock_request(fresh_id(), 60_000);
    let all = (0..8).map(|_| {
        let (library, wanted) = (library.clone(), wanted.clone());
        tokio::spawn(async move { library.post(LOCKS, &wanted).await.status })
    });
    let mut statuses = Vec::new();
    for one in all.collect::<Vec<_>>() {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 503, 503, 503, 503, 503, 503, 503]);
}

#[tokio::test]
async fn a_lock_is_for_somebody_and_for_some_time() {
    let library = Library::open().await;
    for (body, key) in [
        (json!({"userId": "", "ttlMs": 1}), "userId"),
        (json!({"ttlMs": 1}), "userId"),
        (json!({"userId": fresh_id()}), "ttlMs"),
    ] {
        assert_eq!(library.post(LOCKS, &body).await.expect(422).refused_keys(), [key], "{body}");
    }
    for path in ["/abcd", "/1234"] {
        library.get(&format!("{LOCKS}{path}")).await.says(400, "Invalid lock id");
        library.delete(&format!("{LOCKS}{path}")).await.says(400, "Invalid lock id");
    }
    for query in
        ["offset=0&limit=10".to_owned(), "userId=me".to_owned(), format!("userId={}&limit=-1", fresh_id())]
    {
        library.get(&format!("{LOCKS}?{query}")).await.says(422, "Invalid Parameters");
    }
}
