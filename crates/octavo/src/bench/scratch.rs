//! The temporary folder of one run. It is removed at the end of the run, also after an error, but not if the program is killed.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Root's PostgreSQL runs as another user, who must be able to pass through.
    pub(crate) fn make() -> Result<Scratch> {
        let path = std::env::temp_dir().join(format!("octavo-bench-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| format!("can't make {}", path.display()))?;
        let scratch = Scratch(path);
        fs::set_permissions(scratch.path(), Permissions::from_mode(0o755))?;
        Ok(scratch)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // An interrupted run drops PostgreSQL just before this: it may still write while its folder goes.
        for _ in 0..50 {
            match fs::remove_dir_all(&self.0) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
                _ => return,
            }
        }
        eprintln!("bench: {} could not be removed", self.0.display());
    }
}
