//! Statements on their way to a real PostgreSQL and back, through everything that can go wrong on it.

use std::sync::Arc;
use std::time::Duration;

use octavo_kernel::TenantId;
use octavo_pg::embedded::{self, Embedded};
use octavo_pg::{Cell, Database, DbError, Options, Session, Statement, Usage};
use tempfile::TempDir;
use uuid::Uuid;

struct Library {
    database: Database,
    server: Embedded,
    _folder: TempDir,
}

async fn library() -> Library {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let settings = vec![("wal_level".to_owned(), "logical".to_owned())];
    let options = embedded::EmbeddedOptions { data_dir, binaries: None, durable: false, settings };
    let server = Embedded::start(options).await.unwrap();
    let options = Options::unlimited(2);
    let database = Database::from_url(&server.url(), options).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    session
        .script("create schema octavo; create table octavo.book (id uuid primary key, doc json)")
        .await
        .unwrap();
    Library { database, server, _folder: folder }
}

impl Library {
    async fn session(&self) -> Session {
        self.database.system_session(Arc::default()).await.unwrap()
    }

    async fn books(&self) -> i64 {
        count(&mut self.session().await).await
    }
}

async fn count(session: &mut Session) -> i64 {
    session.rows(Statement::new("select count(*) from book")).await.unwrap()[0].long(0)
}

fn book(id: u128) -> Statement {
    Statement::new("insert into book values ($1, $2::text::json)").uuid(Uuid::from_u128(id)).text("{}")
}

fn nonsense() -> Statement {
    Statement::new("select 1 / $1::int8").long(0)
}

const DIVISION_BY_ZERO: &str = "22012";

/// One server for all cases: starting one takes longer than they do.
#[tokio::test]
async fn statements_and_their_refusals() {
    let library = library().await;
    values_arrive_as_they_were_sent(&library).await;
    rows_are_taken_one_by_one_with_the_number_of_their_statement(&library).await;
    a_batch_is_done_whole_or_not_at_all(&library).await;
    a_refused_commit_leaves_the_connection_usable(&library).await;
    what_was_not_parsed_is_parsed_the_next_time(&library).await;
    more_than_the_sockets_hold_flows_both_ways(&library).await;
    a_session_that_nobody_waits_for_is_not_lent_again(&library).await;
    an_open_transaction_is_undone_with_its_session(&library).await;
    more_texts_than_are_kept_are_parsed_anew(&library).await;
    a_connection_serves_some_tenants_and_then_another_does(&library).await;
    one_refused_reader_does_not_hurt_those_beside_it(&library).await;
    a_reader_who_goes_takes_nobody_along(&library).await;
    what_nobody_waits_for_is_cancelled(&library).await;
    a_copy_counts_its_rows_or_says_what_is_wrong(&library).await;
    rows_are_copied_as_they_were_when_a_slot_was_made(&library).await;
    a_connection_that_the_server_ended_is_replaced(&library).await;
    let Library { database, server, _folder } = library;
    drop(database);
    server.stop().await;
}

async fn values_arrive_as_they_were_sent(library: &Library) {
    let id = Uuid::from_u128(7);
    let sql = "select $1::text, $2::uuid, $3::int8, $4::text, $5::text[] = '{a,\"b c\"}', cardinality($6::uuid[])::int8, \
               null::int8";
    let statement = Statement::new(sql)
        .text("Ærø")
        .uuid(id)
        .long(-3)
        .maybe_text(None)
        .texts(vec!["a".into(), "b c".into()])
        .uuids(vec![id, id]);
    let rows = library.session().await.rows(statement).await.unwrap();
    let row = &rows[0];
    let (text, uuid, long, none, texts, uuids, null): (
        &str,
        Uuid,
        i64,
        Option<&str>,
        bool,
        i64,
        Option<i64>,
    ) = row.read();
    assert_eq!((text, uuid, long, none), ("Ærø", id, -3, None));
    assert_eq!((texts, uuids, null, row.column_count()), (true, 2, None, 7));
}

