//! A disk that fills up under the private database.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use octavo_testkit::{Client, eventually};
use serde_json::json;

use crate::octavo::{Folder, Octavo};

const SIZE: &str = "size=500m,mode=0755";

/// A small disk in memory. Only root may make one.
pub(crate) struct Disk(pub(crate) PathBuf);

impl Disk {
    pub(crate) fn mount(at: PathBuf) -> Disk {
        fs::create_dir_all(&at).unwrap();
        run("mount", &["-t", "tmpfs", "-o", SIZE, "octavo-test"], &at);
        Disk(at)
    }

    /// Fills the disk until only so many bytes are free.
    pub(crate) fn fill_leaving(&self, bytes: u64) -> PathBuf {
        let (file, disk) = (self.0.join("something-else"), rustix::fs::statvfs(&self.0).unwrap());
        let free = disk.f_bavail * disk.f_frsize;
        fs::write(&file, vec![1; usize::try_from(free.saturating_sub(bytes)).unwrap()]).unwrap();
        file
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run("umount", &["--lazy"], &self.0);
    }
}

fn run(program: &str, arguments: &[&str], on: &Path) {
    let done = Command::new(program).args(arguments).arg(on).status().unwrap();
    assert!(done.success(), "{program}: {done}");
}

#[tokio::test]
async fn a_full_disk_stops_changes_and_nothing_else() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let disk = Disk::mount(folder.path_of("disk"));
    let octavo = Octavo::start(&disk.0.join("data"));
    let library = octavo.tenant(&["mod-users-19.3.1"]).await;
    let group = library.post("/groups", &json!({"group": "readers"})).await.expect(201).json();
    let path = format!("/groups/{}", group["id"].as_str().unwrap());
    octavo.tenantless_client().get("/admin/health").await.says(200, "OK");

    let filling = disk.fill_leaving(200 << 20);
    let health = async |client: &Client| client.get("/admin/health").await.text();
    eventually("somebody is told", async || {
        health(&octavo.tenantless_client()).await == "disk: there is little space left"
    })
    .await;
    library.post("/groups", &json!({"group": "visitors"})).await.expect(201);

    fs::remove_file(&filling).unwrap();
    let filling = disk.fill_leaving(1 << 20);
    let refused = async || library.post("/groups", &json!({"group": "lecturers"})).await.status == 507;
    eventually("changes are refused", refused).await;
    let reply = library.delete(&path).await.expect(507);
    assert!(reply.text().starts_with("There is no space left on the server's disk"), "{reply}");
    for _ in 0..20 {
        library.get(&path).await.expect(200);
        assert_eq!(library.get("/groups?query=group==visitors").await.expect(200).total(), 1);
    }

    fs::remove_file(&filling).unwrap();
    let made = async || library.post("/groups", &json!({"group": "former"})).await.status == 201;
    eventually("changes are made again", made).await;
    library.delete(&path).await.expect(204);
    octavo.stop();
}
