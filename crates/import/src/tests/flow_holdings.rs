use serde_json::{Value, json};

use super::library::{Library, documents, id, log};
use super::profiles::{action, field, fields, job, matching, member, text as constant};
use super::text::marc;
use crate::{Entity, Format, Outcome};

fn instance() -> Value {
    action("CREATE", "INSTANCE", fields(json!([])))
}

fn holdings(location: &str) -> Value {
    action("CREATE", "HOLDINGS", fields(json!([{"path": "holdings.permanentLocationId", "value": location}])))
}

fn item_fields() -> Value {
    json!([
        {"path": "item.materialType.id", "value": "945$a", "acceptedValues": {id(820).to_string(): "book", id(821).to_string(): "dvd"}},
        {"path": "item.permanentLoanType.id", "value": "\"Selected\"", "acceptedValues": {id(822).to_string(): "Selected"}},
        {"path": "item.status.name", "value": "\"Available\""},
        {"path": "item.barcode", "value": "945$b"},
    ])
}

fn items() -> Value {
    action("CREATE", "ITEM", fields(item_fields()))
}

fn import_bibliographic(library: &Library, profile: &Value, record: &str) -> Outcome {
    library.import(profile, Format::Bibliographic, marc(record))
}

#[test]
fn each_field_gives_an_item_at_the_holdings_of_its_location() {
    let profile = job(&[instance(), holdings("945$h"), items()]);
    let record = "245 10 $aT\n945 __ $hAnnex (KU/A)$abook$b1\n945 __ $hE$advd$b2\n945 __ $hannex$abook";
    let outcome = import_bibliographic(&Library::default(), &profile, record);
    assert_eq!(
        log(&outcome),
        [
            "INSTANCE CREATE",
            "MARC_BIBLIOGRAPHIC CREATE",
            "HOLDINGS CREATE",
            "HOLDINGS CREATE",
            "ITEM CREATE",
            "ITEM CREATE",
            "ITEM CREATE"
        ]
    );
    let instance = documents(&outcome, Entity::Instance)[0]["id"].clone();
    let holdings = documents(&outcome, Entity::Holdings);
    let of = |name: &str| -> Vec<Value> { holdings.iter().map(|one| one[name].clone()).collect() };
    assert_eq!(of("permanentLocationId"), [json!(id(800).to_string()), json!(id(801).to_string())]);
    assert_eq!(of("instanceId"), [instance.clone(), instance]);
    assert_eq!(of("sourceId")[0], "f32d531e-df79-46b3-8932-cdd35f7a2264");
    assert_eq!(of("hrid"), [json!("holdings1"), json!("holdings2")]);
    let items = documents(&outcome, Entity::Item);
    let places: Vec<&Value> = items.iter().map(|item| &item["holdingsRecordId"]).collect();
    assert_eq!(places, [&holdings[0]["id"], &holdings[1]["id"], &holdings[0]["id"]]);
    assert_eq!(
        *items[1],
        json!({"id": items[1]["id"], "hrid": "item2", "materialTypeId": id(821).to_string(), "barcode": "2",
            "permanentLoanTypeId": id(822).to_string(), "holdingsRecordId": holdings[1]["id"],
            "status": {"name": "Available", "date": "2024-05-17T10:11:12.345+00:00"}})
    );
    let last = outcome.journal.last().unwrap();
    assert_eq!(last.holdings.map(|id| id.to_string()).as_deref(), holdings[0]["id"].as_str());
    assert!(last.instance.is_some());
}

#[test]
fn two_actions_make_two_records() {
    let profile = job(&[instance(), holdings("\"Online (E)\""), items(), items(), holdings("\"Annex\"")]);
    let outcome = import_bibliographic(&Library::default(), &profile, "245 10 $aT\n945 __ $abook");
    let ids = |entity: Entity| -> std::collections::HashSet<String> {
        documents(&outcome, entity).iter().map(|one| one["id"].to_string()).collect()
    };
    assert_eq!((ids(Entity::Holdings).len(), ids(Entity::Item).len()), (2, 2));
    let profile = job(&[instance(), holdings("\"Online (E)\""), items(), items()]);
    let outcome = import_bibliographic(&Library::default(), &profile, "245 10 $aT\n945 __ $abook$b7");
    assert_eq!(documents(&outcome, Entity::Item).len(), 1);
    assert_eq!(
        log(&outcome).last().unwrap(),
        "ITEM CREATE: Barcode must be unique, 7 is already assigned to another item"
    );
}

