//! Carries migrations out while others read and write: each lock on a table that is there already is waited for and held for a tenth
//! of a second at most, rows are changed a few at a time, and what takes long blocks nobody.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use octavo_kernel::TenantId;
use octavo_pg::{Database, DbError, Session, Sql, Statement};
use uuid::Uuid;

use super::super::is_in_the_way;
use super::sql::{Kind, Step, constraint_of, index_of, steps, touched, words};
use super::{APPLIED, APPLY, LOCK, Migration, STANDING, TABLE};

/// How long locks on tables that are there already are waited for and held, all of a step together.
const HELD: Duration = Duration::from_millis(100);
/// Until a step that could not be done in that time is tried again: those who waited behind it go on meanwhile.
const PAUSE: Duration = Duration::from_millis(300);
/// After so many tries in succession the time is doubled, so that a busy server is brought up to date all the same.
const TRIES: u32 = 20;
/// How long a batch of rows is to take; it becomes larger or smaller accordingly.
const BATCH: Duration = Duration::from_millis(30);
const FIRST_BATCH: i64 = 50;
const LARGEST_BATCH: i64 = 5000;

/// Brings the schema of a tenant up to date, or the schema `octavo` if none is named. A tenant that has been deleted meanwhile, or has
/// no schema, as the supertenant, is left alone. Other processes that do the same wait for it.
pub(super) async fn bring_up_to_date(
    database: &Database,
    session: &mut Session,
    tenant: Option<&TenantId>,
    migrations: &[Migration],
) -> Result<(), DbError> {
    let schema = tenant.map_or("octavo", TenantId::schema);
    if pending(session, schema, migrations).await?.is_empty() {
        return Ok(());
    }
    loop {
        // Held by a transaction of its own: the session that works has many. It sees nothing, so it keeps no index waiting.
        let mut guard = database.system(session_usage()).await?;
        guard.begin(Vec::new()).await?;
        let taken: Option<bool> = guard.read(Statement::new(TAKE).long(LOCK)).await?;
        if taken != Some(true) {
            guard.rollback().await?;
            drop(guard);
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        if let Some(tenant) = tenant {
            let standing = Statement::new(STANDING).text(tenant.as_str()).text(tenant.schema());
            if guard.read::<Option<Option<String>>>(standing).await?.flatten().is_none() {
                return guard.rollback().await;
            }
        }
        // PostgreSQL keeps what the last statement saw until another one comes, and with it any index waiting; a script leaves nothing.
        guard.script("select 1").await?;
        let done = apply(session, schema, migrations).await;
        guard.rollback().await?;
        match done {
            // A process that waits for the lock may be what an index waits for; it goes first.
            Err(why) if is_in_the_way(&why) => tokio::time::sleep(PAUSE).await,
            done => return done,
        }
    }
}

fn session_usage() -> std::sync::Arc<octavo_pg::Usage> {
    std::sync::Arc::new(octavo_pg::Usage::of(octavo_pg::Work::Maintenance))
}

/// Those that a schema has not had.
async fn pending<'a>(
    session: &mut Session,
    schema: &str,
    migrations: &'a [Migration],
) -> Result<Vec<&'a Migration>, DbError> {
    let applied = Sql { text: APPLIED.replace('%', &format!("{schema:?}")), params: Vec::new() };
    let applied: Vec<i64> = match session.read_once(&applied).await {
        Err(why) if why.is(DbError::NO_TABLE) || why.is(NO_SCHEMA) => Vec::new(),
        applied => applied?,
    };
    Ok(migrations.iter().filter(|migration| !applied.contains(&migration.number)).collect())
}

async fn apply(session: &mut Session, schema: &str, migrations: &[Migration]) -> Result<(), DbError> {
    session.script(TABLE).await?;
    for migration in pending(session, schema, migrations).await? {
        tracing::info!(number = migration.number, name = migration.name, schema, "migrating a schema");
        let steps = steps(migration.sql);
        let mut made = BTreeSet::new();
        for (at, step) in steps.iter().enumerate() {
            let noted = (at + 1 == steps.len()).then_some(migration);
            match step.kind {
                Kind::Together => together(session, step, noted, &made).await?,
                Kind::Alone => alone(session, step).await?,
                Kind::Batches(table) => in_batches(session, table, step).await?,
            }
            made.extend(step.statements.iter().filter_map(|statement| touched(&words(statement)).made));
            if step.kind != Kind::Together && noted.is_some() {
                session.rows(note(migration)).await?;
            }
        }
    }
    Ok(())
}

fn note(migration: &Migration) -> Statement {
    Statement::new(APPLY).long(migration.number).text(migration.name)
}

