//! What modules of FOLIO say in words of their own, where RAML Module Builder has others: by tables, module by module. What is
//! deliberately said otherwise stands in `docs/differences.md`.

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

const NOT_REPLACED: &str = "No records match the query, no records updated";
const NOT_DELETED: &str = "Number of deleted items is incorrect. Expected 1 record deleted, but there was 0";
const SERVER_ERROR: &str = "Internal Server Error, Please contact System Administrator or try again";
const INVALID_ID: &str = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";

/// Collects the differences, so that one run reports all of them.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn check_reply(&mut self, reply: &Reply, status: u16, text: &str) {
        let is_list = status >= 400 && reply.header("content-type") == Some("application/json");
        let found = if is_list { reply.refusals().join(" / ") } else { reply.text() };
        if (reply.status, found.as_str()) != (status, text) {
            self.0.push(format!("expected {status} {text}\n{reply}"));
        }
    }

    fn assert_none(self) {
        assert!(self.0.is_empty(), "{} said otherwise:\n{}", self.0.len(), self.0.join("\n\n"));
    }
}

async fn check_unknown_record(
    said: &mut Differences,
    library: &Library,
    path: &str,
    body: &Value,
    words: [&str; 3],
) {
    let id = fresh_id();
    let one = format!("{path}/{id}");
    let [read, replaced, deleted] = words;
    said.check_reply(&library.get(&one).await, 404, read);
    said.check_reply(&library.put(&one, &with(body, "id", json!(id))).await, 404, replaced);
    said.check_reply(&library.delete(&one).await, 404, deleted);
}

fn with(body: &Value, member: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[member] = value;
    body
}

/// Path, table, whether entries have a code that is unique, too.
const LISTS: &[(&str, &str, bool)] = &[
    ("/alternative-title-types", "alternative_title_type", false),
    ("/contributor-name-types", "contributor_name_type", false),
    ("/contributor-types", "contributor_type", true),
    ("/holdings-note-types", "holdings_note_type", false),
    ("/identifier-types", "identifier_type", false),
    ("/ill-policies", "ill_policy", false),
    ("/instance-formats", "instance_format", true),
    ("/instance-note-types", "instance_note_type", false),
    ("/instance-relationship-types", "instance_relationship_type", false),
    ("/instance-types", "instance_type", true),
    ("/item-note-types", "item_note_type", false),
    ("/loan-types", "loan_type", false),
    ("/nature-of-content-terms", "nature_of_content_term", false),
];

fn entry(name: &str) -> Value {
    json!({"name": name, "code": name, "source": "local"})
}

/// Some of the lists do not know a code or a source.
async fn body_for(library: &Library, path: &str, name: &str) -> Value {
    let without = |members: &[&str]| {
        let mut body = entry(name);
        body.as_object_mut().unwrap().retain(|member, _| !members.contains(&member.as_str()));
        body
    };
    for members in [&[][..], &["code"], &["source"]] {
        if library.post(path, &without(members)).await.status == 201 {
            return without(members);
        }
    }
    without(&["code", "source"])
}

#[tokio::test]
async fn lists_of_inventory_speak_as_their_database() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for (path, table, coded) in LISTS {
        let body = body_for(&library, path, "Made first").await;
        let name = |name: &str| with(&body, "name", json!(name));
        check_unknown_record(
            &mut said,
            &library,
            path,
            &name("other"),
            ["Not found", NOT_REPLACED, NOT_DELETED],
        )
        .await;
        let [one, two] = [fresh_id(), fresh_id()];
        let coded_as = |body: Value, code: &str| if *coded { with(&body, "code", json!(code)) } else { body };
        library.post(path, &coded_as(with(&name("One"), "id", json!(one)), "c1")).await.expect(201);
        library.post(path, &coded_as(with(&name("Two"), "id", json!(two)), "c2")).await.expect(201);
        let taken = |index: &str, key: &str, value: &str| {
            format!(
                "duplicate key value violates unique constraint \"{table}_{index}\": Key ({key})=({value}) already exists."
            )
        };
        let by_name = taken("name_idx_unique", "lower(f_unaccent(jsonb ->> 'name'::text))", "one");
        said.check_reply(&library.post(path, &coded_as(name("ONE"), "c3")).await, 400, &by_name);
        said.check_reply(
            &library.put(&format!("{path}/{two}"), &coded_as(name("One"), "c2")).await,
            400,
            &by_name,
        );
        let again = coded_as(with(&name("Three"), "id", json!(one)), "c3");
        said.check_reply(&library.post(path, &again).await, 400, &taken("pkey", "id", &one.to_string()));
    }
    said.assert_none();
}