#[test]
fn one_location_gives_one_of_each() {
    let profile = job(&[instance(), holdings("\"Online (E)\""), items()]);
    let outcome =
        import_bibliographic(&Library::default(), &profile, "245 10 $aT\n945 __ $abook\n945 __ $advd");
    assert_eq!(documents(&outcome, Entity::Holdings).len(), 1);
    assert_eq!(documents(&outcome, Entity::Item).len(), 1);
}

#[test]
fn errors_of_some_items_leave_the_others() {
    let library =
        Library { items: vec![json!({"id": id(5).to_string(), "barcode": "1"})], ..Library::default() };
    let profile = job(&[instance(), holdings("945$h"), items()]);
    let record = "245 10 $aT\n945 __ $hE$abook$b1\n945 __ $hE$abook$b2\n945 __ $hE$abook$b2\n945 __ $hE$apapyrus$b4\n945 __ $hE$b5";
    let outcome = import_bibliographic(&library, &profile, record);
    assert_eq!(documents(&outcome, Entity::Item).len(), 1);
    let errors: Vec<&str> = outcome.journal.iter().filter_map(|entry| entry.error.as_deref()).collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    for expected in [
        "Value 'papyrus' is not a UUID for materialTypeId field",
        "Field 'materialType.id' is a required field and can not be null",
        "Barcode must be unique, 1 is already assigned to another item",
        "Barcode must be unique, 2 is already assigned to another item",
    ] {
        assert!(errors.iter().any(|error| error.contains(expected)), "{expected}: {errors:?}");
    }
}

#[test]
fn holdings_and_items_that_lack_something_are_refused() {
    for (children, record, expected) in [
        (
            vec![holdings("945$h")],
            "245 10 $aT\n945 __ $hE",
            "HOLDINGS CREATE: Failed to extract instanceId from instance entity or parsed record",
        ),
        (
            vec![instance(), holdings("945$h")],
            "245 10 $aT",
            "HOLDINGS CREATE: Can`t create Holding entity: 'permanentLocationId' is empty",
        ),
        (
            vec![instance(), holdings("945$h")],
            "245 10 $aT\n945 __ $hNowhere",
            "HOLDINGS CREATE: Value 'Nowhere' is not a UUID for permanentLocationId field",
        ),
        (
            vec![instance(), items()],
            "245 10 $aT",
            "ITEM CREATE: Failed to extract holdingsRecord from payload",
        ),
    ] {
        let outcome = import_bibliographic(&Library::default(), &job(&children), record);
        assert_eq!(log(&outcome).last().unwrap(), expected);
    }
}

fn library() -> Library {
    let holdings = |number: u128, hrid: &str, location: u128| {
        json!({"id": id(number).to_string(), "hrid": hrid, "instanceId": id(1).to_string(), "_version": 1,
            "permanentLocationId": id(location).to_string(), "copyNumber": "1"})
    };
    let item = |number: u128, of: u128, status: &str| {
        json!({"id": id(number).to_string(), "hrid": format!("it{number}"), "holdingsRecordId": id(of).to_string(),
            "barcode": format!("b{number}"), "materialTypeId": id(820).to_string(), "permanentLoanTypeId": id(822).to_string(),
            "temporaryLoanTypeId": id(823).to_string(), "status": {"name": status, "date": "then"}})
    };
    Library {
        holdings: vec![holdings(21, "ho1", 800), holdings(22, "ho2", 801)],
        items: vec![item(31, 21, "Available"), item(32, 22, "Checked out"), item(33, 22, "Missing")],
        ..Library::default().with_instance(1, "in1", &json!({}))
    }
}

