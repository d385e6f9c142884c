//! `octavo doctor`, on a library that a test damages in every way that it looks for.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use octavo_pg::{Database, Options};
use octavo_testkit::eventually;
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

fn doctor(data: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(program_path());
    command.arg("doctor").arg("--data-dir").arg(data).args(more);
    command.output().unwrap()
}

/// The exit status of `octavo doctor` and its JSON report.
fn doctor_report(data: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let output = doctor(data, &[&["--json"], more].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&said);
    let report = report.unwrap_or_else(|_| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), report)
}

fn findings(report: &Value) -> &[Value] {
    report["findings"].as_array().unwrap()
}

/// The findings about the library, without those about the disk of the machine that the test runs on.
fn library_findings(report: &Value) -> Vec<&str> {
    let of_the_library = findings(report).iter().filter(|finding| finding["part"] != "disk");
    of_the_library.map(|finding| finding["what"].as_str().unwrap()).collect()
}

/// Executes a statement as PostgreSQL's superuser.
async fn run_as_superuser(data: &Path, sql: &str) {
    let socket = data.join("run").display().to_string().replace('/', "%2F");
    let url = format!("postgresql://postgres@/octavo?host={socket}&port=5432");
    let database = Database::from_url(&url, Options::unlimited(1)).unwrap();
    let mut session = database.system_session(std::sync::Arc::default()).await.unwrap();
    session.script(sql).await.unwrap();
    drop(session);
    database.close().await;
}

const MODULES: &[&str] = &["mod-circulation", "mod-feesfines"];

/// Statements that make the library's records contradict each other, with the finding that each leads to.
const CONTRADICTIONS: &[(&str, &str)] = &[
    (
        "drop index \"loan_itemId_unique\";
         insert into loan (id, doc) select gen_random_uuid(), jsonb_build_object('status', '{\"name\": \"Open\"}'::jsonb,
           'itemId', '00000000-0000-4000-8000-000000000001', 'userId', '00000000-0000-4000-8000-000000000002')
         from generate_series(1, 2)",
        "an item is lent twice",
    ),
    ("", "an open loan is of a user who is not there, 2 times"),
    ("", "an open loan is of an item that is not there, 3 times"),
    (
        "insert into loan (id, doc) values (gen_random_uuid(),
           '{\"status\": {\"name\": \"Open\"}, \"itemId\": \"00000000-0000-4000-8000-000000000003\"}')",
        "nobody has an open loan",
    ),
    (
        "insert into request (id, doc) select id, jsonb_build_object('id', id, 'status', 'Open - Not yet filled',
           'requestLevel', 'Item', 'itemId', '00000000-0000-4000-8000-000000000004',
           'instanceId', '00000000-0000-4000-8000-000000000009',
           'requesterId', gen_random_uuid(), 'position', position) from (values (gen_random_uuid(), 2), (gen_random_uuid(), 4)) p (id, position)",
        "an open request is of a user who is not there, 2 times",
    ),
    ("", "an open request is for an item that is not there, 2 times"),
    ("", "a queue does not count from 1 without gaps"),
    (
        "insert into queue_place (id, \"itemId\", position) values
           (gen_random_uuid(), '00000000-0000-4000-8000-000000000005', 1)",
        "a place in a queue is nobody's",
    ),
    (
        "insert into accounts (id, doc) values ('00000000-0000-4000-8000-000000000006',
           '{\"amount\": 10, \"remaining\": 4, \"status\": {\"name\": \"Open\"}}');
         insert into feefineactions (id, doc) select gen_random_uuid(), a || '{\"accountId\": \"00000000-0000-4000-8000-000000000006\"}'
         from (values ('{\"typeAction\": \"Lost\", \"amountAction\": 10}'::jsonb),
           ('{\"typeAction\": \"Paid partially\", \"amountAction\": 5}'::jsonb)) v (a)",
        "the actions on a fee do not add up to its balance",
    ),
    (
        "insert into accounts (id, doc) values
           (gen_random_uuid(), '{\"amount\": 10, \"remaining\": 3, \"status\": {\"name\": \"Closed\"}}')",
        "a fee is closed while something of it is owed, or open while nothing is",
    ),
    (
        "insert into accounts (id, doc) values
           (gen_random_uuid(), '{\"amount\": 10, \"remaining\": 30, \"status\": {\"name\": \"Open\"},
             \"userId\": \"00000000-0000-4000-8000-000000000007\"}')",
        "more is owed than was charged, or less than nothing",
    ),
    ("", "an open fee is of a user who is not there"),
    (
        "insert into feefineactions (id, doc) values
           (gen_random_uuid(), '{\"accountId\": \"00000000-0000-4000-8000-000000000008\", \"amountAction\": 1}')",
        "an action is on a fee that is not there",
    ),
];

