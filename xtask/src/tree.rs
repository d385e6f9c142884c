//! The tree of files that belong to the project: what git tracks, and what is new and not ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Endings of the files that people write and that tidiness is about. Data and snapshots are not among them.
const WRITTEN: &[&str] = &["rs", "md", "toml", "sh", "sql", "ts", "tsx", "css", "html", "yml", "yaml"];
const WRITTEN_NAMES: &[&str] = &["Makefile", "run", ".gitignore"];
const LOCK_FILES: &[&str] = &["Cargo.lock", "package-lock.json"];

/// Paths are relative to the root and use `/`.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Written files and their text.
    pub(crate) texts: BTreeMap<String, String>,
    pub(crate) lock_files: BTreeMap<String, String>,
    /// Every file and every folder, also those that are not read.
    pub(crate) paths: BTreeSet<String>,
}

/// The folder of the workspace, wherever the tool is started.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace").to_path_buf()
}

impl Tree {
    pub(crate) fn read(root: &Path) -> Result<Tree> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .context("can't start git")?;
        ensure!(listed.status.success(), "git: {}", String::from_utf8_lossy(&listed.stderr).trim());
        let mut tree = Tree::default();
        // A file that was deleted stands in git's list until that is committed.
        let listed = String::from_utf8(listed.stdout)?;
        for path in listed.split('\0').filter(|path| root.join(path).is_file()) {
            tree.add(path, || {
                fs::read_to_string(root.join(path)).with_context(|| format!("can't read {path}"))
            })?;
        }
        Ok(tree)
    }

    fn add(&mut self, path: &str, read: impl FnOnce() -> Result<String>) -> Result<()> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if LOCK_FILES.contains(&name) {
            self.lock_files.insert(path.to_owned(), read()?);
        } else if is_written(name) {
            self.texts.insert(path.to_owned(), read()?);
        }
        self.paths.extend(path.match_indices('/').map(|(end, _)| path[..end].to_owned()));
        self.paths.insert(path.to_owned());
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn from_texts(texts: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in texts {
            tree.add(path, || Ok((*text).to_owned())).unwrap();
        }
        tree
    }

    pub(crate) fn files_with_ending<'a>(
        &'a self,
        ending: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.texts
            .iter()
            .filter(move |(path, _)| path.rsplit_once('.').is_some_and(|(_, own)| own == ending))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

fn is_written(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    WRITTEN_NAMES.contains(&name) || ending.is_some_and(|ending| WRITTEN.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_own_tree_is_found() {
        let tree = Tree::read(&root()).unwrap();
        assert!(tree.texts.contains_key("xtask/src/tree.rs"));
        assert!(tree.paths.contains("crates/kernel"));
        assert!(tree.lock_files.contains_key("Cargo.lock"));
        assert!(!tree.paths.contains("target"));
    }
}
