//! `octavo.toml`: where it is, and what it says line by line.

use std::path::PathBuf;

use clap::ArgMatches;
use toml::de::{DeTable, DeValue};

use super::setting::Setting;
use super::{ProcessEnvironment, settings};

pub(super) const FLAG: &str = "config";
pub(super) const VARIABLE: &str = "OCTAVO_CONFIG";
pub(super) const NAME: &str = "octavo.toml";
/// Where a package of a distribution puts the file.
pub(super) const SYSTEM_PATH: &str = "/etc/octavo/octavo.toml";

/// A file of settings that was read.
#[derive(Debug, Clone)]
pub(crate) struct SettingsFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

#[derive(Debug, PartialEq)]
pub(super) enum ConfigPath {
    /// A flag or a variable names the file: it must exist.
    Required(PathBuf),
    /// A usual path: the file may be missing.
    Optional(PathBuf),
}

pub(super) fn config_path(flags: &ArgMatches, surroundings: &ProcessEnvironment) -> ConfigPath {
    let flag = flags.try_get_one::<String>(FLAG).ok().flatten().map(String::as_str);
    match flag.or(surroundings.variable(VARIABLE)) {
        Some(path) => ConfigPath::Required(path.into()),
        None => ConfigPath::Optional(NAME.into()),
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub name: &'static str,
    pub raw: String,
    /// The number of the line, from 1.
    pub line: usize,
}

impl SettingsFile {
    /// The settings in the file, and its mistakes, each with its line.
    pub(super) fn entries(&self) -> (Vec<Entry>, Vec<String>) {
        let table = match DeTable::parse(&self.text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let line = error.span().map_or(1, |span| self.line_number(span.start));
                return (Vec::new(), vec![format!("{}: {}", self.location(line), error.message())]);
            }
        };
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        for (key, value) in &table {
            let line = self.line_number(key.span().start);
            let known = settings::ALL.iter().find(|setting| setting.name == key.get_ref());
            let known = known.ok_or_else(|| unknown_setting_message(key.get_ref()));
            match known.and_then(|setting| entry(setting, value.get_ref(), line)) {
                Ok(entry) => entries.push(entry),
                Err(problem) => problems.push(format!("{}: {problem}", self.location(line))),
            }
        }
        (entries, problems)
    }

    /// `octavo.toml:3`
    pub(super) fn location(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    fn line_number(&self, at: usize) -> usize {
        self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

fn entry(setting: &Setting, value: &DeValue<'_>, line: usize) -> Result<Entry, String> {
    let raw = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        other => {
            let (name, must_be) = (setting.name, setting.must_be);
            return Err(format!("{name} must be {must_be}, not of type {}", other.type_str()));
        }
    };
    Ok(Entry { name: setting.name, raw, line })
}

fn unknown_setting_message(key: &str) -> String {
    match nearest_setting_name(key) {
        Some(name) => format!("there is no setting {key}; did you mean {name}?"),
        None => format!("there is no setting {key}; `octavo config` lists them"),
    }
}

/// The setting whose name is like this one.
pub(super) fn nearest_setting_name(key: &str) -> Option<&'static str> {
    octavo_lab::nearest(key, settings::ALL.iter().map(|setting| setting.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Entry>, Vec<String>) {
        SettingsFile { path: "octavo.toml".into(), text: text.into() }.entries()
    }

    #[test]
    fn a_file_sets_text_and_numbers() {
        let (entries, problems) = read("# here\nlisten = \"0.0.0.0:80\"\n\ndatabase-connections = 3_2\n");
        let seen: Vec<(&str, &str, usize)> =
            entries.iter().map(|e| (e.name, e.raw.as_str(), e.line)).collect();
        assert_eq!(seen, [("database-connections", "32", 4), ("listen", "0.0.0.0:80", 2)]);
        assert_eq!(problems, [] as [&str; 0]);
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_likely_one() {
        for (text, problem) in [
            ("\nlistn = \"x\"", "octavo.toml:2: there is no setting listn; did you mean listen?"),
            (
                "max_body_size = 1",
                "octavo.toml:1: there is no setting max_body_size; did you mean max-body-size?",
            ),
            (
                "[database]\nurl = 1",
                "octavo.toml:1: there is no setting database; did you mean database-url?",
            ),
            ("colour = 1", "octavo.toml:1: there is no setting colour; `octavo config` lists them"),
        ] {
            assert_eq!(read(text).1, [problem]);
        }
    }

    #[test]
    fn a_value_of_a_wrong_type_says_what_it_must_be() {
        assert_eq!(
            read("log = \"info\"\nlisten = true\nmax-body-size = 1.5").1,
            [
                "octavo.toml:2: listen must be an IP address and a port, such as 127.0.0.1:9130, not of type boolean",
                "octavo.toml:3: max-body-size must be a number of bytes, such as 1048576 or \"1 MiB\", not of type float",
            ]
        );
    }

    #[test]
    fn what_is_no_toml_is_placed() {
        let (_, problems) = read("log = \"info\"\nlisten = = 1\n");
        assert!(problems[0].starts_with("octavo.toml:2: "), "{problems:?}");
        assert_eq!(problems.len(), 1);
    }
}
