//! What an operator can set. Each setting is declared once, in `settings.rs`; from there come its flag, its
//! environment variable, its key in `octavo.toml`, its check, `octavo config` and `docs/configuration.md`.
//!
//! Pure but for [`load`], which reads the process's environment and the file.

mod file;
mod found;
mod kind;
pub(crate) mod mask;
mod render;
mod resolve;
mod setting;
mod settings;
mod surroundings;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command};
use octavo_lab::flags::switch;

pub(crate) use file::SettingsFile;
pub(crate) use render::manual_entries;
pub(crate) use resolve::{Resolved, resolve};
pub(crate) use settings::Settings;
pub(crate) use surroundings::ProcessEnvironment;

/// The flags that name the file of settings and every setting.
pub(crate) fn add_setting_args(command: Command) -> Command {
    let file = Arg::new(file::FLAG)
        .long(file::FLAG)
        .value_name("FILE")
        .help_heading("Settings")
        .help(format!("Read settings from this file [default: {}, else {}]", file::NAME, file::SYSTEM_PATH));
    let settings = settings::ALL.iter().map(|setting| {
        Arg::new(setting.name)
            .long(setting.name)
            .value_name(setting.value_name)
            .help_heading("Settings")
            .help(format!("{} [default: {}]", setting.doc, setting.default.description()))
    });
    command.arg(file).args(settings)
}

/// Settings of this process, from everywhere that they can come from.
pub(crate) fn load(flags: &ArgMatches) -> Result<Resolved> {
    let surroundings = ProcessEnvironment::of_process();
    let file = match file::config_path(flags, &surroundings) {
        file::ConfigPath::Required(path) => Some(read_file(path)?),
        file::ConfigPath::Optional(path) if path.exists() => Some(read_file(path)?),
        file::ConfigPath::Optional(_) => system_file(),
    };
    Ok(resolve(flags, &surroundings, file.as_ref())?)
}

/// The settings file of the installed service, if this user may read it.
fn system_file() -> Option<SettingsFile> {
    let path = PathBuf::from(file::SYSTEM_PATH);
    std::fs::read_to_string(&path).ok().map(|text| SettingsFile { path, text })
}

fn read_file(path: PathBuf) -> Result<SettingsFile> {
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    Ok(SettingsFile { path, text })
}

/// `octavo config`
pub(crate) fn command() -> Command {
    let markdown = switch("markdown", "Print the page of all settings, docs/configuration.md, instead");
    let file =
        switch("file", "Print a file of all settings with their defaults, none of them in force, instead");
    add_setting_args(
        Command::new("config")
            .about("Print every setting, its value and where that comes from")
            .arg(markdown)
            .arg(file.conflicts_with("markdown")),
    )
}

/// The text that `octavo config` prints.
pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    match (flags.get_flag("markdown"), flags.get_flag("file")) {
        (true, _) => Ok(render::markdown_page()),
        (_, true) => Ok(render::example_file()),
        _ => Ok(render::settings_table(&load(flags)?)),
    }
}
