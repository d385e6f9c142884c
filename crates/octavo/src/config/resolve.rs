//! Which value holds: a flag before the environment, the environment before the file, the file before the default.

use clap::ArgMatches;

use super::file::{self, SettingsFile};
use super::found::{Found, Problems, Value};
use super::mask::mask;
use super::setting::{Default, Setting};
use super::settings::{self, Settings};
use super::surroundings::Surroundings;

/// The settings, and for each where it comes from.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) settings: Settings,
    /// Variables that look like settings and are none: for the log.
    pub(crate) warnings: Vec<String>,
    pub(super) found: Found,
}

/// Pure: everything that bears on the settings is an argument.
pub(crate) fn resolve(
    flags: &ArgMatches,
    surroundings: &Surroundings,
    file: Option<&SettingsFile>,
) -> Result<Resolved, Problems> {
    let (entries, mut problems) = file.map(SettingsFile::entries).unwrap_or_default();
    let mut found = Found::default();
    for setting in settings::ALL {
        let entry = entries.iter().find(|entry| entry.name == setting.name);
        let of_file = || {
            entry.zip(file).map(|(entry, file)| Value { raw: entry.raw.clone(), origin: file.at(entry.line) })
        };
        let value = of_flag(flags, setting)
            .or_else(|| of_environment(surroundings, setting))
            .or_else(of_file)
            .or_else(|| of_default(surroundings, setting));
        let Some(value) = value else { continue };
        if !(setting.accepts)(&value.raw) {
            let shown = if setting.secret { mask(&value.raw) } else { value.raw.clone() };
            let (name, must_be) = (setting.name, setting.must_be);
            problems.push(format!("{}: {name} must be {must_be}, not {shown:?}", value.origin));
        }
        found.insert(setting.name, value);
    }
    if !problems.is_empty() {
        return Err(Problems(problems));
    }
    Ok(Resolved { settings: Settings::from_found(&found)?, warnings: strangers(surroundings), found })
}

fn of_flag(flags: &ArgMatches, setting: &Setting) -> Option<Value> {
    let raw = flags.try_get_one::<String>(setting.name).ok().flatten()?;
    Some(Value { raw: raw.clone(), origin: setting.flag() })
}

fn of_environment(surroundings: &Surroundings, setting: &Setting) -> Option<Value> {
    let origin = setting.variable();
    surroundings.variable(&origin).map(|raw| Value { raw: raw.into(), origin })
}

fn of_default(surroundings: &Surroundings, setting: &Setting) -> Option<Value> {
    let raw = match setting.default {
        Default::Is(raw) => raw.to_owned(),
        Default::Depends(_, of) => of(surroundings),
        Default::Unset(_) => return None,
    };
    Some(Value { raw, origin: "default".into() })
}

/// `OCTAVO_` variables that set nothing: mostly a slip of the pen.
fn strangers(surroundings: &Surroundings) -> Vec<String> {
    let known =
        |name: &str| name == file::VARIABLE || settings::ALL.iter().any(|setting| setting.variable() == name);
    let strangers = surroundings.environment.keys().filter(|name| !known(name));
    let strangers = strangers.filter_map(|name| Some((name, name.strip_prefix("OCTAVO_")?)));
    let warnings = strangers.map(|(name, rest)| match file::nearest(rest) {
        Some(setting) => format!("{name} sets nothing; did you mean {}?", variable(setting)),
        None => format!("{name} sets nothing; `octavo config` lists what does"),
    });
    warnings.collect()
}

fn variable(name: &str) -> String {
    let named = settings::ALL.iter().find(|setting| setting.name == name);
    named.map_or_else(String::new, Setting::variable)
}
