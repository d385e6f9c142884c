//! The operator's token, and what an operator does on the command line while Octavo runs.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path, serve};

/// `octavo user` on a data folder, with a line on standard input.
pub(crate) fn run_user_command(data: &Path, words: &[&str], line: &str) -> Output {
    run_subcommand(data, "user", words, line)
}

fn run_subcommand(data: &Path, subcommand: &str, words: &[&str], line: &str) -> Output {
    let mut command = Command::new(program_path());
    command.arg(subcommand).args(words).arg("--data-dir").arg(data);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

pub(crate) fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn log_in(library: &Client, username: &str, password: &str) -> (u16, Value) {
    let credentials = json!({"username": username, "password": password});
    let reply = library.post("/authn/login", &credentials).await;
    (reply.status, reply.json())
}

/// One data folder for all of it: making one takes a second.
#[tokio::test]
async fn an_operator_makes_a_tenant_and_looks_after_its_people() {
    let folder = Folder::new();
    let log = folder.path_of("log");
    fs::create_dir_all(log.parent().unwrap()).unwrap();
    let mut command = serve(&folder.data_dir(), &[]);
    command.env("OCTAVO_LOG", "debug").stderr(fs::File::create(&log).unwrap());
    let octavo = Octavo::start_command(command);

    let file = folder.data_dir().join("operator-token");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let token = fs::read_to_string(&file).unwrap().trim().to_owned();
    let stranger = octavo.tenantless_client().post("/_/proxy/tenants", &json!({"id": "strangers"})).await;
    stranger.says(400, "Token missing, access requires permission: okapi.proxy.tenants.post");
    let operator = octavo.operator();
    operator.post("/_/proxy/tenants", &json!({"id": "town"})).await.expect(201);
    let wanted: Vec<Value> = ["mod-users-bl", "mod-permissions", "mod-inventory-storage", "mod-authtoken"]
        .iter()
        .map(|id| json!({"id": id, "action": "enable"}))
        .collect();
    operator.post("/_/proxy/tenants/town/install", &json!(wanted)).await.expect(200);

    // Beside the running server.
    let about = |action: &'static str, name: &'static str| [action, "--tenant", "town", name];
    let head = |password: &str| {
        run_user_command(&folder.data_dir(), &about("create-administrator", "head"), password)
    };
    assert!(!head("").status.success(), "a user without a password");
    assert_success(&head("First-password-1"));
    let library = octavo.tenantless_client().with("x-okapi-tenant", "town");
    let (status, first) = log_in(&library, "head", "First-password-1").await;
    assert_eq!(status, 201, "{first}");
    let administrator = library.with("x-okapi-token", first["okapiToken"].as_str().unwrap());
    administrator.get("/users").await.expect(200);
    administrator.get("/_/proxy/tenants").await.expect(403);

    let second = json!({"username": "clerk", "active": true});
    administrator.post("/users", &second).await.expect(201);
    let credentials = json!({"username": "clerk", "password": "Clerks-password-1"});
    administrator.post("/authn/credentials", &credentials).await.expect(201);
    for _ in 0..5 {
        assert_eq!(log_in(&library, "clerk", "wrong").await.0, 422);
    }
    assert_eq!(log_in(&library, "clerk", "Clerks-password-1").await.0, 422);
    assert_success(&run_user_command(&folder.data_dir(), &about("unlock", "clerk"), ""));
    let (status, clerk) = log_in(&library, "clerk", "Clerks-password-1").await;
    assert_eq!(status, 201, "{clerk}");
    assert!(!run_user_command(&folder.data_dir(), &about("unlock", "nobody"), "").status.success());

    assert_success(&run_user_command(&folder.data_dir(), &about("password", "head"), "Second-password-2"));
    assert_eq!(log_in(&library, "head", "First-password-1").await.0, 422);
    assert_eq!(log_in(&library, "head", "Second-password-2").await.0, 201);
    octavo_testkit::eventually("the session under the old password has ended", async || {
        administrator.get("/users").await.status == 401
    })
    .await;

    // Another token: the one before ends at once.
    assert_success(&run_user_command(&folder.data_dir(), &["create-operator"], ""));
    assert_ne!(fs::read_to_string(&file).unwrap().trim(), token);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    operator.get("/_/proxy/tenants").await.says(401, "Invalid token");
    octavo.operator().get("/_/proxy/tenants").await.expect(200);

    // Another key for tokens: nobody is logged out, and the key before cannot be ended until the new one signs.
    let keys = |words: &[&str]| run_subcommand(&folder.data_dir(), "keys", words, "");
    let (_, session) = log_in(&library, "head", "Second-password-2").await;
    assert_success(&keys(&["rotate"]));
    let listed = String::from_utf8(keys(&["list"]).stdout).unwrap();
    let numbers: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(numbers, ["key", "2", "1"], "{listed}");
    let head = library.with("x-okapi-token", session["okapiToken"].as_str().unwrap());
    head.get("/users").await.expect(200);
    octavo.operator().get("/_/proxy/tenants").await.expect(200);
    for refused in ["1", "2", "3"] {
        assert!(!keys(&["end", refused]).status.success(), "key {refused}");
    }
    octavo.stop();
    let logged = fs::read_to_string(&log).unwrap();
    let current = fs::read_to_string(&file).unwrap();
    for secret in [token.as_str(), current.trim(), "First-password-1", "Second-password-2"] {
        assert!(!logged.contains(secret), "a secret is in the log");
    }
    // Also where nothing runs.
    assert_success(&run_user_command(&folder.data_dir(), &about("unlock", "clerk"), ""));
}

#[tokio::test]
async fn the_demos_administrator_is_the_operator_while_it_is_the_demo() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let library = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let (_, token) = log_in(&library, "diku_admin", "admin").await;
    let admin = octavo.tenantless_client().with("x-okapi-token", token["okapiToken"].as_str().unwrap());
    admin.post("/_/proxy/tenants", &json!({"id": "testing"})).await.expect(201);
    let users = json!([{"id": "mod-users-19.3.1", "action": "enable"}]);
    admin.post("/_/proxy/tenants/testing/install", &users).await.expect(200);
    octavo.tenantless_client().with("x-okapi-tenant", "testing").get("/users").await.expect(200);
    admin.delete("/_/proxy/tenants/testing").await.expect(204);
    // The desk offers the library before anybody has logged in.
    octavo.tenantless_client().get("/_/proxy/tenants").await.expect(200);
    octavo
        .tenantless_client()
        .from("127.0.0.9")
        .post("/_/proxy/tenants", &json!({"id": "x"}))
        .await
        .expect(400);
    octavo.stop();

    let octavo = Octavo::start(&folder.data_dir());
    let admin = octavo.tenantless_client().with("x-okapi-token", token["okapiToken"].as_str().unwrap());
    admin.get("/users?limit=1").await.expect(200);
    admin.get("/_/proxy/tenants").await.expect(403);
    octavo.tenantless_client().get("/_/proxy/tenants").await.expect(400);
    octavo.stop();
}
