//! Which value holds: a flag before the environment, the environment before the file, the file before the default.

use clap::ArgMatches;

use super::file::{self, SettingsFile};
use super::found::{Found, Problems, Value};
use super::mask::mask_passwords;
use super::setting::{Default, Setting};
use super::settings::{self, Settings};
use super::surroundings::ProcessEnvironment;

/// The settings, and for each where it comes from.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) settings: Settings,
    /// Environment variables that begin with `OCTAVO_` and are no settings. They are written to the log.
    pub(crate) warnings: Vec<String>,
    pub(super) found: Found,
}

/// This function is pure: everything that it depends on is an argument.
pub(crate) fn resolve(
    flags: &ArgMatches,
    surroundings: &ProcessEnvironment,
    file: Option<&SettingsFile>,
) -> Result<Resolved, Problems> {
    let (entries, mut problems) = file.map(SettingsFile::entries).unwrap_or_default();
    let mut found = Found::default();
    for setting in settings::ALL {
        let entry = entries.iter().find(|entry| entry.name == setting.name);
        let of_file = || {
            entry
                .zip(file)
                .map(|(entry, file)| Value { raw: entry.raw.clone(), origin: file.location(entry.line) })
        };
        let value = value_from_flag(flags, setting)
            .or_else(|| value_from_environment(surroundings, setting))
            .or_else(of_file)
            .or_else(|| default_value(surroundings, setting));
        let Some(value) = value else { continue };
        if !(setting.accepts)(&value.raw) {
            let shown = if setting.secret { mask_passwords(&value.raw) } else { value.raw.clone() };
            let (name, must_be) = (setting.name, setting.must_be);
            problems.push(format!("{}: {name} must be {must_be}, not {shown:?}", value.origin));
        }
        found.insert(setting.name, value);
    }
    if !problems.is_empty() {
        return Err(Problems(problems));
    }
    Ok(Resolved { settings: Settings::from_found(&found)?, warnings: unknown_variables(surroundings), found })
}

fn value_from_flag(flags: &ArgMatches, setting: &Setting) -> Option<Value> {
    let raw = flags.try_get_one::<String>(setting.name).ok().flatten()?;
    Some(Value { raw: raw.clone(), origin: setting.flag() })
}

fn value_from_environment(surroundings: &ProcessEnvironment, setting: &Setting) -> Option<Value> {
    let origin = setting.variable();
    surroundings.variable(&origin).map(|raw| Value { raw: raw.into(), origin })
}

fn default_value(surroundings: &ProcessEnvironment, setting: &Setting) -> Option<Value> {
    let raw = match setting.default {
        Default::Is(raw) => raw.to_owned(),
        Default::Depends(_, of) => of(surroundings),
        Default::Unset(_) => return None,
    };
    Some(Value { raw, origin: "default".into() })
}

/// Environment variables that begin with `OCTAVO_` and name no setting, mostly because of a typing error.
fn unknown_variables(surroundings: &ProcessEnvironment) -> Vec<String> {
    let known =
        |name: &str| name == file::VARIABLE || settings::ALL.iter().any(|setting| setting.variable() == name);
    let strangers = surroundings.variables.keys().filter(|name| !known(name));
    let strangers = strangers.filter_map(|name| Some((name, name.strip_prefix("OCTAVO_")?)));
    let warnings = strangers.map(|(name, rest)| match file::nearest_setting_name(rest) {
        Some(setting) => format!("{name} sets nothing; did you mean {}?", variable_name(setting)),
        None => format!("{name} sets nothing; `octavo config` lists what does"),
    });
    warnings.collect()
}

fn variable_name(name: &str) -> String {
    let named = settings::ALL.iter().find(|setting| setting.name == name);
    named.map_or_else(String::new, Setting::variable)
}
