//! TLS to PostgreSQL, with a server that speaks it, and whose certificate is for `localhost` and 127.0.0.1.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Cell, Database, DbError, Notification, Options, Statement};
use tempfile::TempDir;
use tokio_postgres::{Config, NoTls};
use uuid::Uuid;

/// Certificates that are valid for a hundred years; their one key is here, and that of their authority is gone.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/src/sink/certificates");
/// By this name the certificate is the server's.
const HERE: &str = "localhost";
/// By this name it is not.
const ELSEWHERE: &str = "elsewhere.example.org";

struct Secured {
    server: Embedded,
    /// On this machine, and no other server's.
    address: String,
    folder: TempDir,
}

fn certificate(name: &str) -> String {
    format!("{CERTIFICATES}/{name}.pem")
}

impl Secured {
    /// Starts a server once to make its folder, and again with TLS and addresses.
    async fn start() -> Secured {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let data = folder.path().join("data");
        Embedded::start(options(&data, &[])).await.unwrap().stop().await;
        let cluster = data.join("postgres");
        for (name, mode) in [("trusted.pem", 0o644), ("server.key", 0o600), ("self-signed.pem", 0o644)] {
            let copy = cluster.join(name);
            fs::copy(format!("{CERTIFICATES}/{name}"), &copy).unwrap();
            fs::set_permissions(&copy, Permissions::from_mode(mode)).unwrap();
            let owner = fs::metadata(&cluster).unwrap();
            chown(&copy, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let callers = "local all all trust\n\
             hostssl octavo known all trust clientcert=verify-ca\n\
             host octavo octavo all trust\n";
        fs::write(cluster.join("pg_hba.conf"), callers).unwrap();
        let [.., third, fourth] = std::process::id().to_be_bytes();
        let address = format!("127.31.{third}.{fourth}");
        let file = |name: &str| cluster.join(name).display().to_string();
        let (certificate, key, clients) = (file("trusted.pem"), file("server.key"), file("self-signed.pem"));
        let settings = [
            ("listen_addresses", address.as_str()),
            ("ssl_cert_file", &certificate),
            ("ssl_key_file", &key),
            ("ssl_ca_file", &clients),
        ];
        let server = Embedded::start(options(&data, &settings)).await.unwrap();
        let secured = Secured { server, address, folder };
        secured.as_superuser("create role known login in role octavo").await;
        secured
    }

    /// Switches TLS on or off, and waits until new connections are answered so.
    async fn set_tls(&self, tls: bool) {
        let ssl = if tls { "on" } else { "off" };
        self.as_superuser(&format!("alter system set ssl = {ssl}")).await;
        self.as_superuser("select pg_reload_conf()").await;
        for _ in 0..200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if self.connects(HERE, "octavo", "sslmode=require").await.is_ok() == tls {
                return;
            }
        }
        panic!("the server goes on as before");
    }

    async fn as_superuser(&self, sql: &str) {
        let mut config: Config = self.server.config();
        config.user("postgres").dbname("postgres");
        let (client, connection) = config.connect(NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    }

    fn database(&self, host: &str, user: &str, more: &str) -> Result<Database, DbError> {
        let (address, port) = (&self.address, self.server.port());
        let url = format!("postgresql://{user}@{host}:{port}/octavo?hostaddr={address}&{more}");
        Database::from_url(&url, Options::unlimited(2))
    }

    /// Whether a connection is encrypted, or why there is none.
    async fn connects(&self, host: &str, user: &str, more: &str) -> Result<bool, String> {
        let database = self.database(host, user, more).map_err(|error| error.to_string())?;
        let mut session = database.system_session(Arc::default()).await.map_err(|error| error.to_string())?;
        let asked = Statement::new("select ssl::text from pg_stat_ssl where pid = pg_backend_pid()");
        Ok(session.rows(asked).await.map_err(|error| error.to_string())?[0].text(0) == "true")
    }
}

fn options(data: &Path, settings: &[(&str, &str)]) -> EmbeddedOptions {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    EmbeddedOptions { data_dir: PathBuf::from(data), binaries: None, durable: false, settings }
}

/// One server for all cases: starting one takes longer than they do.
#[tokio::test]
async fn sslmode_says_how_the_server_is_spoken_to() {
    let secured = Secured::start().await;
    secured.set_tls(false).await;
    without_tls(&secured).await;
    secured.set_tls(true).await;
    with_tls(&secured).await;
    a_client_shows_its_certificate(&secured).await;
    everything_goes_through_tls(&secured).await;
    let Secured { server, folder, .. } = secured;
    server.stop().await;
    drop(folder);
}

async fn without_tls(secured: &Secured) {
    let authority = certificate("authority");
    for (mode, expected) in [
        (String::new(), Ok(false)),
        ("sslmode=prefer".to_owned(), Ok(false)),
        ("sslmode=disable".to_owned(), Ok(false)),
        ("sslmode=require".to_owned(), Err("does not speak TLS, which sslmode asks for")),
        (format!("sslmode=verify-ca&sslrootcert={authority}"), Err("does not speak TLS")),
        (format!("sslmode=verify-full&sslrootcert={authority}"), Err("does not speak TLS")),
    ] {
        assert_same(&mode, &secured.connects(HERE, "octavo", &mode).await, expected);
    }
}

async fn with_tls(secured: &Secured) {
    let (authority, another) = (certificate("authority"), certificate("self-signed"));
    for (host, mode, expected) in [
        (HERE, String::new(), Ok(true)),
        (HERE, "sslmode=prefer".to_owned(), Ok(true)),
        (HERE, "sslmode=disable".to_owned(), Ok(false)),
        (ELSEWHERE, "sslmode=require".to_owned(), Ok(true)),
        (ELSEWHERE, format!("sslmode=require&sslrootcert={authority}"), Ok(true)),
        (HERE, format!("sslmode=require&sslrootcert={another}"), Err("UnknownIssuer")),
        (ELSEWHERE, format!("sslmode=verify-ca&sslrootcert={authority}"), Ok(true)),
        (HERE, format!("sslmode=verify-ca&sslrootcert={another}"), Err("UnknownIssuer")),
        (HERE, "sslmode=verify-ca".to_owned(), Err("UnknownIssuer")),
        (HERE, format!("sslmode=verify-full&sslrootcert={authority}"), Ok(true)),
        (ELSEWHERE, format!("sslmode=verify-full&sslrootcert={authority}"), Err("not valid for")),
        (HERE, "sslmode=verify-full".to_owned(), Err("UnknownIssuer")),
        (HERE, "sslmode=verify-full&sslrootcert=/nowhere".to_owned(), Err("/nowhere cannot be read")),
        (HERE, "sslmode=sometimes".to_owned(), Err("sslmode is disable, prefer")),
    ] {
        assert_same(&format!("{host} {mode}"), &secured.connects(host, "octavo", &mode).await, expected);
    }
}

async fn a_client_shows_its_certificate(secured: &Secured) {
    let (own, trusted, key) =
        (certificate("self-signed"), certificate("trusted"), format!("{CERTIFICATES}/server.key"));
    let shown = |own: &str| format!("sslmode=require&sslcert={own}&sslkey={key}");
    assert_same("own", &secured.connects(HERE, "known", &shown(&own)).await, Ok(true));
    assert_same("none", &secured.connects(HERE, "known", "sslmode=require").await, Err("client certificate"));
    // By an authority that the server does not know.
    assert!(secured.connects(HERE, "known", &shown(&trusted)).await.is_err());
}

/// More than sockets hold, messages, and what is given up.
async fn everything_goes_through_tls(secured: &Secured) {
    let authority = certificate("authority");
    let database =
        secured.database(HERE, "octavo", &format!("sslmode=verify-full&sslrootcert={authority}")).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    session.script("create schema octavo; create table octavo.book (id uuid, doc json)").await.unwrap();
    let mut copy = session.copy_in("book", &["id", "doc"]).await.unwrap();
    let doc = format!("\"{}\"", "x".repeat(99_998));
    for id in 0..200 {
        copy.write_row(&[Cell::Uuid(Uuid::from_u128(id)), Cell::Json(&doc)]).await.unwrap();
    }
    assert_eq!(copy.finish().await.unwrap(), 200);
    let rows = session.rows(Statement::new("select doc::text from octavo.book")).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.text(0).len()).sum::<usize>(), 20_000_000);

