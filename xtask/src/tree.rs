//! The tree of files that belong to the project: everything below its root that `.gitignore` does not name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

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
        let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        let ignored = Ignored::parse(&ignored);
        let mut tree = Tree::default();
        tree.enter(root, "", &ignored)?;
        Ok(tree)
    }

    fn enter(&mut self, root: &Path, folder: &str, ignored: &Ignored) -> Result<()> {
        let entries = fs::read_dir(root.join(folder)).with_context(|| format!("can't list {folder}"))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if ignored.matches(&path, &name) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                self.enter(root, &path, ignored)?;
                self.paths.insert(path);
                continue;
            }
            let read = || fs::read_to_string(entry.path()).with_context(|| format!("can't read {path}"));
            if LOCK_FILES.contains(&name.as_str()) {
                self.lock_files.insert(path.clone(), read()?);
            } else if is_written(&name) {
                self.texts.insert(path.clone(), read()?);
            }
            self.paths.insert(path);
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn of(texts: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in texts {
            let lock = LOCK_FILES.iter().any(|name| path.ends_with(name));
            let kind = if lock { &mut tree.lock_files } else { &mut tree.texts };
            kind.insert((*path).into(), (*text).into());
            let folders = path.match_indices('/').map(|(end, _)| path[..end].to_owned());
            tree.paths.extend(folders);
            tree.paths.insert((*path).into());
        }
        tree
    }

    pub(crate) fn written_in<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
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

/// The plain part of `.gitignore`'s language: `/path`, `name`, `name/`, `*.ending`.
struct Ignored {
    paths: Vec<String>,
    names: Vec<String>,
    endings: Vec<String>,
}

impl Ignored {
    fn parse(text: &str) -> Ignored {
        let mut ignored = Ignored { paths: Vec::new(), names: vec![".git".into()], endings: Vec::new() };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let line = line.trim_end_matches('/');
            if let Some(ending) = line.strip_prefix('*') {
                ignored.endings.push(ending.into());
            } else if line.contains('/') {
                ignored.paths.push(line.trim_start_matches('/').into());
            } else {
                ignored.names.push(line.into());
            }
        }
        ignored
    }

    fn matches(&self, path: &str, name: &str) -> bool {
        self.paths.iter().any(|ignored| ignored == path)
            || self.names.iter().any(|ignored| ignored == name)
            || self.endings.iter().any(|ending| name.ends_with(ending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gitignore_keeps_its_files_out() {
        let ignored = Ignored::parse("# built\n/target\n/ui/dist/\nnode_modules\n*.snap.new\n");
        for (path, name) in [
            ("target", "target"),
            ("ui/dist", "dist"),
            ("ui/node_modules", "node_modules"),
            ("a/b.snap.new", "b.snap.new"),
            (".git", ".git"),
        ] {
            assert!(ignored.matches(path, name), "{path}");
        }
        assert!(!ignored.matches("crates/target", "target"));
    }

    #[test]
    fn the_projects_own_tree_is_found() {
        let tree = Tree::read(&root()).unwrap();
        assert!(tree.texts.contains_key("xtask/src/tree.rs"));
        assert!(tree.paths.contains("crates/kernel"));
        assert!(tree.lock_files.contains_key("Cargo.lock"));
        assert!(!tree.paths.contains("target"));
    }
}
