//! Makes a copy of a test tenant's database (`octavo lab keep`), and replaces the database by that copy (`octavo lab reset`).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use octavo_pg::{Database, Session, Statement, Usage};
use tokio::time::sleep;

/// The beginning of the comment on each database that the laboratory made. A database without it is never treated as a copy.
const COMMENT_PREFIX: &str = "kept by octavo lab from ";
const COPY_SUFFIX: &str = "_lab_kept";
const NEW_SUFFIX: &str = "_lab_new";
const OLD: &str = "_lab_old";
const APPLICATION: &str = "octavo lab";
/// How long until it is looked again who is connected to a database.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

pub(super) struct TestDatabase {
    pub(super) name: String,
    owner: String,
    /// Connections to the database `postgres`: a database cannot be copied or dropped by its own sessions.
    maintenance_database: Database,
    /// Further connections to `postgres`, by which other sessions are ended while a statement runs on the ones above.
    beside: Database,
}

impl TestDatabase {
    /// Opens the database. Fails if the database does not contain the mark of the test tenant, or contains another tenant.
    pub(super) async fn find(url: &str, tenant: &str, mark: &str) -> Result<TestDatabase> {
        let inside = Database::for_visitor(url, APPLICATION, None)?;
        let mut session = inside.system_session(Arc::<Usage>::default()).await?;
        let here: Option<(String, String)> = session.read(Statement::new(CURRENT_DATABASE_SQL)).await?;
        let (name, owner) = here.context("PostgreSQL does not say where we are")?;
        if [COPY_SUFFIX, NEW_SUFFIX, OLD].iter().any(|ending| name.ends_with(ending)) {
            bail!("{name} is a copy; name the database behind the server");
        }
        let mut others: Vec<String> = session.read(Statement::new(OTHER_TENANTS_SQL).text(tenant)).await?;
        others.retain(|other| other != "supertenant");
        if !others.is_empty() {
            bail!(
                "{name} holds more than the tenant {tenant}, which would be put back too: {}",
                others.join(", ")
            );
        }
        if !contains_mark(&mut session, mark).await? {
            bail!(
                "{name} is not the database behind that server: the mark of the test tenant {tenant} is not in it"
            );
        }
        let outside = || Database::for_visitor(url, APPLICATION, Some("postgres"));
        Ok(TestDatabase { name, owner, maintenance_database: outside()?, beside: outside()? })
    }

    pub(super) fn copy_name(&self) -> String {
        self.called(COPY_SUFFIX)
    }

    /// Makes a copy of the database. The copy replaces an older copy only when it is complete.
    pub(super) async fn save_copy(&self) -> Result<()> {
        let (copy, new) = (self.copy_name(), self.called(NEW_SUFFIX));
        let mut session = self.maintenance_database.system_session(Arc::<Usage>::default()).await?;
        ensure_made_by_lab(&mut session, &copy).await?;
        self.copy_database(&mut session, &self.name, &new).await?;
        drop_database(&mut session, &copy).await?;
        let (copy, new) = (quote_identifier(&copy), quote_identifier(&new));
        let named = format!(
            "alter database {new} rename to {copy};\n\
             alter database {copy} with allow_connections true"
        );
        execute(&mut session, &named).await
    }

    /// Replaces the database by a new copy of the kept copy. When the new one is complete, both are renamed in one transaction; only then
    /// the old database is dropped.
    pub(super) async fn restore(&self) -> Result<()> {
        let (copy, new, old) = (self.copy_name(), self.called(NEW_SUFFIX), self.called(OLD));
        let mut session = self.maintenance_database.system_session(Arc::<Usage>::default()).await?;
        if database_comment(&mut session, &copy).await?.is_none() {
            bail!("no copy of {} was kept; `octavo lab keep` keeps one", self.name);
        }
        ensure_made_by_lab(&mut session, &copy).await?;
        ensure_made_by_lab(&mut session, &old).await?;
        drop_database(&mut session, &old).await?;
        self.copy_database(&mut session, &copy, &new).await?;
        let (name, new, quoted_old) =
            (quote_identifier(&self.name), quote_identifier(&new), quote_identifier(&old));
        let put_back = format!(
            "alter database {name} rename to {quoted_old};\n\
             comment on database {quoted_old} is {};\n\
             alter database {new} rename to {name};\n\
             comment on database {name} is null;\n\
             alter database {name} with allow_connections true",
            self.mark()
        );
        self.run_alone(&mut session, &self.name, &put_back).await?;
        drop_database(&mut session, &old).await
    }

    fn called(&self, ending: &str) -> String {
        format!("{}{ending}", self.name)
    }

    /// The comment on a copy, as SQL.
    fn mark(&self) -> String {
        format!("'{}'", format!("{COMMENT_PREFIX}{}", self.name).replace('\'', "''"))
    }