#[test]
fn submatches_stay_below_what_was_matched() {
    let update =
        action("UPDATE", "HOLDINGS", fields(json!([{"path": "holdings.copyNumber", "value": "\"2\""}])));
    let by_location = matching(
        "HOLDINGS",
        &constant("Online (E)"),
        &member("holdingsrecord.permanentLocationId"),
        &[update],
        &[],
    );
    let profile = job(&[matching("INSTANCE", &field("001"), &member("instance.hrid"), &[by_location], &[])]);
    let mut library = library();
    library.holdings.push(json!({"id": id(29).to_string(), "hrid": "other", "instanceId": id(9).to_string(),
        "permanentLocationId": id(801).to_string()}));
    let outcome = import_bibliographic(&library, &profile, "001 in1\n245 10 $aT");
    let changed = documents(&outcome, Entity::Holdings);
    assert_eq!(changed.len(), 1);
    assert_eq!((&changed[0]["hrid"], &changed[0]["copyNumber"]), (&json!("ho2"), &json!("2")));
    assert_eq!(log(&outcome), ["INSTANCE MATCH", "MARC_BIBLIOGRAPHIC MATCH", "HOLDINGS UPDATE"]);
}

#[test]
fn several_holdings_and_items_are_changed_by_their_numbers() {
    let update = action(
        "UPDATE",
        "ITEM",
        fields(json!([
            {"path": "item.status.name", "value": "\"Withdrawn\""},
            {"path": "item.temporaryLoanType.id", "value": "###REMOVE###"},
        ])),
    );
    let profile = job(&[matching("ITEM", &field("945**i"), &member("item.hrid"), &[update], &[])]);
    let record = "245 10 $aT\n945 __ $iit31\n945 __ $iit32\n945 __ $iit33\n945 __ $inone";
    let outcome = import_bibliographic(&library(), &profile, record);
    assert_eq!(
        log(&outcome),
        [
            "ITEM NON_MATCH",
            "ITEM UPDATE",
            "ITEM UPDATE",
            "ITEM UPDATE",
            "ITEM UPDATE: Could not change item status 'Checked out' to 'Withdrawn'"
        ]
    );
    let items = documents(&outcome, Entity::Item);
    let statuses: Vec<&Value> = items.iter().map(|item| &item["status"]["name"]).collect();
    assert_eq!(statuses, ["Withdrawn", "Checked out", "Withdrawn"]);
    assert!(items.iter().all(|item| item.get("temporaryLoanTypeId").is_none()), "{items:?}");
    assert_eq!(items[0]["materialTypeId"], id(820).to_string());
    assert_eq!(items[1]["status"]["date"], "then");
    assert_eq!(items[0]["status"]["date"], "2024-05-17T10:11:12.345+00:00");
}

#[test]
fn items_bring_their_holdings_along() {
    let item = action("UPDATE", "ITEM", fields(json!([{"path": "item.copyNumber", "value": "\"2\""}])));
    let holdings =
        action("UPDATE", "HOLDINGS", fields(json!([{"path": "holdings.copyNumber", "value": "\"3\""}])));
    let profile = job(&[matching("ITEM", &field("945**i"), &member("item.hrid"), &[item, holdings], &[])]);
    let outcome = import_bibliographic(&library(), &profile, "245 10 $aT\n945 __ $iit32\n945 __ $iit33");
    assert_eq!(log(&outcome), ["ITEM UPDATE", "ITEM UPDATE", "HOLDINGS UPDATE"]);
    assert_eq!(documents(&outcome, Entity::Holdings)[0]["hrid"], "ho2");
}

#[test]
fn nothing_to_change_is_an_error() {
    for (entity, expected) in [
        (
            "HOLDINGS",
            "HOLDINGS UPDATE: Can`t update Holding entity: context or Holding-entity are empty or doesn`t exist!",
        ),
        (
            "ITEM",
            "ITEM UPDATE: Failed to handle event payload, cause event payload context does not contain MARC_BIBLIOGRAPHIC data or ITEM to update",
        ),
        (
            "INSTANCE",
            "INSTANCE UPDATE: Failed to handle event payload, cause event payload context does not contain MARC_BIBLIOGRAPHIC or INSTANCE data",
        ),
    ] {
        let outcome = import_bibliographic(
            &library(),
            &job(&[action("UPDATE", entity, fields(json!([])))]),
            "245 10 $aT",
        );
        assert_eq!(log(&outcome)[0], expected);
    }
}
