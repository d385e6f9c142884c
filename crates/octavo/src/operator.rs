//! The operator's token, in a file of the data folder that only Octavo's own user may read.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use octavo_engine::Platform;
use octavo_modules::operator;

use crate::private_files::{OWN_USER_ONLY, write_private};

const FILE: &str = "operator-token";

/// Makes the operator's token, and writes the file with it, if they do not exist yet.
pub(crate) async fn ensure_token_file(platform: &Platform, data_dir: &Path) -> Result<()> {
    let token = operator::token(platform).await.map_err(|fault| anyhow!(fault))?;
    let path = data_dir.join(FILE);
    let kept = fs::read_to_string(&path).is_ok_and(|kept| kept.trim() == token);
    let private = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o777 == OWN_USER_ONLY);
    if !(kept && private) {
        write_token(data_dir, &token)?;
    }
    Ok(())
}

/// Writes a token into the file, replacing the one before; returns the path of the file.
pub(crate) fn write_token(data_dir: &Path, token: &str) -> Result<PathBuf> {
    let path = data_dir.join(FILE);
    write_private(&path, format!("{token}\n").as_bytes())?;
    Ok(path)
}
