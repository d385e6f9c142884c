//! Makes the database cluster, once. It is made beside its place and then renamed, so a crash leaves none or a whole one.

use std::fs::{self, File};
use std::path::Path;

use tokio::process::Command;

use super::error::{EmbeddedError, io_error};
use super::folder::{self, DataFolder};
use super::installation::Installation;
use super::leftover;
use super::server::last_lines;
use super::user::{self, User};

/// The cluster's superuser; Octavo itself uses it only to make its own role and database.
pub(super) const SUPERUSER: &str = "postgres";

const UNFINISHED: &str = "postgres.new-";

/// The major version that made the cluster, or none if there is no cluster yet.
pub(super) fn made_by(cluster: &Path) -> Result<Option<u32>, EmbeddedError> {
    if !cluster.exists() {
        return Ok(None);
    }
    let file = cluster.join("PG_VERSION");
    let text = fs::read_to_string(&file).map_err(io_error("cannot read", &file))?;
    let major = text.trim().parse().map_err(std::io::Error::other);
    major.map(Some).map_err(io_error("cannot understand", &file))
}

pub(super) async fn create_cluster(
    data: &DataFolder,
    installation: &Installation,
    user: Option<&User>,
    durable: bool,
) -> Result<(), EmbeddedError> {
    remove_unfinished(data.path())?;
    // Named by the process: an initdb that outlived its Octavo must not write into this one's work.
    let unfinished = data.path().join(format!("{UNFINISHED}{}", std::process::id()));
    folder::create_for_user(&unfinished, user)?;
    initdb(&unfinished, installation, user, durable).await?;
    let cluster = data.cluster();
    fs::rename(&unfinished, &cluster).map_err(io_error("cannot put into place", &cluster))?;
    File::open(data.path()).and_then(|folder| folder.sync_all()).map_err(io_error("cannot save", data.path()))
}

/// The initdb of an Octavo that was killed may still be at work there.
fn remove_unfinished(data: &Path) -> Result<(), EmbeddedError> {
    let entries = fs::read_dir(data).map_err(io_error("cannot read", data))?;
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            leftover::end_initdb(&entry.path());
            folder::remove(&entry.path()).map_err(io_error("cannot remove", &entry.path()))?;
        }
    }
    Ok(())
}

/// Whether this PostgreSQL was built with LZ4: asked of itself, by way of a setting that it would refuse.
pub(super) async fn knows_lz4(cluster: &Path, installation: &Installation, user: Option<&User>) -> bool {
    let mut command = Command::from(user::command(&installation.program("postgres"), user));
    command.arg("-D").arg(cluster).args(["-c", "wal_compression=lz4", "-C", "wal_compression"]);
    command.current_dir("/").kill_on_drop(true);
    command.output().await.is_ok_and(|ended| ended.status.success())
}

/// Runs initdb with the best locale that this PostgreSQL and this machine know.
async fn initdb(
    cluster: &Path,
    installation: &Installation,
    user: Option<&User>,
    durable: bool,
) -> Result<(), EmbeddedError> {
    let mut output = String::new();
    for locale in locales(installation.version.major) {
        let mut command = Command::from(user::command(&installation.program("initdb"), user));
        command
            .arg("-D")
            .arg(cluster)
            .args(["-U", SUPERUSER, "-E", "UTF8", "--data-checksums"])
            .args(["--auth-local=trust", "--auth-host=reject"])
            .args(*locale)
            .args((!durable).then_some("--no-sync"))
            .env("LC_ALL", "C")
            .current_dir("/")
            .kill_on_drop(true);
        let ended = command.output().await.map_err(io_error("cannot run initdb on", cluster))?;
        if ended.status.success() {
            return Ok(());
        }
        output = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
        if !output.contains("locale") {
            break;
        }
    }
    Err(EmbeddedError::Initdb { cluster: cluster.to_owned(), output: last_lines(&output) })
}

/// Plain code point order with Unicode's letters, which no upgrade of the C library can change; the built-in one
/// (PostgreSQL 17) goes first. Without a C.UTF-8, only letters of ASCII have upper and lower case.
fn locales(major: u32) -> &'static [&'static [&'static str]] {
    const BUILT_IN: &str = "--locale-provider=builtin";
    const ALL: &[&[&str]] = &[
        &[BUILT_IN, "--builtin-locale=C.UTF-8", "--locale=C.UTF-8", "--lc-messages=C"],
        &[BUILT_IN, "--builtin-locale=C.UTF-8", "--locale=C"],
        &["--locale=C.UTF-8", "--lc-messages=C"],
        &["--locale=C"],
    ];
    if major >= 17 { ALL } else { &ALL[2..] }
}
