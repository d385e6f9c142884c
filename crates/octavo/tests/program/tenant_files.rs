//! A tenant as files: exported beside a server, made from them elsewhere with the same bytes, and restored alone from a backup.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_testkit::{Client, Desk, eventually};
use serde_json::json;

use crate::backups::{octavo, stderr_of_failure, stdout_of_success};
use crate::octavo::{Folder, Octavo};

fn export(data: &Path, tenant: &str, folder: &Path) -> std::process::Output {
    octavo(&["tenant", "export", "--tenant", tenant, "--data-dir", data.to_str().unwrap()], &[folder], &[])
}

fn import(data: &Path, folder: &Path, more: &[&str]) -> std::process::Output {
    octavo(&["tenant", "import", "--data-dir", data.to_str().unwrap()], &[folder], more)
}

/// Every file of an export but its manifest; lines in any order, for a table has none.
fn exported_files(folder: &Path) -> BTreeMap<PathBuf, Vec<String>> {
    let mut files = BTreeMap::new();
    for part in ["documents", "rows"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let mut lines: Vec<String> =
                fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
            lines.sort();
            files.insert(path.strip_prefix(folder).unwrap().to_owned(), lines);
        }
    }
    files
}

async fn text(library: &Client, path: &str) -> String {
    library.get(path).await.expect(200).text()
}

/// Imports an export with a file whose name has a line break over the tenant whose uploads are in `own`.
fn files_that_cannot_be_copied_change_nothing(elsewhere: &Path, export: &Path, own: &Path) {
    let unusual = export.join("files/of two\nlines");
    fs::write(&unusual, "").unwrap();
    let message = stderr_of_failure(&import(elsewhere, export, &["--replace"]));
    assert!(message.contains("nothing was imported") && message.contains("line break"), "{message}");
    let kept: Vec<_> = fs::read_dir(own.parent().unwrap()).unwrap().collect();
    assert!(own.join("file").exists() && kept.len() == 2, "{kept:?}");
    fs::remove_file(&unusual).unwrap();
}

#[tokio::test]
async fn a_tenant_goes_elsewhere_with_the_same_bytes_and_comes_back_alone() {
    let folder = Folder::new();
    let running = Octavo::start(&folder.data_dir());
    let modules = ["mod-circulation-24.2.5", "mod-feesfines-19.1.0", "mod-notes-5.2.0"];
    let (library, tenant) = running.named_tenant(&modules).await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    let name = "quotes \" and \\ and \\n, \ttabs, \u{2028}, Ünïcode";
    library.post("/groups", &json!({"group": "odd", "desc": name})).await.expect(201);
    let uploads = folder.data_dir().join("uploads/tenants").join(&tenant);
    fs::create_dir_all(&uploads).unwrap();
    fs::write(uploads.join("file"), "uploaded").unwrap();

    let first = folder.path_of("first");
    let said = stdout_of_success(&export(&folder.data_dir(), &tenant, &first));
    assert!(said.contains("1 uploaded files"), "{said}");
    assert!(stderr_of_failure(&export(&folder.data_dir(), &tenant, &first)).contains("is not empty"));
    assert!(
        stderr_of_failure(&export(&folder.data_dir(), "nobody", &folder.path_of("nobody")))
            .contains("No such Tenant nobody")
    );
    let groups = fs::read_to_string(first.join("documents/groups.jsonl")).unwrap();
    assert!(
        groups.contains("Ünïcode")
            && groups.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );

    // Elsewhere, beside a server that runs, which answers for it at once.
    let elsewhere = folder.path_of("elsewhere");
    let other = Octavo::start(&elsewhere);
    stdout_of_success(&import(&elsewhere, &first, &[]));
    let there = library.to_server(other.address);
    for path in [
        "/groups?query=group==odd",
        "/users?limit=100",
        "/item-storage/items?limit=100",
        "/loan-storage/loans?limit=100",
    ] {
        assert_eq!(text(&there, path).await, text(&library, path).await, "{path}");
    }
    let second = folder.path_of("second");
    stdout_of_success(&export(&elsewhere, &tenant, &second));
    let (before, after) = (exported_files(&first), exported_files(&second));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (file, lines) in &before {
        assert_eq!(Some(lines), after.get(file), "{}", file.display());
    }
    assert_eq!(
        fs::read_to_string(elsewhere.join("uploads/tenants").join(&tenant).join("file")).unwrap(),
        "uploaded"
    );
    // Its references, counters and triggers are those of any other tenant.
    let desk = desk.at_address(other.address);
    let another = desk.item().await;
    desk.check_out(&another, &patron).await.expect(201);
    let said = there.delete(&format!("/groups/{}", patron["patronGroup"].as_str().unwrap())).await;
    assert_eq!(said.status, 400, "{said}");

    // A name that is taken, another name, and in the place of what is there.
    let said = stderr_of_failure(&import(&elsewhere, &first, &[]));
    assert!(said.contains("Duplicate tenant id") && said.contains("--replace"), "{said}");
    stdout_of_success(&import(&elsewhere, &first, &["--tenant", "copy"]));
    assert_eq!(
        text(&there.with("x-okapi-tenant", "copy"), "/users?limit=100").await,
        text(&library, "/users?limit=100").await
    );
    let own = elsewhere.join("uploads/tenants").join(&tenant);
    fs::write(own.join("later"), "of the one that is replaced").unwrap();
    stdout_of_success(&import(&elsewhere, &first, &["--replace"]));
    assert!(own.join("file").exists() && !own.join("later").exists());
    assert_eq!(
        text(&there, "/loan-storage/loans?limit=100").await,
        text(&library, "/loan-storage/loans?limit=100").await
    );
    there.post("/groups", &json!({"group": "later"})).await.expect(201);
    files_that_cannot_be_copied_change_nothing(&elsewhere, &first, &own);
    assert!(text(&there, "/groups?query=group==later").await.contains("later"));
    let file = first.join("documents/groups.jsonl");
    fs::write(&file, groups.replace("odd", "even")).unwrap();
    assert!(
        stderr_of_failure(&import(&elsewhere, &first, &["--tenant", "third"]))
            .contains("its checksum is another")
    );
    fs::remove_file(second.join("octavo-tenant.json")).unwrap();
    assert!(
        stderr_of_failure(&import(&elsewhere, &second, &["--tenant", "third"]))
            .contains("holds no whole export")
    );
    other.stop();

    // One tenant of a backup: what is deleted afterwards comes back.
    let backups = folder.path_of("backups");
    let data = folder.data_dir();
    stdout_of_success(&octavo(&["backup", "--fast", "--data-dir", data.to_str().unwrap()], &[&backups], &[]));
    let users = text(&library, "/users?limit=100").await;
    running.operator().delete(&format!("/_/proxy/tenants/{tenant}")).await.expect(204);
    assert_eq!(library.get("/users?limit=100").await.status, 400);
    let (alone, work) = (folder.path_of("alone"), folder.path_of("work"));
    let wanted =
        ["--tenant", &tenant, "--work-dir", work.to_str().unwrap(), "--export", alone.to_str().unwrap()];
    stdout_of_success(&octavo(&["restore"], &[&backups], &wanted));
    stdout_of_success(&import(&folder.data_dir(), &alone, &[]));
    assert_eq!(text(&library, "/users?limit=100").await, users);
    running.stop();
}

