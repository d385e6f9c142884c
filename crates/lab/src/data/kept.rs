//! The copy of a database: how it is made, and how it takes the database's place.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use octavo_pg::{Database, Session, Statement, Usage};
use tokio::time::sleep;

/// What the comment on a copy begins with; only a database with it is ever taken for one.
const OURS: &str = "kept by octavo lab from ";
const COPY: &str = "_lab_kept";
const NEW: &str = "_lab_new";
const OLD: &str = "_lab_old";
const APPLICATION: &str = "octavo lab";
/// How long until it is looked again who is connected to a database.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

pub(super) struct Kept {
    pub(super) name: String,
    owner: String,
    /// Connections to another database: a database cannot be copied or dropped from within.
    outside: Database,
    /// Sends others away while the connection above is in use.
    beside: Database,
}

impl Kept {
    /// Refuses a database in which the mark is not, or in which another tenant is.
    pub(super) async fn find(url: &str, tenant: &str, mark: &str) -> Result<Kept> {
        let inside = Database::visited(url, APPLICATION, None)?;
        let mut session = inside.system(Arc::<Usage>::default()).await?;
        let here: Option<(String, String)> = session.read(Statement::new(WHERE)).await?;
        let (name, owner) = here.context("PostgreSQL does not say where we are")?;
        if [COPY, NEW, OLD].iter().any(|ending| name.ends_with(ending)) {
            bail!("{name} is a copy; name the database behind the server");
        }
        let mut others: Vec<String> = session.read(Statement::new(TENANTS).text(tenant)).await?;
        others.retain(|other| other != "supertenant");
        if !others.is_empty() {
            bail!(
                "{name} holds more than the tenant {tenant}, which would be put back too: {}",
                others.join(", ")
            );
        }
        if !holds(&mut session, mark).await? {
            bail!(
                "{name} is not the database behind that server: the mark of the test tenant {tenant} is not in it"
            );
        }
        let outside = || Database::visited(url, APPLICATION, Some("postgres"));
        Ok(Kept { name, owner, outside: outside()?, beside: outside()? })
    }

    pub(super) fn copy(&self) -> String {
        self.called(COPY)
    }

    /// The copy replaces an older one once it is whole.
    pub(super) async fn keep(&self) -> Result<()> {
        let (copy, new) = (self.copy(), self.called(NEW));
        let mut session = self.outside.system(Arc::<Usage>::default()).await?;
        demand_ours(&mut session, &copy).await?;
        self.make(&mut session, &self.name, &new).await?;
        drop_database(&mut session, &copy).await?;
        let (copy, new) = (quoted(&copy), quoted(&new));
        let named = format!(
            "alter database {new} rename to {copy};\n\
             alter database {copy} with allow_connections true"
        );
        run(&mut session, &named).await
    }

    /// The database is dropped only when the one that takes its place is whole and has its name, which both get at once.
    pub(super) async fn reset(&self) -> Result<()> {
        let (copy, new, old) = (self.copy(), self.called(NEW), self.called(OLD));
        let mut session = self.outside.system(Arc::<Usage>::default()).await?;
        if comment(&mut session, &copy).await?.is_none() {
            bail!("no copy of {} was kept; `octavo lab keep` keeps one", self.name);
        }
        demand_ours(&mut session, &copy).await?;
        demand_ours(&mut session, &old).await?;
        drop_database(&mut session, &old).await?;
        self.make(&mut session, &copy, &new).await?;
        let (name, new, quoted_old) = (quoted(&self.name), quoted(&new), quoted(&old));
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
        format!("'{}'", format!("{OURS}{}", self.name).replace('\'', "''"))
    }

    /// A copy of one database under another name, into which nobody is let yet. What an earlier attempt has left under that name goes.
    async fn make(&self, session: &mut Session, from: &str, to: &str) -> Result<()> {
        if session.rows(Statement::new(UNFINISHED).text(to)).await?.is_empty() {
            demand_ours(session, to).await?;
        }
        drop_database(session, to).await?;
        let create = format!(
            "create database {} owner {} template {} allow_connections false",
            quoted(to),
            quoted(&self.owner),
            quoted(from)
        );
        self.run_alone(session, from, &create).await?;
        run(session, &format!("comment on database {} is {}", quoted(to), self.mark())).await
    }