#[tokio::test]
async fn what_a_list_is_used_by_is_told_as_the_database_says_it() {
    let library = Library::open().await;
    let id = fresh_id();
    let kind = json!({"id": id, "name": "text", "code": "txt", "source": "local"});
    library.post("/instance-types", &kind).await.expect(201);
    let instance = json!({"title": "A", "source": "FOLIO", "instanceTypeId": id});
    library.post("/instance-storage/instances", &instance).await.expect(201);
    let said = format!(
        "update or delete on table \"instance_type\" violates foreign key constraint \"instancetypeid_instance_type_fkey\" on table \
         \"instance\": Key (id)=({id}) is still referenced from table \"instance\"."
    );
    library.delete(&format!("/instance-types/{id}")).await.says(400, &said);
}

/// Path, what is said of an entry that is there already, the key that is named.
const CHECKED: &[(&str, &str, &str)] = &[
    ("/electronic-access-relationships", "Relationship type exists", "name"),
    ("/instance-statuses", "Instance status exists", "name"),
    ("/modes-of-issuance", "Mode of issuance exists", "name"),
    ("/statistical-code-types", "Statistical Code Type exists", "name"),
    ("/material-types", "Material Type exists", "name"),
    ("/service-points", "Service Point Exists", "name"),
    ("/location-units/institutions", "Institution already exists", "locinst"),
];

#[tokio::test]
async fn an_entry_that_is_there_already_is_told_in_the_words_of_its_list() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for (path, exists, key) in CHECKED {
        let point = *path == "/service-points";
        let mut body = body_for(&library, path, "Made first").await;
        if point {
            body = json!({"name": "n", "code": "c", "discoveryDisplayName": "d"});
        }
        let named = |name: &str| {
            let body = with(&body, "name", json!(name));
            if body["code"].is_null() { body } else { with(&body, "code", json!(name)) }
        };
        let [one, two] = [fresh_id(), fresh_id()];
        library.post(path, &with(&named("one"), "id", json!(one))).await.expect(201);
        library.post(path, &with(&named("two"), "id", json!(two))).await.expect(201);
        for again in [named("one"), with(&named("three"), "id", json!(one))] {
            let reply = library.post(path, &again).await;
            said.check_reply(&reply, 422, exists);
            assert_eq!(reply.refused_keys(), [*key], "{reply}");
        }
        let checked = !["/material-types", "/service-points", "/location-units/institutions"].contains(path);
        if checked {
            said.check_reply(&library.put(&format!("{path}/{two}"), &named("one")).await, 400, SERVER_ERROR);
            check_unknown_record(
                &mut said,
                &library,
                path,
                &named("four"),
                ["Not found", NOT_REPLACED, NOT_DELETED],
            )
            .await;
        }
    }
    let other = fresh_id();
    let nobody = json!({"id": other, "name": "x", "code": "x", "discoveryDisplayName": "d"});
    said.check_reply(
        &library.put(&format!("/service-points/{other}"), &nobody).await,
        404,
        "ServicePoint was not found",
    );
    said.check_reply(
        &library.put(&format!("/material-types/{other}"), &json!({"name": "x"})).await,
        404,
        NOT_REPLACED,
    );
    said.assert_none();
}

/// Path, what FOLIO calls one of them, a body.
fn fee_records() -> Vec<(&'static str, &'static str, Value)> {
    let user = fresh_id();
    vec![
        ("/comments", "Comment", json!({"paid": false, "waived": false})),
        ("/feefines", "Feefine", json!({"feeFineType": "damage"})),
        (
            "/manualblocks",
            "Manualblock",
            json!({"desc": "x", "borrowing": true, "renewals": false, "requests": false, "userId": user}),
        ),
        ("/owners", "Owner", json!({"owner": "Main"})),
        ("/payments", "Payment", json!({"nameMethod": "cash", "ownerId": fresh_id()})),
        ("/refunds", "Refund", json!({"nameReason": "x"})),
        ("/transfer-criterias", "TransferCriteria", json!({"criteria": "x"})),
        ("/transfers", "Transfer", json!({"accountName": "x", "ownerId": fresh_id()})),
        ("/waives", "Waive", json!({"nameReason": "x"})),
    ]
}

