//! `octavo migrate`: from another Octavo over HTTP and by its views for reports, and from a database as FOLIO's modules make it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Options, Session, Statement};
use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

/// Types that the demo library has, as clients read them.
const LISTS: &[(&str, &str)] = &[
    ("/groups", "usergroups"),
    ("/users", "users"),
    ("/perms/users", "permissionUsers"),
    ("/locations", "locations"),
    ("/instance-storage/instances", "instances"),
    ("/holdings-storage/holdings", "holdingsRecords"),
    ("/item-storage/items", "items"),
    ("/loan-storage/loans", "loans"),
    ("/loan-storage/loan-history", "loansHistory"),
    ("/loan-policy-storage/loan-policies", "loanPolicies"),
    ("/templates", "templates"),
    ("/feefines", "feefines"),
    ("/configurations/entries", "configs"),
    ("/audit-data/circulation/logs", "logRecords"),
];

/// `octavo` with arguments and something on standard input: whether it was content, and all that it says.
fn octavo(arguments: &[&str], said: &str) -> (bool, String) {
    let mut command = Command::new(program_path());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn report(folder: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(folder.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let types = report["types"].as_array().unwrap().iter();
    types.map(|line| (line["table"].as_str().unwrap().to_owned(), line.clone())).collect()
}

/// Nothing was refused, and what was compared is the same.
fn assert_settled(report: &BTreeMap<String, Value>) {
    for (table, line) in report {
        assert_eq!(line["refused"], 0, "{table}: {line}");
        assert_eq!(line["differing"], json!({}), "{table}: {line}");
        assert!(!line["absent"].is_null() || line["here"] == line["taken"], "{table}: {line}");
    }
}

async fn all_records(client: &Client, path: &str, key: &str) -> BTreeMap<String, Value> {
    let list = client.get(&format!("{path}?limit=2000&query=cql.allRecords%3D1")).await.expect(200).json();
    let records = list[key].as_array().unwrap().iter();
    records.map(|record| (record["id"].as_str().unwrap().to_owned(), record.clone())).collect()
}

async fn logged_in(octavo: &Octavo, tenant: &str, username: &str, password: &str) -> Client {
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", tenant);
    let who = json!({"username": username, "password": password});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap())
}

/// PostgreSQL on a folder of its own.
async fn database(folder: &Folder, name: &str) -> Embedded {
    let data_dir = folder.path_of(name);
    let options = EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn session(url: &str) -> Session {
    let database = Database::from_url(url, Options::unlimited(2)).unwrap();
    database.system_session(Default::default()).await.unwrap()
}

#[tokio::test]
async fn a_library_goes_over_http_and_by_its_views_and_is_the_same() {
    let folder = Folder::new();
    let postgres = database(&folder, "database").await;
    let url = postgres.url();
    let source = Octavo::start_with(&folder.data_dir(), &["--demo", "--database-url", &url]);
    let address = format!("http://{}", source.address);
    let desk = logged_in(&source, "diku", "diku_admin", "admin").await;

    // Over HTTP, in two steps.
    let (other, reports) = (folder.path_of("other"), folder.path_of("reports"));
    let over_http = [
        "migrate",
        "--from",
        &address,
        "--from-tenant",
        "diku",
        "--tenant",
        "moved",
        "--username",
        "diku_admin",
        "--data-dir",
        other.to_str().unwrap(),
        "--report",
        reports.to_str().unwrap(),
        "--sample",
        "1000",
    ];
    let (content, said) = octavo(&[&over_http[..], &["--only", "groups,users"]].concat(), "admin\n");
    assert!(content && said.contains("users: 51 read, 51 taken"), "{said}");
    let (content, said) = octavo(&over_http, "admin\n");
    assert!(content, "{said}");
    let told = report(&reports);
    assert_settled(&told);
    assert_eq!(told["users"]["read"], 51);
    assert!(told["loan"]["taken"].as_u64() > Some(20), "{}", told["loan"]);
    assert!(told["auth_credentials"]["absent"].as_str().unwrap().contains("hashes"), "{said}");
    let (content, said) =
        octavo(&[&over_http[..2], &["http://127.0.0.1:1"], &over_http[3..]].concat(), "admin\n");
    assert!(!content, "{said}");

    // The administrator's password is not told over HTTP.
    let data = other.to_str().unwrap();
    let (content, said) =
        octavo(&["user", "password", "--tenant", "moved", "diku_admin", "--data-dir", data], "New one 1\n");
    assert!(content, "{said}");
    let target = Octavo::start(&other);
    let moved = logged_in(&target, "moved", "diku_admin", "New one 1").await;
    for (path, key) in LISTS {
        assert_eq!(all_records(&desk, path, key).await, all_records(&moved, path, key).await, "{path}");
    }
    // Numbers go on.
    let kind = all_records(&moved, "/instance-types", "instanceTypes").await.into_keys().next().unwrap();
    let title = json!({"title": "After the move", "source": "FOLIO", "instanceTypeId": kind});
    let made = moved.post("/instance-storage/instances", &title).await.expect(201).json();
    assert_eq!(made["hrid"], format!("in{:011}", told["instance"]["taken"].as_u64().unwrap() + 1));
    target.stop();

    // From the views, which hold no hashes either.
    let (content, said) = octavo(&["reporting", "on", "--tenant", "diku", "--database-url", &url], "");
    assert!(content && said.contains("Octavo's own role may make no role"), "{said}");
    let third = folder.path_of("third");
    let reports = folder.path_of("reports of views");
    let from_views = [
        "migrate",
        "--from",
        &url,
        "--tenant",
        "diku",
        "--data-dir",
        third.to_str().unwrap(),
        "--report",
        reports.to_str().unwrap(),
        "--sample",
        "1000",
    ];
    let (content, said) = octavo(&from_views, "");
    assert!(content, "{said}");
    let told = report(&reports);
    assert_settled(&told);
    assert_eq!(told["users"]["read"], 51);
    assert_eq!(told["circulation_log"]["read"], told["circulation_log"]["there"]);
    source.stop();
    postgres.stop().await;
}

#[tokio::test]
async fn a_role_for_reports_reads_the_views_and_nothing_else() {
    let folder = Folder::new();
    let postgres = database(&folder, "database").await;
    let url = postgres.url();
    let octavo_ = Octavo::start_with(&folder.data_dir(), &["--demo", "--database-url", &url]);
    let superuser = url.replace("octavo@", "postgres@");
    session(&superuser).await.script("alter role octavo createrole").await.unwrap();
    for said in ["are read by role diku_reports", "are read by role diku_reports"] {
        let (content, told) = octavo(&["reporting", "on", "--tenant", "diku", "--database-url", &url], "");
        assert!(content && told.contains(said), "{told}");
    }
    let (content, told) =
        octavo(&["reporting", "password", "--tenant", "diku", "--database-url", &url], "it's secret\n");
    assert!(content, "{told}");
    let mut reader = session(&url.replace("octavo@", "diku_reports@")).await;
    let books = "select count(*) from diku_mod_inventory_storage.item i \
        join diku_mod_inventory_storage.holdings_record h on h.id = i.holdingsrecordid \
        where i.jsonb -> 'status' ->> 'name' = 'Checked out' and i.creation_date < now()";
    let books: Option<i64> = reader.read(Statement::new(books)).await.unwrap();
    assert!(books > Some(20), "{books:?}");
    for refused in [
        "select count(*) from tenant_diku.users",
        "select count(*) from octavo.tenants",
        "select count(*) from diku_mod_login.auth_credentials",
        "delete from diku_mod_users.users",
        "create table public.mine (id int8)",
    ] {
        assert!(reader.rows(Statement::new(refused)).await.is_err(), "{refused}");
    }
    let limit: Option<String> =
        reader.read(Statement::new("select current_setting('statement_timeout')")).await.unwrap();
    assert_eq!(limit.as_deref(), Some("10min"));
    drop(reader);

    // The views go with the tenant.
    let (content, told) = octavo(&["reporting", "off", "--tenant", "diku", "--database-url", &url], "");
    assert!(content && told.contains("role diku_reports are gone"), "{told}");
    let (content, told) = octavo(&["reporting", "on", "--tenant", "diku", "--database-url", &url], "");
    assert!(content, "{told}");
    octavo_.operator().delete("/_/proxy/tenants/diku").await.expect(204);
    let left = "select count(*) from pg_namespace where nspname like 'diku%'";
    let left: Option<i64> = session(&url).await.read(Statement::new(left)).await.unwrap();
    assert_eq!(left, Some(0));
    octavo_.stop();
    postgres.stop().await;
}

const GROUP: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f01";
const ADA: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f02";
const LOST: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f03";
const KIND: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f04";
const TITLE: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f05";
const NOTE: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f06";
const SNAPSHOT: &str = "0d9b36b7-ddd7-4f2d-8f2c-1f2c1e0e0f07";
const SALT: &str = "0A1B2C3D4E5F60718293A4B5C6D7E8F901234567";
/// Of "From FOLIO 1": PBKDF2 with HMAC-SHA1, 1,000 rounds, 20 bytes.
const HASH: &str = "7E5CA57635182A2BD4431D18B6107DF10BE9D8F4";

/// Rows as FOLIO's modules have them in Quesnelia: most as documents, notes and source records in columns.
fn folio_sql() -> String {
    let made = json!({"createdDate": "2021-02-03T04:05:06.789+00:00", "createdByUserId": ADA, "updatedDate": "2022-02-03T04:05:06.789+00:00"});
    let documents = [
        ("mod_users", "groups", json!({"id": GROUP, "group": "staff", "metadata": made})),
        (
            "mod_users",
            "users",
            json!({"id": ADA, "username": "ada", "active": true, "patronGroup": GROUP, "barcode": "1", "personal": {"lastName": "Lovelace"}, "metadata": made}),
        ),
        (
            "mod_users",
            "users",
            json!({"id": LOST, "username": "lost", "patronGroup": LOST, "personal": {"lastName": "Nobody"}}),
        ),
        ("mod_login", "auth_credentials", json!({"id": LOST, "userId": ADA, "salt": SALT, "hash": HASH})),
        (
            "mod_permissions",
            "permissions_users",
            json!({"id": ADA, "userId": ADA, "permissions": ["users.collection.get", "inventory-storage.instances.item.get", "notes.item.get", "notes.domain.all", "source-storage.records.get", "inventory-storage.instances.item.post"]}),
        ),
        (
            "mod_inventory_storage",
            "instance_type",
            json!({"id": KIND, "name": "text", "code": "txt", "source": "rdacontent"}),
        ),
        (
            "mod_inventory_storage",
            "instance",
            json!({"id": TITLE, "_version": 7, "hrid": "bib0000041", "title": "Notes by the translator", "source": "MARC", "instanceTypeId": KIND, "metadata": made}),
        ),
        (
            "mod_inventory_storage",
            "hrid_settings",
            json!({"id": NOTE, "instances": {"prefix": "bib", "startNumber": 1}, "holdings": {"prefix": "ho", "startNumber": 1}, "items": {"prefix": "it", "startNumber": 1}, "commonRetainLeadingZeroes": false}),
        ),
        (
            "mod_audit",
            "circulation_logs",
            json!({"id": NOTE, "eventId": NOTE, "object": "Loan", "action": "Checked out", "date": "2021-02-03T04:05:06.789+00:00", "userBarcode": "1", "description": "Checked out to patron.", "items": [{"itemBarcode": "9"}], "linkToIds": {"userId": ADA}}),
        ),
    ];
    let mut sql = String::new();
    for (module, table, document) in documents {
        sql.push_str(&format!(
            "create schema if not exists diku_{module};\n\
             create table if not exists diku_{module}.{table} (id uuid primary key, jsonb jsonb not null, creation_date timestamp, created_by text);\n\
             insert into diku_{module}.{table} (id, jsonb) values ('{}', '{document}');\n",
            document["id"].as_str().unwrap()
        ));
    }
    sql.push_str(&format!(
        "create sequence diku_mod_inventory_storage.hrid_instances_seq;\n\
         select setval('diku_mod_inventory_storage.hrid_instances_seq', 57);\n\
         create schema diku_mod_notes;\n\
         create table diku_mod_notes.type (id uuid, name text, created_by uuid, created_date timestamp, updated_by uuid, updated_date timestamp);\n\
         create table diku_mod_notes.note (id uuid, title text, content text, indexed_content text, domain text, type_id uuid, \
           pop_up_on_user boolean, pop_up_on_check_out boolean, created_by uuid, created_date timestamp, updated_by uuid, updated_date timestamp);\n\
         create table diku_mod_notes.link (id uuid, object_id text, object_type text);\n\
         create table diku_mod_notes.note_link (note_id uuid, link_id uuid);\n\
         insert into diku_mod_notes.type values ('{KIND}', 'General', null, '2021-02-03', null, null);\n\
         insert into diku_mod_notes.note values ('{NOTE}', 'Careful', 'Reads ahead', 'Reads ahead', 'users', '{KIND}', true, false, '{ADA}', '2021-02-03', null, null);\n\
         insert into diku_mod_notes.link values ('{LOST}', '{ADA}', 'user');\n\
         insert into diku_mod_notes.note_link values ('{NOTE}', '{LOST}');\n\
         create schema diku_mod_source_record_storage;\n\
         set search_path = diku_mod_source_record_storage;\n\
         create table snapshots_lb (id uuid, status text, processing_started_date timestamptz, created_by_user_id uuid, created_date timestamptz, updated_by_user_id uuid, updated_date timestamptz);\n\
         create table records_lb (id uuid, snapshot_id uuid, matched_id uuid, generation integer, record_type text, external_id uuid, \
           state text, leader_record_status char(1), \"order\" integer, suppress_discovery boolean, created_by_user_id uuid, \
           created_date timestamptz, updated_by_user_id uuid, updated_date timestamptz, external_hrid text);\n\
         create table marc_records_lb (id uuid, content jsonb);\n\
         create table raw_records_lb (id uuid, content text);\n\
         insert into snapshots_lb values ('{SNAPSHOT}', 'COMMITTED', '2021-02-03', null, '2021-02-03', null, '2021-02-03');\n\
         insert into records_lb values ('{NOTE}', '{SNAPSHOT}', '{NOTE}', 0, 'MARC_BIB', '{TITLE}', 'ACTUAL', 'c', 0, false, null, '2021-02-03', null, '2021-02-03', 'bib0000041');\n\
         insert into marc_records_lb values ('{NOTE}', '{{\"leader\": \"00000cam a2200000 i 4500\", \"fields\": [{{\"001\": \"bib0000041\"}}]}}');\n\
         insert into raw_records_lb values ('{NOTE}', 'raw');\n"
    ));
    sql
}

#[tokio::test]
async fn a_database_of_folio_is_read_with_hashes_notes_source_records_and_the_log() {
    let folder = Folder::new();
    let postgres = database(&folder, "folio").await;
    let url = postgres.url();
    session(&url).await.script(&folio_sql()).await.unwrap();
    let (data, reports) = (folder.data_dir(), folder.path_of("reports"));
    let mut arguments = vec![
        "migrate",
        "--from",
        &url,
        "--from-tenant",
        "diku",
        "--tenant",
        "lib",
        "--data-dir",
        data.to_str().unwrap(),
        "--report",
        reports.to_str().unwrap(),
    ];
    let (content, said) = octavo(&arguments, "");
    assert!(content, "{said}");
    let told = report(&reports);
    assert_eq!((&told["users"]["taken"], &told["users"]["refused"]), (&json!(1), &json!(1)), "{said}");
    let refused = std::fs::read_to_string(reports.join("users.failed.jsonl")).unwrap();
    let refused: Value = serde_json::from_str(refused.trim()).unwrap();
    assert!(refused["reason"].as_str().unwrap().contains("does not exist in groups"), "{refused}");
    assert!(refused["raw"].as_str().unwrap().contains("Nobody"), "{refused}");
    assert!(
        told["loan"]["absent"].as_str().unwrap().contains("diku_mod_circulation_storage.loan"),
        "{}",
        told["loan"]
    );
    for table in
        ["instance", "note", "note_type", "records_lb", "snapshots_lb", "circulation_log", "auth_credentials"]
    {
        assert_eq!(
            (&told[table]["taken"], &told[table]["refused"]),
            (&json!(1), &json!(0)),
            "{table}: {}",
            std::fs::read_to_string(reports.join(format!("{table}.failed.jsonl"))).unwrap_or_default()
        );
        assert_eq!(told[table]["differing"], json!({}), "{table}: {}", told[table]);
    }
    // Said again, it has nothing left to do; from elsewhere it is refused.
    let (content, said) = octavo(&arguments, "");
    assert!(content && said.contains("users: 2 read, 1 taken, 1 refused"), "{said}");
    arguments[4] = "other";
    let (content, said) = octavo(&arguments, "");
    assert!(!content && said.contains("no schemas of a FOLIO tenant other"), "{said}");

    let octavo_ = Octavo::start(&data);
    let ada = logged_in(&octavo_, "lib", "ada", "From FOLIO 1").await;
    let title = ada.get(&format!("/instance-storage/instances/{TITLE}")).await.expect(200).json();
    assert_eq!((&title["_version"], &title["hrid"]), (&json!(7), &json!("bib0000041")));
    assert_eq!(title["metadata"]["createdDate"], "2021-02-03T04:05:06.789+00:00");
    assert_eq!(title["metadata"]["createdByUserId"], ADA);
    let note = ada.get(&format!("/notes/{NOTE}")).await.expect(200).json();
    assert_eq!((&note["type"], &note["links"][0]["id"]), (&json!("General"), &json!(ADA)));
    let record = ada.get(&format!("/source-storage/records/{NOTE}")).await.expect(200).json();
    assert_eq!(record["parsedRecord"]["content"]["fields"][0]["001"], "bib0000041");
    assert_eq!(record["externalIdsHolder"]["instanceId"], TITLE);
    let new = json!({"title": "After the move", "source": "FOLIO", "instanceTypeId": KIND});
    let new = ada.post("/instance-storage/instances", &new).await.expect(201).json();
    assert_eq!(new["hrid"], "bib58");
    octavo_.stop();
    postgres.stop().await;
}

/// A condition of patron blocks that a new tenant has.
const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";

#[tokio::test]
async fn a_default_record_that_another_one_refers_to_is_kept_and_reported() {
    let folder = Folder::new();
    let postgres = database(&folder, "folio").await;
    let url = postgres.url();
    let limit = json!({"id": LOST, "patronGroupId": GROUP, "conditionId": CHARGED_OUT, "value": 5});
    let condition = json!({
        "id": KIND, "name": "Fines of a branch", "valueType": "Double", "message": "",
        "blockBorrowing": false, "blockRenewals": false, "blockRequests": false,
    });
    let mut sql = "create schema diku_mod_patron_blocks;\n".to_owned();
    for (table, document) in [("patron_block_limits", limit), ("patron_block_conditions", condition)] {
        let table = format!("diku_mod_patron_blocks.{table}");
        sql.push_str(&format!(
            "create table {table} (id uuid primary key, jsonb jsonb not null, creation_date timestamp, created_by text);\n\
             insert into {table} (id, jsonb) values ('{}', '{document}');\n",
            document["id"].as_str().unwrap()
        ));
    }
    session(&url).await.script(&sql).await.unwrap();
    let (data, reports) = (folder.data_dir(), folder.path_of("reports"));
    let arguments = ["migrate", "--from", &url, "--tenant", "diku", "--data-dir"];
    let arguments =
        [&arguments[..], &[data.to_str().unwrap(), "--report", reports.to_str().unwrap(), "--only"]].concat();
    // The limits come first, so that one refers to a default condition while these are deleted.
    for table in ["patron_block_limits", "patron_block_conditions"] {
        let (content, said) = octavo(&[&arguments[..], &[table]].concat(), "");
        assert!(content && said.contains(&format!("{table}: 1 read, 1 taken")), "{said}");
    }
    let told = report(&reports);
    let line = &told["patron_block_conditions"];
    assert_eq!((&line["kept"], &line["here"]), (&json!(1), &json!(2)), "{line}");
    let kept = std::fs::read_to_string(reports.join("patron_block_conditions.kept.jsonl")).unwrap();
    let kept: Value = serde_json::from_str(kept.trim()).unwrap();
    assert_eq!(kept["id"], CHARGED_OUT);
    assert!(kept["reason"].as_str().unwrap().contains("patron_block_limits"), "{kept}");
    assert!(!reports.join("patron_block_limits.kept.jsonl").exists());
    postgres.stop().await;
}

/// 700 tags, of which the last 200 cannot be read until something is mended.
const BROKEN_TAGS: &str = "\
create schema diku_mod_tags;
create table diku_mod_tags.mended (at timestamptz);
create view diku_mod_tags.tags as
select id, case
  when n <= 500 or exists (select from diku_mod_tags.mended) then jsonb_build_object('id', id, 'label', 'tag ' || n)
  else (1 / (n - n))::text::jsonb end as jsonb
from (select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, 700) n) r";

#[tokio::test]
async fn what_broke_off_goes_on_where_it_was() {
    let folder = Folder::new();
    let postgres = database(&folder, "folio").await;
    let url = postgres.url();
    session(&url).await.script(BROKEN_TAGS).await.unwrap();
    let (data, reports) = (folder.data_dir(), folder.path_of("reports"));
    let arguments = ["migrate", "--from", &url, "--tenant", "diku", "--only", "tags", "--data-dir"];
    let arguments =
        [&arguments[..], &[data.to_str().unwrap(), "--report", reports.to_str().unwrap()]].concat();
    let (content, said) = octavo(&arguments, "");
    assert!(!content && said.contains("division by zero"), "{said}");
    session(&url).await.script("insert into diku_mod_tags.mended values (now())").await.unwrap();
    let (content, said) = octavo(&arguments, "");
    assert!(content && said.contains("tags: 700 read, 700 taken\n"), "{said}");
    assert_settled(&report(&reports));
    postgres.stop().await;
}
