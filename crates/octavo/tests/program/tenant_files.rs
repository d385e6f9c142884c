//! A tenant as files: exported beside a server, made from them elsewhere with the same bytes, and restored alone from a backup.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use octavo_testkit::{Client, Desk};
use serde_json::json;

use crate::backups::{done, failed, octavo};
use crate::octavo::{Folder, Octavo};

fn export(data: &Path, tenant: &str, folder: &Path) -> std::process::Output {
    octavo(&["tenant", "export", "--tenant", tenant, "--data-dir", data.to_str().unwrap()], &[folder], &[])
}

fn import(data: &Path, folder: &Path, more: &[&str]) -> std::process::Output {
    octavo(&["tenant", "import", "--data-dir", data.to_str().unwrap()], &[folder], more)
}

/// Every file of an export but its manifest; lines in any order, for a table has none.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<String>> {
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

#[tokio::test]
async fn a_tenant_goes_elsewhere_with_the_same_bytes_and_comes_back_alone() {
    let folder = Folder::new();
    let running = Octavo::start(&folder.data());
    let modules = ["mod-circulation-24.2.5", "mod-feesfines-19.1.0", "mod-notes-5.2.0"];
    let (library, tenant) = running.named_tenant(&modules).await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    let name = "quotes \" and \\ and \\n, \ttabs, \u{2028}, Ünïcode";
    library.post("/groups", &json!({"group": "odd", "desc": name})).await.expect(201);
    let uploads = folder.data().join("uploads/tenants").join(&tenant);
    fs::create_dir_all(&uploads).unwrap();
    fs::write(uploads.join("file"), "uploaded").unwrap();

    let first = folder.beside("first");
    let said = done(&export(&folder.data(), &tenant, &first));
    assert!(said.contains("1 uploaded files"), "{said}");
    assert!(failed(&export(&folder.data(), &tenant, &first)).contains("is not empty"));
    assert!(
        failed(&export(&folder.data(), "nobody", &folder.beside("nobody"))).contains("No such Tenant nobody")
    );
    let groups = fs::read_to_string(first.join("documents/groups.jsonl")).unwrap();
    assert!(
        groups.contains("Ünïcode")
            && groups.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    );

    // Elsewhere, beside a server that runs, which answers for it at once.
    let elsewhere = folder.beside("elsewhere");
    let other = Octavo::start(&elsewhere);
    done(&import(&elsewhere, &first, &[]));
    let there = library.to(other.address);
    for path in [
        "/groups?query=group==odd",
        "/users?limit=100",
        "/item-storage/items?limit=100",
        "/loan-storage/loans?limit=100",
    ] {
        assert_eq!(text(&there, path).await, text(&library, path).await, "{path}");
    }
    let second = folder.beside("second");
    done(&export(&elsewhere, &tenant, &second));
    let (before, after) = (files(&first), files(&second));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (file, lines) in &before {
        assert_eq!(Some(lines), after.get(file), "{}", file.display());
    }
    assert_eq!(
        fs::read_to_string(elsewhere.join("uploads/tenants").join(&tenant).join("file")).unwrap(),
        "uploaded"
    );
    // Its references, counters and triggers are those of any other tenant.
    let desk = desk.at(other.address);
    let another = desk.item().await;
    desk.check_out(&another, &patron).await.expect(201);
    let said = there.delete(&format!("/groups/{}", patron["patronGroup"].as_str().unwrap())).await;
    assert_eq!(said.status, 400, "{said}");

    // A name that is taken, another name, and in the place of what is there.
    let said = failed(&import(&elsewhere, &first, &[]));
    assert!(said.contains("Duplicate tenant id") && said.contains("--replace"), "{said}");
    done(&import(&elsewhere, &first, &["--tenant", "copy"]));
    assert_eq!(
        text(&there.with("x-okapi-tenant", "copy"), "/users?limit=100").await,
        text(&library, "/users?limit=100").await
    );
    let own = elsewhere.join("uploads/tenants").join(&tenant);
    fs::write(own.join("later"), "of the one that is replaced").unwrap();
    done(&import(&elsewhere, &first, &["--replace"]));
    assert!(own.join("file").exists() && !own.join("later").exists());
    assert_eq!(
        text(&there, "/loan-storage/loans?limit=100").await,
        text(&library, "/loan-storage/loans?limit=100").await
    );
    // Files that cannot be copied leave the tenant as it is.
    there.post("/groups", &json!({"group": "later"})).await.expect(201);
    let unusual = first.join("files/of two\nlines");
    fs::write(&unusual, "").unwrap();
    let said = failed(&import(&elsewhere, &first, &["--replace"]));
    assert!(said.contains("nothing was imported") && said.contains("line break"), "{said}");
    assert!(text(&there, "/groups?query=group==later").await.contains("later"));
    let kept: Vec<_> = fs::read_dir(own.parent().unwrap()).unwrap().collect();
    assert!(own.join("file").exists() && kept.len() == 2, "{kept:?}");
    fs::remove_file(&unusual).unwrap();
    let file = first.join("documents/groups.jsonl");
    fs::write(&file, groups.replace("odd", "even")).unwrap();
    assert!(failed(&import(&elsewhere, &first, &["--tenant", "third"])).contains("its checksum is another"));
    fs::remove_file(second.join("octavo-tenant.json")).unwrap();
    assert!(failed(&import(&elsewhere, &second, &["--tenant", "third"])).contains("holds no whole export"));
    other.stop();

    // One tenant of a backup: what is deleted afterwards comes back.
    let backups = folder.beside("backups");
    let data = folder.data();
    done(&octavo(&["backup", "--fast", "--data-dir", data.to_str().unwrap()], &[&backups], &[]));
    let users = text(&library, "/users?limit=100").await;
    running.operator().delete(&format!("/_/proxy/tenants/{tenant}")).await.expect(204);
    assert_eq!(library.get("/users?limit=100").await.status, 400);
    let (alone, work) = (folder.beside("alone"), folder.beside("work"));
    let wanted =
        ["--tenant", &tenant, "--work-dir", work.to_str().unwrap(), "--export", alone.to_str().unwrap()];
    done(&octavo(&["restore"], &[&backups], &wanted));
    done(&import(&folder.data(), &alone, &[]));
    assert_eq!(text(&library, "/users?limit=100").await, users);
    running.stop();
}
