//! The built program as a child process, and its data folder.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use octavo_testkit::{Client, fresh_id, temporary_folder};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

/// A temporary folder for a test. When it is dropped, a PostgreSQL that a killed Octavo left in it is ended too.
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { root: temporary_folder("program") }
    }

    /// The path of the data folder, which does not exist yet.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.root.join("data")
    }

    /// A path in the temporary folder for other files of the test.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The process id of the PostgreSQL that runs on the data folder.
    pub(crate) fn postgres_pid(&self) -> Option<Pid> {
        let text = fs::read_to_string(self.data_dir().join("postgres/postmaster.pid")).ok()?;
        Pid::from_raw(text.lines().next()?.parse().ok()?)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(left) = self.postgres_pid() {
            let _ = kill_process(left, Signal::QUIT);
            std::thread::sleep(Duration::from_millis(500));
        }
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The program under test; `OCTAVO_PROGRAM` names another build of it.
#[expect(clippy::disallowed_methods, reason = "which program is attacked is no setting of the program")]
pub(crate) fn program_path() -> PathBuf {
    std::env::var_os("OCTAVO_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_octavo").into(), PathBuf::from)
}

/// `octavo serve` with these arguments.
pub(crate) fn serve(data: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(program_path());
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--open-tenants", "on", "--data-dir"])
        .arg(data)
        .args(more);
    command.stdin(Stdio::null());
    command
}

/// The error message of a program that refuses to start. Fails if it starts.
pub(crate) fn refusal(mut command: Command) -> String {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
    if !said.is_empty() {
        let _ = kill_process(pid(&child), Signal::TERM);
        let _ = child.wait();
        panic!("it started: {said}");
    }
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "{status}");
    let mut refusal = String::new();
    child.stderr.take().unwrap().read_to_string(&mut refusal).unwrap();
    refusal
}

/// A running program.
pub(crate) struct Octavo {
    child: Child,
    data_dir: PathBuf,
    /// The URL of a database outside of the data folder.
    database_url: Option<String>,
    pub(crate) address: SocketAddr,
}

impl Octavo {
    pub(crate) fn start(data: &Path) -> Octavo {
        Octavo::start_with(data, &[])
    }

    pub(crate) fn start_with(data: &Path, more: &[&str]) -> Octavo {
        let mut command = serve(data, more);
        command.stderr(Stdio::null());
        Octavo::start_command(command)
    }

    /// Starts the program with an environment and a log that the test has set.
    pub(crate) fn start_command(mut command: Command) -> Octavo {
        let given = |flag: &str| command.get_args().skip_while(|argument| *argument != flag).nth(1);
        let data = PathBuf::from(given("--data-dir").unwrap());
        let database_url = given("--database-url").map(|url| url.to_str().unwrap().to_owned());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.trim().strip_prefix("Octavo answers on http://");
        let address = address.unwrap_or_else(|| panic!("it did not start: {said:?}"));
        Octavo { child, data_dir: data, database_url, address: address.parse().unwrap() }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn tenantless_client(&self) -> Client {
        Client::new(self.address)
    }

    /// A client with the operator's token: the program has put it into its data folder, or makes one for a database elsewhere.
    pub(crate) fn operator(&self) -> Client {
        let token = match &self.database_url {
            None => fs::read_to_string(self.data_dir.join("operator-token")).unwrap(),
            Some(url) => {
                let mut command = Command::new(program_path());
                let made = command.args(["user", "create-operator", "--database-url", url]).output().unwrap();
                String::from_utf8(made.stdout).unwrap()
            }
        };
        self.tenantless_client().with("x-okapi-token", token.trim())
    }

    /// A client of a new tenant with these modules and what they need.
    pub(crate) async fn tenant(&self, modules: &[&str]) -> Client {
        self.named_tenant(modules).await.0
    }

    /// The same, with the tenant's name.
    pub(crate) async fn named_tenant(&self, modules: &[&str]) -> (Client, String) {
        let okapi = self.operator();
        let id = format!("t{}", fresh_id().simple());
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
        let wanted: Vec<_> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
        let install = format!("/_/proxy/tenants/{id}/install?tenantParameters=loadReference=true");
        okapi.post(&install, &json!(wanted)).await.expect(200);
        let client = self.tenantless_client().with("x-okapi-tenant", &id);
        let client = client.with("x-okapi-user-id", fresh_id().to_string());
        (client, id)
    }

    /// Asks it to stop.
    pub(crate) fn terminate(&self) {
        kill_process(pid(&self.child), Signal::TERM).unwrap();
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn stop(mut self) {
        self.terminate();
        assert!(self.wait().success());
    }

    /// As the system does when memory runs out.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.wait();
    }
}

impl Drop for Octavo {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = kill_process(pid(&self.child), Signal::TERM);
            let _ = self.child.wait();
        }
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}
