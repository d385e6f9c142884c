//! The operator's token, in a file of the data folder that only Octavo's own user may read.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use octavo_engine::Platform;
use octavo_modules::operator;

const FILE: &str = "operator-token";
const OWN_USER_ONLY: u32 = 0o600;

/// Makes the token and its file where they are not there yet.
pub(crate) async fn keep(platform: &Platform, data_dir: &Path) -> Result<()> {
    let token = operator::token(platform).await.map_err(|fault| anyhow!(fault))?;
    let path = data_dir.join(FILE);
    let kept = fs::read_to_string(&path).is_ok_and(|kept| kept.trim() == token);
    let private = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o777 == OWN_USER_ONLY);
    if !(kept && private) {
        write(data_dir, &token)?;
    }
    Ok(())
}

/// Puts a token in the place of the one before, and returns the file.
pub(crate) fn write(data_dir: &Path, token: &str) -> Result<PathBuf> {
    let (path, new) = (data_dir.join(FILE), data_dir.join("operator-token.new"));
    let put = || {
        match fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(OWN_USER_ONLY).open(&new)?;
        writeln!(file, "{token}")?;
        file.sync_all()?;
        fs::rename(&new, &path)
    };
    put().with_context(|| format!("can't write {}", path.display()))?;
    Ok(path)
}
