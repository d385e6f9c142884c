//! The private PostgreSQL, with a real one: each test has its own data folder and ends only what it started.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedError, EmbeddedOptions};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

/// Names the data folder for the test that is a program of its own, to be killed.
const KILLED_IN: &str = "OCTAVO_TEST_KILLED_IN";

#[tokio::test]
async fn it_starts_and_answers() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    let client = connect(&server).await;
    assert_eq!(text(&client, "show server_encoding").await, "UTF8");
    assert_eq!(text(&client, "show listen_addresses").await, "");
    assert_eq!(text(&client, "show jit").await, "off");
    assert_eq!(text(&client, "select lower('ÄÉ')").await, "äé");
    assert_eq!(
        text(&client, "select rolsuper::text from pg_roles where rolname = current_user").await,
        "false"
    );
    let rights = fs::metadata(server.socket_dir()).unwrap();
    assert_eq!(rights.mode() & 0o777, 0o700);
    let by_address: tokio_postgres::Config = server.url().parse().unwrap();
    drop(by_address.connect(NoTls).await.unwrap());
    let pid = postmaster(&data(folder.path())).unwrap();
    server.stop().await;
    assert!(test_kill_process(pid).is_err(), "the server outlived stop()");
}

#[tokio::test]
async fn a_second_start_on_the_same_folder_is_refused() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    let refusal = refusal(options(folder.path())).await;
    assert!(matches!(refusal, EmbeddedError::InUse { .. }));
    let expected = format!("is in use by another Octavo (process {})", std::process::id());
    assert!(refusal.to_string().contains(&expected), "{refusal}");
    connect(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn a_restart_keeps_the_data_and_the_operators_settings_win() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    write_book(&connect(&server).await).await;
    server.stop().await;

    let settings = vec![("work_mem".to_owned(), "7MB".to_owned())];
    let with_settings = EmbeddedOptions { settings, ..options(folder.path()) };
    let server = Embedded::start(with_settings).await.unwrap();
    let client = connect(&server).await;
    assert_eq!(text(&client, "select title from book").await, "Moby-Dick");
    assert_eq!(text(&client, "show work_mem").await, "7MB");
    server.stop().await;
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_is_no_matter() {
    let folder = folder();
    let long = folder.path().join("a-rather-long-name-".repeat(6)).join("with 'quotes', commas");
    let server =
        Embedded::start(EmbeddedOptions { data_dir: long.clone(), ..options(folder.path()) }).await.unwrap();
    connect(&server).await;
    let socket_dir = server.socket_dir().to_owned();
    assert!(!socket_dir.starts_with(&long));
    server.stop().await;
    assert!(!socket_dir.exists());
}

#[tokio::test]
async fn a_killed_server_is_started_again() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    let client = connect(&server).await;
    write_book(&client).await;
    let killed = postmaster(&data(folder.path())).unwrap();
    kill_process(killed, Signal::KILL).unwrap();

    let client = eventually("a connection to the new server", async || {
        let (client, connection) = server.config().connect(NoTls).await.ok()?;
        tokio::spawn(connection);
        let pid = postmaster(&data(folder.path()))?;
        (pid != killed).then_some(client)
    })
    .await;
    assert_eq!(text(&client, "select title from book").await, "Moby-Dick");
    server.stop().await;
}

#[tokio::test]
async fn a_busy_query_of_a_killed_server_does_not_keep_the_next_from_starting() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    let busy = connect(&server).await;
    // Never waits, so never notices that its server is gone.
    let endless = tokio::spawn(async move { busy.batch_execute("do $$ begin loop end loop; end $$").await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let killed = postmaster(&data(folder.path())).unwrap();
    kill_process(killed, Signal::KILL).unwrap();

    eventually("a connection to the new server", async || {
        server.config().connect(NoTls).await.ok().map(drop)
    })
    .await;
    assert!(endless.await.unwrap().is_err(), "the query went on");
    server.stop().await;
}

#[tokio::test]
async fn a_dropped_server_ends() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    let pid = postmaster(&data(folder.path())).unwrap();
    drop(server);
    eventually("the server's end", async || test_kill_process(pid).err()).await;
}

