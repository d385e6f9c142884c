//! The file beside a loaded one: a line of JSON for each record that was not, or not wholly, loaded, with its place, the
//! reason, and the record as it was.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The file of records that could not be loaded. It is created with the first of them.
pub(crate) struct Failures {
    path: PathBuf,
    file: Option<File>,
    length: u64,
}

/// A record that is written into the file of failures: it was not loaded, or not completely.
#[derive(Debug)]
pub(crate) struct ReportedRecord<'a> {
    pub(crate) number: i64,
    /// The byte of the file at which the record begins.
    pub(crate) first_byte: Option<u64>,
    pub(crate) reason: &'a str,
    pub(crate) loaded: bool,
    pub(crate) raw: &'a [u8],
}

impl Failures {
    /// Opens the file and cuts it to `length` bytes, which is the length after the last committed batch.
    pub(crate) fn open(path: &Path, folder: Option<&Path>, length: i64) -> Result<Failures> {
        let name = format!("{}.failed.jsonl", path.file_name().unwrap_or_default().to_string_lossy());
        let path = folder.map_or_else(|| path.with_file_name(&name), |folder| folder.join(&name));
        let there = if path.exists() { path.metadata()?.len() } else { 0 };
        let length = there.min(u64::try_from(length)?);
        let mut failures = Failures { path, file: None, length };
        failures.truncate(length)?;
        Ok(failures)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Removes everything after the first `length` bytes.
    pub(crate) fn truncate(&mut self, length: u64) -> Result<()> {
        if self.length > length || self.file.is_none() && self.path.exists() {
            let file = self.file()?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            self.length = length;
        }
        Ok(())
    }

    pub(crate) fn append(&mut self, told: &ReportedRecord<'_>) -> Result<()> {
        let mut line = json!({
            "record": told.number,
            "loaded": told.loaded,
            "reason": told.reason,
        });
        if let Some(start) = told.first_byte {
            line["byte"] = json!(start);
        }
        match std::str::from_utf8(told.raw) {
            Ok(text) => line["raw"] = Value::String(text.to_owned()),
            Err(_) => line["rawBase64"] = Value::String(STANDARD.encode(told.raw)),
        }
        let text = format!("{line}\n");
        self.file()?.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        Ok(())
    }

    fn file(&mut self) -> Result<&mut File> {
        if self.file.is_none() {
            let mut file =
                OpenOptions::new().create(true).truncate(false).write(true).open(&self.path).with_context(
                    || format!("can't write {}; choose a folder with --failures", self.path.display()),
                )?;
            file.seek(SeekFrom::End(0))?;
            self.file = Some(file);
        }
        self.file.as_mut().context("the file of failures is open")
    }
}