async fn rows_are_taken_one_by_one_with_the_number_of_their_statement(library: &Library) {
    let mut session = library.session().await;
    let numbers =
        |to: i64| Statement::new("select g.n::int8 from generate_series(1, $1::int8) g (n)").long(to);
    let mut taken = Vec::new();
    let statements = vec![numbers(2), numbers(0), numbers(1)];
    session.for_each_row(statements, |statement, row| taken.push((statement, row.long(0)))).await.unwrap();
    assert_eq!(taken, [(0, 1), (0, 2), (2, 1)]);
    taken.clear();
    let statements = vec![numbers(1), nonsense(), numbers(1)];
    let refused =
        session.for_each_row(statements, |statement, row| taken.push((statement, row.long(0)))).await;
    assert!(refused.unwrap_err().has_code(DIVISION_BY_ZERO));
    assert_eq!(taken, [(0, 1)]);
}

async fn a_batch_is_done_whole_or_not_at_all(library: &Library) {
    let mut session = library.session().await;
    let refused = session.batch(vec![book(1), nonsense(), book(2)]).await.unwrap_err();
    assert!(refused.has_code(DIVISION_BY_ZERO), "{refused}");
    assert_eq!(count(&mut session).await, 0);
    session.batch(vec![book(1), book(2)]).await.unwrap();
    assert_eq!(count(&mut session).await, 2);
}

async fn a_refused_commit_leaves_the_connection_usable(library: &Library) {
    let usage = Arc::new(Usage::default());
    let mut session = library.database.system_session(Arc::clone(&usage)).await.unwrap();
    session.begin(vec![book(3)]).await.unwrap();
    let refused = session.commit(vec![book(1)]).await.unwrap_err();
    assert!(refused.has_code(DbError::UNIQUE) && refused.constraint() == Some("book_pkey"), "{refused:?}");
    assert_eq!(count(&mut session).await, 2);
    session.begin(vec![book(3)]).await.unwrap();
    session.commit(vec![book(4)]).await.unwrap();
    assert_eq!(count(&mut session).await, 4);
    // The refused one is rolled back by a message of its own.
    assert_eq!(usage.round_trips(), 3 + 1 + 3);
}

async fn what_was_not_parsed_is_parsed_the_next_time(library: &Library) {
    let mut session = library.session().await;
    let after = || Statement::new("select 'after a refusal'");
    session.batch(vec![nonsense(), after()]).await.unwrap_err();
    assert_eq!(session.batch(vec![after(), after()]).await.unwrap()[1][0].text(0), "after a refusal");
    let wrong = || Statement::new("select nothing from nowhere");
    session.rows(wrong()).await.unwrap_err();
    assert!(session.rows(wrong()).await.unwrap_err().has_code("42P01"));
}

async fn more_than_the_sockets_hold_flows_both_ways(library: &Library) {
    let long = "x".repeat(1 << 20);
    let statements: Vec<Statement> =
        (0..16).map(|_| Statement::new("select $1::text").text(long.as_str())).collect();
    let answers = library.session().await.batch(statements).await.unwrap();
    assert!(answers.len() == 16 && answers.iter().all(|rows| rows[0].text(0) == long));
}

async fn a_session_that_nobody_waits_for_is_not_lent_again(library: &Library) {
    for _ in 0..4 {
        let mut session = library.session().await;
        let sleep = Statement::new("select 'asleep' from pg_sleep(10)");
        assert!(tokio::time::timeout(Duration::from_millis(20), session.rows(sleep)).await.is_err());
    }
    assert_eq!(library.books().await, 4);
}

async fn an_open_transaction_is_undone_with_its_session(library: &Library) {
    library.session().await.begin(vec![book(5)]).await.unwrap();
    assert_eq!(library.books().await, 4);
}

