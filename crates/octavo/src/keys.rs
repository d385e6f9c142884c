//! `octavo keys`: what an operator does about the keys that sign tokens, also while Octavo runs.

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Keys, Platform, TokenKey};

use crate::config::{self, Settings};
use crate::log::{self, LogFormat};
use crate::operator;
use crate::serve::print_line;
use crate::start::{self, clock};
use crate::user::fault_to_error;

/// The number of seconds after which a token of an external module ends (`module_tokens`).
const MODULE_TOKEN_SECONDS: u64 = 86_400;

pub(crate) fn command() -> Command {
    let number = Arg::new("number").value_name("KEY").required(true).value_parser(value_parser!(i64));
    let about =
        |name: &'static str, about: &'static str| config::add_setting_args(Command::new(name).about(about));
    Command::new("keys")
        .about("List, replace and end the keys that sign tokens")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(about("list", "Print the keys whose tokens are accepted, the newest first"))
        .subcommand(about(
            "rotate",
            "Make a new key, which signs a minute later; tokens of the keys before are accepted until those are ended",
        ))
        .subcommand(
            about("end", "Refuse the tokens of a key from now on; those who hold one have to log in anew")
                .arg(number.help("The number of the key, as `octavo keys list` prints it")),
        )
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let Some((action, flags)) = flags.subcommand() else { return Ok(()) };
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    start::with_platform(&settings, start::open_database_beside_server(&settings), async |platform| {
        match action {
            "rotate" => rotate(&platform).await,
            "end" => end(&platform, &settings, *flags.get_one("number").unwrap_or(&0)).await,
            _ => list(&platform, &settings).await,
        }
    })
}

async fn list(platform: &Platform, settings: &Settings) -> Result<()> {
    let keys = platform.token_keys.get().await.map_err(fault_to_error)?;
    print_line(&key_lines(&keys, settings.refresh_token.as_secs().max(MODULE_TOKEN_SECONDS)));
    Ok(())
}

/// A line for each key. A token ends at most `longest` seconds after the last moment at which its key signed.
fn key_lines(keys: &Keys, longest: u64) -> String {
    let mut lines =
        vec![format!("{:>3}  {:<20}  {:<20}  {}", "key", "signs from", "until", "its log-ins last until")];
    let mut next: Option<&TokenKey> = None;
    for key in keys.list_keys() {
        let until = next.map_or("now".to_owned(), |next| format_second(next.signs));
        let last =
            next.map_or(String::new(), |next| format_second(next.signs.saturating_add_unsigned(longest)));
        let line = format!("{:>3}  {:<20}  {until:<20}  {last}", key.number, format_second(key.signs));
        lines.push(line.trim_end().to_owned());
        next = Some(key);
    }
    lines.join("\n")
}

fn format_second(second: i64) -> String {
    Timestamp::UNIX_EPOCH
        .checked_add(SignedDuration::from_secs(second))
        .map_or(String::new(), |at| at.to_string())
}

async fn rotate(platform: &Platform) -> Result<()> {
    let Some(number) = platform.token_keys.rotate().await.map_err(fault_to_error)? else {
        bail!("there are as many keys as there may be: end an old one first, with `octavo keys end`");
    };
    print_line(&format!("Key {number} signs all tokens from {} on", format_second(clock().as_second() + 60)));
    Ok(())
}

async fn end(platform: &Platform, settings: &Settings, number: i64) -> Result<()> {
    if platform.token_keys.delete_key(number).await.map_err(fault_to_error)?.is_none() {
        bail!("key {number} cannot be ended: there is none, or no later key signs yet");
    }
    print_line(&format!("Tokens that key {number} signed are refused from now on"));
    if settings.database_url.is_none() {
        return operator::ensure_token_file(platform, &settings.data_dir).await;
    }
    print_line("If it signed the operator's token, make a new one with `octavo user create-operator`");
    Ok(())
}
