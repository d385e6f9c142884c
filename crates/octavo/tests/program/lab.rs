//! The laboratory at a running server: what it watches beside the load, and how it puts data back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use octavo_pg::Database;
use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

/// As PostgreSQL's own superuser, who may make databases and drop indexes.
fn superuser(folder: &Folder) -> String {
    let settings = fs::read_to_string(folder.data_dir().join("octavo.conf")).unwrap();
    let line = settings.lines().find_map(|line| line.strip_prefix("unix_socket_directories = '")).unwrap();
    let socket = line.trim_end_matches('\'').replace('/', "%2F");
    format!("postgresql://postgres@/octavo?host={socket}&port=5432")
}

async fn run_sql(url: &str, statements: &[&str]) {
    let database = Database::for_visitor(url, "tests", None).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    for sql in statements {
        session.script(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

/// What it prints, or why it refuses.
fn lab(octavo: &Octavo, more: &[&str]) -> Result<String, String> {
    let ran = Command::new(program_path())
        .arg("lab")
        .args(more)
        .args(["--url", &format!("http://{}", octavo.address), "--tenant", "diku"])
        .args(["--username", "diku_admin", "--password", "admin"])
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if ran.status.success() { Ok(text(&ran.stdout)) } else { Err(text(&ran.stderr)) }
}

/// A folder with one experiment in it, which looks for a patron by the group.
fn experiment(folder: &Folder) -> PathBuf {
    let own = folder.data_dir().with_file_name("lab");
    for kind in ["experiments", "workflows"] {
        fs::create_dir_all(own.join(kind)).unwrap();
    }
    let workflow = "about = 'Looks for somebody'\n[[transaction]]\nname = 'Look'\n\
                    steps = [{ get = '/users?query=barcode==27001000000445' }]\n";
    fs::write(own.join("workflows/look.toml"), workflow).unwrap();
    let experiment = "about = 'Looks'\nworkflow = 'look'\nduration = '6 s'\ncollect = ['metrics']\n\
                      [[test]]\nname = 'two'\nusers = 2\n";
    fs::write(own.join("experiments/looks.toml"), experiment).unwrap();
    own
}

fn result(out: &Path) -> Value {
    let files = fs::read_dir(out).unwrap().flatten().map(|entry| entry.path());
    let json =
        files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "json")).unwrap();
    serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap()
}

fn page(out: &Path, ending: &str) -> String {
    let files = fs::read_dir(out).unwrap().flatten().map(|entry| entry.path());
    let path = files.into_iter().find(|path| path.to_str().unwrap().ends_with(ending)).unwrap();
    fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn a_missing_index_is_named_and_what_was_watched_is_reported() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo", "--statement-statistics", "on"]);
    let url = superuser(&folder);
    run_sql(
        &url,
        &[
            "set search_path = tenant_diku, octavo",
            "insert into users (id, doc) select gen_random_uuid(), json_build_object('id', gen_random_uuid(), \
             'username', 'reader' || n, 'barcode', 'R' || n, 'active', true) from generate_series(1, 20000) n",
            "drop index \"users_barcode_unique\"",
            "drop index \"users_barcode_words\"",
            "drop index if exists \"users_barcode_order\"",
            "analyze users",
        ],
    )
    .await;
    let (own, out) = (experiment(&folder), folder.data_dir().with_file_name("reports"));
    let (postgres, process) = (format!("postgres={url}"), format!("process:server={}", octavo.id()));
    let mut arguments =
        vec!["run", "looks", "--folder", own.to_str().unwrap(), "--out", out.to_str().unwrap()];
    for what in [process.as_str(), postgres.as_str(), "metrics:gone=http://127.0.0.1:1/metrics"] {
        arguments.extend(["--collect", what]);
    }
    let said = lab(&octavo, &arguments).unwrap();

    assert!(said.contains("tenant_diku.users was read from end to end"), "{said}");
    assert!(said.contains("an index is missing, create index on tenant_diku.users (barcode)"), "{said}");
    assert!(said.contains("metrics of gone could not be collected"), "{said}");
    let run = &result(&out)["runs"][0];
    let missing = &run["collected"]["databases"][0]["missing"][0];
    // All rows; PostgreSQL counts scans and rows of the run's ends a little apart.
    assert!(missing["rows_per_scan"].as_f64().unwrap() > 10_000.0, "{missing}");
    assert!(missing["statement"].as_str().unwrap().contains("users"), "{missing}");
    let known = |source: &str, subject: &str, measure: &str| {
        let series = run["series"].as_array().unwrap().iter();
        let found = series.into_iter().find(|one| {
            (&one["source"], &one["subject"], &one["measure"])
                == (&json!(source), &json!(subject), &json!(measure))
        });
        let points = found.map_or(0, |found| found["points"].as_array().unwrap().len());
        assert!(points >= 3, "{source}, {subject}, {measure}: {points} points");
    };
    known("process", "server", "cpu");
    known("process", "server", "memory");
    known("octavo", "mod-users", "requests");
    known("octavo", "the server", "memory");
    known("PostgreSQL", "database", "active connections");
    known("process", "database server", "cpu");
    let modules = run["collected"]["modules"].as_array().unwrap();
    let users = modules.iter().find(|module| module["name"] == "mod-users").unwrap();
    let asked: u64 =
        run["calls"].as_array().unwrap().iter().map(|call| call["count"].as_u64().unwrap()).sum();
    assert_eq!(
        users["requests"].as_f64().unwrap() as u64,
        asked - 2,
        "all but the users' log-ins: {modules:?}"
    );
    let (html, series) = (page(&out, ".html"), page(&out, ".series.csv"));
    for title in [
        "CPU and memory",
        "Modules; what a request took",
        "Missing indexes",
        "Statements that took most time",
    ] {
        assert!(html.contains(title), "{title}");
    }
    assert!(series.contains("two,process,server,memory,MB,"), "{series}");
    octavo.stop();
}

#[tokio::test]
async fn a_database_is_put_back_while_the_server_runs_and_nobody_elses_is_touched() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let url = superuser(&folder);
    let keep = ["keep", "--postgres", &url];
    let refused = lab(&octavo, &keep).unwrap_err();
    assert!(refused.contains("diku is not marked as a test tenant"), "{refused}");
    lab(&octavo, &["mark"]).unwrap();
    let refused = lab(&octavo, &["reset", "--postgres", &url]).unwrap_err();
    assert!(refused.contains("no copy of octavo was kept"), "{refused}");
    let refused = lab(&octavo, &["keep", "--postgres", &url.replace("/octavo?", "/postgres?")]).unwrap_err();
    assert!(refused.contains("postgres is not the database behind that server"), "{refused}");
    lab(&octavo, &keep).unwrap();

    let desk = desk(&octavo).await;
    let groups = async |desk: &Client| desk.get("/groups?limit=0").await.expect(200).total();
    let before = groups(&desk).await;
    desk.post("/groups", &json!({"group": "of one run"})).await.expect(201);
    assert_eq!(groups(&desk).await, before + 1);
    let said = lab(&octavo, &["reset", "--postgres", &url]).unwrap();
    assert!(said.contains("the database is as it was kept"), "{said}");
    assert_eq!(groups(&desk).await, before);
    // Twice: the copy is still there.
    lab(&octavo, &["reset", "--postgres", &url]).unwrap();

    octavo.operator().post("/_/proxy/tenants", &json!({"id": "somebody"})).await.expect(201);
    let refused = lab(&octavo, &["reset", "--postgres", &url]).unwrap_err();
    assert!(
        refused.contains("octavo holds more than the tenant diku") && refused.contains("somebody"),
        "{refused}"
    );
    octavo.stop();
}

async fn desk(octavo: &Octavo) -> Client {
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap())
}
