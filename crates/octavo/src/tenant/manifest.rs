//! `octavo-tenant.json`: what the files of a tenant hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::backup::sha256;
use crate::private_files::read_json;

pub(super) const FILE: &str = "octavo-tenant.json";
pub(super) const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The Octavo that wrote the files.
    pub(super) release: String,
    pub(super) at: Timestamp,
    pub(super) tenant: String,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// The release whose module permissions were defined in the tenant.
    pub(super) permissions: Option<String>,
    /// The migrations that the tables have had.
    pub(super) migrations: Vec<i64>,
    pub(super) tables: Vec<TableFile>,
    pub(super) sequences: Vec<Sequence>,
    /// The tenant's rows in the tables of the schema `octavo`, by table.
    pub(super) common: BTreeMap<String, Value>,
    /// The consumers of the tenant's events.
    pub(super) consumers: Vec<String>,
    /// How many uploaded files there are.
    pub(super) files: usize,
}

/// One file and its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TableFile {
    pub(super) table: String,
    /// The columns of the lines; without any, each line is the document of a record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<String>,
    pub(super) rows: u64,
    pub(super) sha256: String,
}

/// A counter: where it stands, and whether that number was given away already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sequence {
    pub(super) name: String,
    pub(super) last: i64,
    pub(super) called: bool,
}

impl TableFile {
    pub(super) fn file_name(&self) -> String {
        match self.columns.is_empty() {
            true => format!("documents/{}.jsonl", self.table),
            false => format!("rows/{}.tsv", self.table),
        }
    }
}

/// A folder of exported files whose checksums are right.
pub(super) struct ExportFolder {
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
}

impl ExportFolder {
    pub(super) fn read(folder: &Path) -> Result<ExportFolder> {
        if !folder.join(FILE).is_file() {
            bail!("{} holds no whole export of a tenant: {FILE} is missing", folder.display());
        }
        let manifest: Manifest = read_json(&folder.join(FILE))?;
        if manifest.format != FORMAT {
            bail!(
                "{} was written by another Octavo ({}), whose form this one can't read",
                folder.display(),
                manifest.release
            );
        }
        for held in &manifest.tables {
            let is_plain = |name: &String| !name.is_empty() && !name.contains(['/', '"', '\0']);
            if !is_plain(&held.table) || !held.columns.iter().all(is_plain) {
                bail!("{} names a table that none can be called like", folder.join(FILE).display());
            }
            let file = folder.join(held.file_name());
            if sha256(&file)? != held.sha256 {
                bail!("{} was changed or is damaged: its checksum is another", file.display());
            }
        }
        Ok(ExportFolder { folder: folder.to_owned(), manifest })
    }
}
