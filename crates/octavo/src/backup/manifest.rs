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

use super::plan::{Place, Whole};
use crate::private_files::{read_json, write_private};

const FILE: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";
/// PostgreSQL's own, with a checksum of each file of the database.
pub(crate) const OF_POSTGRES: &str = "postgres/backup_manifest";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) name: String,
    /// The backup that an incremental one holds the changes since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    pub(crate) started: Timestamp,
    pub(crate) ended: Timestamp,
    /// The log of changes is needed from here on.
    pub(crate) from: Place,
    pub(crate) counted: Counted,
    pub(crate) octavo: String,
    pub(crate) postgres: String,
}

/// How many rows the tables had, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted {
    pub(crate) at: Timestamp,
    /// The changes before this place were counted.
    pub(crate) place: Place,
    /// Whether they were counted between two changes. Otherwise a few that were being made may be counted or not.
    pub(crate) exact: bool,
    /// By schema and table: `diku.instance`.
    pub(crate) rows: BTreeMap<String, i64>,
}

/// Checksums by path.
pub(crate) type Sums = BTreeMap<String, String>;

impl Manifest {
    pub(crate) fn whole(&self) -> Whole {
        Whole {
            name: self.name.clone(),
            parent: self.parent.clone(),
            started: self.started,
            ended: self.ended,
            from: self.from,
            to: self.counted.place,
        }
    }

    /// Writes the manifest and all checksums; `sums` are those of the other files.
    pub(crate) fn write(&self, folder: &Path, mut sums: Sums) -> Result<()> {
        write_private(&folder.join(FILE), &serde_json::to_vec_pretty(self)?)?;
        for file in [FILE, OF_POSTGRES] {
            sums.insert(file.to_owned(), sha256(&folder.join(file))?);
        }
        write_private(&folder.join(SUMS), lines(&sums).as_bytes())
    }

    /// Reads the manifest of a backup, which is what its checksum says.
    pub(crate) fn read(folder: &Path, name: &str) -> Result<Manifest> {
        let sums = read_sums(folder)?;
        check(folder, FILE, sums.get(FILE))?;
        let manifest: Manifest = read_json(&folder.join(FILE))?;
        if manifest.name != name {
            bail!("{} is the manifest of the backup {}", folder.join(FILE).display(), manifest.name);
        }
        Ok(manifest)
    }
}

/// Compares the files with their checksums, all but those that PostgreSQL's own manifest lists; returns how many there are.
pub(crate) fn check_files(folder: &Path) -> Result<usize> {
    let sums = read_sums(folder)?;
    for required in [FILE, OF_POSTGRES] {
        if !sums.contains_key(required) {
            bail!("{} does not list {required}", folder.join(SUMS).display());
        }
    }
    for (file, sum) in &sums {
        check(folder, file, Some(sum))?;
    }
    Ok(sums.len())
}

fn check(folder: &Path, file: &str, expected: Option<&String>) -> Result<()> {
    let path = folder.join(file);
    if Some(&sha256(&path)?) != expected {
        bail!("{} is damaged: its checksum is another", path.display());
    }
    Ok(())
}

fn read_sums(folder: &Path) -> Result<Sums> {
    let path = folder.join(SUMS);
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    parse_sums(&text).with_context(|| format!("can't understand {}", path.display()))
}

fn lines(sums: &Sums) -> String {
    sums.iter().fold(String::new(), |mut text, (file, sum)| {
        let _ = writeln!(text, "{sum}  {file}");
        text
    })
}

fn parse_sums(text: &str) -> Option<Sums> {
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
        assert_eq!(parse_sums(&lines(&sums)), Some(sums));
        let zeros = "0".repeat(64);
        for wrong in
            ["x  manifest.json", &format!("{zeros}  ../a"), &format!("{zeros}  /a"), &format!("{zeros} a")]
        {
            assert_eq!(parse_sums(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let text = r#"{"name":"20261128T020000Z","started":"2026-11-28T02:00:00Z","ended":"2026-11-28T02:01:00Z",
            "from":"0/2000028","counted":{"at":"2026-11-28T02:01:00Z","place":"0/3000060","exact":true,
            "rows":{"diku.instance":7}},"octavo":"1.0","postgres":"15.18"}"#;
        let manifest: Manifest = serde_json::from_str(text).unwrap();
        assert_eq!(manifest.from, Place(0x0200_0028));
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
