//! The pages of the manual, in the form that `man` reads, and the completions of shells, both from the command line and the settings
//! as they are declared.

use std::fmt::Write;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::config;

/// The heading of the flags that are settings: they have a page of their own.
const SETTINGS_HEADING: &str = "Settings";

pub(crate) fn command() -> Command {
    let page = Arg::new("page").value_name("PAGE").value_parser(["octavo", "octavo.toml"]);
    Command::new("manual")
        .about("Print a page of the manual for man(1)")
        .arg(page.default_value("octavo").help("The page: the commands, or the file of settings"))
}

pub(crate) fn run(flags: &ArgMatches, octavo: &Command) -> String {
    match flags.get_one::<String>("page").map(String::as_str) {
        Some("octavo.toml") => settings_page(),
        _ => commands_page(octavo),
    }
}

pub(crate) fn completions() -> Command {
    let shell = Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell));
    Command::new("completions")
        .about("Print what a shell needs to complete Octavo's commands")
        .arg(shell.help("The shell"))
}

pub(crate) fn complete(flags: &ArgMatches, mut octavo: Command) -> String {
    let Some(shell) = flags.get_one::<Shell>("shell") else { return String::new() };
    let mut text = Vec::new();
    clap_complete::generate(*shell, &mut octavo, "octavo", &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn commands_page(octavo: &Command) -> String {
    let mut page = head("OCTAVO", 1, "User Commands");
    let about = octavo.get_about().map(ToString::to_string).unwrap_or_default();
    section(&mut page, "NAME", &format!("octavo \\- {}\n", escape_roff(&about)));
    section(&mut page, "SYNOPSIS", ".B octavo\n.I COMMAND\n.RI [ OPTIONS ]\n");
    let mut all = String::new();
    describe_command(octavo, "octavo", &mut all);
    section(&mut page, "COMMANDS", &all);
    section(
        &mut page,
        "SETTINGS",
        "A command that works on a library takes each setting of\n.BR octavo.toml (5)\nas a flag, such as\n.BR \\-\\-data\\-dir ,\n\
         and reads the same variables and files.\n",
    );
    section(
        &mut page,
        "EXIT STATUS",
        "0 if all is done; 1 after an error, which is told on standard error; 2 if what the command looks for is there: differences \
         that\n.B octavo config plan\nwould remove, problems that\n.B octavo doctor\nhas found.\n",
    );
    section(
        &mut page,
        "FILES",
        ".TP\n.I /etc/octavo/octavo.toml\nThe settings of the service.\n.TP\n.I /var/lib/octavo\nThe data of the service: the database, \
         its log, and the operator's token.\n",
    );
    section(&mut page, "SEE ALSO", ".BR octavo.toml (5),\n.BR systemctl (1),\n.BR journalctl (1)\n");
    page
}

fn settings_page() -> String {
    let mut page = head("OCTAVO.TOML", 5, "File Formats");
    section(&mut page, "NAME", "octavo.toml \\- settings of Octavo\n");
    section(
        &mut page,
        "DESCRIPTION",
        "Octavo runs without any settings. One is looked for in the flags of a command, then in the variables of the environment, then \
         in the file that the flag\n.B \\-\\-config\nor the variable OCTAVO_CONFIG names, else in\n.I octavo.toml\nin the folder where \
         Octavo is started, else in\n.IR /etc/octavo/octavo.toml .\nThe file is TOML: a line for each setting, with text in \
         quotes.\n.PP\n.B octavo config\nprints each setting, its value and where that comes from.\n",
    );
    let mut all = String::new();
    for (name, value, text) in config::manual_entries() {
        entry(&mut all, &format!("\\fB{}\\fR = \\fI{}\\fR", escape_roff(name), escape_roff(value)), &text);
    }
    section(&mut page, "SETTINGS", &all);
    section(&mut page, "SEE ALSO", ".BR octavo (1)\n");
    page
}

fn head(name: &str, part: u8, title: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(".TH {name} {part} \"\" \"Octavo {version}\" \"{title}\"\n")
}

fn section(page: &mut String, title: &str, text: &str) {
    let _ = write!(page, ".SH {title}\n{text}");
}

fn entry(page: &mut String, term: &str, text: &str) {
    let _ = write!(page, ".TP\n{term}\n{}\n", escape_roff(text));
}

/// A command that does something, then those under it.
fn describe_command(command: &Command, path: &str, page: &mut String) {
    if !command.is_subcommand_required_set() {
        let mut line = format!("\\fB{}\\fR", escape_roff(path));
        let own: Vec<&Arg> = command.get_arguments().filter(|arg| is_own(arg)).collect();
        for arg in &own {
            let _ = write!(line, " {}", usage(arg));
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = write!(page, ".SS {line}\n{}.\n", escape_roff(&about));
        for arg in own {
            entry(page, &flag_with_value(arg), &arg.get_help().map(ToString::to_string).unwrap_or_default());
        }
    }
    for below in command.get_subcommands() {
        describe_command(below, &format!("{path} {}", below.get_name()), page);
    }
}

fn is_own(arg: &Arg) -> bool {
    arg.get_help_heading() != Some(SETTINGS_HEADING) && !arg.is_hide_set()
}

fn usage(arg: &Arg) -> String {
    if arg.is_required_set() { flag_with_value(arg) } else { format!("[{}]", flag_with_value(arg)) }
}

/// `--tenant TENANT`
fn flag_with_value(arg: &Arg) -> String {
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let name = || arg.get_id().as_str().to_uppercase();
    let value = arg.get_value_names().and_then(<[_]>::first).map_or_else(name, ToString::to_string);
    let value = format!("\\fI{}\\fR", escape_roff(&value));
    match arg.get_long() {
        Some(long) if takes_value => format!("\\fB{}\\fR {value}", escape_roff(&format!("--{long}"))),
        Some(long) => format!("\\fB{}\\fR", escape_roff(&format!("--{long}"))),
        None => value,
    }
}

/// Text as it is, whatever roff makes of some signs.
fn escape_roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\n', " ");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> String {
        let flags = command().try_get_matches_from(["manual", name]).unwrap();
        run(&flags, &crate::command())
    }

    #[test]
    fn the_page_of_commands_has_each_with_its_flags() {
        let page = page("octavo");
        for text in [
            ".TH OCTAVO 1 ",
            ".SS \\fBoctavo serve\\fR [\\fB\\-\\-demo\\fR]\n",
            ".SS \\fBoctavo user unlock\\fR \\fB\\-\\-tenant\\fR \\fITENANT\\fR \\fIUSERNAME\\fR\n",
            ".SS \\fBoctavo doctor\\fR ",
        ] {
            assert!(page.contains(text), "{text} is not in\n{page}");
        }
        assert!(!page.contains("\\-\\-max\\-body\\-size"), "settings have a page of their own");
        assert!(!page.contains(".SS \\fBoctavo user\\fR\n"), "no command of its own");
    }

    #[test]
    fn the_page_of_settings_has_each() {
        let page = page("octavo.toml");
        let names = config::manual_entries();
        assert!(names.len() > 40);
        for (name, ..) in names {
            assert!(page.contains(&format!(".TP\n\\fB{}\\fR = ", escape_roff(name))), "{name}");
        }
    }

    #[test]
    fn no_text_is_taken_for_a_request_of_roff() {
        for (text, expected) in
            [(".so /etc/passwd", "\\&.so /etc/passwd"), ("a\\b", "a\\eb"), ("'x", "\\&'x"), ("a-b", "a\\-b")]
        {
            assert_eq!(escape_roff(text), expected);
        }
    }

    #[test]
    fn each_shell_completes_commands_and_settings() {
        for shell in ["bash", "zsh", "fish"] {
            let flags = completions().try_get_matches_from(["completions", shell]).unwrap();
            let text = complete(&flags, crate::command());
            for word in ["doctor", "create-administrator", "database-url"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
        }
    }
}
