//! The folder of files: what is written into it, and what is read from it.
//!
//! `octavo-configuration.json` says of which form the files are and where they come from. A kind of record is a JSON array in
//! `NAME.json`; or, where records have long texts, a folder with a file for each record and one for each text. A kind without file or
//! folder is left alone.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::kinds::{KINDS, Kind, RULES_TEXT, Shape, kind_by_name};
use super::record::Record;

const MANIFEST: &str = "octavo-configuration.json";
/// The form that this program writes and reads.
const FORMAT: u64 = 1;
/// The member of a JSON object that names the file with a long text, instead of the text.
const TEXT_FILE: &str = "textFile";
/// The most bytes of one file.
const LARGEST_FILE_BYTES: u64 = 32 << 20;
/// The most characters of a record's name in the name of its file.
const LONGEST_FILE_NAME: usize = 60;

/// A record of a file, as it was read.
#[derive(Debug)]
pub(super) struct FileRecord {
    /// The file, relative to the folder.
    pub(super) file: String,
    pub(super) document: Value,
}

#[derive(Debug)]
pub(super) struct Files {
    /// The tenant whose configuration it was.
    pub(super) tenant: String,
    pub(super) kinds: Vec<(&'static Kind, Vec<FileRecord>)>,
    /// Messages about files that cannot be read.
    pub(super) problems: Vec<String>,
}

/// Writes the files of all kinds, and removes files of an earlier export that are not written now. Returns the number of files.
pub(super) fn write_folder(
    folder: &Path,
    tenant: &str,
    kinds: &[(&'static Kind, Vec<Record>)],
) -> Result<usize> {
    fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    if !folder.join(MANIFEST).exists() && visible_names(folder)?.next().is_some() {
        bail!(
            "{} holds other files; choose an empty folder, or one that an export has written",
            folder.display()
        );
    }
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let manifest = json!({"format": FORMAT, "release": env!("CARGO_PKG_VERSION"), "tenant": tenant});
    files.insert(MANIFEST.into(), pretty_json(&manifest));
    files.extend(kinds.iter().flat_map(|(kind, records)| files_of_kind(kind, records)));
    for stale in existing_files(folder)?.into_iter().filter(|path| !files.contains_key(path)) {
        fs::remove_file(folder.join(&stale)).with_context(|| format!("can't remove {}", stale.display()))?;
    }
    for kind in KINDS.iter().filter(|kind| kind.shape == Shape::Folder) {
        fs::create_dir_all(folder.join(kind.name))?;
    }
    for (path, text) in &files {
        fs::write(folder.join(path), text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(files.len())
}

/// The files of a kind, with their texts.
fn files_of_kind(kind: &Kind, records: &[Record]) -> Vec<(PathBuf, String)> {
    match kind.shape {
        Shape::List => {
            let all: Vec<&Value> = records.iter().map(|record| &record.document).collect();
            vec![(format!("{}.json", kind.name).into(), pretty_json(&json!(all)))]
        }
        Shape::Rules => {
            let text = records.first().and_then(|record| record.document[RULES_TEXT].as_str());
            vec![(format!("{}.txt", kind.name).into(), text.unwrap_or_default().to_owned())]
        }
        Shape::Folder => {
            let (mut files, mut taken) = (Vec::new(), HashSet::new());
            for record in records {
                let mut name = slug(&record.label);
                if name.is_empty() {
                    name.clone_from(&record.key);
                } else if !taken.insert(name.clone()) {
                    name = format!("{name}-{}", record.key);
                }
                let mut document = record.document.clone();
                let inside = |file: String| Path::new(kind.name).join(file);
                files.extend(
                    take_texts(&mut document, &name).into_iter().map(|(file, text)| (inside(file), text)),
                );
                files.push((inside(format!("{name}.json")), pretty_json(&document)));
            }
            files
        }
    }
}

/// The files of all kinds that are in the folder.
fn existing_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for kind in KINDS {
        match kind.shape {
            Shape::List => paths.push(PathBuf::from(format!("{}.json", kind.name))),
            Shape::Rules => paths.push(PathBuf::from(format!("{}.txt", kind.name))),
            Shape::Folder => {
                let inside = folder.join(kind.name);
                if inside.is_dir() {
                    paths.extend(visible_names(&inside)?.map(|name| Path::new(kind.name).join(name)));
                }
            }
        }
    }
    paths.retain(|path| folder.join(path).is_file());
    Ok(paths)
}

/// The names in a folder, but for those that begin with a dot, such as `.git`.
fn visible_names(folder: &Path) -> Result<impl Iterator<Item = String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort_unstable();
    Ok(names.into_iter())
}

pub(super) fn read_folder(folder: &Path) -> Result<Files> {
    if !folder.join(MANIFEST).is_file() {
        bail!("{} is no folder that octavo config export has written", folder.display());
    }
    let manifest: Value = read_json_file(folder, MANIFEST)?;
    match manifest["format"].as_u64() {
        Some(FORMAT) => {}
        _ => bail!("{MANIFEST}: the format is {}; this release reads {FORMAT}", manifest["format"]),
    }
    let mut files = Files {
        tenant: manifest["tenant"].as_str().unwrap_or_default().to_owned(),
        kinds: Vec::new(),
        problems: unknown_files(folder)?,
    };
    for kind in KINDS {
        match read_kind(folder, kind, &mut files.problems) {
            Ok(Some(records)) => files.kinds.push((kind, records)),
            Ok(None) => {}
            Err(error) => files.problems.push(format!("{error:#}")),
        }
    }
    Ok(files)
}

/// Files in the folder that have a kind of name that this program writes, but belong to no kind of record.
fn unknown_files(folder: &Path) -> Result<Vec<String>> {
    let known = |name: &String| {
        let of = |ending: &str, shape: Shape| {
            name.strip_suffix(ending).and_then(kind_by_name).is_some_and(|kind| kind.shape == shape)
        };
        name == MANIFEST || of(".json", Shape::List) || of(".txt", Shape::Rules)
    };
    let suspicious = |name: &String| name.ends_with(".json") && !known(name);
    Ok(visible_names(folder)?
        .filter(suspicious)
        .map(|name| format!("{name}: no kind of record has this name"))
        .collect())
}

/// The records of a kind; `None` if it has neither file nor folder.
fn read_kind(folder: &Path, kind: &Kind, problems: &mut Vec<String>) -> Result<Option<Vec<FileRecord>>> {
    let (json, text) = (format!("{}.json", kind.name), format!("{}.txt", kind.name));
    Ok(match kind.shape {
        Shape::List if folder.join(&json).exists() => {
            let records: Vec<Value> = read_json_file(folder, &json)?;
            Some(records.into_iter().map(|document| FileRecord { file: json.clone(), document }).collect())
        }
        Shape::Rules if folder.join(&text).exists() => {
            let rules = Some(read_text_file(folder, &text)?).filter(|rules| !rules.is_empty());
            let sent = |rules| FileRecord { file: text.clone(), document: json!({RULES_TEXT: rules}) };
            Some(rules.map(sent).into_iter().collect())
        }
        Shape::Folder if folder.join(kind.name).is_dir() => Some(read_kind_folder(folder, kind, problems)?),
        _ => None,
    })
}

fn read_kind_folder(folder: &Path, kind: &Kind, problems: &mut Vec<String>) -> Result<Vec<FileRecord>> {
    let inside = folder.join(kind.name);
    let (records, texts): (Vec<String>, Vec<String>) =
        visible_names(&inside)?.partition(|name| name.ends_with(".json"));
    let mut named = HashSet::new();
    let mut read = |name: &String| -> Result<Value> {
        let mut document: Value = read_json_file(&inside, name)?;
        insert_texts(&mut document, &inside, &mut named)?;
        Ok(document)
    };
    let mut sent = Vec::new();
    for name in &records {
        let file = format!("{}/{name}", kind.name);
        match read(name) {
            Ok(document) => sent.push(FileRecord { file, document }),
            Err(error) => problems.push(format!("{file}: {error:#}")),
        }
    }
    let stray = texts.iter().filter(|name| !named.contains(*name));
    problems.extend(stray.map(|name| format!("{}/{name}: no record names this text", kind.name)));
    Ok(sent)
}

fn read_json_file<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<T> {
    serde_json::from_str(&read_text_file(folder, file)?).with_context(|| format!("{file} cannot be read"))
}

fn read_text_file(folder: &Path, file: &str) -> Result<String> {
    let path = folder.join(file);
    let size = fs::metadata(&path).with_context(|| format!("can't read {file}"))?.len();
    if size > LARGEST_FILE_BYTES {
        bail!("{file} has {size} bytes; {LARGEST_FILE_BYTES} are allowed");
    }
    let bytes = fs::read(&path).with_context(|| format!("can't read {file}"))?;
    String::from_utf8(bytes).with_context(|| format!("{file} is not UTF-8"))
}

/// Takes the long texts out of a record; returns each with the name of its file.
fn take_texts(document: &mut Value, name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut take = |text: &mut Value, file: String| {
        if let Some(words) = text.as_str().map(str::to_owned) {
            *text = json!({TEXT_FILE: file});
            found.push((file, words));
        }
    };
    if let Some(template) = document.get_mut("template") {
        take(template, format!("{name}.html"));
    }
    let languages = document.get_mut("localizedTemplates").and_then(Value::as_object_mut);
    for (language, localised) in languages.into_iter().flatten() {
        if let Some(body) = localised.get_mut("body") {
            take(body, format!("{name}.{}.html", slug(language)));
        }
    }
    found
}

/// Puts texts from files of the same folder where a record names them.
fn insert_texts(value: &mut Value, folder: &Path, named: &mut HashSet<String>) -> Result<()> {
    match value {
        Value::Object(members) => {
            let file = members.get(TEXT_FILE).and_then(Value::as_str).filter(|_| members.len() == 1);
            if let Some(file) = file.map(str::to_owned) {
                if file.contains(['/', '\\']) || file.starts_with('.') {
                    bail!("{file} is no name of a file in this folder");
                }
                *value = json!(read_text_file(folder, &file)?);
                named.insert(file);
                return Ok(());
            }
            members.values_mut().try_for_each(|member| insert_texts(member, folder, named))
        }
        Value::Array(values) => values.iter_mut().try_for_each(|value| insert_texts(value, folder, named)),
        _ => Ok(()),
    }
}

/// Two spaces a level, members by name, a line end at the end.
fn pretty_json(value: &Value) -> String {
    format!("{value:#}\n")
}

/// A name as a file may have it everywhere: small letters, digits and hyphens.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        match character {
            letter if letter.is_alphanumeric() => slug.push(letter),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.chars().take(LONGEST_FILE_NAME).collect::<String>().trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("octavo-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn template(id: &str, name: &str, body: &str) -> Record {
        let localised = json!({"en": {"header": "h", "body": body}});
        let document = json!({"id": id, "name": name, "localizedTemplates": localised});
        Record::new(kind_by_name("templates").unwrap(), document)
    }

    #[test]
    fn what_is_written_is_read_again_and_what_went_is_removed() {
        let folder = folder("again");
        let kinds = |templates: Vec<Record>, rules: &str| {
            let types = json!([{"id": "1", "name": "Course"}]);
            let types = types.as_array().unwrap().iter().cloned();
            let list = kind_by_name("loan-types").unwrap();
            let rule = kind_by_name("circulation-rules").unwrap();
            vec![
                (list, types.map(|document| Record::new(list, document)).collect::<Vec<_>>()),
                (kind_by_name("templates").unwrap(), templates),
                (rule, vec![Record::new(rule, json!({RULES_TEXT: rules}))]),
            ]
        };
        let two = vec![template("a", "Due, soon", "<p>{{x}}</p>"), template("b", "due soon", "no line end")];
        let written = kinds(two, "priority: t\nfallback-policy: l x\n");
        write_folder(&folder, "diku", &written).unwrap();
        let files = read_folder(&folder).unwrap();
        assert_eq!((files.tenant.as_str(), files.problems.len()), ("diku", 0));
        for (kind, records) in &written {
            let (_, sent) = files.kinds.iter().find(|(read, _)| read.name == kind.name).unwrap();
            let mut sent: Vec<&Value> = sent.iter().map(|sent| &sent.document).collect();
            sent.sort_by_key(|document| document["id"].to_string());
            assert_eq!(sent, records.iter().map(|record| &record.document).collect::<Vec<_>>());
        }
        assert!(folder.join("templates/due-soon.en.html").exists());
        write_folder(&folder, "diku", &kinds(Vec::new(), "")).unwrap();
        assert!(!folder.join("templates/due-soon.en.html").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_that_cannot_be_meant_are_named() {
        let folder = folder("meant");
        write_folder(
            &folder,
            "diku",
            &[(kind_by_name("templates").unwrap(), vec![template("a", "Due", "t")])],
        )
        .unwrap();
        for (file, text) in [
            ("loan-tipes.json", "[]"),
            ("loan-types.json", "{"),
            ("templates/stray.html", "x"),
            ("templates/away.json", "{\"a\": {\"textFile\": \"../secret\"}}"),
        ] {
            fs::write(folder.join(file), text).unwrap();
        }
        let problems = read_folder(&folder).unwrap().problems.join("\n");
        for part in [
            "loan-tipes.json: no kind",
            "loan-types.json cannot be read",
            "stray.html: no record",
            "../secret is no name",
        ] {
            assert!(problems.contains(part), "{part}: {problems}");
        }
        fs::write(folder.join(MANIFEST), "{\"format\": 2}").unwrap();
        assert!(read_folder(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn other_files_are_not_written_among() {
        let folder = folder("among");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("thesis.txt"), "").unwrap();
        assert!(write_folder(&folder, "diku", &[]).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