    /// Runs what needs a database for itself. From its beginning to its end PostgreSQL lets nobody new in, and it waits five seconds for
    /// those who are in there: they are sent away. So nothing has to be opened again if this program ends meanwhile.
    async fn run_alone(&self, session: &mut Session, name: &str, sql: &str) -> Result<()> {
        let mut beside = self.beside.system(Arc::<Usage>::default()).await?;
        tokio::select! {
            done = run(session, sql) => done,
            error = send_away(&mut beside, name) => Err(error),
        }
    }
}

/// Sends away whoever is connected to a database, again and again; why that can't be done.
async fn send_away(session: &mut Session, name: &str) -> Error {
    loop {
        if let Err(error) = session.rows(Statement::new(SEND_AWAY).text(name)).await {
            return Error::from(error)
                .context(format!("those who are connected to {name} can't be sent away"));
        }
        sleep(BETWEEN_LOOKS).await;
    }
}

/// Runs statements in one transaction of their own; one that makes or drops a database runs in no other.
async fn run(session: &mut Session, sql: &str) -> Result<()> {
    session.script(sql).await.with_context(|| sql.to_owned())
}

async fn drop_database(session: &mut Session, name: &str) -> Result<()> {
    run(session, &format!("drop database if exists {} with (force)", quoted(name))).await
}

/// The comment on a database, empty where it has none; None if there is no such database.
async fn comment(session: &mut Session, name: &str) -> Result<Option<String>> {
    Ok(session.read(Statement::new(COMMENT).text(name)).await?)
}

async fn demand_ours(session: &mut Session, name: &str) -> Result<()> {
    match comment(session, name).await? {
        Some(comment) if !comment.starts_with(OURS) => {
            bail!("there is a database {name} that was not made by octavo lab; it is left alone")
        }
        _ => Ok(()),
    }
}

/// Looks for the mark's record by its id, wherever configuration is kept.
async fn holds(session: &mut Session, mark: &str) -> Result<bool> {
    let Ok(mark) = uuid::Uuid::parse_str(mark) else { return Ok(false) };
    for table in session.read::<Vec<String>>(Statement::new(CONFIGURATION)).await? {
        let sql = format!("select from {table} where id = $1");
        if !session.rows(Statement::new(sql).uuid(mark)).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

const WHERE: &str = "\
select d.datname::text, pg_get_userbyid(d.datdba)::text
from pg_database d
where d.datname = current_database()";

/// Other tenants, by the names of schemas: Octavo's are called `tenant_diku`, FOLIO's `diku_mod_users`.
const TENANTS: &str = "\
select distinct coalesce(
  substring(nspname::text from '^tenant_(.*)$'),
  substring(nspname::text from '^(.*?)_mod_')
)
from pg_namespace
where
  (nspname ~ '^tenant_' and nspname <> 'tenant_' || $1)
  or (nspname !~ '^tenant_' and nspname ~ '_mod_' and not starts_with(nspname::text, $1 || '_mod_'))
order by 1";

const CONFIGURATION: &str = "\
select format('%I.%I', n.nspname, c.relname)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid
where c.relkind in ('r', 'p') and c.relname ~ 'config' and a.attname = 'id' and a.atttypid = 'uuid'::regtype
order by 1";

const COMMENT: &str = "\
select coalesce(shobj_description(oid, 'pg_database'), '')
from pg_database
where datname = $1";

/// A database that nobody was ever let into, and that has no comment yet: making a copy was broken off.
const UNFINISHED: &str = "\
select
from pg_database
where datname = $1 and not datallowconn and shobj_description(oid, 'pg_database') is null";

const SEND_AWAY: &str = "\
select pg_terminate_backend(pid)
from pg_stat_activity
where datname = $1 and pid <> pg_backend_pid()";
