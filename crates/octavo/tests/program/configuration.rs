//! A tenant's configuration as files: exported, compared and applied, beside a running server.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use octavo_testkit::{Client, eventually};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

/// `octavo config`: the exit status, and what was said.
fn config(data: &Path, action: &str, tenant: &str, files: &Path, more: &[&str]) -> (i32, String) {
    let mut command = Command::new(program_path());
    command.args(["config", action, "--tenant", tenant]).arg(files).args(more).arg("--data-dir").arg(data);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
    (output.status.code().unwrap(), said)
}

fn expect_status(ended: (i32, String), status: i32) -> String {
    assert_eq!(ended.0, status, "{}", ended.1);
    ended.1
}

/// Every file but the manifest, by its path.
fn file_texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("octavo-configuration.json") {
                let text = fs::read_to_string(&path).unwrap();
                texts.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    texts
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn write(file: &Path, value: &Value) {
    fs::write(file, value.to_string()).unwrap();
}

async fn administrator(octavo: &Octavo) -> Client {
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap())
}

/// What the demo library does not have, so that there is something of each kind.
async fn furnish(desk: &Client) {
    let location = desk.get("/locations?limit=1").await.expect(200).json()["locations"][0]["id"].clone();
    let group = desk.get("/groups?limit=1").await.expect(200).json()["usergroups"][0]["id"].clone();
    let condition = desk.get("/patron-block-conditions?limit=1").await.expect(200).json();
    let condition = condition["patronBlockConditions"][0]["id"].clone();
    let mut refused = Vec::new();
    let storage = "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a01";
    for (path, body) in [
        ("/departments", json!({"name": "History", "code": "HIS"})),
        ("/oai-pmh/sets", json!({"name": "Theses", "setSpec": "theses"})),
        (
            "/custom-fields",
            json!({"name": "Shelf", "type": "TEXTBOX_SHORT", "entityType": "user", "textField": {"fieldFormat": "TEXT"}}),
        ),
        (
            "/custom-fields",
            json!({"name": "Badge", "type": "TEXTBOX_SHORT", "entityType": "user", "textField": {"fieldFormat": "TEXT"}}),
        ),
        (
            "/perms/permissions",
            json!({"displayName": "Desk", "subPermissions": ["users.item.get", "users.collection.get"]}),
        ),
        (
            "/configurations/entries",
            json!({"module": "ORG", "configName": "note", "code": "n", "value": "v"}),
        ),
        (
            "/configurations/entries",
            json!({"module": "M", "configName": "c", "code": "EMAIL_PASSWORD", "value": "hidden-1"}),
        ),
        (
            "/remote-storage/configurations",
            json!({"id": storage, "name": "Store", "providerName": "CAIA_SOFT", "apiKey": "hidden-2"}),
        ),
        ("/remote-storage/mappings", json!({"folioLocationId": location, "configurationId": storage})),
        ("/smtp-configuration", json!({"host": "mail", "port": 25, "username": "u", "password": "hidden-3"})),
        ("/refunds", json!({"nameReason": "Mistake"})),
        ("/transfers", json!({"accountName": "Bursar"})),
        (
            "/comments",
            json!({"paid": true, "waived": false, "refunded": false, "transferredManually": false}),
        ),
        ("/transfer-criterias", json!({"criteria": "days", "type": "t", "value": 1.0, "interval": "week"})),
        (
            "/manual-block-templates",
            json!({"name": "Lost card", "desc": "d", "blockTemplate": {"desc": "d", "borrowing": true}}),
        ),
        (
            "/patron-block-limits",
            json!({"id": "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a03", "patronGroupId": group, "conditionId": condition, "value": 5.0}),
        ),
        ("/authority-source-files", json!({"name": "Local names", "code": "loc", "type": "Subjects"})),
        ("/cancellation-reason-storage/cancellation-reasons", json!({"name": "Weather"})),
        ("/holdings-sources", json!({"name": "Import", "source": "local"})),
        ("/ill-policies", json!({"name": "Never", "source": "local"})),
        (
            "/statistical-code-types",
            json!({"id": "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a04", "name": "Local", "code": "l", "source": "local"}),
        ),
        (
            "/statistical-codes",
            json!({"name": "Gift", "code": "g", "source": "local", "statisticalCodeTypeId": "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a04"}),
        ),
        (
            "/staff-slips-storage/staff-slips",
            json!({"name": "Gift slip", "template": "<p>\n{{item.title}}\n</p>"}),
        ),
        ("/tags", json!({"label": "rare"})),
        ("/note-types", json!({"name": "Gift"})),
        ("/eventConfig", json!({"name": "TEST_EVENT", "active": false, "templates": []})),
    ] {
        let desk = desk.clone().with("x-okapi-module-id", "mod-users-19.3.1");
        let reply = desk.post(path, &body).await;
        if ![200, 201, 204].contains(&reply.status) {
            refused.push(format!("{path}: {} {}", reply.status, reply.text()));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    // What belongs to one user, and a key of a program: no configuration.
    for body in [
        json!({"module": "ORG", "configName": "mine", "code": "n", "value": "hidden-4", "userId": storage}),
        json!({"module": "edge", "configName": "api-keys", "code": "k", "value": "hidden-5"}),
    ] {
        desk.post("/configurations/entries", &body).await.expect(201);
    }
}

/// Exports the demo library's configuration, with a setting of a scope that its administrator may not write.
fn export(data: &Path, files: &Path) {
    expect_status(config(data, "export", "diku", files, &[]), 0);
    let setting =
        json!({"id": "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a02", "scope": "s", "key": "k", "value": {"a": 1}});
    write(&files.join("settings.json"), &json!([setting]));
    let said = expect_status(config(data, "apply", "diku", files, &["--yes"]), 0);
    assert!(said.contains("+ create settings \"s / k\""), "{said}");
    expect_status(config(data, "export", "diku", files, &[]), 0);
}

#[tokio::test]
async fn a_configuration_is_carried_to_another_tenant_whole() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let desk = administrator(&octavo).await;
    furnish(&desk).await;
    let modules = desk.get("/_/proxy/tenants/diku/modules").await.expect(200).json();
    let modules: Vec<&str> =
        modules.as_array().unwrap().iter().filter_map(|module| module["id"].as_str()).collect();
    let built_in: Vec<&str> = modules.into_iter().filter(|id| !id.starts_with("folio_")).collect();
    let (there, other) = octavo.named_tenant(&built_in).await;
    drop(there);

    let (first, second) = (folder.path_of("first"), folder.path_of("second"));
    export(&folder.data_dir(), &first);
    let exported = file_texts(&first);
    for (path, text) in &exported {
        assert!(!["[]\n", ""].contains(&text.as_str()), "the test has nothing of {}", path.display());
        for secret in 1..=5 {
            assert!(!text.contains(&format!("hidden-{secret}")), "{} tells a secret", path.display());
        }
    }
    expect_status(config(&folder.data_dir(), "plan", "diku", &first, &["--delete"]), 0);
    expect_status(config(&folder.data_dir(), "apply", "diku", &first, &["--delete", "--yes"]), 0);

    let planned = expect_status(config(&folder.data_dir(), "plan", &other, &first, &["--delete"]), 2);
    assert!(
        planned.contains("+ create locations") && planned.contains("~ change circulation-rules")
            || planned.contains("+ create circulation-rules"),
        "{planned}"
    );
    // Nothing was changed by the plan.
    assert_eq!(expect_status(config(&folder.data_dir(), "plan", &other, &first, &["--delete"]), 2), planned);
    let said = expect_status(config(&folder.data_dir(), "apply", &other, &first, &["--delete", "--yes"]), 0);
    assert!(said.contains("warning: mail-server \"mail\""), "{said}");
    expect_status(config(&folder.data_dir(), "export", &other, &second, &[]), 0);
    let carried = file_texts(&second);
    for (path, text) in &exported {
        assert_eq!(carried.get(path), Some(text), "{}", path.display());
    }
    assert_eq!(carried.len(), exported.len());
    expect_status(config(&folder.data_dir(), "plan", &other, &first, &["--delete"]), 0);
    octavo.stop();
}

/// A member of each kind's records that may change, and how.
fn change_member(document: &mut Value) -> bool {
    for name in [
        "description",
        "desc",
        "discoveryDisplayName",
        "message",
        "displayName",
        "blockTemplate",
        "helpText",
        "from",
        "name",
        "label",
        "group",
        "addressType",
        "owner",
        "nameMethod",
        "nameReason",
        "accountName",
        "criteria",
    ] {
        if let Some(text) = document[name].as_str().filter(|text| !text.is_empty()) {
            document[name] = json!(format!("{text} 2"));
            return true;
        }
    }
    if document["value"].is_string() {
        document["value"] = json!("changed");
    } else if document["value"].is_number() {
        document["value"] = json!(7);
    } else if document["value"].is_object() {
        document["value"] = json!({"a": 2});
    } else if document["paid"].is_boolean() {
        document["paid"] = json!(false);
    } else if document["maxFileSize"].is_number() {
        document["maxFileSize"] = json!(3.0);
    } else if document["port"].is_number() {
        document["port"] = json!(26);
    } else if document["feeFineType"].is_string() {
        document["defaultAmount"] = json!(1.5);
    } else {
        return false;
    }
    true
}

#[tokio::test]
async fn a_change_of_every_kind_is_applied_beside_a_running_server() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let desk = administrator(&octavo).await;
    furnish(&desk).await;
    let files = folder.path_of("files");
    export(&folder.data_dir(), &files);
    let mut kinds = 0;
    for path in file_texts(&files).keys() {
        let name = path.to_str().unwrap();
        // A mapping has nothing but ids; of account events and templates more is told below.
        if !name.ends_with(".json")
            || name.contains('/')
            || name == "remote-storage-locations.json"
            || name == "account-events.json"
        {
            continue;
        }
        let mut records = read(&files.join(path));
        let mut changeable = records.as_array_mut().unwrap().iter_mut().rev().filter(|record| {
            (record["source"] != "folio" || name != "authority-source-files.json")
                && record["automatic"] != true
                && record["value"] != "(secret, not exported)"
        });
        let one = changeable.next().unwrap_or_else(|| panic!("{name} has nothing to change"));
        assert!(change_member(one), "{name}: {one}");
        write(&files.join(path), &records);
        kinds += 1;
    }
    let rules = files.join("circulation-rules.txt");
    fs::write(&rules, format!("{}\n# Reviewed\n", fs::read_to_string(&rules).unwrap())).unwrap();
    let slip = files.join("staff-slips/gift-slip.html");
    fs::write(&slip, fs::read_to_string(&slip).unwrap().replace("item.title", "item.barcode")).unwrap();

    let planned = expect_status(config(&folder.data_dir(), "apply", "diku", &files, &[]), 2);
    assert!(planned.contains("Nothing was changed. To do this, say --yes"), "{planned}");
    assert!(planned.contains(&format!("0 to create, {} to change, 0 to delete", kinds + 2)), "{planned}");
    assert!(planned.contains("      + # Reviewed"), "{planned}");
    expect_status(config(&folder.data_dir(), "apply", "diku", &files, &["--yes"]), 0);
    expect_status(config(&folder.data_dir(), "plan", "diku", &files, &["--delete"]), 0);
    eventually("the server goes by the new rules", async || {
        desk.get("/circulation/rules").await.expect(200).json()["rulesAsText"]
            .as_str()
            .unwrap()
            .ends_with("# Reviewed\n")
    })
    .await;
    // The secrets are still there.
    let mail = desk.get("/smtp-configuration").await.expect(200).json();
    assert_eq!(
        (&mail["smtpConfigurations"][0]["password"], &mail["smtpConfigurations"][0]["port"]),
        (&json!("(secret, not shown)"), &json!(26))
    );
    octavo.stop();
}

