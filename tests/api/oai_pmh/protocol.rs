//! Verbs, arguments and errors.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::{attribute, configure, harvested_library, identifier, send_request, tenant, texts};
use crate::inventory::shelf::instance;

#[tokio::test]
async fn a_repository_tells_about_itself() {
    let desk = harvested_library().await;
    let reply = send_request(&desk, "verb=Identify").await.expect(200);
    assert_eq!(reply.header("content-type"), Some("text/xml"));
    for (element, expected) in [
        ("repositoryName", "FOLIO_OAI_Repository"),
        ("baseURL", "http://folio.org/oai"),
        ("protocolVersion", "2.0"),
        ("adminEmail", "oai-pmh@folio.org"),
        ("earliestDatestamp", "1970-01-01T00:00:00Z"),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
        ("repositoryIdentifier", "folio.org"),
    ] {
        assert_eq!(texts(&reply, element), [expected], "{reply}");
    }
    assert_eq!(attribute(&reply, "request", "verb").as_deref(), Some("Identify"));
    let sample = format!("oai:folio.org:{}/3c4ae3f3-b460-4a89-a2f9-78ce3145e4fc", tenant(&desk));
    assert_eq!(texts(&reply, "sampleIdentifier"), [sample]);
    let formats = send_request(&desk, "verb=ListMetadataFormats").await.expect(200);
    assert_eq!(texts(&formats, "metadataPrefix"), ["marc21", "oai_dc", "marc21_withholdings"]);
    let sets = send_request(&desk, "verb=ListSets").await.expect(200);
    assert_eq!(texts(&sets, "setSpec"), ["all"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told_with_its_status() {
    let desk = harvested_library().await;
    let title = instance(&desk, json!({})).await;
    let known = identifier(&desk, &title);
    let unknown = identifier(&desk, &json!({"id": fresh_id()}));
    let cases: &[(&str, u16, &str)] = &[
        ("", 400, "badVerb"),
        ("junk=junk", 400, "badVerb"),
        ("verb=junk", 400, "badVerb"),
        ("verb=ListRecords", 400, "badArgument"),
        ("verb=Identify&extra=1", 400, "badArgument"),
        ("verb=ListRecords&metadataPrefix=marc21&from=junk", 400, "badArgument"),
        (
            "verb=ListRecords&metadataPrefix=marc21&from=2002-02-05&until=2002-02-06T05:35:00Z",
            400,
            "badArgument",
        ),
        ("verb=ListRecords&metadataPrefix=marc21&from=2002-02-06&until=2002-02-05", 400, "badArgument"),
        ("verb=ListRecords&resumptionToken=junk", 400, "badResumptionToken"),
        ("verb=ListSets&resumptionToken=junk", 400, "badResumptionToken"),
        ("verb=ListRecords&metadataPrefix=marc", 422, "cannotDisseminateFormat"),
        ("verb=ListRecords&metadataPrefix=oai_dc&set=other", 404, "noRecordsMatch"),
        ("verb=ListRecords&metadataPrefix=oai_dc&until=1969-01-01T00:00:00Z", 404, "noRecordsMatch"),
        ("verb=GetRecord&metadataPrefix=oai_dc", 400, "badArgument"),
        ("verb=GetRecord&identifier=invalid&metadataPrefix=oai_dc", 400, "badArgument"),
        ("verb=GetRecord&identifier={known}&metadataPrefix=marc", 422, "cannotDisseminateFormat"),
        ("verb=GetRecord&identifier={unknown}&metadataPrefix=oai_dc", 404, "idDoesNotExist"),
        ("verb=ListMetadataFormats&identifier={unknown}", 404, "idDoesNotExist"),
        ("verb=ListMetadataFormats&identifier=invalid", 400, "badArgument"),
    ];
    for errors in ["500", "200"] {
        configure(&desk, "behavior", json!({"errorsProcessing": errors})).await;
        for (query, status, code) in cases {
            let query = query.replace("{known}", &known).replace("{unknown}", &unknown);
            let reply = send_request(&desk, &query).await.expect(if errors == "200" { 200 } else { *status });
            assert_eq!(attribute(&reply, "error", "code").as_deref(), Some(*code), "{reply}");
        }
    }
    send_request(&desk, &format!("verb=ListMetadataFormats&identifier={known}")).await.expect(200);
    configure(&desk, "general", json!({"enableOaiService": "false"})).await;
    let off = send_request(&desk, "verb=Identify").await.expect(503);
    assert_eq!(attribute(&off, "error", "code").as_deref(), Some("serviceUnavailable"));
}

#[tokio::test]
async fn a_repository_may_count_in_days() {
    let desk = harvested_library().await;
    let title = instance(&desk, json!({})).await;
    configure(
        &desk,
        "general",
        json!({"timeGranularity": "YYYY-MM-DD", "baseUrl": "https://oai.example.org/x"}),
    )
    .await;
    let reply = send_request(&desk, "verb=Identify").await.expect(200);
    assert_eq!(
        (texts(&reply, "granularity"), texts(&reply, "earliestDatestamp")),
        (vec!["YYYY-MM-DD".to_owned()], vec!["1970-01-01".to_owned()])
    );
    let listed = send_request(&desk, "verb=ListIdentifiers&metadataPrefix=oai_dc").await.expect(200);
    assert_eq!(texts(&listed, "datestamp")[0].len(), "2026-11-27".len(), "{listed}");
    let expected = format!("oai:oai.example.org:{}/{}", tenant(&desk), title["id"].as_str().unwrap());
    assert!(texts(&listed, "identifier").contains(&expected), "{listed}");
    let seconds = "verb=ListIdentifiers&metadataPrefix=oai_dc&from=2002-02-05T00:00:00Z";
    send_request(&desk, seconds).await.expect(400);
}

#[tokio::test]
async fn harvesting_needs_its_permission() {
    let library = Library::guarded().await;
    library.as_user(&["inventory-storage.all"]).await.get("/oai/records?verb=Identify").await.expect(403);
    let harvester = library.as_user(&["oai-pmh.records.collection.get"]).await;
    harvester.get("/oai/records?verb=Identify").await.expect(200);
    harvester.get("/oai/request-metadata").await.expect(403);
}
