//! Two PostgreSQL servers, of which the second is the first one's synchronous standby.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use octavo_pg::embedded::{client_program, newest_installation};
use octavo_testkit::{eventually, temporary_folder};
use rustix::process::{Pid, Signal, kill_process};

pub(crate) struct Pair {
    folder: PathBuf,
    servers: [Server; 2],
}

struct Server {
    child: Option<Child>,
    data: PathBuf,
    port: u16,
}

/// Kept in memory, so that nothing has to wait for a disk; a server that is killed leaves what it has written to the system.
const SETTINGS: &str = "listen_addresses = '127.0.0.1'\nwal_level = replica\nmax_wal_senders = 4\nhot_standby = on\nfsync = off\n\
    max_wal_size = 256MB\nwal_keep_size = 64MB\nmax_connections = 60\nlogging_collector = off\nautovacuum = off\n";

impl Pair {
    pub(crate) async fn start() -> Pair {
        let folder = temporary_folder("pair");
        if let Some((user, group)) = postgres_user() {
            chown(&folder, Some(user), Some(group)).unwrap();
        }
        let server = |name: &str, port| Server { child: None, data: folder.join(name), port };
        let [first, second] = free_ports();
        let mut pair = Pair { servers: [server("first", first), server("second", second)], folder };
        let data = pair.servers[0].data.clone();
        run("initdb", &["-U", "octavo", "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "-D"], &data);
        let configuration = format!("{SETTINGS}unix_socket_directories = '{}'\n", pair.folder.display());
        fs::write(data.join("postgresql.auto.conf"), configuration).unwrap();
        pair.start_server(0);
        pair.wait_until_up(0).await;
        pair.query(0, "create database octavo", "postgres").unwrap();
        let port = first.to_string();
        let copy = ["-h", "127.0.0.1", "-p", &port, "-U", "octavo", "-X", "stream", "-c", "fast", "-R", "-D"];
        run("pg_basebackup", &copy, &pair.servers[1].data);
        // The copy would wait for a standby of its own as soon as it is promoted.
        let names = "alter system set synchronous_standby_names = '*'";
        pair.query(0, names, "octavo").unwrap();
        pair.query(0, "select pg_reload_conf()", "octavo").unwrap();
        pair.start_server(1);
        eventually("the standby has every change before it is acknowledged", async || {
            let asked = "select string_agg(sync_state, ',') from pg_stat_replication";
            pair.query(0, asked, "octavo").is_some_and(|state| state == "sync")
        })
        .await;
        pair
    }

    /// A database URL that names both servers.
    pub(crate) fn url(&self) -> String {
        let [first, second] = self.servers.each_ref().map(|server| server.port);
        format!(
            "postgresql://octavo@127.0.0.1:{first},127.0.0.1:{second}/octavo?target_session_attrs=read-write"
        )
    }

    /// Ends the first as the system does when memory runs out. Returns the ids of its other processes, which end once they notice that.
    pub(crate) fn kill_first(&mut self) -> Vec<String> {
        let Some(mut child) = self.servers[0].child.take() else { return Vec::new() };
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        children.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    }

    /// Ends the first and waits for its other processes: until they have ended, they take statements of which nobody learns what became.
    pub(crate) async fn end_first(&mut self) {
        let children = self.kill_first();
        // One that has ended has no command line any more.
        let is_running =
            |pid: &String| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty());
        eventually("its processes have ended", async || !children.iter().any(is_running)).await;
    }

    pub(crate) fn promote_second(&self) {
        self.query(1, "select pg_promote()", "octavo").unwrap();
    }

    fn start_server(&mut self, at: usize) {
        let Server { data, port, .. } = &self.servers[at];
        let log = File::create(data.with_extension("log")).unwrap();
        let mut command = program("postgres");
        command.arg("-D").arg(data).arg("-p").arg(port.to_string());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        self.servers[at].child = Some(command.spawn().unwrap());
    }

    async fn wait_until_up(&self, at: usize) {
        eventually("the server answers", async || self.query(at, "select 1", "postgres").is_some()).await;
    }

    /// The answer to a question, as text.
    fn query(&self, at: usize, sql: &str, database: &str) -> Option<String> {
        let port = self.servers[at].port.to_string();
        let mut psql = program("psql");
        psql.args([
            "-X",
            "-A",
            "-t",
            "-U",
            "octavo",
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-d",
            database,
            "-c",
            sql,
        ]);
        let output = psql.stderr(Stdio::null()).output().unwrap();
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for server in &mut self.servers {
            if let Some(mut child) = server.child.take() {
                let _ = kill_process(Pid::from_child(&child), Signal::QUIT);
                let _ = child.wait();
            }
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn run(name: &str, arguments: &[&str], data: &Path) {
    let output = program(name).args(arguments).arg(data).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// One of PostgreSQL's programs, as a user who may run it.
fn program(name: &str) -> Command {
    let installation = newest_installation().expect("PostgreSQL is installed");
    let mut command = Command::new(client_program(&installation.folder, name));
    command.current_dir("/").stdin(Stdio::null());
    if let Some((user, group)) = postgres_user() {
        command.uid(user).gid(group);
    }
    command
}

/// PostgreSQL does not run as root: then the user `postgres` does it.
fn postgres_user() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let line = users.lines().find(|line| line.starts_with("postgres:")).expect("a user postgres");
    let mut fields = line.split(':').skip(2).map(|field| field.parse().unwrap());
    Some((fields.next()?, fields.next()?))
}

fn free_ports() -> [u16; 2] {
    let listeners = [0, 1].map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
