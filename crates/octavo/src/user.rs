//! `octavo user`: what an operator does about people on the machine itself, also while Octavo runs there.
//!
//! Passwords are read from standard input: an argument would stand in the list of processes.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Arg, ArgMatches, Command};
use octavo_engine::{Context, Platform};
use octavo_kernel::Fault;
use octavo_modules::administrator::create_administrator;
use octavo_modules::{login, operator as token};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use crate::config::{self, Settings};
use crate::log::{self, LogFormat};
use crate::operator;
use crate::serve::print_line;
use crate::start::{self, clock};

pub(crate) fn command() -> Command {
    let about_somebody = |name: &'static str, about: &'static str| {
        let tenant = Arg::new("tenant").long("tenant").value_name("TENANT").required(true);
        let username = Arg::new("username").value_name("USERNAME").required(true);
        config::add_setting_args(
            Command::new(name)
                .about(about)
                .arg(tenant.help("The tenant whose user it is"))
                .arg(username.help("The name that the user logs in with")),
        )
    };
    Command::new("user")
        .about("Unlock users, set passwords, make administrators and the operator's token")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(about_somebody("unlock", "Let a user log in again who was blocked after wrong passwords"))
        .subcommand(about_somebody("password", "Set a user's password, read from standard input; ends the user's sessions"))
        .subcommand(about_somebody(
            "create-administrator",
            "Make a user who may do everything in a tenant, with a password read from standard input",
        ))
        .subcommand(config::add_setting_args(Command::new("create-operator").about(
            "Make a new operator's token; the one before ends. It goes into the data folder, with a database elsewhere to standard output",
        )))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let Some((action, flags)) = flags.subcommand() else { return Ok(()) };
    let settings = config::load(flags)?.settings;
    log::to_stderr("warn", LogFormat::Text)?;
    let given = |name: &str| flags.try_get_one::<String>(name).ok().flatten().cloned().unwrap_or_default();
    let (tenant, username) = (given("tenant"), given("username"));
    let password = match action {
        "password" | "create-administrator" => read_password()?,
        _ => String::new(),
    };
    start::with_platform_of(
        &settings,
        start::open_database_beside_server(&settings),
        &tenant,
        async |platform| match action {
            "create-operator" => create_operator(&platform, &settings).await,
            _ => change_user(&platform, action, &tenant, &username, &password).await,
        },
    )
}

async fn change_user(
    platform: &Platform,
    action: &str,
    tenant: &str,
    username: &str,
    password: &str,
) -> Result<()> {
    let context = Context::for_server_task(platform, tenant, clock()).await.map_err(fault_to_error)?;
    let (found, done) = match action {
        "unlock" => (login::unlock(&context, username).await, "may log in again"),
        "password" => {
            (login::set_password(&context, username, password).await, "has a new password and no session")
        }
        _ => (
            create_administrator(&context, username, password, None).await.map(Some),
            "was made and may do everything in the tenant",
        ),
    };
    match found.map_err(fault_to_error)? {
        Some(_) => print_line(&format!("{username} of tenant {tenant} {done}")),
        None => bail!("tenant {tenant} has no user {username}"),
    }
    Ok(())
}

async fn create_operator(platform: &Platform, settings: &Settings) -> Result<()> {
    let token = token::new_token(platform).await.map_err(fault_to_error)?;
    if settings.database_url.is_some() {
        print_line(&token);
    } else {
        let path = operator::write_token(&settings.data_dir, &token)?;
        print_line(&format!("The operator's token is in {}", path.display()));
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` hands over")]
pub(crate) fn fault_to_error(fault: Fault) -> anyhow::Error {
    anyhow!(fault.to_string())
}

/// Reads one line from standard input; on a terminal it is not shown while it is typed.
pub(crate) fn read_password() -> Result<String> {
    let stdin = std::io::stdin();
    let before = match stdin.is_terminal() {
        true => Some(tcgetattr(&stdin).context("the terminal can't be asked for a password")?),
        false => None,
    };
    if let Some(before) = &before {
        let mut unseen = before.clone();
        unseen.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Flush, &unseen)?;
        eprint!("Password: ");
        std::io::stderr().flush()?;
    }
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    if let Some(before) = &before {
        tcsetattr(&stdin, OptionalActions::Flush, before)?;
        eprintln!();
    }
    read.context("no password can be read from standard input")?;
    let password = line.trim_end_matches(['\n', '\r']);
    if password.is_empty() {
        bail!("the password is empty: type one, or send one line to standard input");
    }
    Ok(password.to_owned())
}
