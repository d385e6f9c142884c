//! Search expressions and matching.

use octavo_pg::Statement;
use octavo_testkit::{Client, Desk, Library, fresh_id, on_runtime};
use serde_json::{Value, json};

use super::{record, snapshot};

async fn save_record(desk: &Client, snapshot: &Value, kind: &str, leader: &str, fields: Value) -> Value {
    let described = fresh_id();
    let mut record = record(snapshot, &json!({"id": described}));
    record["recordType"] = json!(kind);
    if kind == "MARC_AUTHORITY" {
        record["externalIdsHolder"] = json!({"authorityId": described});
    }
    record["parsedRecord"]["content"] = json!({"leader": leader, "fields": fields});
    desk.post("/source-storage/records", &record).await.expect(201).json()
}

fn field(tag: &str, indicators: &str, subfields: &[(&str, &str)]) -> Value {
    let subfields: Vec<Value> = subfields.iter().map(|(code, value)| json!({*code: value})).collect();
    json!({tag: {"ind1": indicators[..1], "ind2": indicators[1..], "subfields": subfields}})
}

async fn find_ids(desk: &Client, body: &Value) -> Vec<String> {
    let reply = desk.post("/source-storage/stream/marc-record-identifiers", body).await.expect(200).json();
    let ids: Vec<String> =
        reply["records"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    assert_eq!(reply["totalCount"], ids.len(), "{reply}");
    ids
}

async fn create_two_records(desk: &Client) -> (Value, Value) {
    let snapshot = snapshot(desk).await;
    let first = json!([
        {"001": "393893"},
        {"005": "20141107001016.0"},
        field("035", "  ", &[("a", "(OCoLC)63611770"), ("z", "12345")]),
        field("050", "0 ", &[("a", "M3"), ("b", ".M896 \"x\"")]),
        field("856", "40", &[("u", "http://example.org/a_b"), ("y", "here")]),
    ]);
    let second = json!([
        {"001": "393894"},
        {"005": "20221015120000.0"},
        field("035", "9 ", &[("a", "63611770")]),
        field("035", "  ", &[("a", "x"), ("z", "nothing")]),
    ]);
    let first = save_record(desk, &snapshot, "MARC_BIB", "01542ccm a2200361   4500", first).await;
    let second = save_record(desk, &snapshot, "MARC_BIB", "01542nam a2200361   4500", second).await;
    save_record(desk, &snapshot, "MARC_AUTHORITY", "01542cz  a2200361   4500", json!([{"001": "393893"}]))
        .await;
    (first, second)
}

#[tokio::test]
async fn instances_are_found_by_what_their_records_say() {
    let desk = Desk::open().await;
    let (first, second) = create_two_records(&desk).await;
    let id = |record: &Value| record["externalIdsHolder"]["instanceId"].as_str().unwrap().to_owned();
    let (first, second) = (id(&first), id(&second));
    let mut both = [first.clone(), second.clone()];
    both.sort();
    for (expression, ids) in [
        ("001.value = '393893'", &[first.clone()][..]),
        ("001.value = '39389'", &[]),
        ("001.value ^= '39389'", &both),
        ("001.value not= '393893'", std::slice::from_ref(&second)),
        (
            "001.value = '393893' and 005.value ^= '2014110' and 035.ind1 = '#' and 005.03_02 = '41' and 005.date in '20120101-20190101' and 035.value is 'present' and 999.value is 'present' and 035.z is 'present' and 041.z is 'absent' and 050.ind1 is 'present' and 050.ind2 is 'absent'",
            std::slice::from_ref(&first),
        ),
        ("005.date in '20201001-20221015'", std::slice::from_ref(&second)),
        ("005.date from '20141107'", &both),
        ("005.date to '20141107'", std::slice::from_ref(&first)),
        ("005.date = '20221015'", std::slice::from_ref(&second)),
        ("005.date not= '20221015'", std::slice::from_ref(&first)),
        ("005.00_04 = '2014'", std::slice::from_ref(&first)),
        ("035.a = '(OCoLC)63611770'", std::slice::from_ref(&first)),
        ("035.a = '63611770' and 035.ind1 = '9'", std::slice::from_ref(&second)),
        ("035.a = '63611770' and 035.ind1 = '#'", &[]),
        ("035.a = 'x' and 035.z = 'nothing'", &[]),
        ("035.a = 'x' or 035.z = '12345'", &both),
        ("050.b ^= '.M896 \"'", std::slice::from_ref(&first)),
        ("856.u ^= 'http://example.org/a_b'", std::slice::from_ref(&first)),
        ("856.value is 'absent'", std::slice::from_ref(&second)),
        ("856.u = 'http://example.org/a_b' or 001.value = '393894'", std::slice::from_ref(&first)),
        (
            "(001.value = '393893' or 001.value = '393894') and (035.z = 'nothing' or 035.z = 'no')",
            std::slice::from_ref(&second),
        ),
    ] {
        assert_eq!(
            find_ids(&desk, &json!({"fieldsSearchExpression": expression})).await,
            ids,
            "{expression}"
        );
    }
    for (expression, ids) in [
        ("p_05 = 'c' and p_06 = 'c' and p_07 = 'm'", &[first.clone()][..]),
        ("p_05 = 'n' or p_05 = 'c'", &both),
        ("p_00_04 = '01542' and p_08 = '#' and p_05 not= 'c'", std::slice::from_ref(&second)),
    ] {
        assert_eq!(
            find_ids(&desk, &json!({"leaderSearchExpression": expression})).await,
            ids,
            "{expression}"
        );
    }
    let both_kinds =
        json!({"leaderSearchExpression": "p_05 = 'c'", "fieldsSearchExpression": "001.value ^= '39389'"});
    assert_eq!(find_ids(&desk, &both_kinds).await, std::slice::from_ref(&first));
}

#[tokio::test]
async fn deleted_and_hidden_records_are_found_where_they_are_asked_for() {
    let desk = Desk::open().await;
    let (first, _) = create_two_records(&desk).await;
    let path = format!("/source-storage/records/{}", first["id"].as_str().unwrap());
    let asked = |members: Value| {
        let mut body = json!({"fieldsSearchExpression": "001.value = '393893'"});
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        body
    };
    let count = async |members: Value| find_ids(&desk, &asked(members)).await.len();
    desk.put(&format!("{path}/suppress-from-discovery"), &json!({})).await.expect(200);
    assert_eq!((count(json!({})).await, count(json!({"suppressFromDiscovery": true})).await), (0, 1));
    desk.delete(&path).await.expect(204);
    let deleted = json!({"suppressFromDiscovery": true, "deleted": true});
    assert_eq!((count(json!({"suppressFromDiscovery": true})).await, count(deleted.clone()).await), (0, 1));
    for (page, shown) in [(json!({"limit": 0}), 0), (json!({"limit": 1}), 1), (json!({"offset": 1}), 0)] {
        let mut body = asked(deleted.clone());
        body.as_object_mut().unwrap().extend(page.as_object().unwrap().clone());
        let reply =
            desk.post("/source-storage/stream/marc-record-identifiers", &body).await.expect(200).json();
        assert_eq!(
            (reply["records"].as_array().unwrap().len(), &reply["totalCount"]),
            (shown, &json!(1)),
            "{page}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_searched_is_refused() {
    let desk = Desk::open().await;
    for (body, message) in [
        (json!({}), "The 'leaderSearchExpression' and the 'fieldsSearchExpression' are missing"),
        (
            json!({"fieldsSearchExpression": "001.value = '3451991' and 005.value = '20140701')"}),
            "The number of opened brackets should be equal to number of closed brackets [expression: marcFieldSearchExpression]",
        ),
        (json!({"fieldsSearchExpression": "001.value = '1'", "offset": -1}), "offset must not be negative"),
    ] {
        desk.post("/source-storage/stream/marc-record-identifiers", &body).await.says(400, message);
    }
}

#[tokio::test]
async fn records_are_matched_by_the_values_of_a_field() {
    let desk = Desk::open().await;
    let (first, second) = create_two_records(&desk).await;
    let path = "/source-storage/records/matching";
    let filter = |values: Value, field: &str, rest: Value| {
        let mut filter = json!({"values": values, "field": field});
        filter.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        json!({"recordType": "MARC_BIB", "filters": [filter]})
    };
    let own = |code: &str| json!({"indicator1": "f", "indicator2": "f", "subfield": code});
    let any = json!({"indicator1": "*", "indicator2": "*", "subfield": "a"});
    let blank = json!({"indicator1": "", "indicator2": " ", "subfield": "a"});
    let part = |kind: &str| json!({"indicator1": "*", "indicator2": "*", "subfield": "a", "comparisonPartType": kind});
    for (body, records) in [
        (filter(json!([first["matchedId"]]), "999", own("s")), vec![&first]),
        (filter(json!([first["externalIdsHolder"]["instanceId"]]), "999", own("i")), vec![&first]),
        (filter(json!([fresh_id()]), "999", own("s")), vec![]),
        (filter(json!(["63611770"]), "035", any.clone()), vec![&second]),
        (filter(json!(["63611770"]), "035", blank), vec![]),
        (filter(json!(["63611770", "(OCoLC)63611770"]), "035", any), vec![&first, &second]),
        (filter(json!(["20141107001016.0"]), "005", json!({})), vec![&first]),
        (filter(json!(["ocn63611770"]), "035", part("NUMERICS_ONLY")), vec![&first, &second]),
        (filter(json!(["OCoLC-63611770"]), "035", part("ALPHANUMERICS_ONLY")), vec![&first]),
    ] {
        let answer = desk.post(path, &body).await.expect(200).json();
        let mut expected: Vec<Value> = records
            .iter()
            .map(|record| json!({"recordId": record["id"], "externalId": record["externalIdsHolder"]["instanceId"]}))
            .collect();
        expected.sort_by_key(|one| one["recordId"].as_str().unwrap().to_owned());
        assert_eq!(answer, json!({"identifiers": expected, "totalRecords": records.len()}), "{body}");
    }
    let mut paged = filter(json!(["63611770", "(OCoLC)63611770"]), "035", part("NUMERICS_ONLY"));
    paged["limit"] = json!(1);
    paged["offset"] = json!(1);
    paged["returnTotalRecordsCount"] = json!(false);
    let answer = desk.post(path, &paged).await.expect(200).json();
    assert_eq!((answer["identifiers"].as_array().unwrap().len(), answer.get("totalRecords")), (1, None));
    let mut several = paged.clone();
    several["filters"] = json!([paged["filters"][0], paged["filters"][0]]);
    desk.post(path, &several)
        .await
        .says(400, "Only one matching filter is allowed in the current API implementation");
    desk.post(path, &filter(json!(["x"]), "999", own("s"))).await.says(400, "Invalid UUID x");
    desk.post(path, &filter(json!([]), "999", own("s"))).await.expect(422);
}

/// The program and the trigger find the same numbers, and what was written before there were columns is found meanwhile.
#[tokio::test]
async fn records_from_before_are_found_and_filled_in_the_background() {
    let library = Library::open().await;
    let (first, _) = create_two_records(&library).await;
    let columns = "select row(\"recordType\", \"leaderRecordStatus\", \"externalHrid\", \"marcLeader\", array(select unnest(\"marcTerms\") order by 1), \"order\", \"metadata.updatedDate\", \"additionalInfo.suppressDiscovery\")::text from records_lb order by id";
    let read = async || {
        let context = library.context().await;
        on_runtime(async move {
            let mut session = context.session().await.unwrap();
            session.read::<Vec<String>>(Statement::new(columns)).await.unwrap()
        })
        .await
    };
    library
        .script(
            "do $$ begin assert (select min(filled) = 1 from records_lb), 'the trigger has filled'; end $$",
        )
        .await;
    let before = read().await;
    library.script("update records_lb set \"recordType\" = null, \"leaderRecordStatus\" = null, \"externalHrid\" = null, \"marcLeader\" = null, \"marcTerms\" = null, \"metadata.updatedDate\" = null, \"additionalInfo.suppressDiscovery\" = null, filled = filled + 1; insert into outbox (kind, subject) values ('columns of source records', '00000000-0000-0000-0000-000000000000')").await;
    let search = json!({"fieldsSearchExpression": "035.a = '(OCoLC)63611770'", "leaderSearchExpression": "p_05 = 'c'"});
    let ids = [first["externalIdsHolder"]["instanceId"].as_str().unwrap().to_owned()];
    assert_eq!(find_ids(&library, &search).await, ids);
    assert_eq!(library.get("/source-storage/source-records").await.expect(200).total(), 2);
    library.relay().await;
    assert_eq!(read().await, before);
    assert_eq!(find_ids(&library, &search).await, ids);
}
