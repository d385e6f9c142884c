//! The laboratory's reports, as the desk shows them.

use std::time::Duration;

use octavo_engine::SlowRequest;
use octavo_testkit::Library;
use serde_json::json;

#[tokio::test]
async fn the_reports_of_the_folder_are_listed_newest_first_and_handed_out_whole() {
    let library = Library::open().await;
    let listed = library.get("/octavo/lab/runs").await.expect(200).json();
    let names: Vec<&str> =
        listed["runs"].as_array().unwrap().iter().filter_map(|run| run["name"].as_str()).collect();
    assert_eq!(
        names,
        ["check-in-check-out-after", "check-in-check-out-before"],
        "what is no report is left out"
    );
    let head = &listed["runs"][0]["report"];
    assert_eq!((&head["experiment"], &head["runs"][1]["users"]), (&"check-in-check-out".into(), &20.into()));
    assert!(head["runs"][0].get("calls").is_none(), "the list is short");
    let whole = library.get("/octavo/lab/runs/check-in-check-out-after").await.expect(200).json();
    assert_eq!(whole["runs"][0]["calls"][0]["name"], "POST check-out-by-barcode");
}

#[tokio::test]
async fn nothing_outside_of_the_folder_is_read() {
    let library = Library::open().await;
    for name in ["..%2F..%2FCargo", "%2Fetc%2Fpasswd", ".hidden", "notes", "nothing"] {
        library.get(&format!("/octavo/lab/runs/{name}")).await.expect(404);
    }
}

#[tokio::test]
async fn the_reports_are_for_those_with_the_permission() {
    let library = Library::guarded().await;
    library.as_user(&["users.item.get"]).await.get("/octavo/lab/runs").await.expect(403);
    library.as_user(&["octavo.lab.runs.collection.get"]).await.get("/octavo/lab/runs").await.expect(200);
}

#[tokio::test]
async fn what_may_be_run_is_a_closed_list() {
    let library = Library::open().await;
    let offers = library.get("/octavo/lab/experiments").await.expect(200).json();
    assert_eq!(offers["experiments"][0]["name"], "configuration");
    assert_eq!(offers["servers"], json!(["http://127.0.0.1:9130", "http://octavo-test:9130"]));
    let good = json!({
        "experiment": "configuration", "tenant": "diku", "username": "diku_admin", "password": "admin"
    });
    for (field, value) in [
        ("experiment", json!("/etc/passwd.toml")),
        ("experiment", json!("--folder=/")),
        ("seconds", json!(100_000)),
        ("seconds", json!(0)),
        ("users", json!(101)),
        ("server", json!("http://169.254.169.254")),
        ("server", json!("http://127.0.0.1:9130@elsewhere")),
        ("tenant", json!("diku --out=/")),
        ("tenant", json!("")),
        ("password", json!("")),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let refused = library.post("/octavo/lab/runs", &body).await.expect(422);
        assert_eq!(refused.json()["errors"][0]["parameters"][0]["value"], field, "{}", refused.text());
    }
    let mut more = good.clone();
    more["out"] = json!("/tmp");
    library.post("/octavo/lab/runs", &more).await.expect(422);
    assert_eq!(library.get("/octavo/lab/running").await.expect(200).json()["state"], "none");
}

#[tokio::test]
async fn who_may_look_may_not_run() {
    let library = Library::guarded().await;
    let looking = library.as_user(&["octavo.lab.runs.collection.get", "octavo.lab.runs.item.get"]).await;
    looking.get("/octavo/lab/experiments").await.expect(403);
    looking.post("/octavo/lab/runs", &json!({})).await.expect(403);
    looking.get("/octavo/lab/running").await.expect(403);
    looking.delete("/octavo/lab/running").await.expect(403);
    let running = library.as_user(&["octavo.lab.runs.item.post", "octavo.lab.running.item.delete"]).await;
    running.post("/octavo/lab/runs", &json!({})).await.expect(422);
    running.delete("/octavo/lab/running").await.expect(204);
}

#[tokio::test]
async fn what_took_long_is_told_to_its_own_library_alone() {
    let [library, another] = [Library::open().await, Library::open().await];
    let slow = async |library: &Library| library.get("/octavo/slow-requests").await.expect(200).json();
    let noted = |milliseconds: u64| SlowRequest {
        at: "2026-11-22T08:30:00Z".parse().unwrap(),
        method: "GET",
        path: "/users/{id}",
        took: Duration::from_millis(milliseconds),
    };
    let tenant = library.tenant.clone();
    for milliseconds in [900, 3, 700] {
        library.octavo.platform.slow_requests.note(&tenant, noted(milliseconds));
    }
    let told = slow(&library).await;
    let latest = json!({"at": "2026-11-22T08:30:00.000+00:00", "method": "GET", "path": "/users/{id}", "milliseconds": 700});
    let times: Vec<u64> = told["slowRequests"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["path"] == "/users/{id}")
        .filter_map(|one| one["milliseconds"].as_u64())
        .collect();
    assert_eq!((times, &told["fromMilliseconds"]), (vec![700, 900], &json!(500)));
    assert!(told["slowRequests"].as_array().unwrap().contains(&latest), "{told}");
    let theirs = slow(&another).await;
    assert!(!theirs.to_string().contains("/users/{id}"), "{theirs}");
    let guarded = Library::guarded().await;
    guarded.as_user(&["users.item.get"]).await.get("/octavo/slow-requests").await.expect(403);
}