async fn more_texts_than_are_kept_are_parsed_anew(library: &Library) {
    let mut session = library.session().await;
    for _ in 0..2 {
        let statements: Vec<Statement> =
            (0..700).map(|number| Statement::new(format!("select {number}::int8"))).collect();
        let answers = session.batch(statements).await.unwrap();
        assert_eq!(answers[699][0].long(0), 699);
        let others = (700..1400).map(|number| Statement::new(format!("select {number}::int8"))).collect();
        assert_eq!(session.batch(others).await.unwrap()[699][0].long(0), 1399);
    }
    let known = session.rows(Statement::new("select count(*) from pg_prepared_statements")).await.unwrap();
    assert!(known[0].long(0) <= 1401, "{}", known[0].long(0));
}

async fn a_connection_serves_some_tenants_and_then_another_does(library: &Library) {
    let lone = Database::from_url(&library.server.url(), Options::unlimited(1)).unwrap();
    let mut processes = Vec::new();
    for number in 0..120 {
        let tenant = TenantId::parse(&format!("branch{}", number / 2)).unwrap();
        let mut session = lone.session(&tenant, Arc::default()).await.unwrap();
        let process = session.rows(Statement::new("select pg_backend_pid()::int8")).await.unwrap()[0].long(0);
        processes.push(process);
    }
    processes.dedup();
    assert_eq!(processes.len(), 2, "60 tenants, 50 for each connection");
}

async fn one_refused_reader_does_not_hurt_those_beside_it(library: &Library) {
    let usage = Arc::new(Usage::default());
    let readers = (0..40).map(|number| {
        let (database, usage) = (library.database.clone(), Arc::clone(&usage));
        let statement = Statement::new("select 12 / $1::int8").long(number % 4);
        tokio::spawn(async move { (number % 4, database.rows_by_key(statement, &usage).await) })
    });
    for reader in readers.collect::<Vec<_>>() {
        match reader.await.unwrap() {
            (0, answer) => assert!(answer.unwrap_err().has_code(DIVISION_BY_ZERO)),
            (by, answer) => assert_eq!(answer.unwrap()[0].long(0), 12 / by),
        }
    }
    assert_eq!(usage.round_trips(), 40);
}

/// Whoever goes may be the one who reads the answers for others, be it of the first journey or of those that follow.
async fn a_reader_who_goes_takes_nobody_along(library: &Library) {
    let usage = Arc::new(Usage::default());
    let readers: Vec<_> = (0..90)
        .map(|number| {
            let (database, usage) = (library.database.clone(), Arc::clone(&usage));
            let statement = Statement::new("select $1::int8, pg_sleep(0.01)").long(number);
            tokio::spawn(async move { database.rows_by_key(statement, &usage).await })
        })
        .collect();
    for (number, reader) in readers.iter().enumerate() {
        if number % 3 == 0 {
            reader.abort();
        }
        if number % 10 == 0 {
            tokio::time::sleep(Duration::from_millis(4)).await;
        }
    }
    let mut gone = 0;
    for (number, reader) in readers.into_iter().enumerate() {
        match reader.await {
            Ok(answer) => assert_eq!(answer.unwrap()[0].long(0), i64::try_from(number).unwrap()),
            Err(error) => {
                assert!(error.is_cancelled() && number % 3 == 0, "{error}");
                gone += 1;
            }
        }
    }
    assert!(gone > 10, "{gone}");
    assert!(library.database.rows_by_key(Statement::new("select 1"), &usage).await.is_ok());
}

