//! What a whole backup holds: `manifest.json`, and the checksums of it and of what PostgreSQL's own manifest does not list, as
//! `sha256sum` writes them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use octavo_kernel::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::plan::{BackupSummary, Lsn};
use crate::private_files::{read_json, write_private};

const FILE: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";
/// PostgreSQL's own backup manifest, with a checksum of each file of the database.
pub(crate) const POSTGRES_MANIFEST: &str = "postgres/backup_manifest";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) name: String,
    /// The name of the earlier backup that this incremental backup refers to; a full backup has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// The log position from which the log is needed to restore this backup.
    pub(crate) from: Lsn,
    pub(crate) counted: RowCounts,
    pub(crate) octavo: String,
    pub(crate) postgres: String,
}

/// The number of rows of each table, and the time of the count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowCounts {
    pub(crate) at: Timestamp,
    /// The log position of the count: only changes before it are counted.
    pub(crate) place: Lsn,
    /// Whether nothing was being changed at this position, so that the count is exact. If false, the count may be wrong by the few
    /// changes that were being made.
    pub(crate) exact: bool,
    /// The number of rows by schema and table: `diku.instance`.
    pub(crate) rows: BTreeMap<String, i64>,
}

/// Checksums by path.
pub(crate) type Sums = BTreeMap<String, String>;

impl Manifest {
    pub(crate) fn summary(&self) -> BackupSummary {
        BackupSummary {
            name: self.name.clone(),
            parent: self.parent.clone(),
            started: self.started,
            ended: self.ended,
            from_lsn: self.from,
            to_lsn: self.counted.place,
        }
    }

    /// Writes `manifest.json` and `SHA256SUMS`; `sums` are the checksums of the other files.
    pub(crate) fn write(&self, folder: &Path, mut sums: Sums) -> Result<()> {
        write_private(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)?;
        for file in [FILE, POSTGRES_MANIFEST] {
            sums.insert(file.to_owned(), sha256(&folder.join(file))?);
        }
        write_private(&folder.join(SUMS), checksum_lines(&sums).as_bytes())
    }

    /// Reads the manifest of a backup; fails if its checksum is wrong.
    pub(crate) fn read(folder: &Path, name: &str) -> Result<Manifest> {
        let sums = read_checksums(folder)?;
        check_file(folder, FILE, sums.get(FILE))?;
        let manifest: Manifest = read_json(&folder.join(FILE))?;
        if manifest.name != name {
            bail!("{} is the manifest of the backup {}", folder.join(FILE).display(), manifest.name);
        }
        Ok(manifest)
    }
}

/// Compares all files with their checksums, except those in PostgreSQL's own manifest; returns the number of files.
pub(crate) fn check_files(folder: &Path) -> Result<usize> {
    let sums = read_checksums(folder)?;
    for required in [FILE, POSTGRES_MANIFEST] {
        if !sums.contains_key(required) {
            bail!("{} does not list {required}", folder.join(SUMS).display());
        }
    }
    for (file, sum) in &sums {
        check_file(folder, file, Some(sum))?;
    }
    Ok(sums.len())
}

fn check_file(folder: &Path, file: &str, expected: Option<&String>) -> Result<()> {
    let path = folder.join(file);
    if Some(&sha256(&path)?) != expected {
        bail!("{} is damaged: its checksum is another", path.display());
    }
    Ok(())
}

fn read_checksums(folder: &Path) -> Result<Sums> {
    let path = folder.join(SUMS);
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    parse_checksums(&text).with_context(|| format!("can't understand {}", path.display()))
}

fn checksum_lines(sums: &Sums) -> String {
    sums.iter().fold(String::new(), |mut text, (file, sum)| {
        let _ = writeln!(text, "{sum}  {file}");
        text
    })
}

fn parse_checksums(text: &str) -> Option<Sums> {
    let parse = |line: &str| {
        let (sum, file) = line.split_once("  ")?;
        let inside = !file.starts_with('/') && file.split('/').all(|part| part != "..");
        (sum.len() == 64 && inside).then(|| (file.to_owned(), sum.to_owned()))
    };
    text.lines().map(parse).collect()
}

pub(crate) fn sha256(path: &Path) -> Result<String> {
    let unreadable = || format!("can't read {}", path.display());
    let mut file = File::open(path).with_context(unreadable)?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut piece).with_context(unreadable)? {
            0 => return Ok(hex(&hash.finalize())),
            read => hash.update(&piece[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_read_as_they_were_written() {
        let sums: Sums = [("files/uploads/a  b.mrc".to_owned(), "0".repeat(64))].into();
        assert_eq!(parse_checksums(&checksum_lines(&sums)), Some(sums));
        let zeros = "0".repeat(64);
        for wrong in
            ["x  manifest.json", &format!("{zeros}  ../a"), &format!("{zeros}  /a"), &format!("{zeros} a")]
        {
            assert_eq!(parse_checksums(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let text = r#"{"name":"20261128T020000Z","started":"2026-11-28T02:00:00Z","ended":"2026-11-28T02:01:00Z",
            "from":"0/2000028","counted":{"at":"2026-11-28T02:01:00Z","place":"0/3000060","exact":true,
            "rows":{"diku.instance":7}},"octavo":"1.0","postgres":"15.18"}"#;
        let manifest: Manifest = serde_json::from_str(text).unwrap();
        assert_eq!(manifest.from, Lsn(0x0200_0028));
        let again = serde_json::to_string(&manifest).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&again).unwrap(), manifest);
        for wrong in [
            text.replace("0/2000028", "28"),
            text.replace("2026-11-28T02:00:00Z", "today"),
            text.replace("\"exact\":true,", ""),
        ] {
            assert!(serde_json::from_str::<Manifest>(&wrong).is_err(), "{wrong}");
        }
    }
}
