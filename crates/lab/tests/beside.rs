//! What the laboratory finds beside the load at a server with faults: a fake one, which asks a real PostgreSQL for each answer,
//! over a table whose index is missing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Statement};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

const MARK: &str = "0d6f3f3a-5a44-4f0e-9a58-4f2f0f4b7a11";

/// The tenant `t` with 20,000 readers, whom no index finds by their barcodes, and the mark of a test tenant.
const TABLES: &str = "\
create schema tenant_t;
create table tenant_t.reader (id uuid primary key, barcode text, name text);
create table tenant_t.config_data (id uuid primary key);
insert into tenant_t.reader
select gen_random_uuid(), 'R' || n, 'Reader ' || n
from generate_series(1, 20000) n;
insert into tenant_t.config_data values ('0d6f3f3a-5a44-4f0e-9a58-4f2f0f4b7a11');
analyze tenant_t.reader";

struct Faulty {
    runtime: Runtime,
    folder: TempDir,
    postgres: Option<Embedded>,
    url: String,
    address: String,
}

impl Faulty {
    fn start() -> Faulty {
        let runtime = Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        // PostgreSQL's own user passes through, as it must when tests run as root.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let options = EmbeddedOptions {
            data_dir: folder.path().join("data"),
            binaries: None,
            durable: false,
            settings: vec![("shared_preload_libraries".to_owned(), "pg_stat_statements".to_owned())],
        };
        let (postgres, address) = runtime.block_on(async {
            let postgres = Embedded::start(options).await.unwrap();
            run_sql(&postgres.url(), TABLES).await;
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = format!("http://{}", listener.local_addr().unwrap());
            let options = octavo_pg::Options::unlimited(4);
            let database = Database::from_url(&postgres.url(), options).unwrap();
            tokio::spawn(serve(listener, database));
            (postgres, address)
        });
        // The superuser may make databases and drop them.
        let url = postgres.url().replacen("octavo@", "postgres@", 1);
        Faulty { runtime, folder, postgres: Some(postgres), url, address }
    }

    fn lab(&self, arguments: &[&str]) -> Result<String, String> {
        let place = ["--url", self.address.as_str(), "--tenant", "t"];
        let all = ["lab"].iter().chain(arguments).chain(&place);
        let flags = octavo_lab::command().try_get_matches_from(all).unwrap_or_else(|error| panic!("{error}"));
        octavo_lab::run(&flags).map_err(|error| format!("{error:#}"))
    }

    fn readers(&self) -> i64 {
        let database = Database::for_visitor(&self.url, "tests", None).unwrap();
        self.runtime.block_on(async {
            let mut session = database.system_session(Arc::default()).await.unwrap();
            session.rows(Statement::new("select count(*) from tenant_t.reader")).await.unwrap()[0].long(0)
        })
    }

    fn stop(mut self) {
        if let Some(postgres) = self.postgres.take() {
            self.runtime.block_on(postgres.stop());
        }
    }
}

async fn run_sql(url: &str, script: &str) {
    let database = Database::for_visitor(url, "tests", None).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    session.script(script).await.unwrap();
}

async fn serve(listener: TcpListener, database: Database) {
    let asked = Arc::new(AtomicU64::new(0));
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, database.clone(), Arc::clone(&asked)));
    }
}

/// Requests without bodies, one after the other.
async fn converse(mut stream: TcpStream, database: Database, asked: Arc<AtomicU64>) {
    let mut bytes = Vec::new();
    while stream.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {
        if !bytes.ends_with(b"\r\n\r\n") {
            continue;
        }
        let head = String::from_utf8_lossy(&bytes).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default();
        let (status, body) = match path.split('?').next().unwrap_or_default() {
            "/metrics" => (200, metrics(asked.load(Relaxed))),
            "/readers" => {
                asked.fetch_add(1, Relaxed);
                answered(&database, "select name from tenant_t.reader where barcode = $1", "R4711").await
            }
            "/configurations/entries" => {
                let sql = "select json_build_object('configs', coalesce(json_agg(json_build_object(\
                           'id', id, 'value', $1::text)), '[]'))::text from tenant_t.config_data";
                answered(&database, sql, "t").await
            }
            _ => (404, "no such path".to_owned()),
        };
        let reply = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        if stream.write_all(reply.as_bytes()).await.is_err() {
            return;
        }
        bytes.clear();
    }
}

async fn answered(database: &Database, sql: &'static str, of: &str) -> (u16, String) {
    let rows = async {
        let mut session = database.system_session(Arc::default()).await?;
        session.rows(Statement::new(sql).text(of)).await
    };
    match rows.await {
        Ok(rows) => (200, rows.first().map(|row| row.text(0).to_owned()).unwrap_or_default()),
        Err(error) => (500, error.to_string()),
    }
}

/// As Octavo writes it.
fn metrics(asked: u64) -> String {
    format!(
        "octavo_build_info{{version=\"0\"}} 1\n\
         octavo_requests_total{{module=\"mod-users\",status=\"2xx\"}} {asked}\n\
         octavo_request_busy_seconds_total{{module=\"mod-users\"}} {}\n\
         process_resident_memory_bytes 104857600\n",
        asked as f64 / 1000.0
    )
}

fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn page(out: &Path, ending: &str) -> String {
    let mut files = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    let path = files.find(|path| path.to_str().unwrap().ends_with(ending)).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_missing_index_is_named_and_what_was_watched_is_reported() {
    let faulty = Faulty::start();
    let own = faulty.folder.path().join("lab");
    let workflow = "about = 'Looks'\n[[transaction]]\nname = 'Look'\nsteps = [{ get = '/readers?query=barcode==R4711' }]\n";
    write(own.join("workflows/look.toml"), workflow);
    let experiment = "about = 'Looks'\nworkflow = 'look'\nduration = '5 s'\ncollect = ['metrics']\n\
                      [[test]]\nname = 'two'\nusers = 2\n";
    write(own.join("experiments/looks.toml"), experiment);
    let out = faulty.folder.path().join("reports");
    let (postgres, process) =
        (format!("postgres={}", faulty.url), format!("process:tests={}", std::process::id()));
    let mut arguments =
        vec!["run", "looks", "--folder", own.to_str().unwrap(), "--out", out.to_str().unwrap()];
    for what in [process.as_str(), postgres.as_str(), "metrics:gone=http://127.0.0.1:1/metrics"] {
        arguments.extend(["--collect", what]);
    }
    let said = faulty.lab(&arguments).unwrap();

    assert!(said.contains("an index is missing, create index on tenant_t.reader (barcode)"), "{said}");
    assert!(said.contains("metrics of gone could not be collected: can't reach"), "{said}");
    let results: Value = serde_json::from_str(&page(&out, ".json")).unwrap();
    let run = &results["runs"][0];
    let missing = &run["collected"]["databases"][0]["missing"][0];
    assert_eq!(missing["statement"], "select name from tenant_t.reader where barcode = $1", "{run:#}");
    assert_eq!(missing["filter"], "(reader.barcode = $1)");
    assert_eq!(
        (missing["rows_per_scan"].as_f64(), missing["rows_per_call"].as_f64()),
        (Some(20_000.0), Some(1.0))
    );
    for (source, subject, measure) in [
        ("process", "tests", "cpu"),
        ("process", "tests", "memory"),
        ("octavo", "mod-users", "requests"),
        ("octavo", "the server", "memory"),
        ("PostgreSQL", "database", "active connections"),
        ("PostgreSQL", "database", "size"),
        ("process", "database server", "cpu"),
    ] {
        let series = run["series"].as_array().unwrap().iter();
        let mut of_it = series.filter(|one| {
            (one["source"] == source) && (one["subject"] == subject) && (one["measure"] == measure)
        });
        let points = of_it.next().map_or(0, |found| found["points"].as_array().unwrap().len());
        assert!(points >= 3, "{source}, {subject}, {measure}: {points} points");
    }
    let module = &run["collected"]["modules"][0];
    assert_eq!(
        (&module["name"], &module["requests"]),
        (&"mod-users".into(), &run["calls"][0]["count"].as_f64().into())
    );
    assert_eq!(run["data"]["tables"][0]["rows"], 20_000, "{}", run["data"]);
    let (html, series) = (page(&out, ".html"), page(&out, ".series.csv"));
    for title in
        ["CPU and memory", "Missing indexes", "Statements that took most time", "Memory over time, MB"]
    {
        assert!(html.contains(title), "{title}");
    }
    assert!(series.contains("two,process,tests,memory,MB,"), "{series}");
    faulty.stop();
}

#[test]
fn a_database_is_put_back_while_the_server_runs_and_a_strange_one_is_not_touched() {
    let faulty = Faulty::start();
    let data = |what: &str, url: &str| faulty.lab(&[what, "--postgres", url]);
    let sql = |script: &str| faulty.runtime.block_on(run_sql(&faulty.url, script));
    let refused = data("reset", &faulty.url).unwrap_err();
    assert!(refused.contains("no copy of octavo was kept"), "{refused}");
    let refused = data("keep", &faulty.url.replacen("/octavo?", "/postgres?", 1)).unwrap_err();
    assert!(refused.contains("postgres is not the database behind that server"), "{refused}");

    let said = data("keep", &faulty.url).unwrap();
    assert!(said.starts_with("octavo was kept as octavo_lab_kept in "), "{said}");
    for _ in 0..2 {
        sql("delete from tenant_t.reader where barcode < 'R5'");
        assert!(faulty.readers() < 20_000);
        data("reset", &faulty.url).unwrap();
        assert_eq!(faulty.readers(), 20_000);
    }

    // What was broken off leaves copies behind, which the next attempt removes.
    sql("create database octavo_lab_new allow_connections false");
    sql("create database octavo_lab_old allow_connections false");
    sql("comment on database octavo_lab_old is 'kept by octavo lab from octavo'");
    data("reset", &faulty.url).unwrap();
    sql("create database octavo_lab_new");
    let refused = data("keep", &faulty.url).unwrap_err();
    assert!(refused.contains("octavo_lab_new that was not made by octavo lab"), "{refused}");
    sql("drop database octavo_lab_new");
    sql("create database octavo_lab_old");
    let refused = data("reset", &faulty.url).unwrap_err();
    assert!(refused.contains("octavo_lab_old that was not made by octavo lab"), "{refused}");
    sql("drop database octavo_lab_old");

    sql("create schema tenant_somebody");
    let refused = data("reset", &faulty.url).unwrap_err();
    assert!(
        refused.contains("octavo holds more than the tenant t") && refused.contains("somebody"),
        "{refused}"
    );
    sql("drop schema tenant_somebody");
    sql("delete from tenant_t.config_data");
    let refused = data("reset", &faulty.url).unwrap_err();
    assert!(refused.contains("t is not marked as a test tenant"), "{refused}");
    sql(&format!("insert into tenant_t.config_data values ('{MARK}')"));
    data("reset", &faulty.url).unwrap();
    faulty.stop();
}
