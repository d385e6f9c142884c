//! A private PostgreSQL that runs, as its own clients and its superuser reach it: for backups.

use std::path::{Path, PathBuf};
use std::process::Command;

use tokio_postgres::Config;

use super::error::EmbeddedError;
use super::installation::{Installation, Version};
use super::{OCTAVO, binaries, cluster, login, settings, socket_of_running, user};

#[derive(Debug, Clone)]
pub struct Reached {
    pub(super) socket_dir: PathBuf,
    pub(super) installation: Installation,
}

impl Reached {
    /// The PostgreSQL that another process runs on a data folder; `None` where none does.
    pub fn running(data_dir: &Path, binaries: Option<&Path>) -> Result<Option<Reached>, EmbeddedError> {
        let Some(socket_dir) = socket_of_running(data_dir) else { return Ok(None) };
        let cluster = data_dir.join("postgres");
        let installation = binaries::choose(binaries, &cluster, cluster::made_by(&cluster)?)?;
        Ok(Some(Reached { socket_dir, installation }))
    }

    pub fn version(&self) -> Version {
        self.installation.version
    }

    /// How to connect to Octavo's database as the superuser.
    pub fn superuser(&self) -> Config {
        login(&self.socket_dir, cluster::SUPERUSER, OCTAVO)
    }

    /// The same as libpq reads it.
    pub fn address(&self) -> String {
        let folder = self.socket_dir.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
        let (port, user) = (settings::PORT, cluster::SUPERUSER);
        format!("host='{folder}' port={port} user={user} dbname={OCTAVO}")
    }

    /// One of PostgreSQL's own clients, with the arguments by which it reaches this server as the superuser. It runs as
    /// Octavo's own user, without PostgreSQL's variables in its environment.
    pub fn client(&self, name: &str) -> Command {
        let mut command = user::command(&binaries::client(&self.installation.folder, name), None);
        command.arg("-h").arg(&self.socket_dir).args([
            "-p",
            &settings::PORT.to_string(),
            "-U",
            cluster::SUPERUSER,
        ]);
        command.arg("--no-password").env("LC_ALL", "C").env("PGAPPNAME", "octavo backup");
        command
    }

    /// A program of PostgreSQL's that needs no server.
    pub fn program(&self, name: &str) -> Command {
        program(&self.installation, name)
    }
}

/// One of PostgreSQL's own programs, for data that version `major` made.
pub fn program_for(binaries: Option<&Path>, major: u32, name: &str) -> Result<Command, EmbeddedError> {
    let installation = binaries::choose(binaries, Path::new("the backup"), Some(major))?;
    Ok(program(&installation, name))
}

fn program(installation: &Installation, name: &str) -> Command {
    let mut command = user::command(&binaries::client(&installation.folder, name), None);
    command.env("LC_ALL", "C");
    command
}
