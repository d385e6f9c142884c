//! Backups: what was acknowledged by a moment is restored, and nothing later; half a backup and a damaged one are told from a whole one.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use octavo_pg::embedded::RunningServer;
use octavo_pg::{Database, Options};
use octavo_testkit::{Client, eventually, system_clock};
use serde_json::json;

use crate::disk::Disk;
use crate::octavo::{Folder, Octavo, program_path, refusal, serve};

/// `octavo` with these words and folders.
pub(crate) fn octavo(words: &[&str], folders: &[&Path], more: &[&str]) -> Output {
    Command::new(program_path()).args(words).args(folders).args(more).output().unwrap()
}

/// The standard output of a command; fails if the command failed.
pub(crate) fn stdout_of_success(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// The error message of a command; fails if the command succeeded.
pub(crate) fn stderr_of_failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

fn backup(folder: &Path, data: &Path, more: &[&str]) -> Output {
    octavo(&["backup", "--fast", "--data-dir", path(data)], &[folder], more)
}

fn restore(folder: &Path, data: &Path, more: &[&str]) -> Output {
    octavo(&["restore", "--data-dir", path(data)], &[folder], more)
}

fn verify(folder: &Path, work: &Path) -> Output {
    octavo(&["backup", "verify", "--work-dir", path(work)], &[folder], &[])
}

/// The whole backups of a folder.
fn whole_backups(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(folder.join("base")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut wholes: Vec<PathBuf> = all.filter(|path| path.extension().is_none()).collect();
    wholes.sort();
    wholes
}

/// A new patron group: its name, the time at which it was sent, and the time at which it was acknowledged.
type SentChange = (String, Timestamp, Timestamp);

/// Makes groups until it is told to stop.
async fn create_groups(library: Client, writer: usize, sent: Arc<Mutex<Vec<SentChange>>>) {
    for number in 0.. {
        let name = format!("group {writer} {number}");
        let before = system_clock();
        match library.attempt("POST", "/groups", json!({"group": name}).to_string()).await {
            Ok(reply) if reply.status == 201 => sent.lock().unwrap().push((name, before, system_clock())),
            _ => return,
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn group_names(library: &Client) -> BTreeSet<String> {
    let all = library.get("/groups?limit=100000").await.expect(200);
    all.field_values("usergroups", "group").into_iter().filter(|name| name.starts_with("group ")).collect()
}

#[tokio::test]
async fn a_moment_is_restored_with_all_that_was_acknowledged_and_nothing_later() {
    let folder = Folder::new();
    let (backups, work) = (folder.path_of("backups"), folder.path_of("work"));
    let uploads = folder.data_dir().join("uploads/tenants");
    let running = Octavo::start(&folder.data_dir());
    let (library, tenant) = running.named_tenant(&["mod-users-19.3.1"]).await;
    fs::create_dir_all(uploads.join(&tenant)).unwrap();
    fs::write(uploads.join(&tenant).join("file"), "uploaded").unwrap();
    running.stop();
    let running = Octavo::start_with(&folder.data_dir(), &["--backup-dir", path(&backups)]);
    let library = library.to_server(running.address);

    let sent = Arc::new(Mutex::new(Vec::new()));
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..4 {
        writers.spawn(create_groups(library.clone(), writer, Arc::clone(&sent)));
    }
    eventually("the first backup is whole", async || !whole_backups(&backups).is_empty()).await;
    let count = || sent.lock().unwrap().len();
    let at_first = count();
    eventually("more is written", async || count() > at_first + 200).await;
    let moment = system_clock();
    let by_then = count();
    eventually("more is written", async || count() > by_then + 200).await;
    eventually("the metrics tell of backups", async || {
        running.tenantless_client().get("/metrics").await.text().contains("octavo_backup_late 0")
    })
    .await;
    running.stop();
    writers.join_all().await;
    let sent = sent.lock().unwrap().clone();

    let data = folder.path_of("restored");
    let said = stdout_of_success(&restore(&backups, &data, &["--to", &moment.to_string()]));
    assert!(said.contains("1 other files"), "{said}");
    let restored = Octavo::start(&data);
    let found = group_names(&library.to_server(restored.address)).await;
    restored.stop();
    let lost: Vec<&SentChange> =
        sent.iter().filter(|(name, _, at)| *at <= moment && !found.contains(name)).collect();
    let later: Vec<&SentChange> =
        sent.iter().filter(|(name, at, _)| *at > moment && found.contains(name)).collect();
    assert!(lost.is_empty(), "{} acknowledged by {moment} and gone, the last {:?}", lost.len(), lost.last());
    assert!(later.is_empty(), "{} sent after {moment} and there, the last {:?}", later.len(), later.last());
    assert!(
        found.len() > at_first + 200 && sent.len() > found.len() + 100,
        "{} of {}",
        found.len(),
        sent.len()
    );
    let file = data.join("uploads/tenants").join(&tenant).join("file");
    assert_eq!(fs::read_to_string(&file).unwrap(), "uploaded");

    // Nothing is overwritten, and what was restored goes on under its own name.
    let said = stderr_of_failure(&restore(&backups, &data, &[]));
    assert!(said.contains("is not empty and is left as it is"), "{said}");
    let said = stderr_of_failure(&backup(&backups, &data, &[]));
    assert!(said.contains("from before the database was restored"), "{said}");

    let data = folder.path_of("at the end");
    stdout_of_success(&restore(&backups, &data, &[]));
    let restored = Octavo::start(&data);
    let found = group_names(&library.to_server(restored.address)).await;
    restored.stop();
    assert!(sent.iter().all(|(name, _, _)| found.contains(name)), "{} of {}", found.len(), sent.len());

    let said = stdout_of_success(&verify(&backups, &work));
    assert!(said.contains("The backup is good"), "{said}");
    let (day_before, day_after) =
        (moment - SignedDuration::from_hours(24), moment + SignedDuration::from_hours(24));
    for (to, why) in [
        (day_before, "nothing before that can be restored"),
        (day_after, "is yet to come"),
        (system_clock(), "does not reach"),
    ] {
        let said =
            stderr_of_failure(&restore(&backups, &folder.path_of("never"), &["--to", &to.to_string()]));
        assert!(said.contains(why), "{said}");
    }
    // What a failed restore leaves is no data folder.
    let said = refusal(serve(&folder.path_of("never"), &[]));
    assert!(said.contains("was not restored to the end"), "{said}");
}

#[tokio::test]
async fn a_killed_server_goes_on_with_its_backups_without_a_gap() {
    let folder = Folder::new();
    let backups = folder.path_of("backups");
    let with_backups = ["--backup-dir", path(&backups)];
    let running = Octavo::start_with(&folder.data_dir(), &with_backups);
    let library = running.tenant(&["mod-users-19.3.1"]).await;
    eventually("the first backup is whole", async || !whole_backups(&backups).is_empty()).await;
    let make = async |library: &Client, from: u32| {
        for number in from..from + 50 {
            library.post("/groups", &json!({"group": format!("group {number}")})).await.expect(201);
        }
    };
    make(&library, 0).await;
    running.kill();
    let running = Octavo::start_with(&folder.data_dir(), &with_backups);
    let library = library.to_server(running.address);
    make(&library, 50).await;
    running.stop();
    assert_eq!(whole_backups(&backups).len(), 1, "it took the log for one with a gap");
    let data = folder.path_of("restored");
    stdout_of_success(&restore(&backups, &data, &[]));
    let restored = Octavo::start(&data);
    assert_eq!(group_names(&library.to_server(restored.address)).await.len(), 100);
    restored.stop();
}

/// Waits until a new backup has another name than those that were begun before.
async fn wait_for_next_second() {
    let second = system_clock().as_second();
    eventually("the next second begins", async || system_clock().as_second() > second).await;
}

#[tokio::test]
async fn a_moment_after_which_nothing_changed_until_the_next_backup_is_restored() {
    let folder = Folder::new();
    let (backups, data) = (folder.path_of("backups"), folder.data_dir());
    let running = Octavo::start(&data);
    let library = running.tenant(&["mod-users-19.3.1"]).await;
    library.post("/groups", &json!({"group": "group 1"})).await.expect(201);
    running.stop();
    stdout_of_success(&backup(&backups, &data, &["--full"]));
    let moment = system_clock();
    wait_for_next_second().await;
    // No server runs, so that nothing is committed between the moment and the end of this backup.
    stdout_of_success(&backup(&backups, &data, &["--full"]));
    // The third backup makes the archive go on for at least one file behind the second.
    let running = Octavo::start(&data);
    let library = library.to_server(running.address);
    library.post("/groups", &json!({"group": "group 2"})).await.expect(201);
    wait_for_next_second().await;
    stdout_of_success(&backup(&backups, &data, &["--full"]));
    running.stop();

    let data = folder.path_of("restored");
    stdout_of_success(&restore(&backups, &data, &["--to", &moment.to_string()]));
    let restored = Octavo::start(&data);
    let found = group_names(&library.to_server(restored.address)).await;
    restored.stop();
    assert_eq!(found, BTreeSet::from(["group 1".to_owned()]));
}

/// Has PostgreSQL fill several files of its log and remove them.
async fn remove_log_segments(data: &Path) {
    let reached = RunningServer::find(data, None).unwrap().unwrap();
    let database = Database::new(reached.superuser_config(), Options::unlimited(1));
    let mut session = database.system_session(Arc::default()).await.unwrap();
    for _ in 0..4 {
        session.script("select pg_switch_wal()").await.unwrap();
        session.script("checkpoint").await.unwrap();
        session.script("create table octavo.filling (n int); drop table octavo.filling").await.unwrap();
    }
    drop(session);
    database.close().await;
}

#[tokio::test]
async fn half_a_backup_and_a_damaged_one_are_not_taken_for_whole() {
    let folder = Folder::new();
    let (backups, work) = (folder.path_of("backups"), folder.path_of("work"));
    let running = Octavo::start(&folder.data_dir());
    let library = running.tenant(&["mod-users-19.3.1"]).await;
    library.post("/groups", &json!({"group": "group 1"})).await.expect(201);

    // A backup that is killed in the middle.
    let mut slow = Command::new(program_path());
    slow.args(["backup", "--fast", "--backup-rate", "1 MiB", "--data-dir"])
        .arg(folder.data_dir())
        .arg(&backups);
    let mut slow = slow.stderr(Stdio::null()).spawn().unwrap();
    let is_begun = async || {
        let parts = fs::read_dir(backups.join("base")).into_iter().flatten().flatten();
        parts.map(|part| part.path().join("postgres/base")).any(|base| base.exists())
    };
    eventually("it has begun", is_begun).await;
    let said = stderr_of_failure(&backup(&backups, &folder.data_dir(), &[]));
    assert!(said.contains("another backup is being made"), "{said}");
    slow.kill().unwrap();
    slow.wait().unwrap();
    for output in [restore(&backups, &folder.path_of("none"), &[]), verify(&backups, &work)] {
        assert!(stderr_of_failure(&output).contains("holds no whole backup"));
    }

    // The next one tidies up.
    let said = stdout_of_success(&backup(&backups, &folder.data_dir(), &[]));
    assert!(said.contains("is whole: it holds all"), "{said}");
    library.post("/groups", &json!({"group": "group 2"})).await.expect(201);
    // Nobody fetches the log between two backups that are made by hand: PostgreSQL no longer has it.
    remove_log_segments(&folder.data_dir()).await;
    let between = system_clock();
    running.stop();
    stdout_of_success(&backup(&backups, &folder.data_dir(), &["--full"]));
    let all = fs::read_dir(backups.join("base")).unwrap().count();
    assert_eq!((whole_backups(&backups).len(), all), (2, 2));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
    let whole = whole_backups(&backups).pop().unwrap();
    for private in [&backups, &whole, &whole.join("manifest.json"), &whole.join("postgres/PG_VERSION")] {
        assert_eq!(mode(private), 0, "others may read {}", private.display());
    }
    let said = stdout_of_success(&verify(&backups, &work));
    assert!(said.contains("The log lacks"), "{said}");
    assert!(
        said.contains("The backup is good") && fs::read_dir(&work).is_ok_and(|left| left.count() == 0),
        "{said}"
    );

    let said =
        stderr_of_failure(&restore(&backups, &folder.path_of("between"), &["--to", &between.to_string()]));
    assert!(said.contains("does not reach"), "{said}");
    let data = folder.path_of("restored");
    stdout_of_success(&restore(&backups, &data, &[]));
    let restored = Octavo::start(&data);
    assert_eq!(group_names(&library.to_server(restored.address)).await.len(), 2);
    restored.stop();

    // A folder is of one database and holds nothing else.
    let said = stderr_of_failure(&backup(&backups, &data, &[]));
    assert!(said.contains("name a new folder"), "{said}");
    let other = folder.path_of("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("letter"), "").unwrap();
    assert!(stderr_of_failure(&backup(&other, &data, &[])).contains("is left alone"));
    assert!(
        stderr_of_failure(&backup(&data.join("backups"), &data, &[])).contains("lies in the data folder")
    );
    assert!(
        stderr_of_failure(&backup(&other, &folder.path_of("nothing"), &[])).contains("there is no database")
    );

    // One byte of one file, and one file of the log.
    let file = whole.join("postgres/global/pg_control");
    let bytes = fs::read(&file).unwrap();
    let mut damaged = bytes.clone();
    damaged[200] ^= 1;
    fs::write(&file, damaged).unwrap();
    assert!(stderr_of_failure(&verify(&backups, &work)).contains("damaged"));
    assert!(stderr_of_failure(&restore(&backups, &folder.path_of("damaged"), &[])).contains("damaged"));
    assert!(!folder.path_of("damaged").exists());
    fs::write(&file, bytes).unwrap();
    stdout_of_success(&verify(&backups, &work));
    let mut log: Vec<PathBuf> =
        fs::read_dir(backups.join("wal")).unwrap().map(|entry| entry.unwrap().path()).collect();
    log.sort();
    let last = log.iter().rev().find(|file| file.extension().is_none()).unwrap();
    fs::rename(last, folder.path_of("log")).unwrap();
    let said = stderr_of_failure(&restore(&backups, &folder.path_of("without"), &[]));
    assert!(said.contains("is missing, without which"), "{said}");
}

#[tokio::test]
async fn a_disk_without_room_for_a_backup_stops_nothing_else() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let disk = Disk::mount(folder.path_of("disk"));
    let backups = disk.0.join("backups");
    let running = Octavo::start(&folder.data_dir());
    let library = running.tenant(&["mod-users-19.3.1"]).await;
    let filling = disk.fill_leaving(20 << 20);
    let said = stderr_of_failure(&backup(&backups, &folder.data_dir(), &[]));
    assert!(said.contains("MB left, and the database has"), "{said}");
    assert_eq!(whole_backups(&backups).len(), 0);
    library.post("/groups", &json!({"group": "group 1"})).await.expect(201);
    fs::remove_file(filling).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    stdout_of_success(&backup(&backups, &folder.data_dir(), &[]));
    running.stop();
}
