//! What runs by the clock, and when a server stops doing so.

use std::sync::Arc;
use std::time::Duration;

use octavo_modules::{MODULES, timers};
use octavo_pg::Statement;
use octavo_testkit::{Octavo, SeparatePostgres, eventually, on_runtime};
use serde_json::json;

/// A tenant whose timers are all due.
async fn create_due_tenant(octavo: &Octavo) {
    let operator = octavo.operator().await;
    operator.post("/_/proxy/tenants", &json!({"id": "due"})).await.expect(201);
    let modules = ["mod-circulation", "mod-calendar", "mod-feesfines", "mod-login"];
    let modules: Vec<_> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
    operator.post("/_/proxy/tenants/due/install", &json!(modules)).await.expect(200);
    query_number(octavo, "with changed as (update octavo.timers set next_run = now() returning 1) select count(*) from changed").await;
}

async fn query_number(octavo: &Octavo, sql: impl Into<String>) -> i64 {
    let (platform, sql) = (octavo.platform.clone(), sql.into());
    on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        session.read::<Option<i64>>(Statement::new(sql)).await.unwrap().unwrap()
    })
    .await
}

const COUNT_DUE_TIMERS: &str = "select count(*) from octavo.timers where next_run <= now()";

#[tokio::test]
async fn a_server_that_is_told_to_stop_begins_no_job_however_many_are_due() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    create_due_tenant(octavo).await;
    let due = query_number(octavo, COUNT_DUE_TIMERS).await;
    assert!(due > 8, "{due} are due");
    octavo.run_timers(std::future::ready(())).await;
    assert_eq!(query_number(octavo, COUNT_DUE_TIMERS).await, due);

    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = octavo.clone();
    let run = tokio::spawn(async move { running.run_timers(async move { drop(stopped.await) }).await });
    eventually("all that is due is done", async || query_number(octavo, COUNT_DUE_TIMERS).await == 0).await;
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(30), run).await.expect("it stops").unwrap();
}

/// Plants scheduled notices in the tenant, which take some seconds, and makes only the timer with this id due.
async fn schedule_notices(octavo: &Octavo, timer: &str) {
    let script = format!(
        "begin; set local search_path = tenant_due, octavo;
         insert into scheduled_notice (id, doc)
         select n.id, json_build_object(
           'id', n.id, 'triggeringEvent', 'Due date', 'nextRunTime', '2020-01-01T00:00:00.000+00:00',
           'noticeConfig', json_build_object(
             'sendInRealTime', true, 'timing', 'Upon At', 'format', 'Email', 'templateId', n.id))
         from (select gen_random_uuid() as id from generate_series(1, 300)) n;
         create function planted() returns trigger language plpgsql as $$ begin
           perform pg_sleep(0.01); return old; end $$;
         create trigger planted before delete on scheduled_notice for each row execute function planted();
         update octavo.timers set next_run = now() + interval '1 hour';
         update octavo.timers set next_run = now() where tenant = 'due' and id = '{timer}';
         commit"
    );
    let platform = octavo.platform.clone();
    on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        session.script(&script).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_run_of_notices_ends_soon_when_the_server_stops_and_goes_on_later() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    create_due_tenant(octavo).await;
    while octavo.run_due_timer().await {}
    let path = "/circulation/loan-scheduled-notices-processing";
    let timer = timers::timers(MODULES).into_iter().find(|timer| timer.path == path).unwrap();
    schedule_notices(octavo, &timer.id).await;
    let scheduled = async || query_number(octavo, "select count(*) from tenant_due.scheduled_notice").await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = octavo.clone();
    let run = tokio::spawn(async move { running.run_timers(async move { drop(stopped.await) }).await });
    eventually("a batch is done", async || scheduled().await < 300).await;
    stop.send(()).unwrap();
    run.await.unwrap();
    assert!(scheduled().await > 0, "all batches were done");
    assert_eq!(query_number(octavo, COUNT_DUE_TIMERS).await, 1, "the timer is due again");
    while octavo.run_due_timer().await {}
    assert_eq!(scheduled().await, 0);
    assert_eq!(query_number(octavo, "select count(*) from tenant_due.notice").await, 300);
}

/// How many timers rest in the tenant.
const COUNT_RESTING_TIMERS: &str =
    "select count(*) from octavo.timers where tenant = 'due' and regular_run is not null";