async fn what_nobody_waits_for_is_cancelled(library: &Library) {
    let running =
        "select count(*) from pg_stat_activity where query like 'select pg_sleep(600)%' and state = 'active'";
    let mut watch = library.session().await;
    let mut session = library.session().await;
    let asked =
        tokio::spawn(async move { session.rows(Statement::new("select pg_sleep(600)")).await.map(drop) });
    let mut until = async |count: i64| {
        for _ in 0..600 {
            if watch.rows(Statement::new(running)).await.unwrap()[0].long(0) == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("there are not {count} such statements");
    };
    until(1).await;
    asked.abort();
    until(0).await;
}

async fn a_copy_counts_its_rows_or_says_what_is_wrong(library: &Library) {
    let mut session = library.session().await;
    let long = format!("[\"{}\"]", "x".repeat(1000));
    let mut copy = session.copy_in("book", &["id", "doc"]).await.unwrap();
    for id in 100..1100 {
        copy.write_row(&[Cell::Uuid(Uuid::from_u128(id)), Cell::Json(&long)]).await.unwrap();
    }
    assert_eq!(copy.finish().await.unwrap(), 1000);

    let mut copy = session.copy_in("book", &["id", "doc"]).await.unwrap();
    copy.write_row(&[Cell::Uuid(Uuid::from_u128(100)), Cell::Json("{}")]).await.unwrap();
    assert!(copy.finish().await.unwrap_err().has_code(DbError::UNIQUE));
    assert!(session.copy_in("nowhere", &["id"]).await.is_err());
    assert_eq!(count(&mut session).await, 1004);

    let mut copy = session.copy_in("book", &["id", "doc"]).await.unwrap();
    copy.write_row(&[Cell::Uuid(Uuid::from_u128(9999)), Cell::Json("{}")]).await.unwrap();
    drop(copy);
    drop(session);
    assert_eq!(library.books().await, 1004);
}

async fn rows_are_copied_as_they_were_when_a_slot_was_made(library: &Library) {
    let url = library.server.url().replacen("octavo@", "postgres@", 1);
    let admin = Database::from_url(&url, Options::unlimited(2)).unwrap();
    let slot = admin.slot_with_snapshot("octavo_test").await.unwrap();
    library.session().await.rows(book(5000)).await.unwrap();
    let mut from = admin.system_session(Arc::default()).await.unwrap();
    let mut to = admin.system_session(Arc::default()).await.unwrap();
    let seen = format!("begin isolation level repeatable read; set transaction snapshot '{}'", slot.snapshot);
    from.script(&seen).await.unwrap();
    to.script("create table octavo.copied (id uuid primary key, doc json)").await.unwrap();
    let there = to.copy_text_in("copy copied from stdin").await.unwrap();
    assert_eq!(from.copy_text_to("copy book to stdout", there).await.unwrap(), 1004);
    assert_eq!(library.books().await, 1005);

    let there = to.copy_text_in("copy copied from stdin").await.unwrap();
    assert!(from.copy_text_to("copy book to stdout", there).await.unwrap_err().has_code(DbError::UNIQUE));
    let there = to.copy_text_in("copy copied from stdin").await.unwrap();
    assert!(from.copy_text_to("copy nothing to stdout", there).await.is_err());
    drop((from, to));
    assert!(admin.slot_with_snapshot("octavo_test").await.is_err(), "it is there already");
    drop(slot);
    let mut session = admin.system_session(Arc::default()).await.unwrap();
    let undo = "drop table octavo.copied; delete from octavo.book where id::text like '%1388'; \
                select pg_drop_replication_slot('octavo_test')";
    session.script(undo).await.unwrap();
    assert_eq!(library.books().await, 1004);
}

async fn a_connection_that_the_server_ended_is_replaced(library: &Library) {
    let mut session = library.session().await;
    let mut other = library.session().await;
    let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'octavo'";
    assert!(session.rows(Statement::new(end)).await.unwrap()[0].long(0) >= 1);
    // What only reads is asked again, over another connection.
    let asked = other.rows(Statement::new("select 1::int8")).await;
    assert_eq!(asked.unwrap()[0].long(0), 1);
    drop((other, session));
    let (mut one, mut two) = (library.session().await, library.session().await);
    assert_eq!((count(&mut one).await, count(&mut two).await), (1004, 1004));
    let usage = Usage::default();
    for _ in 0..4 {
        let one = library.database.rows_by_key(Statement::new("select 1::int8"), &usage).await;
        assert_eq!(one.unwrap()[0].long(0), 1, "the shared connections are opened anew");
    }
}