#[tokio::test]
async fn a_damaged_library_is_seen_and_repaired_as_far_as_that_is_safe() {
    let folder = Folder::new();
    let data = folder.data_dir();
    let octavo = Octavo::start(&data);
    let (client, tenant) = octavo.named_tenant(MODULES).await;
    eventually("the library answers", async || client.get("/loan-storage/loans").await.status == 200).await;
    let (status, report) = doctor_report(&data, &[]);
    assert_eq!((status, library_findings(&report).as_slice()), (Some(0), &[] as &[&str]), "{report}");
    assert_eq!(report["inOrder"], true);

    let schema = format!("tenant_{tenant}");
    for (sql, _) in CONTRADICTIONS {
        run_as_superuser(&data, &format!("set search_path = {schema}, octavo; {sql}")).await;
    }
    let more = format!(
        "set search_path = {schema}, octavo;
         drop index \"loan_dueDate_order\";
         update pg_index set indisvalid = false where indexrelid = '\"loan_userId_order\"'::regclass;
         create table strange (id int);
         alter table groups drop column filled cascade;
         drop function octavo.texts(jsonb, text) cascade;
         update octavo.migration set applied = now() + interval '1 day' where number = 2"
    );
    run_as_superuser(&data, &more).await;
    fs::set_permissions(data.join("operator-token"), fs::Permissions::from_mode(0o644)).unwrap();
    let (status, report) = doctor_report(&data, &[]);
    assert_eq!(status, Some(2), "{report}");
    let found = library_findings(&report);
    for (_, what) in CONTRADICTIONS {
        assert!(found.contains(what), "{what}: {found:#?}");
    }
    for what in [
        format!("{schema} lacks 2 indexes"),
        format!("{schema} has 2 parts that are not Octavo's"),
        "1 indexes were not finished and are not used".to_owned(),
        "others than its owner may read operator-token".to_owned(),
        "the clock was set back: the database was changed at a time that has not come yet".to_owned(),
    ] {
        assert!(found.contains(&what.as_str()), "{what}: {found:#?}");
    }
    for (part, lost) in [("octavo", "FUNCTION the_schema.texts"), (&schema, "column groups filled")] {
        let lost = lost.replace("the_schema", part);
        let lacks = |finding: &&Value| {
            let what = finding["what"].as_str().unwrap();
            what.starts_with(&format!("{part} lacks ")) && what.ends_with("in their place")
        };
        let cases = findings(&report).iter().find(lacks).map(|finding| finding["cases"].to_string());
        assert!(cases.as_ref().is_some_and(|cases| cases.contains(&lost)), "{lost}: {cases:?}");
    }
    let text = String::from_utf8(doctor(&data, &[]).stdout).unwrap();
    assert!(text.contains("repairs 5 of them"), "{text}");

    // The unique index cannot be made while an item is lent twice.
    let (status, report) = doctor_report(&data, &["--repair"]);
    assert_eq!(status, Some(2));
    let unmade =
        findings(&report).iter().find(|finding| finding["what"] == format!("{schema} lacks 2 indexes"));
    assert!(unmade.unwrap()["error"].as_str().unwrap().contains("could not create unique index"), "{report}");
    run_as_superuser(&data, &format!("set search_path = {schema}, octavo; delete from loan")).await;
    let (_, report) = doctor_report(&data, &["--repair"]);
    let failed: Vec<&Value> =
        findings(&report).iter().filter(|finding| !finding["error"].is_null()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let (_, report) = doctor_report(&data, &[]);
    let left = library_findings(&report);
    for gone in [
        "a queue does not count from 1 without gaps",
        "a place in a queue is nobody's",
        "1 indexes were not finished and are not used",
        "others than its owner may read operator-token",
    ] {
        assert!(!left.contains(&gone), "{gone}: {left:#?}");
    }
    assert!(!left.iter().any(|what| what.ends_with("indexes")), "{left:#?}");
    assert!(
        left.contains(&"more is owed than was charged, or less than nothing"),
        "money is people's: {left:#?}"
    );
    drop(octavo);
    assert_eq!(doctor_report(&data, &[]).0, Some(2), "also where nothing runs");
}

#[tokio::test]
async fn what_is_to_be_upgraded_and_what_is_not_there_is_told() {
    let folder = Folder::new();
    let data = folder.data_dir();
    let nothing = doctor(&data, &[]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("there is no database in "));
    assert!(!data.exists(), "it makes nothing");

    let octavo = Octavo::start(&data);
    let (_, tenant) = octavo.named_tenant(&["mod-users"]).await;
    let schema = format!("tenant_{tenant}");
    let sql = format!(
        "delete from {schema}.migration where number > 30; insert into octavo.migration values (999, 'x')"
    );
    run_as_superuser(&data, &sql).await;
    let (status, report) = doctor_report(&data, &[]);
    assert_eq!(status, Some(0), "servers of two versions may run beside each other: {report}");
    let levels: Vec<&Value> = findings(&report).iter().map(|finding| &finding["level"]).collect();
    assert!(levels.iter().all(|level| *level == "advice"), "{report}");
    let found = library_findings(&report);
    assert_eq!(found, ["octavo has had 1 changes that this version does not know"], "{report}");
    run_as_superuser(&data, "delete from octavo.migration where number = 999").await;
    let (_, report) = doctor_report(&data, &[]);
    assert!(library_findings(&report)[0].starts_with(&format!("{schema} has not had ")), "{report}");
    assert!(findings(&report)[0]["advice"].as_str().unwrap().contains("octavo serve"), "{report}");

    run_as_superuser(&data, &format!("update octavo.tenants set schema_version = 99 where id = '{tenant}'"))
        .await;
    let (status, report) = doctor_report(&data, &[]);
    assert_eq!(status, Some(2));
    assert_eq!(
        library_findings(&report),
        ["a newer Octavo has changed it so that this one cannot work with it"]
    );
    run_as_superuser(
        &data,
        &format!("update octavo.tenants set schema_version = 1; drop schema {schema} cascade"),
    )
    .await;
    let (_, report) = doctor_report(&data, &[]);
    assert_eq!(library_findings(&report), [format!("tenant {tenant} has no tables")]);

    let socket = data.join("run").display().to_string().replace('/', "%2F");
    let elsewhere = format!("postgresql://postgres@/postgres?host={socket}&port=5432");
    let (status, report) = doctor_report(&data, &["--database-url", &elsewhere]);
    assert_eq!(
        (status, library_findings(&report).as_slice()),
        (Some(2), &["there is no Octavo in this database"] as &[&str])
    );
    let nowhere = "postgresql://postgres@/postgres?host=%2Fnowhere&port=5432";
    let (status, report) = doctor_report(&data, &["--database-url", nowhere]);
    assert_eq!(status, Some(2));
    assert!(
        library_findings(&report)[0]
            .starts_with("it cannot be opened: the database can't be used: the database cannot be reached: "),
        "{report}"
    );
    assert_eq!(report["findings"][0]["repairable"], json!(false));
}
