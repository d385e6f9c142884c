//! Carries migrations out while others read and write: each lock on a table that is there already is waited for and held for a tenth
//! of a second at most, rows are changed a few at a time, and what takes long blocks nobody.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use octavo_kernel::TenantId;
use octavo_pg::{Database, DbError, Session, Sql, Statement};
use uuid::Uuid;

use super::super::is_lock_conflict;
use super::sql::{Step, StepKind, added_constraint, affected_tables, concurrent_index_name, steps, tokens};
use super::{APPLIED, APPLY, Migration, SCHEMA_LOCK, STANDING, TABLE};

/// How long a step may wait for and hold locks on tables that existed before, all locks together.
const MAX_LOCK_TIME: Duration = Duration::from_millis(100);
/// The wait before a step is tried again that took longer: transactions that waited for it can go on meanwhile.
const RETRY_PAUSE: Duration = Duration::from_millis(300);
/// Each time so many attempts have failed the allowed time is doubled, so that a busy server is migrated, too.
const TRIES_BEFORE_DOUBLING: u32 = 20;
/// How long a batch of rows should take; the size of the next batch is adapted to it.
const BATCH_TIME: Duration = Duration::from_millis(30);
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
    if pending_migrations(session, schema, migrations).await?.is_empty() {
        return Ok(());
    }
    loop {
        // Held by a transaction of its own: the session that works has many. It sees nothing, so it keeps no index waiting.
        let mut guard = database.system_session(session_usage()).await?;
        guard.begin(Vec::new()).await?;
        let taken: Option<bool> = guard.read(Statement::new(TAKE).long(SCHEMA_LOCK)).await?;
        if taken != Some(true) {
            guard.rollback().await?;
            drop(guard);
            tokio::time::sleep(RETRY_PAUSE).await;
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
            // An index that is being built may wait for a process that waits for this lock; during the pause that process goes first.
            Err(why) if is_lock_conflict(&why) => tokio::time::sleep(RETRY_PAUSE).await,
            done => return done,
        }
    }
}

fn session_usage() -> std::sync::Arc<octavo_pg::Usage> {
    std::sync::Arc::new(octavo_pg::Usage::for_work(octavo_pg::Work::Maintenance))
}

/// The migrations that a schema has not had yet.
async fn pending_migrations<'a>(
    session: &mut Session,
    schema: &str,
    migrations: &'a [Migration],
) -> Result<Vec<&'a Migration>, DbError> {
    let applied = Sql { text: APPLIED.replace('%', &format!("{schema:?}")), params: Vec::new() };
    let applied: Vec<i64> = match session.read_once(&applied).await {
        Err(why) if why.has_code(DbError::NO_TABLE) || why.has_code(NO_SCHEMA) => Vec::new(),
        applied => applied?,
    };
    Ok(migrations.iter().filter(|migration| !applied.contains(&migration.number)).collect())
}

async fn apply(session: &mut Session, schema: &str, migrations: &[Migration]) -> Result<(), DbError> {
    session.script(TABLE).await?;
    for migration in pending_migrations(session, schema, migrations).await? {
        tracing::info!(number = migration.number, name = migration.name, schema, "migrating a schema");
        let steps = steps(migration.sql);
        let mut made = BTreeSet::new();
        for (at, step) in steps.iter().enumerate() {
            let noted = (at + 1 == steps.len()).then_some(migration);
            match step.kind {
                StepKind::Together => run_in_transaction(session, step, noted, &made).await?,
                StepKind::Alone => run_outside_transaction(session, step).await?,
                StepKind::Batches(table) => run_in_batches(session, table, step).await?,
            }
            made.extend(
                step.statements.iter().filter_map(|statement| affected_tables(&tokens(statement)).created),
            );
            if step.kind != StepKind::Together && noted.is_some() {
                session.rows(applied_statement(migration)).await?;
            }
        }
    }
    Ok(())
}

fn applied_statement(migration: &Migration) -> Statement {
    Statement::new(APPLY).long(migration.number).text(migration.name)
}

/// Runs the statements in one transaction, and tries again until it needed locks for no longer than is allowed.
async fn run_in_transaction(
    session: &mut Session,
    step: &Step<'_>,
    noted: Option<&Migration>,
    made: &BTreeSet<String>,
) -> Result<(), DbError> {
    for tries in 0u32.. {
        let allowed = MAX_LOCK_TIME * (1 << (tries / TRIES_BEFORE_DOUBLING).min(8));
        match try_in_transaction(session, step, noted, made.clone(), allowed).await {
            Err(why) if is_lock_conflict(&why) => {
                session.rollback().await?;
                if tries % TRIES_BEFORE_DOUBLING == TRIES_BEFORE_DOUBLING - 1 {
                    tracing::warn!(tries, allowed_ms = allowed.as_millis(), %why, "a migration waits for others, and is given more time");
                }
                tokio::time::sleep(RETRY_PAUSE).await;
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

async fn try_in_transaction(
    session: &mut Session,
    step: &Step<'_>,
    noted: Option<&Migration>,
    mut made: BTreeSet<String>,
    allowed: Duration,
) -> Result<(), DbError> {
    session.begin(Vec::new()).await?;
    let mut since = None;
    for statement in &step.statements {
        let of = affected_tables(&tokens(statement));
        if since.is_none() && of.tables.iter().any(|table| !made.contains(table)) {
            since = Some(now());
        }
        made.extend(of.created);
        if let Some((table, name)) = added_constraint(statement) {
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
    session.commit(noted.map(applied_statement).into_iter().collect()).await.map(drop)
}

/// Runs statements that take long and block nobody. An index that exists already is left as it is; one whose creation was interrupted is
/// created again.
async fn run_outside_transaction(session: &mut Session, step: &Step<'_>) -> Result<(), DbError> {
    for statement in &step.statements {
        let index = concurrent_index_name(statement);
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

/// Runs the statements for a few rows at a time, selected by their ids, with pauses as long as the work.
async fn run_in_batches(session: &mut Session, table: &str, step: &Step<'_>) -> Result<(), DbError> {
    let (mut after, mut size) = (Uuid::nil(), FIRST_BATCH);
    loop {
        let table = table.trim_matches('"');
        let last = format!("select id from {table:?} where id > $1 order by id offset $2 limit 1");
        let last: Option<Uuid> = session.read(Statement::new(last).uuid(after).long(size - 1)).await?;
        let begun = now();
        match run_batch(session, step, (after, last.unwrap_or(Uuid::max())), size).await {
            Ok(()) => match last {
                Some(last) => after = last,
                None => return Ok(()),
            },
            Err(why) if is_lock_conflict(&why) => {
                session.rollback().await?;
                size = (size / 2).max(1);
                tokio::time::sleep(RETRY_PAUSE).await;
                continue;
            }
            Err(why) => {
                session.rollback().await?;
                return Err(why);
            }
        }
        let took = begun.elapsed();
        size = match () {
            () if took > BATCH_TIME * 2 => (size / 2).max(1),
            () if took < BATCH_TIME => (size * 2).min(LARGEST_BATCH),
            () => size,
        };
        tokio::time::sleep(took).await;
    }
}

async fn run_batch(
    session: &mut Session,
    step: &Step<'_>,
    (after, last): (Uuid, Uuid),
    size: i64,
) -> Result<(), DbError> {
    let allowed = MAX_LOCK_TIME.as_millis();
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