#[tokio::test]
async fn the_server_of_a_killed_octavo_makes_way() {
    let folder = folder();
    let mut octavo = killable(folder.path());
    let left = postmaster(&data(folder.path())).unwrap();
    octavo.kill().unwrap();
    octavo.wait().unwrap();
    test_kill_process(left).expect("the server outlives a killed Octavo");

    let server = Embedded::start(options(folder.path())).await.unwrap();
    assert_ne!(postmaster(&data(folder.path())), Some(left));
    assert_eq!(text(&connect(&server).await, "select title from book").await, "Moby-Dick");
    server.stop().await;
}

#[tokio::test]
async fn both_killed_leave_nothing_in_the_way() {
    let folder = folder();
    let mut octavo = killable(folder.path());
    let left = postmaster(&data(folder.path())).unwrap();
    octavo.kill().unwrap();
    kill_process(left, Signal::KILL).unwrap();
    octavo.wait().unwrap();

    let server = Embedded::start(options(folder.path())).await.unwrap();
    assert_eq!(text(&connect(&server).await, "select title from book").await, "Moby-Dick");
    server.stop().await;
}

#[tokio::test]
async fn a_strangers_process_with_the_old_id_is_left_alone() {
    let folder = folder();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    server.stop().await;
    // As after a restart of the machine: the id in the file is now that of another process, a living one.
    let mut stranger = Command::new("sleep").arg("600").spawn().unwrap();
    let traces = format!("{}\n{}\n", stranger.id(), data(folder.path()).display());
    fs::write(data(folder.path()).join("postgres/postmaster.pid"), traces).unwrap();

    let server = Embedded::start(options(folder.path())).await.unwrap();
    connect(&server).await;
    server.stop().await;
    assert!(stranger.try_wait().unwrap().is_none(), "the stranger was ended");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[tokio::test]
async fn an_unfinished_initdb_is_done_again() {
    let folder = folder();
    let unfinished = data(folder.path()).join("postgres.new-1");
    fs::create_dir_all(&unfinished).unwrap();
    fs::write(data(folder.path()).join("octavo.lock"), "1\n").unwrap();
    let server = Embedded::start(options(folder.path())).await.unwrap();
    assert!(!unfinished.exists());
    server.stop().await;
}

/// At one moment after another: while initdb copies files, while it runs a server to fill them, and when it has just ended.
#[tokio::test]
async fn an_octavo_that_is_killed_while_it_makes_the_database_spoils_nothing() {
    for after in [30, 120, 400, 900] {
        let folder = folder();
        let mut octavo = started(folder.path());
        eventually("initdb is at work", async || {
            let entries = fs::read_dir(data(folder.path())).ok()?;
            entries.flatten().find(|entry| entry.file_name().to_string_lossy().starts_with("postgres"))
        })
        .await;
        tokio::time::sleep(Duration::from_millis(after)).await;
        octavo.kill().unwrap();
        octavo.wait().unwrap();
        let server =
            Embedded::start(options(folder.path())).await.unwrap_or_else(|error| panic!("{after}: {error}"));
        assert_eq!(text(&connect(&server).await, "select 'it works'").await, "it works");
        let unfinished = fs::read_dir(data(folder.path())).unwrap().flatten();
        let unfinished =
            unfinished.filter(|entry| entry.file_name().to_string_lossy().starts_with("postgres.new"));
        assert_eq!(unfinished.count(), 0);
        server.stop().await;
    }
}

#[tokio::test]
async fn a_folder_of_something_else_is_refused() {
    let folder = folder();
    fs::create_dir(data(folder.path())).unwrap();
    fs::write(data(folder.path()).join("thesis.txt"), "mine").unwrap();
    let refusal = refusal(options(folder.path())).await;
    assert!(matches!(refusal, EmbeddedError::NotOctavo { .. }), "{refusal}");
    assert_eq!(fs::read_dir(data(folder.path())).unwrap().count(), 1, "the folder was changed");
}

#[tokio::test]
async fn a_folder_without_programs_is_refused() {
    let folder = folder();
    let binaries = Some(folder.path().to_owned());
    let refusal = refusal(EmbeddedOptions { binaries, ..options(folder.path()) }).await;
    assert!(matches!(refusal, EmbeddedError::NoBinariesIn { .. }), "{refusal}");
}

#[tokio::test]
async fn data_of_another_version_is_refused() {
    let folder = folder();
    let cluster = data(folder.path()).join("postgres");
    fs::create_dir_all(&cluster).unwrap();
    fs::write(data(folder.path()).join("octavo.lock"), "").unwrap();
    fs::write(cluster.join("PG_VERSION"), "14\n").unwrap();
    let refusal = refusal(options(folder.path())).await;
    assert!(refusal.to_string().contains("was made by PostgreSQL 14"), "{refusal}");
}

#[tokio::test]
async fn a_server_that_cannot_start_says_why() {
    let folder = folder();
    let settings = vec![("shared_buffers".to_owned(), "much".to_owned())];
    let refusal = refusal(EmbeddedOptions { settings, ..options(folder.path()) }).await;
    assert!(matches!(refusal, EmbeddedError::Start { .. }), "{refusal}");
    assert!(refusal.to_string().contains("invalid value for parameter \"shared_buffers\""), "{refusal}");
}

#[tokio::test]
async fn root_is_told_which_folder_is_closed_to_the_servers_user() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = folder();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let refusal = refusal(EmbeddedOptions { data_dir: closed.join("data"), ..options(folder.path()) }).await;
    let EmbeddedError::Blocked { blocked, .. } = refusal else {
        panic!("{refusal}");
    };
    assert_eq!(blocked, closed.canonicalize().unwrap());
}

