//! Flags that the benchmarks have in common.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, value_parser};

pub(crate) fn number(
    name: &'static str,
    default: &'static str,
    range: RangeInclusive<i64>,
    help: &'static str,
) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("NUMBER")
        .default_value(default)
        .value_parser(value_parser!(u32).range(range))
        .help(help)
}

pub(crate) fn given(flags: &ArgMatches, name: &str) -> u32 {
    flags.get_one::<u32>(name).copied().unwrap_or_default()
}

pub(crate) fn program() -> Arg {
    Arg::new("program")
        .long("program")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("The Octavo that is measured, of the same version [default: this one]")
}

pub(crate) fn measured_program(flags: &ArgMatches) -> Result<PathBuf> {
    Ok(match flags.get_one::<PathBuf>("program") {
        Some(program) => program.clone(),
        None => std::env::current_exe()?,
    })
}
