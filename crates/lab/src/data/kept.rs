//! The copy of a database: how it is made, and how it takes the database's place.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::{Database, Session, Statement, Usage};
use tokio::time::sleep;

/// What the comment on a copy begins with; only a database with it is ever taken for one.
const OURS: &str = "kept by octavo lab from ";
const COPY: &str = "_lab_kept";
const NEW: &str = "_lab_new";
const APPLICATION: &str = "octavo lab";
/// How often it is looked whether the sessions of a database have ended; there are 50 ms between two looks.
const TRIES: u32 = 100;

pub(super) struct Kept {
    pub(super) name: String,
    owner: String,
    /// Connections to another database: a database cannot be copied or dropped from within.
    outside: Database,
}

impl Kept {
    /// Refuses a database in which the mark is not, or in which another tenant is.
    pub(super) async fn find(url: &str, tenant: &str, mark: &str) -> Result<Kept> {
        let inside = Database::visited(url, APPLICATION, None)?;
        let mut session = inside.system(Arc::<Usage>::default()).await?;
        let here: Option<(String, String)> = session.read(Statement::new(WHERE)).await?;
        let (name, owner) = here.context("PostgreSQL does not say where we are")?;
        if name.ends_with(COPY) || name.ends_with(NEW) {
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
        Ok(Kept { name, owner, outside: Database::visited(url, APPLICATION, Some("postgres"))? })
    }

    pub(super) fn copy(&self) -> String {
        format!("{}{COPY}", self.name)
    }

    /// The copy replaces an older one once it is whole.
    pub(super) async fn keep(&self) -> Result<()> {
        let (copy, new) = (self.copy(), format!("{}{NEW}", self.name));
        let mut session = self.outside.system(Arc::<Usage>::default()).await?;
        demand_ours(&mut session, &copy).await?;
        self.make(&mut session, &self.name, &new, &format!("{OURS}{}", self.name)).await?;
        drop_database(&mut session, &copy).await?;
        run(&mut session, &format!("alter database {} rename to {}", quoted(&new), quoted(&copy))).await
    }

    /// The database is dropped only when the one that takes its place is whole.
    pub(super) async fn reset(&self) -> Result<()> {
        let (copy, new) = (self.copy(), format!("{}{NEW}", self.name));
        let mut session = self.outside.system(Arc::<Usage>::default()).await?;
        if comment(&mut session, &copy).await?.is_none() {
            bail!("no copy of {} was kept; `octavo lab keep` keeps one", self.name);
        }
        demand_ours(&mut session, &copy).await?;
        self.make(&mut session, &copy, &new, &format!("{OURS}{}", self.name)).await?;
        run(&mut session, &format!("comment on database {} is null", quoted(&new))).await?;
        self.close(&mut session, &self.name).await?;
        drop_database(&mut session, &self.name).await?;
        run(&mut session, &format!("alter database {} rename to {}", quoted(&new), quoted(&self.name))).await
    }

    /// A copy of one database under another name. Whoever is in the first is sent away, and let in again afterwards.
    async fn make(&self, session: &mut Session, from: &str, to: &str, comment: &str) -> Result<()> {
        if self::comment(session, to).await?.is_some() {
            demand_ours(session, to).await?;
            drop_database(session, to).await?;
        }
        self.close(session, from).await?;
        let create =
            format!("create database {} owner {} template {}", quoted(to), quoted(&self.owner), quoted(from));
        let made = run(session, &create).await;
        admit(session, from, true).await?;
        made?;
        run(session, &format!("comment on database {} is '{}'", quoted(to), comment.replace('\'', "''")))
            .await
    }

    /// Nobody is let in, and whoever is in it must go.
    async fn close(&self, session: &mut Session, name: &str) -> Result<()> {
        admit(session, name, false).await?;
        for _ in 0..TRIES {
            let rows = session.rows(Statement::new(SEND_AWAY).text(name)).await;
            match rows {
                Ok(rows) if rows.is_empty() => return Ok(()),
                Ok(_) => sleep(Duration::from_millis(50)).await,
                Err(error) => {
                    admit(session, name, true).await?;
                    return Err(error)
                        .context(format!("those who are connected to {name} can't be sent away"));
                }
            }
        }
        admit(session, name, true).await?;
        bail!("somebody stays connected to {name}")
    }
}

/// Runs one statement in a transaction of its own: databases are made and dropped in no other.
async fn run(session: &mut Session, sql: &str) -> Result<()> {
    session.script(sql).await.with_context(|| sql.to_owned())
}

/// Whether anybody may connect to a database.
async fn admit(session: &mut Session, name: &str, admitted: bool) -> Result<()> {
    run(session, &format!("alter database {} with allow_connections {admitted}", quoted(name))).await
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

const SEND_AWAY: &str = "\
select pg_terminate_backend(pid)
from pg_stat_activity
where datname = $1 and pid <> pg_backend_pid()";