/// Not a test: the Octavo that the tests above kill.
#[tokio::test]
#[ignore = "started by the tests that kill it"]
#[expect(
    clippy::disallowed_methods,
    reason = "no setting: how a test tells its own second process what to do"
)]
async fn octavo_until_killed() {
    let Some(folder) = std::env::var_os(KILLED_IN) else {
        return;
    };
    let server = Embedded::start(options(Path::new(&folder))).await.unwrap();
    write_book(&connect(&server).await).await;
    eprintln!("ready");
    tokio::time::sleep(Duration::from_secs(600)).await;
}

/// Starts the above and waits until its server has data.
fn killable(folder: &Path) -> Child {
    let mut octavo = started(folder);
    let said = BufReader::new(octavo.stderr.take().unwrap());
    let ready = said.lines().map_while(Result::ok).any(|line| line.contains("ready"));
    assert!(ready, "the Octavo to be killed did not start");
    octavo
}

fn started(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "octavo_until_killed", "--nocapture"])
        .env(KILLED_IN, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A temporary folder that PostgreSQL's user may pass through.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn options(folder: &Path) -> EmbeddedOptions {
    EmbeddedOptions { data_dir: data(folder), binaries: None, durable: false, settings: Vec::new() }
}

async fn refusal(options: EmbeddedOptions) -> EmbeddedError {
    match Embedded::start(options).await {
        Ok(_) => panic!("it started"),
        Err(refusal) => refusal,
    }
}

async fn connect(server: &Embedded) -> Client {
    let (client, connection) = server.config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn write_book(client: &Client) {
    // Undurable servers may lose what a killed one had just committed; this commit must not be lost.
    client.batch_execute("set synchronous_commit = on").await.unwrap();
    client.batch_execute("create table book (title text)").await.unwrap();
    client.batch_execute("insert into book values ('Moby-Dick')").await.unwrap();
}

async fn text(client: &Client, query: &str) -> String {
    client.query_one(query, &[]).await.unwrap().get(0)
}

fn postmaster(data: &Path) -> Option<Pid> {
    let text = fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    Pid::from_raw(text.lines().next()?.parse().ok()?)
}

async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    // Three minutes: far more than it takes, also where the machine has other things to do.
    for _ in 0..3600 {
        if let Some(seen) = look().await {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("waited in vain for {what}");
}