#[tokio::test]
async fn timers_rest_where_nothing_is_to_be_done_and_wake_when_something_changes() {
    let elsewhere = SeparatePostgres::start().await;
    let [octavo, other] = &elsewhere.servers;
    create_due_tenant(octavo).await;
    while octavo.run_due_timer().await {}
    let all = query_number(
        octavo,
        "select count(*) from octavo.timers where tenant = 'due' and next_run is not null",
    )
    .await;
    let resting = query_number(octavo, COUNT_RESTING_TIMERS).await;
    assert!(resting * 4 > all * 3, "{resting} of {all} rest");
    // A timer for a time of day, which is a full minute, may come soon whenever the test runs.
    let soon = "select count(*) from octavo.timers where tenant = 'due' and next_run < now() + interval '6 minutes' and next_run <> date_trunc('minute', next_run)";
    let woken = "select count(*) from octavo.timers where tenant = 'due' and id = 'mod-users_0' and regular_run is null";
    assert_eq!(query_number(octavo, soon).await, 0, "an idle tenant costs nothing for a while");

    // Whichever process makes the change, and whichever looks.
    let due = octavo.client().with("x-okapi-tenant", "due");
    let user = json!({"username": "comes", "active": true, "personal": {"lastName": "Comes"}, "expirationDate": "2099-01-01"});
    due.post("/users", &user).await.expect(201);
    eventually("the timers wake", async || {
        other.wake_timers().await;
        query_number(octavo, woken).await == 1
    })
    .await;
    assert!(query_number(octavo, soon).await > 0, "they run at their regular time");

    // What they find then is far away: they rest again, though there is something to do some day.
    query_number(octavo, "with due as (update octavo.timers set next_run = now() where id = 'mod-users_0' returning 1) select count(*) from due").await;
    while octavo.run_due_timer().await {}
    assert_eq!(query_number(octavo, woken).await, 0);
}

#[tokio::test]
async fn a_timer_with_something_to_do_does_not_rest() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    create_due_tenant(octavo).await;
    let due = octavo.client().with("x-okapi-tenant", "due");
    let soon = octavo.now() + jiff::SignedDuration::from_secs(90);
    let user = json!({"username": "goes", "active": true, "personal": {"lastName": "Goes"}, "expirationDate": soon.to_string()});
    due.post("/users", &user).await.expect(201);
    while octavo.run_due_timer().await {}
    let next = "select count(*) from octavo.timers where id = 'mod-users_0' and next_run < now() + interval '2 minutes'";
    assert_eq!(query_number(octavo, next).await, 1, "it runs when the user is to go");
}

#[tokio::test]
async fn a_timer_that_another_release_knows_is_due_again_and_none_stands_still() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    create_due_tenant(octavo).await;
    query_number(
        octavo,
        "with changed as (update octavo.timers set next_run = null, schedule = case when id = 'mod-circulation_0' then 'every 0 second' end
        where id in ('mod-users_0', 'mod-circulation_0') returning 1) select count(*) from changed",
    )
    .await;
    query_number(
        octavo,
        "with added as (insert into octavo.timers (tenant, module, id, next_run)
        values ('due', 'mod-users', 'mod-users_99', now() - interval '1 day') returning 1) select count(*) from added",
    )
    .await;
    octavo.run_timers(std::future::ready(())).await;
    let standing = "select count(*) from octavo.timers where tenant = 'due' and next_run is null";
    assert_eq!(query_number(octavo, standing).await, 1, "the one that an operator has switched off");
    while octavo.run_due_timer().await {}
    let later = "select count(*) from octavo.timers where id = 'mod-users_99' and next_run between now() + interval '50 minutes' and now() + interval '1 hour'";
    assert_eq!(query_number(octavo, later).await, 1);
}

#[tokio::test]
async fn timers_that_could_not_be_started_are_started_later() {
    let elsewhere = SeparatePostgres::start().await;
    let octavo = &elsewhere.servers[0];
    create_due_tenant(octavo).await;
    let platform = octavo.platform.clone();
    on_runtime(async move {
        let mut session = platform.database.system_session(Arc::default()).await.unwrap();
        session.script(REFUSE_ONE_START).await.unwrap();
    })
    .await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = octavo.clone();
    let run = tokio::spawn(async move { running.run_timers(async move { drop(stopped.await) }).await });
    let started = "select count(*) from octavo.timers where tenant = 'due'";
    eventually("timers are started", async || query_number(octavo, started).await > 0).await;
    assert!(query_number(octavo, "select last_value from octavo.attempts").await > 1);
    stop.send(()).unwrap();
    run.await.unwrap();
}

/// Forgets all timers, and lets the first attempt to start any fail.
const REFUSE_ONE_START: &str = "\
begin;
delete from octavo.timers;
create sequence octavo.attempts;
create function octavo.planted() returns trigger language plpgsql as $$ begin
  if nextval('octavo.attempts') = 1 then raise exception 'not now'; end if;
  return new; end $$;
create trigger planted before insert on octavo.timers for each row execute function octavo.planted();
commit";