/// The webhook has no secret and is sent nothing: the changes wait for it.
#[tokio::test]
async fn changes_of_records_are_events_after_an_import_as_they_were_before() {
    let folder = Folder::new();
    let running = Octavo::start(&folder.data_dir());
    let (library, tenant) = running.named_tenant(&["mod-inventory-storage-27.1.3", "octavo-events"]).await;
    let webhook = json!({
        "name": "catalogue", "url": "http://localhost:1/", "types": ["inventory.service-point"],
    });
    library.post("/octavo/webhooks", &webhook).await.expect(201);
    let files = folder.path_of("files");
    stdout_of_success(&export(&folder.data_dir(), &tenant, &files));
    running.stop();

    let elsewhere = folder.path_of("elsewhere");
    let other = Octavo::start(&elsewhere);
    stdout_of_success(&import(&elsewhere, &files, &[]));
    let there = library.to_server(other.address);
    let mut number = 0;
    eventually("a change waits for the webhook", async || {
        number += 1;
        let name = format!("Desk {number} of the import");
        let point = json!({"name": name, "code": name, "discoveryDisplayName": name});
        there.post("/service-points", &point).await.expect(201);
        let consumers = there.get("/octavo/event-consumers").await.expect(200).json();
        consumers["eventConsumers"][0]["waiting"].as_u64() > Some(0)
    })
    .await;
    other.stop();
}

#[tokio::test]
async fn a_tenant_of_a_further_database_is_replaced_in_that_database() {
    let folder = Folder::new();
    let data_dir = folder.path_of("east");
    let options = EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    let east = Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"));
    let databases = folder.path_of("databases");
    fs::write(&databases, format!("east = {}\n", east.url())).unwrap();
    let further = ["--further-databases", databases.to_str().unwrap()];
    let data = folder.data_dir();
    let settings: Vec<&str> = ["--data-dir", data.to_str().unwrap()].into_iter().chain(further).collect();
    let running = Octavo::start_with(&data, &further);
    eventually("the further database is served", async || {
        let metrics = running.tenantless_client().get("/metrics").await.expect(200).text();
        metrics.lines().any(|line| line == "octavo_database_up{database=\"east\"} 1")
    })
    .await;
    stdout_of_success(&octavo(&["tenant", "place", "town", "--in", "east"], &[], &settings));
    let install = json!([{"id": "mod-users", "action": "enable"}]);
    running.operator().post("/_/proxy/tenants/town/install", &install).await.expect(200);
    let library = running.tenantless_client().with("x-okapi-tenant", "town");
    library.post("/groups", &json!({"group": "exported"})).await.expect(201);
    let files = folder.path_of("files");
    stdout_of_success(&octavo(&["tenant", "export", "--tenant", "town"], &[&files], &settings));
    library.post("/groups", &json!({"group": "later"})).await.expect(201);

    // The files name the tenant.
    let said = stderr_of_failure(&octavo(&["tenant", "import"], &[&files], &settings));
    assert!(said.contains("Duplicate tenant id"), "{said}");
    stdout_of_success(&octavo(&["tenant", "import", "--replace"], &[&files], &settings));
    let groups = library.get("/groups").await.expect(200).field_values("usergroups", "group");
    assert_eq!(groups, ["exported"]);
    let listed = stdout_of_success(&octavo(&["tenant", "list"], &[], &settings));
    let town: Vec<&str> = listed.lines().filter(|line| line.starts_with("town ")).collect();
    assert!(town.len() == 1 && town[0].contains(" east "), "{listed}");
    running.stop();
    east.stop().await;
}