#[tokio::test]
async fn what_is_wrong_is_named_and_then_nothing_is_changed() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let desk = administrator(&octavo).await;
    let files = folder.path_of("files");
    expect_status(config(&folder.data_dir(), "export", "diku", &files, &[]), 0);
    let file = |name: &str| files.join(name);
    let types = read(&file("loan-types.json"));
    let course = "6b2a3c1e-4f51-4c2b-9a55-0f2c6d0c1a05";
    let with = |record: Value| {
        let mut types = types.clone();
        types.as_array_mut().unwrap().push(record);
        types
    };
    let name = types[0]["name"].as_str().unwrap();
    for (record, wrong) in [
        (json!({"id": course, "name": "Course", "colour": "red"}), "colour"),
        (json!({"id": course}), "name"),
        (json!({"name": "Course"}), "has no id that is a UUID"),
        (json!({"id": types[0]["id"], "name": "Course"}), "has the same id as loan-types.json"),
        (json!({"id": course, "name": name}), "cannot be created"),
        (json!("Course"), "is no JSON object"),
    ] {
        write(&file("loan-types.json"), &with(record));
        let said = expect_status(config(&folder.data_dir(), "plan", "diku", &files, &[]), 1);
        assert!(said.contains(wrong) && said.contains("loan-types"), "{wrong}: {said}");
    }

    // One record is refused: the others are not changed either.
    write(&file("loan-types.json"), &with(json!({"id": course, "name": "Course"})));
    let rules = fs::read_to_string(file("circulation-rules.txt")).unwrap();
    fs::write(file("circulation-rules.txt"), format!("{rules}\nm nonsense\n")).unwrap();
    let campus = file("campuses.json");
    let campuses = read(&campus);
    let mut lost = campuses.clone();
    lost[0]["institutionId"] = json!(course);
    write(&campus, &lost);
    let said = expect_status(config(&folder.data_dir(), "apply", "diku", &files, &["--yes"]), 1);
    assert!(
        said.contains("circulation-rules cannot be changed: line ") && said.contains("error: campuses \""),
        "{said}"
    );
    assert_eq!(desk.find("/loan-types", "name==Course").await.expect(200).total(), 0);
    fs::write(file("circulation-rules.txt"), rules).unwrap();
    write(&campus, &campuses);
    expect_status(config(&folder.data_dir(), "apply", "diku", &files, &["--yes"]), 0);
    assert_eq!(desk.find("/loan-types", "name==Course").await.expect(200).total(), 1);

    // What is in use stays, what is not goes, and only if that is said.
    write(&file("loan-types.json"), &types);
    let said = expect_status(config(&folder.data_dir(), "plan", "diku", &files, &[]), 0);
    assert!(said.contains("only in the tenant: loan-types \"Course\""), "{said}");
    let said = expect_status(config(&folder.data_dir(), "apply", "diku", &files, &["--delete", "--yes"]), 0);
    assert!(said.contains("- delete loan-types \"Course\""), "{said}");
    assert_eq!(desk.find("/loan-types", "name==Course").await.expect(200).total(), 0);
    write(&file("material-types.json"), &json!([]));
    let said = expect_status(config(&folder.data_dir(), "apply", "diku", &files, &["--delete", "--yes"]), 1);
    assert!(said.contains("material-types \"book\"") && said.contains("cannot be deleted: "), "{said}");
    assert!(desk.get("/material-types?limit=0").await.expect(200).total() > 0);
    octavo.stop();
}
