//! Told to stop, Octavo finishes what it has begun, and its PostgreSQL with it.

use std::fs;

use rustix::process::test_kill_process;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::octavo::{Folder, Octavo, serve};

#[tokio::test]
async fn a_request_in_flight_is_answered_before_the_end() {
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data_dir());
    let library = octavo.tenant(&["mod-users-19.3.1"]).await;
    let postgres = folder.postgres_pid().unwrap();

    let tenant = library.header("x-okapi-tenant").unwrap().to_owned();
    let body = r#"{"group":"in flight"}"#;
    let head = format!(
        "POST /groups HTTP/1.1\r\nhost: localhost\r\nx-okapi-tenant: {tenant}\r\ncontent-length: {}\r\n\
         expect: 100-continue\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(octavo.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The request is in flight as soon as the server asks for the rest of it.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&body.as_bytes()[..5]).await.unwrap();
    octavo.terminate();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    stream.write_all(&body.as_bytes()[5..]).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");

    assert!(octavo.wait().success());
    assert!(test_kill_process(postgres).is_err() || folder.postgres_pid().is_none(), "PostgreSQL goes on");
    assert!(TcpStream::connect(octavo.address).await.is_err());
}

/// Words of programs that something went wrong with.
const ALARMING_WORDS: [&str; 8] =
    ["ERROR", "WARN", "FATAL", "PANIC", "exit code", "abort", "terminating", "unexpected"];

#[tokio::test]
async fn a_stop_leaves_nothing_in_the_logs_that_sounds_like_an_error() {
    let folder = Folder::new();
    let log = folder.path_of("octavo.log");
    let mut command = serve(&folder.data_dir(), &["--log", "info"]);
    command.stderr(fs::File::create(&log).unwrap());
    let octavo = Octavo::start_command(command);
    let library = octavo.tenant(&["mod-circulation-24.2.5"]).await;
    let group = library.post("/groups", &json!({"group": "readers"})).await.expect(201).json();
    for _ in 0..3 {
        library.get("/users?query=active==true").await.expect(200);
        library.get(&format!("/groups/{}", group["id"].as_str().unwrap())).await.expect(200);
    }
    let logs = [log, folder.data_dir().join("postgres.log")];
    // PostgreSQL complains of being asked while it starts.
    let before = logs.each_ref().map(|log| fs::read(log).unwrap().len());
    octavo.stop();
    for (log, before) in logs.iter().zip(before) {
        let said = String::from_utf8_lossy(&fs::read(log).unwrap()[before..]).into_owned();
        let alarming: Vec<&str> =
            said.lines().filter(|line| ALARMING_WORDS.iter().any(|word| line.contains(word))).collect();
        assert!(alarming.is_empty(), "{}", alarming.join("\n"));
    }
}
