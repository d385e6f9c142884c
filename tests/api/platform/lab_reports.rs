//! The laboratory's reports, as the desk shows them.

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
