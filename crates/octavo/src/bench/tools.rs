//! PostgreSQL's own programs, from the folder of the server that runs.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::embedded::{self, Embedded};
use tokio::process::Command;
use tokio::time::timeout;

/// Who may make databases: the cluster's superuser.
pub(crate) const SUPERUSER: &str = "postgres";
pub(crate) const OCTAVO: &str = "octavo";

/// Runs a program against the server as `user`, in `folder`, and returns what it wrote.
pub(crate) async fn run(
    database: &Embedded,
    program: &str,
    user: &str,
    arguments: &[&str],
    folder: &Path,
    within: Duration,
) -> Result<String> {
    let path = embedded::client(database.binaries(), program);
    let child = Command::new(&path)
        // Without the caller's PGHOST and its like.
        .env_clear()
        .arg("-h")
        .arg(database.socket_dir())
        .args(["-p", &database.port().to_string(), "-U", user])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("can't run {}: is PostgreSQL's client installed?", path.display()))?;
    let ended =
        timeout(within, child.wait_with_output()).await.with_context(|| format!("{program} hangs"))??;
    let (out, error) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    if !ended.status.success() {
        bail!("{program}: {}\n{out}{error}", ended.status);
    }
    Ok(out.into_owned())
}

/// Writes what is in memory to the disk, so that the turns that follow do not pay for what was before them.
pub(crate) async fn checkpoint(database: &Embedded, folder: &Path) -> Result<()> {
    let arguments = ["-q", "-d", SUPERUSER, "-c", "checkpoint"];
    run(database, "psql", SUPERUSER, &arguments, folder, Duration::from_secs(120)).await.map(|_| ())
}
