//! The laboratory's reports, as the desk shows them.

use octavo_testkit::Library;

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
