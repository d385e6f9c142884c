//! How PostgreSQL's own clients and the superuser reach a private PostgreSQL that runs: for backups.

use std::path::{Path, PathBuf};
use std::process::Command;

use tokio_postgres::Config;

use super::error::EmbeddedError;
use super::installation::{Installation, Version};
use super::{OCTAVO, binaries, cluster, login, settings, socket_of_running, user};

#[derive(Debug, Clone)]
pub struct RunningServer {
    pub(super) socket_dir: PathBuf,
    pub(super) installation: Installation,
}

impl RunningServer {
    /// The PostgreSQL that another process runs on a data folder; `None` where none does.
    pub fn find(data_dir: &Path, binaries: Option<&Path>) -> Result<Option<RunningServer>, EmbeddedError> {
        let Some(socket_dir) = socket_of_running(data_dir) else { return Ok(None) };
        let cluster = data_dir.join("postgres");
        let installation = binaries::choose_installation(binaries, &cluster, cluster::made_by(&cluster)?)?;
        Ok(Some(RunningServer { socket_dir, installation }))
    }

    pub fn version(&self) -> Version {
        self.installation.version
    }

    /// How to connect to Octavo's database as the superuser.
    pub fn superuser_config(&self) -> Config {
        login(&self.socket_dir, cluster::SUPERUSER, OCTAVO)
    }

    /// The superuser's connection string, as libpq reads it.
    pub fn superuser_address(&self) -> String {
        let folder = self.socket_dir.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
        let (port, user) = (settings::PORT, cluster::SUPERUSER);
        format!("host='{folder}' port={port} user={user} dbname={OCTAVO}")
    }

    /// One of PostgreSQL's own clients, with the arguments by which it reaches this server as the superuser. It runs as
    /// Octavo's own user, without PostgreSQL's variables in its environment.
    pub fn client_command(&self, name: &str) -> Command {
        let mut command = user::command(&binaries::client_program(&self.installation.folder, name), None);
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
    pub fn program_command(&self, name: &str) -> Command {
        plain_command(&self.installation, name)
    }
}

/// One of PostgreSQL's own programs, for data that version `major` made.
pub fn program_for(binaries: Option<&Path>, major: u32, name: &str) -> Result<Command, EmbeddedError> {
    let installation = binaries::choose_installation(binaries, Path::new("the backup"), Some(major))?;
    Ok(plain_command(&installation, name))
}

fn plain_command(installation: &Installation, name: &str) -> Command {
    let mut command = user::command(&binaries::client_program(&installation.folder, name), None);
    command.env("LC_ALL", "C");
    command
}
