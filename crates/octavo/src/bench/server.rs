//! The server under test: this same program as a child process.

use std::ffi::OsStr;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches};
use octavo_lab::clock;
use octavo_lab::flags::path;
use octavo_lab::http::{Address, Authorities};
use octavo_lab::load::Session;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// How often a starting server is asked: more often than the precision with which the start time is reported.
const POLL: Duration = Duration::from_millis(2);
const LONGEST_START: Duration = Duration::from_secs(60);
const LONGEST_STOP: Duration = Duration::from_secs(60);

/// Killed when dropped; `stop` is the orderly way.
pub(crate) struct Server {
    child: Child,
    pub(crate) pid: u32,
    pub(crate) address: Rc<Address>,
    /// The time from the start of the process to its first answer.
    pub(crate) started_in: Duration,
    log: PathBuf,
    program: PathBuf,
    database_url: String,
}

/// Files of a certificate, which counts as its own authority, and of its key.
pub(crate) struct Certificate {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

impl Server {
    pub(crate) async fn start(program: &Path, folder: &Path, database_url: &str) -> Result<Server> {
        Self::start_with(program, folder, database_url, None, &[]).await
    }

    /// With further settings; with a certificate and its key the server speaks TLS.
    pub(crate) async fn start_with(
        program: &Path,
        folder: &Path,
        database_url: &str,
        certificate: Option<&Certificate>,
        settings: &[String],
    ) -> Result<Server> {
        let listen = free_address()?.to_string();
        let mut tls = Vec::new();
        let (mut scheme, mut authorities) = ("http", Authorities::default());
        if let Some(Certificate { certificate, key }) = certificate {
            tls.extend([OsStr::new("--tls-certificate"), certificate.as_os_str()]);
            tls.extend([OsStr::new("--tls-key"), key.as_os_str()]);
            (scheme, authorities) = ("https", Authorities::read(certificate)?);
        }
        let log = folder.join("octavo.log");
        let to_log = File::options().create(true).append(true).open(&log)?;
        let started = clock::now();
        let child = Command::new(program)
            .args(["serve", "--open-tenants", "on", "--database-url", database_url, "--listen", &listen])
            .arg("--data-dir")
            .arg(folder.join("server"))
            .args(tls)
            .args(settings)
            // No settings but these: neither OCTAVO_* nor an octavo.toml of the working folder.
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(to_log)
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .context("can't start the server under test")?;
        let pid = child.id().context("the server under test ended at once")?;
        let mut server = Server {
            child,
            pid,
            address: Rc::new(Address::parse(&format!("{scheme}://{listen}"), &authorities)?),
            started_in: Duration::ZERO,
            log,
            program: program.to_owned(),
            database_url: database_url.to_owned(),
        };
        server.wait_until_answering().await?;
        server.started_in = started.elapsed();
        Ok(server)
    }

    async fn wait_until_answering(&mut self) -> Result<()> {
        let address = Rc::clone(&self.address);
        let answered = async {
            while Session::new(&address, "", None).ask("GET", "/_/version", "", 200).await.is_err() {
                sleep(POLL).await;
            }
        };
        let failed = tokio::select! {
            ended = self.child.wait() => format!("ended: {}", ended?),
            answered = timeout(LONGEST_START, answered) => match answered {
                Ok(()) => return Ok(()),
                Err(_) => "does not answer".to_owned(),
            },
        };
        bail!("the server under test {failed}\n{}", std::fs::read_to_string(&self.log).unwrap_or_default());
    }

    /// The token with which tenants are made.
    pub(crate) async fn operator_token(&self) -> Result<String> {
        let made = Command::new(&self.program)
            .args(["user", "create-operator", "--database-url", &self.database_url])
            .env_clear()
            .output()
            .await?;
        if !made.status.success() {
            bail!("no operator's token: {}", String::from_utf8_lossy(&made.stderr));
        }
        Ok(String::from_utf8(made.stdout)?.trim().to_owned())
    }

    /// Stops the server as an operator does: with SIGTERM, upon which it ends by itself.
    pub(crate) async fn stop(mut self) -> Result<()> {
        let pid = Pid::from_raw(i32::try_from(self.pid)?).context("no process id")?;
        kill_process(pid, Signal::TERM)?;
        let ended = timeout(LONGEST_STOP, self.child.wait()).await;
        let ended = ended.context("the server under test does not stop")??;
        if !ended.success() {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            bail!("the server under test ended: {ended}\n{log}");
        }
        Ok(())
    }
}

/// `--program FILE`
pub(crate) fn program_arg() -> Arg {
    path("program", "FILE", "The Octavo that is measured, of the same version [default: this one]")
}

pub(crate) fn measured_program(flags: &ArgMatches) -> Result<PathBuf> {
    // Absolute, because the server is started in a folder of its own.
    Ok(flags.get_one::<PathBuf>("program").map_or_else(std::env::current_exe, std::path::absolute)?)
}

/// An address that is free now; nobody takes it until the child listens, if nothing else is started meanwhile.
pub(crate) fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}