    /// Copies a database to another name. The copy does not allow connections yet. What an earlier attempt left under that name is dropped.
    async fn copy_database(&self, session: &mut Session, from: &str, to: &str) -> Result<()> {
        if session.rows(Statement::new(UNFINISHED).text(to)).await?.is_empty() {
            ensure_made_by_lab(session, to).await?;
        }
        drop_database(session, to).await?;
        let create = format!(
            "create database {} owner {} template {} allow_connections false",
            quote_identifier(to),
            quote_identifier(&self.owner),
            quote_identifier(from)
        );
        self.run_alone(session, from, &create).await?;
        execute(session, &format!("comment on database {} is {}", quote_identifier(to), self.mark())).await
    }

    /// Runs statements for which no session may use the database. While they run, PostgreSQL lets no new session in, and waits five seconds
    /// for the present ones to end: they are terminated. So no connections stay forbidden if this program ends meanwhile.
    async fn run_alone(&self, session: &mut Session, name: &str, sql: &str) -> Result<()> {
        let mut beside = self.beside.system_session(Arc::<Usage>::default()).await?;
        tokio::select! {
            done = execute(session, sql) => done,
            error = send_away(&mut beside, name) => Err(error),
        }
    }
}

/// Terminates all sessions of a database again and again. Returns only an error: that sessions cannot be terminated.
async fn send_away(session: &mut Session, name: &str) -> Error {
    loop {
        if let Err(error) = session.rows(Statement::new(TERMINATE_SESSIONS_SQL).text(name)).await {
            return Error::from(error)
                .context(format!("those who are connected to {name} can't be sent away"));
        }
        sleep(BETWEEN_LOOKS).await;
    }
}

/// Runs statements in one transaction of their own; one that makes or drops a database runs in no other.
async fn execute(session: &mut Session, sql: &str) -> Result<()> {
    session.script(sql).await.with_context(|| sql.to_owned())
}

async fn drop_database(session: &mut Session, name: &str) -> Result<()> {
    execute(session, &format!("drop database if exists {} with (force)", quote_identifier(name))).await
}

/// The comment on a database, empty where it has none; None if there is no such database.
async fn database_comment(session: &mut Session, name: &str) -> Result<Option<String>> {
    Ok(session.read(Statement::new(DATABASE_COMMENT_SQL).text(name)).await?)
}

async fn ensure_made_by_lab(session: &mut Session, name: &str) -> Result<()> {
    match database_comment(session, name).await? {
        Some(comment) if !comment.starts_with(COMMENT_PREFIX) => {
            bail!("there is a database {name} that was not made by octavo lab; it is left alone")
        }
        _ => Ok(()),
    }
}

/// Whether the record with the id of the mark is in any of the tables that hold configuration.
async fn contains_mark(session: &mut Session, mark: &str) -> Result<bool> {
    let Ok(mark) = uuid::Uuid::parse_str(mark) else { return Ok(false) };
    for table in session.read::<Vec<String>>(Statement::new(CONFIGURATION_TABLES_SQL)).await? {
        let sql = format!("select from {table} where id = $1");
        if !session.rows(Statement::new(sql).uuid(mark)).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

const CURRENT_DATABASE_SQL: &str = "\
select d.datname::text, pg_get_userbyid(d.datdba)::text
from pg_database d
where d.datname = current_database()";

/// Other tenants, by the names of schemas: Octavo's are called `tenant_diku`, FOLIO's `diku_mod_users`.
const OTHER_TENANTS_SQL: &str = "\
select distinct coalesce(
  substring(nspname::text from '^tenant_(.*)$'),
  substring(nspname::text from '^(.*?)_mod_')
)
from pg_namespace
where
  (nspname ~ '^tenant_' and nspname <> 'tenant_' || $1)
  or (nspname !~ '^tenant_' and nspname ~ '_mod_' and not starts_with(nspname::text, $1 || '_mod_'))
order by 1";

const CONFIGURATION_TABLES_SQL: &str = "\
select format('%I.%I', n.nspname, c.relname)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid
where c.relkind in ('r', 'p') and c.relname ~ 'config' and a.attname = 'id' and a.atttypid = 'uuid'::regtype
order by 1";

const DATABASE_COMMENT_SQL: &str = "\
select coalesce(shobj_description(oid, 'pg_database'), '')
from pg_database
where datname = $1";

/// A database that nobody was ever let into, and that has no comment yet: making a copy was broken off.
const UNFINISHED: &str = "\
select
from pg_database
where datname = $1 and not datallowconn and shobj_description(oid, 'pg_database') is null";

const TERMINATE_SESSIONS_SQL: &str = "\
select pg_terminate_backend(pid)
from pg_stat_activity
where datname = $1 and pid <> pg_backend_pid()";
