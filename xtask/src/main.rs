//! The project's own tools, run as `cargo xtask <name>`. They read the tree and print; they change nothing.

#![expect(clippy::print_stdout, reason = "printing is what these tools are for")]

mod advisories;
mod deny;
mod tidy;
mod tree;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask tidy    small files, whole links, arrows that point down; rules in xtask/tidy.toml
cargo xtask deny    licences, banned and duplicate crates, registries; rules in deny.toml
cargo xtask advisories    known weaknesses of the crates, by the RustSec database; exceptions in deny.toml";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let problems = match task.as_deref() {
        Some("tidy") => tidy::run(&tree::root()),
        Some("deny") => deny::run(&tree::root()),
        Some("advisories") => advisories::run(&tree::root()),
        _ => {
            println!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match problems {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
