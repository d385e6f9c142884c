//! The table of loaded files: how far each was loaded, written with each batch in its transaction.

use anyhow::Result;
use octavo_engine::Context;
use octavo_pg::Statement;

use super::fault_to_error;

/// How far a file has been loaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of bytes of the file that were loaded or reported as failed.
    pub(super) position: i64,
    pub(super) seen: i64,
    pub(super) loaded: i64,
    pub(super) failed: i64,
    /// The number of records that were loaded without some unreadable characters.
    pub(super) partly: i64,
    /// The length in bytes that the file of failures has after these records.
    pub(super) told: i64,
}

octavo_pg::columns!(Entry { position, seen, loaded, failed, partly, told });

/// A file in the ledger, known by the tenant, the fingerprint of its content and the type of its records.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) tenant: String,
    pub(super) file: String,
    pub(super) record: String,
}

pub(super) async fn create_table(context: &Context) -> Result<()> {
    let mut session = context.platform.database.system_session(context.usage.clone()).await?;
    Ok(session.script(TABLE).await?)
}

pub(super) async fn read_entry(context: &Context, key: &Key, again: bool) -> Result<Entry> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    if again {
        session.rows(key.bind_key(Statement::new(DELETE))).await?;
    }
    Ok(session.read::<Option<Entry>>(key.bind_key(Statement::new(READ))).await?.unwrap_or_default())
}

impl Key {
    fn bind_key(&self, statement: Statement) -> Statement {
        statement.text(self.tenant.as_str()).text(self.file.as_str()).text(self.record.as_str())
    }

    pub(super) fn write_statement(&self, entry: Entry) -> Statement {
        self.bind_key(Statement::new(WRITE))
            .long(entry.position)
            .long(entry.seen)
            .long(entry.loaded)
            .long(entry.failed)
            .long(entry.partly)
            .long(entry.told)
    }
}

const TABLE: &str = "\
create table if not exists octavo.loads (
  tenant text not null references octavo.tenants (id) on delete cascade,
  file text not null,
  record text not null,
  position bigint not null,
  seen bigint not null,
  loaded bigint not null,
  failed bigint not null,
  partly bigint not null,
  told bigint not null,
  primary key (tenant, file, record)
)";
const READ: &str = "\
select position, seen, loaded, failed, partly, told
from octavo.loads
where tenant = $1 and file = $2 and record = $3";
const DELETE: &str = "delete from octavo.loads where tenant = $1 and file = $2 and record = $3";
const WRITE: &str = "\
insert into octavo.loads values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (tenant, file, record) do update set
  position = excluded.position, seen = excluded.seen, loaded = excluded.loaded, failed = excluded.failed,
  partly = excluded.partly, told = excluded.told";
