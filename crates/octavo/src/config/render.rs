//! Settings for people: as a table in the terminal, as the page `docs/configuration.md`.

use super::mask::mask_passwords;
use super::resolve::Resolved;
use super::setting::{Default, Setting};
use super::{file, settings};

/// Name, value and origin of every setting, in columns.
pub(super) fn settings_table(resolved: &Resolved) -> String {
    let mut rows = vec![["setting".to_owned(), "value".to_owned(), "from".to_owned()]];
    for setting in settings::ALL {
        let (value, origin) = match resolved.found.get(setting.name) {
            Some(value) if setting.secret => (mask_passwords(&value.raw), value.origin.clone()),
            Some(value) => (value.raw.clone(), value.origin.clone()),
            None => (format!("({})", setting.default.description()), "default".to_owned()),
        };
        rows.push([setting.name.to_owned(), value, origin]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (names, values) = (width(0), width(1));
    let lines =
        rows.iter().map(|[name, value, origin]| format!("{name:names$}  {value:values$}  {origin}\n"));
    lines.chain(resolved.warnings.iter().map(|warning| format!("{warning}\n"))).collect()
}

pub(super) fn markdown_page() -> String {
    let rows: String = settings::ALL.iter().map(markdown_row).collect();
    let example: String = settings::ALL.iter().map(example).collect();
    format!(
        "\
# Configuration

<!-- Written by `make generated` from crates/octavo/src/config/settings.rs. -->

Octavo runs without any configuration. A setting is looked for in this order, and the first place that has it wins:

1. the flag, such as `--max-body-size \"1 MiB\"`;
2. the environment variable, such as `OCTAVO_MAX_BODY_SIZE`; an empty one counts as not set;
3. the file that `--{flag}` or `{variable}` names, else `{name}` in the folder where Octavo is started, else `{system}`;
4. the default.

`octavo config` prints each setting, its value and where that comes from, with passwords masked, and variables that
begin with `OCTAVO_` but set nothing. What is wrong elsewhere, a misspelt key as much as a value that can't be, stops
Octavo at its start, and the message names the place.

| setting | variable | what it is | default |
|---|---|---|---|
{rows}
## All of them in a file

```toml
{example}```
",
        flag = file::FLAG,
        variable = file::VARIABLE,
        name = file::NAME,
        system = file::SYSTEM_PATH,
    )
}

/// An example settings file with all settings, each of them commented out.
pub(super) fn example_file() -> String {
    let entry = |setting: &Setting| {
        format!("# {}. It is {}.\n{}\n", setting.doc, setting.must_be, commented_out(&example(setting)))
    };
    let entries: String = settings::ALL.iter().map(entry).collect();
    format!("# Settings of Octavo with their defaults.\n\n{entries}")
}

fn commented_out(line: &str) -> String {
    if line.starts_with('#') { line.to_owned() } else { format!("#{line}") }
}

/// The settings for a page of the manual: name, name of the value, what it is, and its default.
pub(crate) fn manual_entries() -> Vec<(&'static str, &'static str, String)> {
    let entry = |setting: &Setting| {
        let (doc, must_be, default) = (setting.doc, setting.must_be, setting.default.description());
        let variable = setting.variable();
        let text = format!("{doc}. It is {must_be}. Variable: {variable}. Default: {default}.");
        (setting.name, setting.value_name, text)
    };
    settings::ALL.iter().map(entry).collect()
}

fn markdown_row(setting: &Setting) -> String {
    let default = match setting.default {
        Default::Is(value) => format!("`{value}`"),
        other => other.description().to_owned(),
    };
    let must_be = setting.must_be;
    format!(
        "| `{}` | `{}` | {}. It is {must_be}. | {default} |\n",
        setting.name,
        setting.variable(),
        setting.doc
    )
}

fn example(setting: &Setting) -> String {
    let value = match setting.default {
        Default::Is(value) if value.parse::<u64>().is_ok() => value.to_owned(),
        Default::Is(value) => format!("\"{value}\""),
        other => return format!("# {} = \"...\"  # {}\n", setting.name, other.description()),
    };
    format!("{} = {value}\n", setting.name)
}
