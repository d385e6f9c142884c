//! Records of the inventory that are refused when they are written.

use serde_json::json;

use super::profiles::{action, book, library_with_location};
use super::{JOBS, chunk};

#[tokio::test]
async fn the_marc_record_of_a_refused_instance_counts_as_an_error_too() {
    let desk = library_with_location().await;
    let create = || vec![action("CREATE", "INSTANCE", &[])];
    desk.import_records(create(), &[book("1", "The title", &[])]).await;
    let there = desk.instances().await.remove(0);
    let taken = json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"i": there["id"]}]}});
    let job = desk.create_job(create()).await;
    let path = format!("{JOBS}/{job}/records?acceptInstanceId=true");
    desk.post(&path, &chunk(&[book("2", "Another title", &[taken])], 1, 1, true)).await.expect(204);
    desk.run_imports().await;
    let kept = desk.get(&format!("/source-storage/source-records?snapshotId={job}")).await.expect(200);
    assert_eq!(kept.total(), 0);
    let summary = desk.get(&format!("/metadata-provider/jobSummary/{job}")).await.expect(200).json();
    for entity in ["sourceRecordSummary", "instanceSummary"] {
        assert_eq!(summary[entity]["totalCreatedEntities"], 0, "{summary}");
        assert_eq!(summary[entity]["totalErrors"], 1, "{summary}");
    }
    let journal = desk.journal_records(&job).await;
    let marc = journal.iter().find(|line| line["entityType"] == "MARC_BIBLIOGRAPHIC").unwrap();
    assert!(marc["error"].as_str().unwrap().contains("is already there"), "{marc}");
}