    let mut heard = database.listen("tests");
    while heard.recv().await != Some(Notification::Reconnected) {}
    session.rows(Statement::new("select pg_notify('tests', 'hello')::text")).await.unwrap();
    loop {
        match heard.recv().await.expect("a listener") {
            Notification::Message(text) => break assert_eq!(text, "hello"),
            Notification::Lost | Notification::Reconnected | Notification::HeardUntil(_) => {}
        }
    }

    let other = secured.database(HERE, "octavo", "sslmode=require").unwrap();
    let mut slow = other.system_session(Arc::default()).await.unwrap();
    let asked = slow.rows(Statement::new("select pg_sleep(600)::text"));
    assert!(tokio::time::timeout(Duration::from_millis(300), asked).await.is_err());
    drop(slow);
    for _ in 0..200 {
        let asked = "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(600)%' \
                     and pid <> pg_backend_pid()";
        if session.rows(Statement::new(asked)).await.unwrap()[0].long(0) == 0 {
            database.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("what nobody waits for goes on");
}

fn assert_same(what: &str, found: &Result<bool, String>, expected: Result<bool, &str>) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => assert_eq!(*found, expected, "{what}"),
        (Err(found), Err(expected)) => assert!(found.contains(expected), "{what}: {found}"),
        _ => panic!("{what}: {found:?}, and expected is {expected:?}"),
    }
}