#[tokio::test]
async fn fees_and_fines_speak_of_objects() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for (path, object, body) in fee_records() {
        let missing = format!("{object}Object does not exist");
        check_unknown_record(
            &mut said,
            &library,
            path,
            &body,
            [&missing, "Record Not Found", "Record Not Found"],
        )
        .await;
        said.check_reply(&library.get(&format!("{path}/nonsense")).await, 404, &missing);
        let id = fresh_id();
        let first = with(&body, "id", json!(id));
        library.post(path, &first).await.expect(201);
        said.check_reply(&library.post(path, &first).await, 400, "Unable to process request");
    }
    let paths = fee_records().into_iter().map(|(path, ..)| path).chain(["/accounts", "/feefineactions"]);
    for path in paths {
        let reply = library.find(path, "desc==(").await;
        assert!(
            reply.status == 400 && reply.text().starts_with("CQL Parsing Error for 'desc==(': "),
            "{reply}"
        );
    }
    let id = fresh_id();
    said.check_reply(&library.get(&format!("/accounts/{id}")).await, 404, "AccountObject does not exist");
    said.check_reply(&library.delete(&format!("/accounts/{id}")).await, 404, "Record Not Found");
    said.check_reply(
        &library.get(&format!("/feefineactions/{id}")).await,
        404,
        "FeefineactionObject does not exist",
    );
    said.assert_none();
}

/// Method, path, body, status, words. `{id}` stands for an id that nobody has.
const SINGLE_REQUESTS: &str = include_str!("words.tsv");

#[tokio::test]
async fn other_modules_have_words_of_their_own() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for row in SINGLE_REQUESTS.lines().skip(1) {
        let id = fresh_id().to_string();
        let row = row.replace("{id}", &id);
        let [method, path, body, status, text] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}")
        };
        said.check_reply(&library.send(method, path, body.to_owned()).await, status.parse().unwrap(), text);
    }
    said.assert_none();
}

/// mod-settings tells of an entry whose scope and key another one has as of one that the caller may not write.
#[tokio::test]
async fn an_entry_of_settings_that_is_there_already_is_refused() {
    let library = Library::open().await;
    let mut said = Differences::default();
    let entry = |key: &str| json!({"id": fresh_id(), "scope": "a", "key": key, "value": 1});
    let (first, second) = (entry("first"), entry("second"));
    for entry in [&first, &second] {
        library.post("/settings/entries", entry).await.expect(204);
    }
    said.check_reply(&library.post("/settings/entries", &entry("first")).await, 403, "Forbidden");
    said.check_reply(
        &library.post("/settings/entries", &with(&first, "key", json!("third"))).await,
        403,
        "Forbidden",
    );
    let path = format!("/settings/entries/{}", second["id"].as_str().unwrap());
    said.check_reply(&library.put(&path, &with(&second, "key", json!("first"))).await, 404, "Not Found");
    said.assert_none();
}

/// Records that are replaced under the id of another.
#[tokio::test]
async fn an_id_that_is_not_the_paths_is_told() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for (path, body, status, text) in [
        (
            "/location-units/institutions",
            json!({"name": "a", "code": "a"}),
            400,
            "Illegal operation: Institution id cannot be changed",
        ),
        ("/users", json!({"username": "a"}), 400, "You cannot change the value of the id field"),
        ("/notify", json!({"text": "a", "recipientId": Uuid::max()}), 422, "Can not change the id"),
        ("/settings/entries", json!({"scope": "a", "key": "b", "value": 1}), 400, "id mismatch"),
        (
            "/print/entries",
            json!({"created": "2024-01-01T00:00:00Z", "type": "SINGLE", "content": "x"}),
            400,
            "id mismatch",
        ),
    ] {
        let id = fresh_id();
        let body = with(&body, "id", json!(id));
        library.post(path, &body).await;
        let other = with(&body, "id", json!(fresh_id()));
        said.check_reply(&library.put(&format!("{path}/{id}"), &other).await, status, text);
    }
    said.assert_none();
}

/// RAML Module Builder's text about malformed ids, with the status of its `PgUtil`; a module that reads in another way answers 400.
#[tokio::test]
async fn a_malformed_id_names_no_record() {
    let library = Library::open().await;
    let mut said = Differences::default();
    for path in ["/users", "/groups", "/item-storage/items", "/holdings-storage/holdings", "/locations"] {
        said.check_reply(&library.get(&format!("{path}/nonsense")).await, 404, INVALID_ID);
    }
    said.check_reply(&library.delete("/item-storage/items/nonsense").await, 400, INVALID_ID);
    for path in ["/instance-storage/instances", "/departments"] {
        said.check_reply(&library.get(&format!("{path}/nonsense")).await, 400, INVALID_ID);
    }
    said.assert_none();
}
