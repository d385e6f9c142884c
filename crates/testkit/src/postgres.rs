//! One private PostgreSQL for the whole test binary, started by the first test that needs it.
//!
//! Statics are never dropped, so nothing in this process can be trusted to stop the server at the end. A shell is: it waits
//! for its standard input to close, which the system does when this process ends, however it ends; then it stops the server
//! and removes the folder.

use std::fs::{self, Permissions};
use std::future::Future;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;

/// Outlives the runtimes of single tests; whatever holds connections runs here.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = octavo_pg::threads().worker_threads(2).build();
    runtime.expect("a runtime for the server under test")
});

static POSTGRES: OnceCell<Postgres> = OnceCell::const_new();

pub(crate) struct Postgres {
    pub(crate) url: String,
    /// Where servers keep files that are derived from the database.
    pub(crate) derived: PathBuf,
    pub(crate) server: Embedded,
    _caretaker: Child,
}

/// Runs a future on the runtime of the server under test: connections that it opens outlive the calling test. Fails with the
/// words with which the future does; what is printed there belongs to another test.
pub async fn on_runtime<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    match RUNTIME.spawn(future).await {
        Ok(done) => done,
        Err(error) => panic!("{error}"),
    }
}

/// For many small tenants that are never read again.
const SETTINGS: &[(&str, &str)] = &[
    ("max_connections", "300"),
    ("autovacuum", "off"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("max_wal_size", "128MB"),
    ("shared_buffers", "256MB"),
];

pub(crate) async fn postgres() -> &'static Postgres {
    POSTGRES.get_or_init(|| on_runtime(start())).await
}

pub(crate) async fn start() -> Postgres {
    start_with(&[]).await
}

/// With settings that take the place of those of other tests.
pub(crate) async fn start_with(others: &[(&str, &str)]) -> Postgres {
    let folder = temporary_folder("tests");
    let caretaker = caretaker(&folder).expect("a shell that tidies up after the tests");
    let options = EmbeddedOptions {
        data_dir: folder.join("data"),
        binaries: None,
        durable: false,
        settings: settings(others),
    };
    let server = Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"));
    Postgres { url: server.url(), derived: folder.join("derived"), server, _caretaker: caretaker }
}

fn settings(others: &[(&str, &str)]) -> Vec<(String, String)> {
    SETTINGS.iter().chain(others).map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

/// A hot standby of another PostgreSQL, with the same settings.
pub(crate) async fn start_standby(of: &Postgres, others: &[(&str, &str)]) -> Postgres {
    let folder = temporary_folder("standby");
    let caretaker = caretaker(&folder).expect("a shell that tidies up after the tests");
    let data = folder.join("data");
    let cluster = data.join("postgres");
    fs::create_dir(&data).expect("our own folder");
    fs::write(data.join("octavo.lock"), "").expect("our own file");
    let mut copy = of.server.running_server().client_command("pg_basebackup");
    copy.arg("-D").arg(&cluster).args(["--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf"]);
    let copied = copy.output().expect("pg_basebackup");
    assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
    // The copy belongs to whom the original belongs to.
    let given = Command::new("chown")
        .args(["-R", "--reference"])
        .args([&of.server.data_dir().join("postgres"), &cluster])
        .status();
    assert!(given.expect("chown").success());
    let options =
        EmbeddedOptions { data_dir: data, binaries: None, durable: false, settings: settings(others) };
    let server = Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"));
    Postgres { url: server.url(), derived: folder.join("derived"), server, _caretaker: caretaker }
}

impl Postgres {
    /// Stops the server, before the test ends.
    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }
}

/// Where it has room, memory: a tenant is some 500 small files, which disks take twice as long to make.
const MEMORY_FOLDER: &str = "/dev/shm";
const NEEDED_BYTES: u64 = 3 << 30;

fn parent_folder() -> PathBuf {
    let room = rustix::fs::statvfs(MEMORY_FOLDER).map_or(0, |shm| shm.f_bavail * shm.f_frsize);
    if room >= NEEDED_BYTES { PathBuf::from(MEMORY_FOLDER) } else { std::env::temp_dir() }
}

/// A new folder that PostgreSQL's own user may pass through, as it must when tests run as root.
pub fn temporary_folder(purpose: &str) -> PathBuf {
    let parent = parent_folder();
    for attempt in 0..1000 {
        let folder = parent.join(format!("octavo-{purpose}-{}-{attempt}", std::process::id()));
        match fs::create_dir(&folder) {
            Ok(()) => {
                fs::set_permissions(&folder, Permissions::from_mode(0o755)).expect("our own folder");
                return folder;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => panic!("cannot make {}: {error}", folder.display()),
        }
    }
    panic!("{} is full of folders of earlier tests", parent.display());
}

fn caretaker(folder: &Path) -> io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", CARETAKER, "caretaker"])
        .arg(folder)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// Ctrl-C reaches it too, and must not end it before its work is done. The file goes with the server; its process may stay
/// as a zombie where nobody adopts it.
const CARETAKER: &str = r#"
trap '' INT TERM HUP
read -r _
file=$1/data/postgres/postmaster.pid
if pid=$(head -n 1 "$file") && kill -QUIT "$pid"; then
  tries=200
  while [ -e "$file" ] && [ "$tries" -gt 0 ]; do sleep 0.05; tries=$((tries - 1)); done
fi
rm -rf "$1"
"#;