/// One transaction, tried until it needed locks for no longer than is allowed.
async fn together(
    session: &mut Session,
    step: &Step<'_>,
    noted: Option<&Migration>,
    made: &BTreeSet<String>,
) -> Result<(), DbError> {
    for tries in 0u32.. {
        let allowed = HELD * (1 << (tries / TRIES).min(8));
        match try_together(session, step, noted, made.clone(), allowed).await {
            Err(why) if is_in_the_way(&why) => {
                session.rollback().await?;
                if tries % TRIES == TRIES - 1 {
                    tracing::warn!(tries, allowed_ms = allowed.as_millis(), %why, "a migration waits for others, and is given more time");
                }
                tokio::time::sleep(PAUSE).await;
            }
            Err(why) => {
                session.rollback().await?;
                return Err(why);
            }
            Ok(()) => return Ok(()),
        }
    }
    Ok(())
}

async fn try_together(
    session: &mut Session,
    step: &Step<'_>,
    noted: Option<&Migration>,
    mut made: BTreeSet<String>,
    allowed: Duration,
) -> Result<(), DbError> {
    session.begin(Vec::new()).await?;
    let mut since = None;
    for statement in &step.statements {
        let of = touched(&words(statement));
        if since.is_none() && of.tables.iter().any(|table| !made.contains(table)) {
            since = Some(now());
        }
        made.extend(of.made);
        if let Some((table, name)) = constraint_of(statement) {
            let there = Statement::new(CONSTRAINED).text(table).text(name);
            if session.read::<Option<bool>>(there).await?.is_some() {
                continue;
            }
        }
        match since {
            Some(since) => {
                let left = allowed.saturating_sub(since.elapsed()).as_millis().max(1);
                let limits = format!("set local lock_timeout = {left}; set local statement_timeout = {left}");
                session.script(&limits).await?;
                session.script(statement).await?;
            }
            None => session.script(statement).await?,
        }
    }
    session.script("set local statement_timeout = 0").await?;
    session.commit(noted.map(note).into_iter().collect()).await.map(drop)
}

/// Statements that take long and block nobody. An index that somebody else has built is left as it is; one that was broken off is
/// made anew.
async fn alone(session: &mut Session, step: &Step<'_>) -> Result<(), DbError> {
    for statement in &step.statements {
        let index = index_of(statement);
        if let Some(index) = &index {
            match session.read::<Option<bool>>(Statement::new(VALID).text(index.as_str())).await? {
                Some(true) => continue,
                Some(false) => session.script(&format!("drop index concurrently {index:?}")).await?,
                None => {}
            }
        }
        session.script(statement).await?;
    }
    Ok(())
}

/// The statements for a few rows at a time, by their ids. Others have half of the time.
async fn in_batches(session: &mut Session, table: &str, step: &Step<'_>) -> Result<(), DbError> {
    let (mut after, mut size) = (Uuid::nil(), FIRST_BATCH);
    loop {
        let table = table.trim_matches('"');
        let last = format!("select id from {table:?} where id > $1 order by id offset $2 limit 1");
        let last: Option<Uuid> = session.read(Statement::new(last).uuid(after).long(size - 1)).await?;
        let begun = now();
        match one_batch(session, step, (after, last.unwrap_or(Uuid::max())), size).await {
            Ok(()) => match last {
                Some(last) => after = last,
                None => return Ok(()),
            },
            Err(why) if is_in_the_way(&why) => {
                session.rollback().await?;
                size = (size / 2).max(1);
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            Err(why) => {
                session.rollback().await?;
                return Err(why);
            }
        }
        let took = begun.elapsed();
        size = match () {
            () if took > BATCH * 2 => (size / 2).max(1),
            () if took < BATCH => (size * 2).min(LARGEST_BATCH),
            () => size,
        };
        tokio::time::sleep(took).await;
    }
}

async fn one_batch(
    session: &mut Session,
    step: &Step<'_>,
    (after, last): (Uuid, Uuid),
    size: i64,
) -> Result<(), DbError> {
    let allowed = HELD.as_millis();
    session.begin(Vec::new()).await?;
    let limit = if size > 1 { allowed } else { 0 };
    session
        .script(&format!("set local lock_timeout = {allowed}; set local statement_timeout = {limit}"))
        .await?;
    let statements = step.statements.iter();
    let statements = statements.map(|statement| Statement::new(statement.clone()).uuid(after).uuid(last));
    session.commit(statements.collect()).await.map(drop)
}

const NO_SCHEMA: &str = "3F000";

#[expect(clippy::disallowed_methods, reason = "how long locks are held")]
fn now() -> Instant {
    Instant::now()
}

const TAKE: &str = "select pg_try_advisory_xact_lock($1)";
const VALID: &str = "select indisvalid from pg_index where indexrelid = to_regclass(quote_ident($1))";
const CONSTRAINED: &str =
    "select true from pg_constraint where conrelid = to_regclass(quote_ident($1)) and conname = $2";

octavo_pg::statements! {
    other = [TAKE, VALID, CONSTRAINED],
}
