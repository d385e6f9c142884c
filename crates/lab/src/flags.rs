//! Arguments that commands have in common.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, value_parser};

/// `--name VALUE`
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// `--name PATH`
pub fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    option(name, value, help).value_parser(value_parser!(PathBuf))
}

/// `--name NUMBER`, a whole number within bounds; [`number_value`] returns its value.
pub fn number(
    name: &'static str,
    default: &'static str,
    range: RangeInclusive<i64>,
    help: &'static str,
) -> Arg {
    option(name, "NUMBER", help).default_value(default).value_parser(value_parser!(u32).range(range))
}

pub fn number_value(flags: &ArgMatches, name: &str) -> u32 {
    flags.get_one::<u32>(name).copied().unwrap_or_default()
}

/// `--name`
pub fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// A file that a command is given without a flag.
pub(crate) fn file(value: &'static str, help: &'static str) -> Arg {
    Arg::new("file").required(true).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
}

/// The path of an argument that is required or has a default.
pub(crate) fn path_value(flags: &ArgMatches, name: &str) -> PathBuf {
    flags.get_one::<PathBuf>(name).cloned().unwrap_or_default()
}
