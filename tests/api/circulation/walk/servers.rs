//! The servers that a walk goes through: two of this process, or programs, of this release or others, as processes.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use octavo_testkit::{Desk, Octavo, database_url, temporary_folder};

pub(super) enum Servers {
    /// The library's own server, and another one.
    Here(Box<Octavo>),
    /// In the order of their names.
    Programs(Vec<Program>),
}

/// A program that serves the database of the tests until it is dropped.
pub(super) struct Program {
    child: Child,
    folder: PathBuf,
    address: SocketAddr,
}

impl Servers {
    /// `programs` are paths with commas between them.
    pub(super) async fn start(programs: Option<String>) -> Servers {
        let Some(programs) = programs else { return Servers::Here(Box::new(Octavo::start_another().await)) };
        let url = database_url().await;
        Servers::Programs(programs.split(',').map(|program| Program::start(program, &url)).collect())
    }

    /// The desk of a client; clients take the servers in turns.
    pub(super) fn desk(&self, desk: &Desk, client: usize) -> Desk {
        match self {
            Servers::Here(other) if client.is_multiple_of(2) => desk.through(other),
            Servers::Here(_) => desk.clone(),
            Servers::Programs(programs) => desk.at_another_release(programs[client % programs.len()].address),
        }
    }
}

impl Program {
    fn start(program: &str, url: &str) -> Program {
        let folder = temporary_folder("walk");
        let help = Command::new(program).args(["serve", "--help"]).output().expect("a program");
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--database-url", url, "--data-dir"]).arg(&folder);
        if String::from_utf8_lossy(&help.stdout).contains("--open-tenants") {
            command.args(["--open-tenants", "on"]);
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a program");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut said).expect("its output");
        let address = said.trim().strip_prefix("Octavo answers on http://").expect("it starts");
        eprintln!("{program} answers on {address}");
        Program { address: address.parse().expect("its address"), child, folder }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
