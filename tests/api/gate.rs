//! The laboratory's gate: Octavo keeps the budgets that `lab/budgets-*.toml` sets it.

use octavo_testkit::Library;

async fn lab(words: &[&str]) -> Result<String, String> {
    let words: Vec<String> = ["lab"].iter().chain(words).map(|word| (*word).to_owned()).collect();
    // The laboratory has a runtime of its own, on one thread.
    let done = tokio::task::spawn_blocking(move || {
        let flags = octavo_lab::command().try_get_matches_from(words).map_err(|error| error.to_string())?;
        octavo_lab::run(&flags).map_err(|error| format!("{error:#}"))
    });
    done.await.expect("the laboratory ends")
}

#[tokio::test]
async fn budgets_are_kept() {
    let library = Library::open().await;
    let (url, tenant) = (format!("http://{}", library.address), library.tenant.to_string());
    let at = ["--url", &url, "--tenant", &tenant];
    let gate = [&["gate", "--loops", "5"][..], &at[..]].concat();
    let unmarked = lab(&gate).await.unwrap_err();
    assert!(unmarked.contains("is not marked as a test tenant"), "{unmarked}");
    lab(&[&["mark"][..], &at[..]].concat()).await.expect("a mark");
    let told = lab(&gate).await.expect("every budget is kept");
    assert!(
        told.contains("an entry is read at once: GET /configurations/entries/{id}: 1 round trips"),
        "{told}"
    );
}
